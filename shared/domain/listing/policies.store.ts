import type { Context } from '../../platform/context.ts';
import { defineEntity } from '../../platform/table/index.ts';
import { type Listing, listingRead } from './listing.store.ts';
import { type Policies, PutPolicies } from './policies.schema.ts';

/** House rules as stored: `refund_rule` stands in the listing, and the id is the listing's own. */
export type HouseRules = Omit<Policies, 'id' | 'refund_rule'>;

export const HouseRulesEntity = defineEntity<HouseRules, Pick<HouseRules, 'listing_id'>>({
  name: 'HouseRules',
  meaning: "A listing's policies, one record.",
  patterns: ['the policies of a listing (one BatchGet with it)'],
  key: ({ listing_id }) => ({ pk: `LISTING#${listing_id}`, sk: 'POLICIES' }),
  example: { listing_id: 1 },
});

/** A listing with its house rules, in one round trip. */
export const readHouseRules = async ({ table }: Pick<Context, 'table'>, listing_id: number) => {
  const [listing, rules] = await table.getAll([
    listingRead(listing_id),
    { key: HouseRulesEntity.key({ listing_id }) },
  ]);
  return { listing: listing as Listing | undefined, rules: rules as HouseRules | undefined };
};

/** The policies as answered; a listing whose host has said nothing allows nothing. */
export const policiesOf = (listing: Listing, rules: HouseRules | undefined): Policies => ({
  ...PutPolicies.parse({}),
  created_at: listing.created_at,
  ...rules,
  id: listing.id,
  listing_id: listing.id,
  refund_rule: listing.refund_rule,
});

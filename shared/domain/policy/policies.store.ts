import type { Context } from '../../platform/context.ts';
import { type Listing, listingRead } from '../listing/index.ts';
import { type HouseRules, HouseRulesEntity } from './policies.entity.ts';
import { type Policies, PutPolicies } from './policies.schema.ts';

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

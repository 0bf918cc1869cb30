import * as z from 'zod';
import type { Context } from '../../platform/context.ts';
import { defineEntity, readOf, defineRecord, type RecordOf } from '../../platform/table/index.ts';
import type { Listing } from './listing.entity.ts';
import { listingRead } from './listing.store.ts';
import { type Policies, PutPolicies } from './policies.schema.ts';

/** Policies as stored: `refund_rule` and the id are the listing's. */
const PoliciesRecord = defineRecord(() => ({
  listing_id: z.int(),
  outside_food_allowed: z.boolean(),
  party_allowed: z.boolean(),
  smoking_allowed: z.boolean(),
  photography_allowed: z.boolean(),
  pet_allowed: z.boolean(),
  id_card_required: z.boolean(),
  quiet_time_start: z.string().nullable(),
  quiet_time_end: z.string().nullable(),
  other_rules: z.string(),
  /** UTC. */
  created_at: z.string(),
}));
export type PoliciesRecord = RecordOf<typeof PoliciesRecord>;

export const PoliciesEntity = defineEntity<PoliciesRecord, Pick<PoliciesRecord, 'listing_id'>>({
  name: 'HouseRules',
  meaning: "A listing's policies, one record.",
  patterns: ['the policies of a listing (one BatchGet with it)'],
  record: PoliciesRecord,
  key: { pk: 'LISTING#{listing_id}', sk: 'POLICIES' },
  example: { listing_id: 1 },
});

/** Reads a listing with its policies in one round trip. */
export const readPolicies = async ({ table }: Pick<Context, 'table'>, listingId: number) => {
  const [listing, stored] = await table.getAll([
    listingRead(listingId),
    readOf(PoliciesEntity, { listing_id: listingId }),
  ]);
  return { listing, stored };
};

/** Returns the policies of a listing; without a stored record nothing is allowed. */
export const presentPolicies = (listing: Listing, stored: PoliciesRecord | undefined): Policies => ({
  ...PutPolicies.parse({}),
  created_at: listing.created_at,
  ...stored,
  id: listing.id,
  listing_id: listing.id,
  refund_rule: listing.refund_rule,
});

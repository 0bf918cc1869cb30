import { defineEntity } from '../../platform/table/index.ts';
import type { Policies } from './policies.schema.ts';

/** House rules as stored: `refund_rule` stands in the listing, and the id is the listing's own. */
export type HouseRules = Omit<Policies, 'id' | 'refund_rule'>;

export const HouseRulesEntity = defineEntity<HouseRules, Pick<HouseRules, 'listing_id'>>({
  name: 'HouseRules',
  meaning: "A listing's policies, one record.",
  patterns: ['the policies of a listing (one BatchGet with it)'],
  key: ({ listing_id }) => ({ pk: `LISTING#${listing_id}`, sk: 'POLICIES' }),
  example: { listing_id: 1 },
});

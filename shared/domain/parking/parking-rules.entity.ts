import { defineEntity } from '../../platform/table/index.ts';
import type { ParkingRule } from './parking-rule.schema.ts';

/** All parking rules of a listing: at most one a vehicle type, so one item holds them. */
export interface ParkingRules {
  listing_id: number;
  version: number;
  rules: ParkingRule[];
}

export const ParkingRulesEntity = defineEntity<ParkingRules, Pick<ParkingRules, 'listing_id'>>({
  name: 'ParkingRules',
  meaning: "A listing's parking rules.",
  patterns: ['the parking rules of a listing'],
  key: ({ listing_id }) => ({ pk: `LISTING#${listing_id}`, sk: 'PARKING_RULES' }),
  example: { listing_id: 1 },
});

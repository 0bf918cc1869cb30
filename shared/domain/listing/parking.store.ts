import * as z from 'zod';
import type { Context } from '../../platform/context.ts';
import { invalid, ServiceError } from '../../platform/errors.ts';
import {
  absent,
  conditionCheck,
  defineEntity,
  equals,
  isOneOf,
  put,
  readOf,
  type Write,
  defineRecord,
  type RecordOf,
} from '../../platform/table/index.ts';
import { moneyIssues } from './listing.rules.ts';
import { partChanges } from './listing-change.store.ts';
import { type Listing, ListingEntity } from './listing.entity.ts';
import { listingRead, listingUpdated, requireHosted } from './listing.store.ts';
import { type ParkingRule, parkingRuleIssues, type ParkingRulesByVehicle } from './parking.schema.ts';

const ParkingRuleRecord = defineRecord(() => ({
  id: z.int(),
  listing_id: z.int(),
  vehicle_type: z.enum(['motorbike', 'car']),
  is_free: z.boolean(),
  price: z.number(),
  currency: z.string(),
  location_type: z.enum(['on_site', 'nearby', 'street', 'none']),
  distance_in_meters: z.int().nullable(),
  description: z.string(),
}));

/** All parking rules of a listing in one item: at most one for each vehicle type. */
const ParkingRulesRecord = defineRecord(() => ({
  listing_id: z.int(),
  version: z.int(),
  rules: z.array(ParkingRuleRecord()),
}));
type ParkingRules = RecordOf<typeof ParkingRulesRecord>;

export const ParkingRulesEntity = defineEntity<ParkingRules, Pick<ParkingRules, 'listing_id'>>({
  name: 'ParkingRules',
  meaning: "A listing's parking rules.",
  patterns: ['the parking rules of a listing'],
  record: ParkingRulesRecord,
  key: { pk: 'LISTING#{listing_id}', sk: 'PARKING_RULES' },
  example: { listing_id: 1 },
});

/** Reads a listing with its parking rules in one round trip; version 0 if it never had any. */
export const readParking = async ({ table }: Pick<Context, 'table'>, listingId: number) => {
  const [listing, parking] = await table.getAll([
    listingRead(listingId),
    readOf(ParkingRulesEntity, { listing_id: listingId }),
  ]);
  return { listing, parking: parking ?? { listing_id: listingId, version: 0, rules: [] } };
};

/** Returns parking rules by vehicle type. */
export const presentParking = (rules: readonly ParkingRule[]): ParkingRulesByVehicle =>
  Object.fromEntries(rules.map((rule) => [rule.vehicle_type, rule]));

/** Reads the same and requires that the caller may change them. */
export const readHostedParking = async (ctx: Context, listingId: number) => {
  const { listing, parking } = await readParking(ctx, listingId);
  return { listing: requireHosted(ctx.caller, listing, 'manage'), parking };
};

export const ruleNotFound = (): ServiceError =>
  new ServiceError('NOT_FOUND', 'There is no such parking rule.');

/** Throws VALIDATION_ERROR if the vehicle type already has a rule, or if prices do not fit the rule or its currency. */
export const checkParkingRule = (rule: ParkingRule, others: readonly ParkingRule[]): void => {
  const taken = others.some(({ id, vehicle_type }) => id !== rule.id && vehicle_type === rule.vehicle_type);
  const issues = [
    ...(taken
      ? [
          {
            path: 'vehicle_type',
            message: `already has a rule: one for each vehicle type (${rule.vehicle_type})`,
          },
        ]
      : []),
    ...parkingRuleIssues(rule),
    ...moneyIssues({ price: rule.price }, rule.currency),
  ];
  if (issues.length > 0) throw invalid(...issues);
};

/** Returns the writes that replace the parking rules of a listing, unless they have changed or the listing is archived. */
export const putParking = (
  ctx: Context,
  { listing, parking }: { listing: Listing; parking: ParkingRules },
  rules: ParkingRule[],
): Write[] => [
  put(
    ParkingRulesEntity,
    { ...parking, rules, version: parking.version + 1 },
    { when: parking.version === 0 ? absent() : equals('version', parking.version) },
  ),
  conditionCheck(
    ListingEntity,
    { id: listing.id },
    { when: isOneOf('state', ['DRAFT', 'ACTIVE', 'INACTIVE']) },
  ),
  ...listingUpdated(ctx, listing, ['parking_rules'], partChanges('parking_rules', parking.rules, rules)),
];

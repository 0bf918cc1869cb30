import * as z from 'zod';
import { defineEntity, defineRecord, type RecordOf, sortable } from '../../platform/table/index.ts';

/** Looks up the listing of a combo or rule, for paths with only its id. */
const PricePartOwnerRecord = defineRecord(() => ({
  kind: z.enum(['combos', 'services', 'rules']),
  part_id: z.int(),
  listing_id: z.int(),
}));
type PricePartOwner = RecordOf<typeof PricePartOwnerRecord>;

export const PricePartOwnerEntity = defineEntity<PricePartOwner, Pick<PricePartOwner, 'kind' | 'part_id'>>({
  name: 'PricePartOwner',
  meaning: 'The listing of a combo price or pricing rule.',
  patterns: ['the listing of a combo or rule by its id'],
  record: PricePartOwnerRecord,
  key: { pk: 'PRICE_PART#{kind}#{part_id}', sk: 'OWNER' },
  example: { kind: 'combos', part_id: 1 },
});

const ComboPriceRecord = defineRecord(() => ({
  id: z.int(),
  listing_id: z.int(),
  name: z.string(),
  start_time: z.string(),
  end_time: z.string(),
  original_price: z.number(),
  discounted_price: z.number(),
  combo_type: z.enum(['overnight', 'day_use', 'hourly_block', 'other']),
  priority: z.int(),
  is_active: z.boolean(),
}));

const ExtraServiceRecord = defineRecord(() => ({
  id: z.int(),
  listing_id: z.int(),
  service_name: z.string(),
  description: z.string().nullable(),
  price: z.number(),
  price_unit: z.enum(['per_use', 'per_night', 'per_person']),
  is_required: z.boolean(),
  is_active: z.boolean(),
  /** UTC. */
  created_at: z.string(),
}));

const PricingRuleRecord = defineRecord(() => ({
  id: z.int(),
  listing_id: z.int(),
  date_type: z.enum(['ALWAYS', 'WEEKDAY', 'DATE_RANGE', 'SPECIFIC_DATE']),
  day_of_week: z.int().nullable(),
  date_from: z.string().nullable(),
  date_to: z.string().nullable(),
  /** Absent: all days. */
  weekdays: z.array(z.int()).nullable().optional(),
  /** The bulk change that made it; absent once a host has changed it. */
  bulk_id: z.int().exactOptional(),
  charge_unit: z.enum(['PER_BOOKING', 'PER_NIGHT', 'PER_HOUR', 'PACKAGE', 'PER_MONTH']),
  stay_type: z.enum(['DAY', 'OVERNIGHT', 'ANY']),
  price: z.number(),
  priority: z.int(),
  is_active: z.boolean(),
}));

const dayRuleFields = {
  min_nights: z.int().nullable(),
  max_nights: z.int().nullable(),
  closed_to_arrival: z.boolean().nullable(),
  closed_to_departure: z.boolean().nullable(),
  closed: z.boolean().nullable(),
};

const StoredStayRulesRecord = defineRecord(() => ({
  default: z.object(dayRuleFields),
  min_notice_hours: z.int().nullable(),
  booking_window_days: z.int().nullable(),
  date_rules: z.array(
    z.object({
      id: z.int(),
      date_from: z.string(),
      date_to: z.string(),
      weekdays: z.array(z.int()).nullable(),
      ...dayRuleFields,
    }),
  ),
}));

/** All price parts of a listing in one item, so that many listings are priced after one BatchGet. */
const PricePartsRecord = defineRecord(() => ({
  listing_id: z.int(),
  /** Of the listing. Absent: not written since the team's calendar reads all of a team at once. */
  team_id: z.int().exactOptional(),
  version: z.int(),
  combos: z.array(ComboPriceRecord()),
  services: z.array(ExtraServiceRecord()),
  rules: z.array(PricingRuleRecord()),
  /** Read with the prices, so that a stay is checked without a further read. Absent: none were set. */
  stay_rules: StoredStayRulesRecord().optional(),
}));
export type PriceParts = RecordOf<typeof PricePartsRecord>;

const pricePartsPrefix = 'LISTING#';

/** Returns the place of a listing's price parts among those of its team, which is the order of the listings' ids. */
export const pricePartsPlace = (listingId: number): string => pricePartsPrefix + sortable(listingId);

export const PricePartsEntity = defineEntity<PriceParts, Pick<PriceParts, 'listing_id'>>({
  name: 'PriceParts',
  meaning: "A listing's combos, extra services, pricing rules and stay rules.",
  patterns: [
    'the price parts of one or many listings (one BatchGet with the listings)',
    'the price parts of the listings of a team, for its calendar',
  ],
  record: PricePartsRecord,
  key: { pk: 'LISTING#{listing_id}', sk: 'PRICE_PARTS' },
  indexes: [
    {
      index: 'by_team',
      pk: 'TEAM#{team_id}#PRICE_PARTS',
      sk: `${pricePartsPrefix}{listing_id:sortable}`,
      when: { says: 'with a team', holds: ({ team_id }) => team_id !== undefined },
    },
  ],
  example: { listing_id: 1 },
});

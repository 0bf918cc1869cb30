import * as z from 'zod';
import { PaymentMethod } from '../payment/model.ts';
import { changedAt } from '../../platform/lists/index.ts';
import { binary, defineEntity, defineRecord, type RecordOf } from '../../platform/table/index.ts';

import {
  AccessRelease,
  CheckinMethod,
  ListingState,
  ListingType,
  propertyTypes,
} from './listing-state.schema.ts';

/** An amenity of a listing; names come from the catalog. */
const ChosenAmenityRecord = defineRecord(() => ({
  id: z.int(),
  amenity_id: z.int(),
  is_private: z.boolean(),
  is_chargeable: z.boolean(),
  price: z.number(),
}));
export type ChosenAmenity = RecordOf<typeof ChosenAmenityRecord>;

const placeFields = () => ({
  address: z.string(),
  country_code: z.string(),
  country_name: z.string(),
  province_code: z.string(),
  province_name: z.string(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  place_id: z.string().nullable(),
  timezone: z.string(),
});

const roomFields = () => ({
  capacity: z.int(),
  standard_capacity: z.int(),
  bedrooms: z.int().nullable(),
  bathrooms: z.int().nullable(),
  beds: z.int().nullable(),
  square_meters: z.int().nullable(),
  shared_bathrooms: z.int(),
});

const rateFields = () => ({
  full_rate: z.number(),
  minimum_rate: z.number(),
  extra_adult_rate: z.number(),
  extra_child_rate: z.number(),
  guest_included_in_rate: z.int(),
  maximum_guest: z.int(),
  currency: z.string(),
  security_deposit: z.number(),
  cleaning_fee: z.number(),
  /** Absent: 0 (D41). */
  early_check_in_fee: z.number().exactOptional(),
  /** Absent: 0 (D41). */
  late_check_out_fee: z.number().exactOptional(),
  last_minute_hour: z.int(),
  last_minute_discount: z.number(),
  monthly_price: z.number(),
  prices_by_week: z.partialRecord(z.enum(['0', '1', '2', '3', '4', '5', '6']), z.number()),
});

/** Hours and days that can be booked, check-in and check-out; times are local. */
const stayFields = () => ({
  allow_hourly_booking: z.boolean(),
  allow_individual_rental: z.boolean(),
  min_hours: z.int(),
  price_first_hours: z.number(),
  extra_hour_price: z.number(),
  price_per_hour: z.number(),
  price_rate_in_day: z.number(),
  checkin_night_short_hour: z.string().nullable(),
  checkout_night_short_hour: z.string().nullable(),
  night_short_discount: z.number(),
  standard_check_in_time: z.string().nullable(),
  standard_check_out_time: z.string().nullable(),
  flexible_check_in_time: z.string().nullable(),
  flexible_check_out_time: z.string().nullable(),
  checkin_method: CheckinMethod,
  checkin_guide_url: z.string().nullable(),
  no_checkin_after_hour: z.string().nullable(),
  /** Absent: SECURED (D109). */
  access_release: AccessRelease.exactOptional(),
  /** Absent: 0 (D77). */
  preparation_hours: z.int().exactOptional(),
});

/** A listing as stored. Each write checks and increments `version`; an update replaces the whole item. */
const ListingRecord = defineRecord(() => ({
  id: z.int(),
  team_id: z.int(),
  parent_listing_id: z.int().nullable(),
  name: z.string(),
  slug: z.string(),
  description: z.string().nullable(),
  listing_type: ListingType,
  property_type: z.enum(propertyTypes),
  ...placeFields(),
  ...roomFields(),
  ...rateFields(),
  ...stayFields(),
  state: ListingState,
  /** In no search and no list of guests: only its own team and its keys see and book it, as the canary does. */
  unlisted: z.literal(true).exactOptional(),
  rating_average: z.number().nullable(),
  review_count: z.int(),
  instant_book_enabled: z.boolean(),
  /** Absent: all methods (D85). */
  payment_methods: z.array(PaymentMethod).exactOptional(),
  /** Absent: 72. */
  transfer_window_hours: z.int().exactOptional(),
  /** What of a price is due at booking (D129); absent: 100. */
  deposit_percent: z.number().exactOptional(),
  /** Absent: 72 hours before check-in. */
  balance_due: z.union([z.literal('ON_ARRIVAL'), z.object({ hours_before: z.int() })]).exactOptional(),
  commission_rate: z.number(),
  refund_rule: z.string(),
  /** Absent or null: `refund_rule` is read (D128). */
  cancellation_terms: z
    .array(z.object({ until_hours_before: z.int(), refund_percent: z.number(), keep_nights: z.int() }))
    .nullable()
    .exactOptional(),
  view_types: z.array(z.string()).nullable(),
  additional_areas: z.array(z.string()).nullable(),
  wifi_name: z.string().nullable(),
  /** Null once they are in `sealed_access`. */
  wifi_password: z.string().nullable(),
  door_code: z.record(z.string(), z.unknown()).nullable(),
  /** Both, encrypted (D140). Absent: there are none, or they were written before. */
  sealed_access: binary().exactOptional(),
  images: z.array(z.object({ id: z.int(), url: z.string(), order: z.int() })),
  /** UTC. */
  created_at: z.string(),
  updated_at: z.string(),
  /** Sum of all ratings; absent without reviews. */
  rating_sum: z.int().exactOptional(),
  /** Name in lower case without diacritics. */
  search_name: z.string(),
  amenities: z.array(ChosenAmenityRecord()),
  /** The children of a parent; kept here so that one condition limits their number (D21). */
  child_listing_ids: z.array(z.int()),
  version: z.int(),
}));
export type Listing = RecordOf<typeof ListingRecord>;

/** Whether everyone may see and book the listing. */
export const isOpenToAll = (listing: Pick<Listing, 'state' | 'unlisted'>): boolean =>
  listing.state === 'ACTIVE' && !listing.unlisted;

/** The listings of the platform that are open to all, by time of last change. */
export const openListings = 'OPEN_LISTINGS';

export const ListingEntity = defineEntity<Listing, Pick<Listing, 'id'>>({
  name: 'Listing',
  meaning: 'A place to rent.',
  patterns: ['a listing by id', "a team's listings", "the platform's open listings"],
  record: ListingRecord,
  key: { pk: 'LISTING#{id}', sk: 'LISTING' },
  indexes: [
    { index: 'by_team', pk: 'TEAM#{team_id}#LISTINGS', sk: changedAt('{updated_at}') },
    {
      index: 'by_audience',
      pk: openListings,
      sk: changedAt('{updated_at}'),
      when: { says: 'open', holds: isOpenToAll },
    },
  ],
  example: { id: 1 },
});

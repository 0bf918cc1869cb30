import * as z from 'zod';
import { CurrencyCode, Id, Money, ZoneName } from '../../platform/schema/schema.ts';
import { payableMethods, PaymentMethod } from '../payment/payment-method.schema.ts';
import { BalanceDue } from './balance-due.schema.ts';
import { CancellationTerms } from './cancellation-terms.schema.ts';
import {
  AccessRelease,
  CheckinMethod,
  ListingState,
  ListingType,
  propertyTypes,
} from './listing-state.schema.ts';
import { defaultBalanceHours, defaultTransferHours } from './transfer-window.data.ts';

/** The catalog codes in upper case plus APARTMENT; lower case is accepted (D19). */
export const PropertyType = z
  .preprocess((value) => (typeof value === 'string' ? value.toUpperCase() : value), z.enum(propertyTypes))
  .meta({
    description: 'Kind of property; the same in lower case is accepted too, and stored in upper case.',
    type: 'string',
    enum: [...propertyTypes],
    examples: ['VILLA'],
  });

/** Prices by weekday, 0 (Sunday) to 6 (Saturday); absent or 0 means `full_rate` (D34). */
export const PricesByWeek = z.partialRecord(z.enum(['0', '1', '2', '3', '4', '5', '6']), Money).meta({
  id: 'PricesByWeek',
  description: 'Price of the night by weekday, 0 (Sunday) to 6 (Saturday); absent or 0: full_rate.',
  examples: [{ 5: 1_500_000, 6: 1_500_000 }],
});

/** Entry information of a listing, in fields that the host chooses. */
export const DoorCode = z
  .record(z.string(), z.unknown())
  .meta({ id: 'DoorCode', description: 'Entry information, free-form.', examples: [{ code: '2580#' }] });

const ListingImage = z.object({ id: Id, url: z.string(), order: z.int() }).meta({ id: 'ListingImage' });
type ListingImage = z.infer<typeof ListingImage>;

const text = z.string();
const maybeText = text.nullable();
const whole = z.int();
const maybeWhole = whole.nullable();
const decimal = z.number();
const maybeDecimal = decimal.nullable();
const flag = z.boolean();
const texts = z.array(text).nullable();
const images = z.array(ListingImage);

/** What a listing has the same in every response. Fields of the host side are null for others (D15). */
export const ListingFields = z
  .object({
    id: Id,
    team_id: Id,
    parent_listing_id: Id.nullable(),
    name: text,
    slug: text,
    description: maybeText,
    listing_type: ListingType,
    property_type: z.enum(propertyTypes),
    address: text,
    country_code: text,
    country_name: text,
    province_code: text,
    province_name: text,
    latitude: maybeDecimal,
    longitude: maybeDecimal,
    place_id: maybeText,
    timezone: ZoneName,
    capacity: whole,
    standard_capacity: whole,
    bedrooms: maybeWhole,
    bathrooms: maybeWhole,
    beds: maybeWhole,
    square_meters: maybeWhole,
    shared_bathrooms: whole,
    full_rate: Money,
    minimum_rate: Money,
    extra_adult_rate: Money,
    extra_child_rate: Money,
    guest_included_in_rate: whole,
    maximum_guest: whole,
    currency: CurrencyCode,
    security_deposit: Money,
    cleaning_fee: Money,
    early_check_in_fee: Money.default(0),
    late_check_out_fee: Money.default(0),
    allow_hourly_booking: flag,
    allow_individual_rental: flag,
    min_hours: whole,
    price_first_hours: Money,
    extra_hour_price: Money,
    price_per_hour: Money,
    price_rate_in_day: decimal,
    checkin_night_short_hour: maybeText,
    checkout_night_short_hour: maybeText,
    night_short_discount: decimal,
    standard_check_in_time: maybeText,
    standard_check_out_time: maybeText,
    flexible_check_in_time: maybeText,
    flexible_check_out_time: maybeText,
    checkin_method: CheckinMethod,
    checkin_guide_url: maybeText,
    no_checkin_after_hour: maybeText,
    access_release: AccessRelease.default('SECURED'),
    preparation_hours: whole.default(0),
    state: ListingState,
    rating_average: maybeDecimal,
    review_count: whole,
    view_count: whole,
    instant_book_enabled: flag,
    payment_methods: z.array(PaymentMethod).default([...payableMethods]),
    transfer_window_hours: whole.default(defaultTransferHours),
    deposit_percent: decimal.default(100),
    balance_due: BalanceDue.default({ hours_before: defaultBalanceHours }),
    commission_rate: maybeDecimal,
    refund_rule: text,
    last_minute_hour: whole,
    last_minute_discount: decimal,
    monthly_price: Money,
    prices_by_week: PricesByWeek,
    view_types: texts,
    additional_areas: texts,
    wifi_name: maybeText,
    wifi_password: maybeText,
    door_code: DoorCode.nullable(),
    images,
    created_at: text,
    updated_at: text,
  })
  .meta({ id: 'ListingFields' });

/** A listing in responses. */
export const ListingResponse = ListingFields.extend({
  cancellation_terms: CancellationTerms.nullable().default(null).meta({
    description:
      'The cancellation terms of a booking that is made now. For its host those that were written; null: `refund_rule` is read.',
  }),
}).meta({ id: 'Listing' });
export type ListingResponse = z.infer<typeof ListingResponse>;

/** A listing in lists. Not picked from the listing: functions that only find listings start without its sixty fields. */
export const ListingSummary = z
  .object({
    id: Id,
    name: text,
    slug: text,
    listing_type: ListingType,
    province_name: text,
    country_name: text,
    full_rate: Money,
    minimum_rate: Money,
    state: ListingState,
    rating_average: maybeDecimal,
    review_count: whole,
    images,
  } satisfies Partial<typeof ListingResponse.shape>)
  .meta({ id: 'ListingSummary' });
export type ListingSummary = z.infer<typeof ListingSummary>;

/** Sort fields of a list of listings. */
export const ListingOrder = z
  .enum([
    'created_at',
    'updated_at',
    'name',
    'full_rate',
    'minimum_rate',
    'capacity',
    'rating_average',
    'review_count',
  ])
  .meta({
    description:
      'Names regardless of case and diacritics; amounts as numbers, whatever the currency; listings without a rating count as 0.',
  });
export type ListingOrder = z.infer<typeof ListingOrder>;

/** Weekday prices under their name in requests. */
export const WeeklyPrices = z
  .strictObject({
    base_price_by_weekday: PricesByWeek.meta({
      description:
        'Price of the night by weekday, 0 (Sunday) to 6 (Saturday); a day that is left out stays, 0 means full_rate.',
    }),
  })
  .meta({ id: 'WeeklyPrices' });
export type WeeklyPrices = z.infer<typeof WeeklyPrices>;

/** The listing, with the weekday prices also under their request name. */
export const WeeklyPricesAnswer = ListingResponse.extend(WeeklyPrices.shape).meta({
  id: 'ListingWithWeeklyPrices',
});
export type WeeklyPricesAnswer = z.infer<typeof WeeklyPricesAnswer>;

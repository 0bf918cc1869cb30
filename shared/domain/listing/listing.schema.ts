import * as z from 'zod';
import { CurrencyCode, Id, Money, Percent, TimeText, TimeZone } from '../../platform/schema.ts';

export const ListingState = z
  .enum(['DRAFT', 'ACTIVE', 'INACTIVE', 'ARCHIVED'])
  .meta({ description: 'State of a listing (spec 3.5, D18).' });
export type ListingState = z.infer<typeof ListingState>;

export const ListingType = z.enum(['ENTIRE_PLACE', 'PRIVATE_ROOM', 'SHARED_ROOM']);
export const CheckinMethod = z.enum(['SELF_CHECKIN', 'HOST_CHECKIN', 'BOTH']);

export const propertyTypes = [
  'HOUSE',
  'CONDO',
  'VILLA',
  'RESORT',
  'BUNGALOW',
  'FARMSTAY',
  'HOTEL',
  'CAMPSITE',
  'TREEHOUSE',
  'SERVICE_BUILDING',
  'PENTHOUSE',
  'APARTMENT',
] as const;

/** The catalog codes in upper case plus APARTMENT; lower case is accepted and stored in upper case (D19). */
export const PropertyType = z
  .preprocess((value) => (typeof value === 'string' ? value.toUpperCase() : value), z.enum(propertyTypes))
  .meta({ description: 'Kind of property; lower case is accepted (D19).', example: 'VILLA' });

/** Prices of weekdays, keyed 0 (Sunday) to 6 (Saturday); a missing day or 0 means `full_rate` (D34). */
export const PricesByWeek = z.partialRecord(z.enum(['0', '1', '2', '3', '4', '5', '6']), Money).meta({
  description: 'Price of the night by weekday, 0 (Sunday) to 6 (Saturday); absent or 0: full_rate.',
  example: { 5: 1_500_000, 6: 1_500_000 },
});

const name = z
  .string()
  .trim()
  .min(1)
  .max(255)
  .meta({ description: 'Name, at most 255 characters.', example: 'Căn hộ nhìn ra Hồ Tây' });
const slug = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case words joined by hyphens')
  .max(255)
  .meta({ description: 'Unique within the team (D20).', example: 'can-ho-nhin-ra-ho-tay' });
const count = z.int().min(0).max(1000);
const text = (max: number) => z.string().max(max);

/** What a host may write, with the limits of spec 2.2 and 8. Every field is optional here; `ListingCreate` says which are required. */
const writable = {
  name,
  slug: slug.optional(),
  description: text(20_000).nullish(),
  listing_type: ListingType,
  property_type: PropertyType,
  address: text(500).min(1),
  country_code: z
    .string()
    .regex(/^[A-Z]{2}$/, 'must be an ISO 3166 code')
    .default('VN'),
  province_code: text(32).min(1).meta({ example: 'HN' }),
  latitude: z.number().min(-90).max(90).nullish(),
  longitude: z.number().min(-180).max(180).nullish(),
  place_id: text(255).nullish(),
  timezone: TimeZone.default('Asia/Ho_Chi_Minh'),
  parent_listing_id: Id.nullish(),
  capacity: z.int().min(1).max(1000),
  standard_capacity: z.int().min(1).max(1000).optional(),
  bedrooms: count.nullish(),
  bathrooms: count.nullish(),
  beds: count.nullish(),
  square_meters: z.int().min(0).max(1_000_000).nullish(),
  shared_bathrooms: count.default(0),
  full_rate: Money,
  minimum_rate: Money.default(0),
  extra_adult_rate: Money.default(0),
  extra_child_rate: Money.default(0),
  guest_included_in_rate: z.int().min(0).max(1000).optional(),
  maximum_guest: z.int().min(0).max(1000).default(0),
  currency: CurrencyCode.default('VND'),
  security_deposit: Money.default(0),
  cleaning_fee: Money.default(0),
  allow_hourly_booking: z.boolean().default(false),
  allow_individual_rental: z.boolean().default(true),
  min_hours: z.int().min(1).max(24).default(2),
  price_first_hours: Money.default(0),
  extra_hour_price: Money.default(0),
  price_per_hour: Money.default(0),
  price_rate_in_day: z.number().min(1).max(10).default(1),
  checkin_night_short_hour: TimeText.nullish(),
  checkout_night_short_hour: TimeText.nullish(),
  night_short_discount: Percent.max(70).default(0),
  standard_check_in_time: TimeText.nullish(),
  standard_check_out_time: TimeText.nullish(),
  flexible_check_in_time: TimeText.nullish(),
  flexible_check_out_time: TimeText.nullish(),
  checkin_method: CheckinMethod.default('HOST_CHECKIN'),
  checkin_guide_url: z
    .url({ protocol: /^https?$/ })
    .max(2048)
    .nullish(),
  no_checkin_after_hour: TimeText.nullish(),
  instant_book_enabled: z.boolean().default(true),
  commission_rate: z
    .number()
    .min(0)
    .max(1)
    .default(0)
    .meta({ description: 'Fraction: 0.15 means 15 percent.', example: 0.15 }),
  refund_rule: text(5000).default(''),
  last_minute_hour: z.int().min(0).max(8760).default(0),
  last_minute_discount: Percent.default(0),
  monthly_price: Money.default(0),
  prices_by_week: PricesByWeek.default({}),
  view_types: z.array(text(64)).max(50).nullish(),
  additional_areas: z.array(text(64)).max(50).nullish(),
  wifi_name: text(255).nullish(),
  wifi_password: text(255).nullish(),
  door_code: z
    .record(z.string().max(64), z.unknown())
    .nullish()
    .meta({ description: 'Entry information, free-form.', example: { code: '2580#' } }),
  state: z
    .enum(['DRAFT', 'ACTIVE'])
    .default('DRAFT')
    .meta({ description: 'A new listing is DRAFT unless ACTIVE is given (D18).' }),
};

export const ListingImage = z.object({ id: Id, url: z.string(), order: z.int() });
export type ListingImage = z.infer<typeof ListingImage>;

/** Create input (spec 2.2). */
export const ListingCreate = z.strictObject(writable);
export type ListingCreate = z.infer<typeof ListingCreate>;

const undefaulted = Object.fromEntries(
  Object.entries(writable).map(([key, field]) => [
    key,
    field instanceof z.ZodDefault ? field.removeDefault() : field,
  ]),
) as {
  [K in keyof typeof writable]: (typeof writable)[K] extends z.ZodDefault<infer Inner>
    ? Inner
    : (typeof writable)[K];
};

/** Partial update: what is absent stays. */
export const ListingUpdate = z.strictObject({ ...undefaulted, state: ListingState }).partial();
export type ListingUpdate = z.infer<typeof ListingUpdate>;

/** A listing as answered (spec 2.2). What only the host side sees is null for others (D15). */
export const ListingResponse = z.object({
  id: Id,
  team_id: Id,
  parent_listing_id: Id.nullable(),
  name: z.string(),
  slug: z.string(),
  description: z.string().nullable(),
  listing_type: ListingType,
  property_type: z.enum(propertyTypes),
  address: z.string(),
  country_code: z.string(),
  country_name: z.string(),
  province_code: z.string(),
  province_name: z.string(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  place_id: z.string().nullable(),
  timezone: TimeZone,
  capacity: z.int(),
  standard_capacity: z.int(),
  bedrooms: z.int().nullable(),
  bathrooms: z.int().nullable(),
  beds: z.int().nullable(),
  square_meters: z.int().nullable(),
  shared_bathrooms: z.int(),
  full_rate: Money,
  minimum_rate: Money,
  extra_adult_rate: Money,
  extra_child_rate: Money,
  guest_included_in_rate: z.int(),
  maximum_guest: z.int(),
  currency: CurrencyCode,
  security_deposit: Money,
  cleaning_fee: Money,
  allow_hourly_booking: z.boolean(),
  allow_individual_rental: z.boolean(),
  min_hours: z.int(),
  price_first_hours: Money,
  extra_hour_price: Money,
  price_per_hour: Money,
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
  state: ListingState,
  rating_average: z.number().nullable(),
  review_count: z.int(),
  view_count: z.int(),
  instant_book_enabled: z.boolean(),
  commission_rate: z.number().nullable(),
  refund_rule: z.string(),
  last_minute_hour: z.int(),
  last_minute_discount: z.number(),
  monthly_price: Money,
  prices_by_week: PricesByWeek,
  view_types: z.array(z.string()).nullable(),
  additional_areas: z.array(z.string()).nullable(),
  wifi_name: z.string().nullable(),
  wifi_password: z.string().nullable(),
  door_code: z.record(z.string(), z.unknown()).nullable(),
  images: z.array(ListingImage),
  created_at: z.string(),
  updated_at: z.string(),
});
export type ListingResponse = z.infer<typeof ListingResponse>;

/** A listing in lists (spec 2.2). */
export const ListingSummary = ListingResponse.pick({
  id: true,
  name: true,
  slug: true,
  listing_type: true,
  province_name: true,
  country_name: true,
  full_rate: true,
  minimum_rate: true,
  state: true,
  rating_average: true,
  review_count: true,
  images: true,
});
export type ListingSummary = z.infer<typeof ListingSummary>;

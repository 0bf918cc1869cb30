import * as z from 'zod';
import { CurrencyCode, Id, Money, pagingFields, Percent, TimeText, TimeZone } from '../../platform/schema.ts';
import { AmenityChoice } from '../catalog/catalog.schema.ts';
import { countryName } from './countries.ts';
import { DoorCode } from './door-code.schema.ts';

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
  .meta({ description: 'Kind of property; lower case is accepted (D19).', examples: ['VILLA'] });

/** Prices of weekdays, keyed 0 (Sunday) to 6 (Saturday); a missing day or 0 means `full_rate` (D34). */
export const PricesByWeek = z.partialRecord(z.enum(['0', '1', '2', '3', '4', '5', '6']), Money).meta({
  description: 'Price of the night by weekday, 0 (Sunday) to 6 (Saturday); absent or 0: full_rate.',
  examples: [{ 5: 1_500_000, 6: 1_500_000 }],
});

const name = z
  .string()
  .trim()
  .min(1)
  .max(255)
  .meta({ description: 'Name, at most 255 characters.', examples: ['Căn hộ nhìn ra Hồ Tây'] });
const slug = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case words joined by hyphens')
  .max(255)
  .meta({ description: 'Unique within the team (D20).', examples: ['can-ho-nhin-ra-ho-tay'] });
const guests = z.int().min(1).max(1000);
const count = z.int().min(0).max(1000);
const text = (max: number) => z.string().max(max);
const texts = z.array(text(64).min(1)).max(50);
const decimals = (digits: number) => (value: number) => Number(value.toFixed(digits)) === value;
const percent = Percent.refine(decimals(4), 'must have at most 4 decimals');
const degrees = (most: number) =>
  z
    .number()
    .min(-most)
    .max(most)
    .overwrite((value) => Number(value.toFixed(8)));

/** An optional field: absent at creation is null. */
const orNull = <T extends z.ZodType>(field: T) => field.nullable().default(null);

/** What a host may write, with the limits of spec 2.2 and 8. A field without a default is required at creation. */
const writable = {
  name,
  slug,
  description: orNull(text(20_000)),
  listing_type: ListingType,
  property_type: PropertyType,
  address: text(500).trim().min(1),
  country_code: z
    .string()
    .regex(/^[A-Z]{2}$/, { error: 'must be an ISO 3166 code in upper case', abort: true })
    .refine((code) => countryName(code) !== undefined, 'must be an ISO 3166 code')
    .default('VN'),
  province_code: text(32)
    .trim()
    .toUpperCase()
    .min(1)
    .meta({ description: 'Code of the province.', examples: ['HN'] }),
  latitude: orNull(degrees(90)),
  longitude: orNull(degrees(180)),
  place_id: orNull(text(255)),
  timezone: TimeZone.default('Asia/Ho_Chi_Minh'),
  parent_listing_id: orNull(Id),
  capacity: guests,
  standard_capacity: guests,
  bedrooms: orNull(count),
  bathrooms: orNull(count),
  beds: orNull(count),
  square_meters: orNull(z.int().min(0).max(1_000_000)),
  shared_bathrooms: count.default(0),
  full_rate: Money,
  minimum_rate: Money.default(0),
  extra_adult_rate: Money.default(0),
  extra_child_rate: Money.default(0),
  guest_included_in_rate: count,
  maximum_guest: count.meta({ description: '0: `capacity` is the most (D39).' }).default(0),
  currency: CurrencyCode.default('VND'),
  security_deposit: Money.default(0),
  cleaning_fee: Money.default(0),
  allow_hourly_booking: z.boolean().default(false),
  allow_individual_rental: z.boolean().default(true),
  min_hours: z.int().min(1).max(24).default(2),
  price_first_hours: Money.default(0),
  extra_hour_price: Money.default(0),
  price_per_hour: Money.default(0),
  price_rate_in_day: z.number().min(1).max(10).refine(decimals(4), 'must have at most 4 decimals').default(1),
  checkin_night_short_hour: orNull(TimeText),
  checkout_night_short_hour: orNull(TimeText),
  night_short_discount: percent.max(70).meta({ description: 'Percent, 0 to 70.' }).default(0),
  standard_check_in_time: orNull(TimeText),
  standard_check_out_time: orNull(TimeText),
  flexible_check_in_time: orNull(TimeText),
  flexible_check_out_time: orNull(TimeText),
  checkin_method: CheckinMethod.default('HOST_CHECKIN'),
  checkin_guide_url: orNull(z.url({ protocol: /^https?$/ }).max(2048)),
  no_checkin_after_hour: orNull(TimeText),
  instant_book_enabled: z.boolean().default(true),
  commission_rate: z
    .number()
    .min(0)
    .max(1)
    .refine(decimals(6), 'must have at most 6 decimals')
    .meta({ description: 'Fraction: 0.15 means 15 percent.', examples: [0.15] })
    .default(0),
  refund_rule: text(5000).default(''),
  last_minute_hour: z.int().min(0).max(8760).default(0),
  last_minute_discount: percent.default(0),
  monthly_price: Money.default(0),
  prices_by_week: PricesByWeek.default({}),
  view_types: orNull(texts),
  additional_areas: orNull(texts),
  wifi_name: orNull(text(255)),
  wifi_password: orNull(text(255)),
  door_code: orNull(DoorCode),
  amenities: z.array(AmenityChoice).max(200).default([]),
  state: z
    .enum(['DRAFT', 'ACTIVE'])
    .default('DRAFT')
    .meta({ description: 'A new listing is DRAFT unless ACTIVE is given (D18).' }),
};

/** Create input (spec 2.2). */
export const ListingCreate = z.strictObject({
  ...writable,
  slug: slug.optional().meta({ description: 'Absent: made from `name` (D20).' }),
  standard_capacity: guests.optional().meta({ description: 'Absent: `capacity`.' }),
  guest_included_in_rate: count.optional().meta({ description: 'Absent: `standard_capacity`.' }),
});
export type ListingCreate = z.infer<typeof ListingCreate>;

const undefaulted = Object.fromEntries(
  Object.entries(writable).map(([key, field]) => [
    key,
    field instanceof z.ZodDefault ? field.unwrap() : field,
  ]),
) as {
  [K in keyof typeof writable]: (typeof writable)[K] extends z.ZodDefault<infer Inner>
    ? Inner
    : (typeof writable)[K];
};

/** Partial update: what is absent stays; `amenities` is replaced as a whole. */
export const ListingUpdate = z.strictObject({ ...undefaulted, state: ListingState }).exactPartial();
export type ListingUpdate = z.infer<typeof ListingUpdate>;

/** Query of the list (spec 4.2). */
export const ListingQuery = z.strictObject({
  ...pagingFields,
  search: z
    .string()
    .max(255)
    .optional()
    .meta({ description: 'Part of the name; diacritics and case do not matter.', examples: ['da lat'] }),
  status: ListingState.exclude(['ARCHIVED']).optional(),
  province_code: z
    .string()
    .trim()
    .min(1)
    .max(32)
    .optional()
    .meta({ examples: ['LD'] }),
});
export type ListingQuery = z.infer<typeof ListingQuery>;

export const ListingImage = z.object({ id: Id, url: z.string(), order: z.int() });
export type ListingImage = z.infer<typeof ListingImage>;

const imageInputs = z
  .array(
    z.strictObject({
      url: z.url({ protocol: /^https?$/ }).max(2048),
      order: z.int().min(0).max(10_000).optional().meta({ description: 'Absent: as in the array.' }),
    }),
  )
  .max(50);

/** All images of a listing anew (D22); the bare array is accepted too. */
export const ListingImages = z.preprocess(
  (value) => (Array.isArray(value) ? { images: value } : value),
  z.strictObject({ images: imageInputs }),
);
export type ListingImages = z.infer<typeof ListingImages>;

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

import * as z from 'zod';
import { CurrencyCode, Id, Money, WebAddress } from '../../platform/schema/schema.ts';
import { once } from '../../platform/once.ts';
import { payableMethods, PaymentMethod } from '../payment/payment-method.schema.ts';
import { BalanceDueInput } from './balance-due.schema.ts';
import { CancellationTermsInput } from './cancellation-terms-input.schema.ts';
import {
  amount,
  count,
  decimals,
  degrees,
  guests,
  limitedDoorCode,
  maybeCount,
  maybeTexts,
  name,
  off,
  on,
  orNull,
  percent,
  shortText,
  slug,
  text,
  time,
  timezone,
} from './input-fields.schema.ts';
import { AmenityChoice } from './catalog.schema.ts';
import { AccessRelease, CheckinMethod, ListingState, ListingType } from './listing-state.schema.ts';
import { PricesByWeek, PropertyType } from './listing.schema.ts';
import { defaultBalanceHours, defaultTransferHours } from './transfer-window.data.ts';
import { countryName } from './places.rules.ts';

/** Request schemas of a listing, in a file of their own so that functions that only answer do not load them. */

const placeFields = () => ({
  name: name(),
  slug: slug(),
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
  place_id: shortText(),
  timezone: timezone(),
  parent_listing_id: orNull(Id),
});

const roomAndPriceFields = () => ({
  capacity: guests(),
  standard_capacity: guests(),
  bedrooms: maybeCount(),
  bathrooms: maybeCount(),
  beds: maybeCount(),
  square_meters: orNull(z.int().min(0).max(1_000_000)),
  shared_bathrooms: count().default(0),
  full_rate: Money,
  minimum_rate: amount(),
  extra_adult_rate: amount(),
  extra_child_rate: amount(),
  guest_included_in_rate: count(),
  maximum_guest: count().meta({ description: '0: `capacity` is the most.' }).default(0),
  currency: CurrencyCode.default('VND'),
  security_deposit: amount(),
  cleaning_fee: amount(),
  early_check_in_fee: amount().meta({
    description: 'Added to an overnight stay whose `check_in_time` is before the standard one.',
  }),
  late_check_out_fee: amount().meta({
    description: 'Added to an overnight stay whose `check_out_time` is after the standard one.',
  }),
  allow_hourly_booking: off(),
  allow_individual_rental: on(),
  min_hours: z.int().min(1).max(24).default(2),
  price_first_hours: amount(),
  extra_hour_price: amount(),
  price_per_hour: amount(),
  price_rate_in_day: z.number().min(1).max(10).refine(decimals(4), 'must have at most 4 decimals').default(1),
});

const timeFields = () => ({
  checkin_night_short_hour: time(),
  checkout_night_short_hour: time(),
  night_short_discount: percent().max(70).meta({ description: 'Percent, 0 to 70.' }).default(0),
  standard_check_in_time: time(),
  standard_check_out_time: time(),
  flexible_check_in_time: time().meta({
    description:
      'How early a guest may come, for `early_check_in_fee`; of day use, when it begins (unset: 09:00).',
  }),
  flexible_check_out_time: time().meta({
    description:
      'How late a guest may leave, for `late_check_out_fee`; of day use, when it ends (unset: 18:00).',
  }),
  checkin_method: CheckinMethod.default('HOST_CHECKIN'),
  checkin_guide_url: orNull(WebAddress),
  no_checkin_after_hour: time(),
  access_release: AccessRelease.meta({
    description:
      'When a guest reads Wi-Fi and door code. SECURED: once the stay is paid or authorised. HOST: once the host releases them or checks in.',
  }).default('SECURED'),
  preparation_hours: z
    .int()
    .min(0)
    .max(24)
    .meta({
      description:
        'Hours after each stay that are taken too, for cleaning: no other stay begins in them. Stays that are booked or held already keep what they were booked with.',
    })
    .default(0),
});

const termFields = () => ({
  instant_book_enabled: on(),
  payment_methods: z
    .array(PaymentMethod)
    .min(1)
    .refine((methods) => new Set(methods).size === methods.length, 'must name each method once')
    .refine((methods) => !methods.includes('PLATFORM'), 'must not name PLATFORM')
    .meta({ description: 'How its stays may be paid.' })
    .default([...payableMethods]),
  transfer_window_hours: z
    .int()
    .min(1)
    .max(168)
    .meta({
      description:
        'Hours after booking until which a stay by BANK_TRANSFER is to be paid; unpaid it is cancelled then, never later than check-in, but at least 2 hours after booking.',
    })
    .default(defaultTransferHours),
  deposit_percent: percent()
    .meta({
      description:
        'Percent of the price that is due at booking, unless the stay is paid in CASH; the rest is the balance, due by `balance_due`. 100: all is due at booking.',
    })
    .default(100),
  balance_due: BalanceDueInput.default({ hours_before: defaultBalanceHours }),
  commission_rate: z
    .number()
    .min(0)
    .max(1)
    .refine(decimals(6), 'must have at most 6 decimals')
    .meta({ description: 'Fraction: 0.15 means 15 percent.', examples: [0.15] })
    .default(0),
  refund_rule: text(5000).default('').meta({
    description:
      'The cancellation terms as text, read where `cancellation_terms` is null: one number of days, hours or weeks before check-in until which a cancellation is refunded in full ("Full refund until 7 days before check-in"), in English or Vietnamese, "Flexible" or no text for until check-in, or "Non-refundable". A new text that cannot be read exactly, such as one with another percentage than 100 % or a second number, is refused with how it would be read. Four names: FLEXIBLE (all back until check-in), MODERATE (all until 5 days before; then half of all but the first night, until check-in), STRICT (all until 14 days before, half until 7), NON_REFUNDABLE.',
  }),
  cancellation_terms: orNull(CancellationTermsInput).meta({
    description:
      'The cancellation terms in steps of falling hours and percents; after the last one nothing is refunded. Null: `refund_rule` is read, which may otherwise be any text. Bookings keep the terms that they were made with.',
  }),
  last_minute_hour: z.int().min(0).max(8760).default(0),
  last_minute_discount: percent().default(0),
  monthly_price: amount(),
  prices_by_week: PricesByWeek.default({}),
});

const furtherFields = () => ({
  view_types: maybeTexts().meta({ description: 'Codes of the catalog `view_type`.', examples: [['garden']] }),
  additional_areas: maybeTexts(),
  wifi_name: shortText(),
  wifi_password: shortText(),
  door_code: orNull(limitedDoorCode()),
  amenities: z.array(AmenityChoice).max(200).default([]),
  state: z
    .enum(['DRAFT', 'ACTIVE'])
    .default('DRAFT')
    .meta({ description: 'A new listing is DRAFT unless ACTIVE is given.' }),
});

/** The fields that a host may write, with their limits. A field without a default is required at creation. */
const writable = once(() => ({
  ...placeFields(),
  ...roomAndPriceFields(),
  ...timeFields(),
  ...termFields(),
  ...furtherFields(),
}));

/** A field that the request may leave to the team's default, which the verb knows (D124). */
const orOfTeam = <Field extends z.ZodType>(field: z.ZodDefault<Field>, otherwise: string) =>
  field
    .unwrap()
    .optional()
    .meta({
      description: [field.description, `Absent: the team's default, else ${otherwise}.`]
        .filter(Boolean)
        .join(' '),
    });

const fieldsOrOfTeam = () => {
  const { standard_check_in_time, standard_check_out_time, currency, refund_rule, ...others } = writable();
  return {
    standard_check_in_time: orOfTeam(standard_check_in_time, 'null, which is 14:00'),
    standard_check_out_time: orOfTeam(standard_check_out_time, 'null, which is 12:00'),
    currency: orOfTeam(currency, 'VND'),
    payment_methods: orOfTeam(others.payment_methods, 'all'),
    refund_rule: orOfTeam(refund_rule, 'empty; empty too where `cancellation_terms` is given'),
    cancellation_terms: orOfTeam(others.cancellation_terms, 'null; null too where `refund_rule` is given'),
  };
};

/** Created at its first use, as are the others of its size: most requests need none. */
export const ListingCreate = once(() =>
  z
    .strictObject({
      ...writable(),
      ...fieldsOrOfTeam(),
      slug: slug().optional().meta({ description: 'Absent: made from `name`.' }),
      timezone: timezone().optional().meta({
        description: "Absent: the parent's, else the team's default, else Asia/Ho_Chi_Minh.",
      }),
      standard_capacity: guests().optional().meta({ description: 'Absent: `capacity`.' }),
      guest_included_in_rate: count().optional().meta({ description: 'Absent: `standard_capacity`.' }),
    })
    .meta({ id: 'ListingCreate' }),
);
export type ListingCreate = z.infer<ReturnType<typeof ListingCreate>>;

type Writable = ReturnType<typeof writable>;

const undefaulted = () =>
  Object.fromEntries(
    Object.entries(writable()).map(([key, field]) => [
      key,
      field instanceof z.ZodDefault ? field.unwrap() : field,
    ]),
  ) as {
    [K in keyof Writable]: Writable[K] extends z.ZodDefault<infer Inner> ? Inner : Writable[K];
  };

/** The fields of a listing that a team may have a default of, for new ones (D124). */
export const FieldsOfTeam = once(() => {
  const { standard_check_in_time, standard_check_out_time, currency, ...others } = undefaulted();
  const { timezone: zone, payment_methods, refund_rule, cancellation_terms } = others;
  return {
    ...{ standard_check_in_time, standard_check_out_time, timezone: zone, currency },
    ...{ payment_methods, refund_rule, cancellation_terms },
  };
});

/** Partial update: absent fields stay; `amenities` is replaced as a whole. */
export const ListingUpdate = once(() =>
  z
    .strictObject({ ...undefaulted(), state: ListingState })
    .exactPartial()
    .meta({ id: 'ListingUpdate' }),
);
export type ListingUpdate = z.infer<ReturnType<typeof ListingUpdate>>;

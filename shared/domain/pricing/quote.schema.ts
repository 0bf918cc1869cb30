import * as z from 'zod';
import {
  CurrencyCode,
  DateText,
  Instant,
  Id,
  LocalDateTime,
  Money,
  SignedMoney,
  TimeText,
} from '../../platform/schema/schema.ts';
import { PriceUnit } from './extra-service.schema.ts';

/** The request for one stay at one listing. Dates and times are local. */
export const CheckoutItem = z
  .strictObject({
    listing_id: Id,
    check_in_date: DateText,
    check_out_date: DateText,
    check_in_time: TimeText.nullish().meta({
      description:
        'Overnight: not before the earlier of the listing’s standard (14:00) and flexible check-in times; before the standard one costs its `early_check_in_fee`. Day use: within its flexible times (09:00 to 18:00). Hourly stays and combos are bound by neither.',
    }),
    check_out_time: TimeText.nullish().meta({
      description:
        'Overnight: not after the later of the listing’s standard (12:00) and flexible check-out times; after the standard one costs its `late_check_out_fee`. Day use: within its flexible times (09:00 to 18:00).',
    }),
    guest_number: z
      .int()
      .min(1)
      .meta({ description: 'Total guests.', examples: [4] }),
    adult_number: z.int().min(0).nullish(),
    children_number: z.int().min(0).nullish(),
    rooms: z
      .int()
      .min(1)
      .max(1, 'one item books one listing once: send each further room as an item of its own')
      .nullish()
      .meta({ description: 'At most 1: each further room is an item of its own.' }),
    combo_id: Id.nullish().meta({ description: 'Combo to apply.' }),
    extra_service_ids: z.array(Id).max(100).nullish(),
  })
  .meta({ id: 'CheckoutItem' });
export type CheckoutItem = z.infer<typeof CheckoutItem>;

const maxItems = 10;

/** The fields that preview and confirm share, to be spread into a route's body. */
export const checkoutFields = {
  items: z.array(CheckoutItem).min(1).max(maxItems).meta({
    description:
      'One order is one transaction, so together they may touch at most 55 months of calendars; stays in rooms of a house touch those of the house too.',
  }),
  currency: CurrencyCode.optional().meta({
    description: "Must be the currency of every item's listing; absent: the listings' own.",
  }),
};

export const PreviewRequest = z.strictObject(checkoutFields).meta({ id: 'CheckoutRequest' });
export type PreviewRequest = z.infer<typeof PreviewRequest>;

export const PricingType = z
  .enum(['combo', 'nightly', 'hourly', 'daily', 'night_short'])
  .meta({ id: 'PricingType' });
export type PricingType = z.infer<typeof PricingType>;

export const LineKind = z
  .enum([
    'night',
    'day',
    'hours',
    'package',
    'combo',
    'discount',
    'extra_adults',
    'extra_children',
    'cleaning',
    'early_check_in',
    'late_check_out',
    'service',
    'adjustment',
  ])
  .meta({ id: 'LineKind' });
export type LineKind = z.infer<typeof LineKind>;

/** One line of a total: quantity × unit_price = amount (D42). */
export const QuoteLine = z
  .object({
    kind: LineKind,
    label: z.string().meta({ examples: ['Night of 2027-02-05'] }),
    quantity: z.int().min(1),
    unit_price: SignedMoney,
    amount: SignedMoney,
    date: DateText.optional(),
    source: z
      .string()
      .optional()
      .meta({
        description:
          'Why: full_rate, weekday, rule:<id>, combo:<id>, service:<id>, <reason>:<id> of an adjustment, or the name of the listing field.',
        examples: ['rule:4711'],
      }),
  })
  .meta({ id: 'QuoteLine' });
export type QuoteLine = z.infer<typeof QuoteLine>;

export const QuotedService = z
  .object({
    id: Id,
    name: z.string(),
    price: Money,
    price_unit: PriceUnit,
    quantity: z.int().min(1),
  })
  .meta({ id: 'QuotedService' });
export type QuotedService = z.infer<typeof QuotedService>;

/** The price of one stay with all its parts (D41, D42). */
export const ItemQuote = z
  .object({
    listing_id: Id,
    listing_name: z.string(),
    check_in_date: DateText,
    check_out_date: DateText,
    start_at: LocalDateTime.meta({ description: "Start of the stay, the listing's local time." }),
    end_at: LocalDateTime.meta({ description: "End of the stay, the listing's local time." }),
    nights: z.int().min(0),
    hours: z.int().min(1).nullable().meta({ description: 'Charged hours of an hourly stay.' }),
    guest_number: z.int().min(1),
    adult_number: z.int().min(0).nullable(),
    children_number: z.int().min(0).nullable(),
    rooms: z.int().min(1),
    pricing_type: PricingType,
    combo_id: Id.nullable(),
    base_price: Money.meta({ description: 'Price before discount.' }),
    combo_price: Money.nullable().meta({ description: 'With pricing_type combo: what the combo costs.' }),
    hourly_price: Money.nullable().meta({ description: 'With pricing_type hourly: the price of the hours.' }),
    daily_price: Money.nullable().meta({ description: 'With pricing_type daily: the price of the day.' }),
    night_short_discount: Money,
    last_minute_discount: Money,
    monthly_discount: Money,
    total_discount: Money.meta({ description: "Sum of the discounts and of the combo's advantage." }),
    extra_guest_fee: Money,
    extra_adult_fee: Money,
    extra_child_fee: Money,
    cleaning_fee: Money,
    early_check_in_fee: Money,
    late_check_out_fee: Money,
    extra_services_total: Money,
    extra_services: z.array(QuotedService),
    earning: Money.nullable().meta({ description: 'Total less commission; null without a host role.' }),
    commission_rate: z.number().min(0).max(1).nullable().meta({ description: 'Null without a host role.' }),
    deposit: Money.meta({ description: 'Shown beside the total, never in it.' }),
    currency: CurrencyCode,
    total: Money,
    lines: z.array(QuoteLine).meta({ description: 'Their amounts add up to `total` exactly.' }),
  })
  .meta({ id: 'ItemQuote' });
export type ItemQuote = z.infer<typeof ItemQuote>;

const orderTotals = {
  total_nights: z.int().min(0),
  total_earning: Money.nullable().meta({ description: 'Null without a host role.' }),
  total_discount: Money,
  total_extra_guest_fee: Money,
  total_cleaning_fee: Money,
  total_extra_services: Money,
  total_deposit: Money,
  currency: CurrencyCode,
  estimated_total: Money.meta({ description: 'Sum of the item totals, without the deposit.' }),
};

/** A priced order, held by a soft lock and frozen by a booking (D43). */
export const OrderQuote = z.object({ items: z.array(ItemQuote), ...orderTotals }).meta({ id: 'OrderQuote' });
export type OrderQuote = z.infer<typeof OrderQuote>;

const PreviewItem = ItemQuote.extend({
  available: z.boolean().meta({ description: 'Whether the time is free right now.' }),
  amount_due: Money.meta({
    description:
      'What of `total` is due at booking, unless the stay is paid in CASH or a partner collects it.',
  }),
  balance_due_at: Instant.nullable().meta({
    description: 'When the rest of `total` is due; null: there is none.',
  }),
}).meta({ id: 'CheckoutPreviewItem' });
type PreviewItem = z.infer<typeof PreviewItem>;

/** What a preview says of a stay beside its price; by default all is due at booking. */
export type PreviewedStay = Pick<PreviewItem, 'available'> &
  Partial<Pick<PreviewItem, 'amount_due' | 'balance_due_at'>>;

export const Preview = z
  .object({ items: z.array(PreviewItem), ...orderTotals })
  .meta({ id: 'CheckoutPreview' });
export type Preview = z.infer<typeof Preview>;

export const QuoteChange = z
  .object({
    field: z.string().meta({ examples: ['items[0].base_price'] }),
    was: z.union([z.number(), z.string(), z.null()]),
    now: z.union([z.number(), z.string(), z.null()]),
  })
  .meta({ id: 'QuoteChange' });
export type QuoteChange = z.infer<typeof QuoteChange>;

export const PricePreviewRequest = CheckoutItem.pick({
  listing_id: true,
  check_in_date: true,
  check_out_date: true,
  check_in_time: true,
  check_out_time: true,
  guest_number: true,
  adult_number: true,
  children_number: true,
}).meta({ id: 'PricePreviewRequest' });
export type PricePreviewRequest = z.infer<typeof PricePreviewRequest>;

/** The price in short, and line by line. */
export const PricePreview = z
  .object({
    base_price: Money.meta({ description: 'Price before discount.' }),
    total_price: Money,
    currency: CurrencyCode,
    pricing_type: PricingType,
    breakdown: z
      .object({
        nights: z.int().min(0),
        nightly_rate: Money.meta({
          description: 'Average of base_price over the nights; of day use all of it.',
        }),
        extra_guests: z.int().min(0),
        extra_guest_fee: Money,
        cleaning_fee: Money,
        early_check_in_fee: Money,
        late_check_out_fee: Money,
        extra_services_total: Money,
        total_discount: Money,
      })
      .meta({ id: 'PriceBreakdown' }),
    lines: z.array(QuoteLine).meta({ description: 'Their amounts add up to `total_price` exactly.' }),
  })
  .meta({ id: 'PricePreview' });
export type PricePreview = z.infer<typeof PricePreview>;

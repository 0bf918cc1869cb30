import type { ItemQuote, OrderQuote, QuoteChange } from './quote.schema.ts';

const itemFields = [
  'listing_id',
  'check_in_date',
  'check_out_date',
  'start_at',
  'end_at',
  'nights',
  'hours',
  'guest_number',
  'adult_number',
  'children_number',
  'pricing_type',
  'combo_id',
  'base_price',
  'combo_price',
  'hourly_price',
  'daily_price',
  'night_short_discount',
  'last_minute_discount',
  'monthly_discount',
  'total_discount',
  'extra_guest_fee',
  'extra_adult_fee',
  'extra_child_fee',
  'cleaning_fee',
  'early_check_in_fee',
  'late_check_out_fee',
  'extra_services_total',
  'deposit',
  'currency',
  'total',
] as const satisfies (keyof ItemQuote)[];

const orderFields = [
  'total_nights',
  'total_discount',
  'total_extra_guest_fee',
  'total_cleaning_fee',
  'total_extra_services',
  'total_deposit',
  'currency',
  'estimated_total',
] as const satisfies (keyof OrderQuote)[];

const changesIn = <Field extends string>(
  fields: readonly Field[],
  was: Partial<Record<Field, number | string | null>>,
  now: Partial<Record<Field, number | string | null>>,
  path = '',
): QuoteChange[] =>
  fields
    .map((field) => ({ field: `${path}${field}`, was: was[field] ?? null, now: now[field] ?? null }))
    .filter((change) => change.was !== change.now);

/** Returns the differences of two quotes for the guest, field by field, without host figures (D43). */
export const compareQuotes = (was: OrderQuote, now: OrderQuote): QuoteChange[] => {
  const length = Math.max(was.items.length, now.items.length);
  const items = Array.from({ length }, (_, position) =>
    changesIn(itemFields, was.items[position] ?? {}, now.items[position] ?? {}, `items[${position}].`),
  );
  return [...items.flat(), ...changesIn(orderFields, was, now)];
};

/** Returns the quote without the fields of the host role (D73). */
export const withoutHostFigures = <Quote extends OrderQuote>(quote: Quote): Quote => ({
  ...quote,
  total_earning: null,
  items: quote.items.map((item) => ({ ...item, earning: null, commission_rate: null })),
});

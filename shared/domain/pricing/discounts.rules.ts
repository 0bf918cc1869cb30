import { type Amount, larger, money, percentOf, roundMoney, smaller, zero } from '../../platform/money.ts';
import { hourMs, toInstant } from '../../platform/time/time.ts';
import { monthNights } from './base-price.rules.ts';
import type { Line } from './charges.rules.ts';
import type { PricingRule } from './price-part.schema.ts';
import type { ListingRates } from './rate-card.rules.ts';
import type { Stay } from './stay.rules.ts';

/** Discounts as amounts of money, none negative (D37, D38). */
export interface Discounts {
  combo: Amount;
  nightShort: Amount;
  monthly: Amount;
  lastMinute: Amount;
  lines: Line[];
}

export interface DiscountInput {
  listing: ListingRates;
  stay: Stay;
  rule: PricingRule | undefined;
  base: Amount;
  /** Epoch milliseconds. */
  now: number;
}

const line = (label: string, amount: Amount, source: string): Line => ({
  kind: 'discount',
  label,
  quantity: 1,
  unitPrice: amount.neg(),
  source,
});

const nightShortDiscount = ({ listing, stay, base }: DiscountInput): Amount =>
  stay.pricingType === 'night_short'
    ? smaller(base, percentOf(base, listing.night_short_discount ?? 0, listing.currency))
    : zero;

/** Whether the nights have a price by the month, which replaces theirs. */
export const isByTheMonth = (input: DiscountInput): boolean =>
  input.stay.nights >= monthNights && monthlyPrice(input)[0] > 0;

/** A PER_MONTH rule replaces `monthly_price`; a price of 0 means none (D35). */
const monthlyPrice = ({ listing, rule }: DiscountInput): [price: number, source: string] =>
  rule?.charge_unit === 'PER_MONTH'
    ? [rule.price, `rule:${rule.id}`]
    : [listing.monthly_price ?? 0, 'monthly_price'];

const monthlyDiscount = (input: DiscountInput, left: Amount): Amount => {
  const { listing, stay } = input;
  const [price] = monthlyPrice(input);
  if (!isByTheMonth(input)) return zero;
  const months = money(price).times(stay.nights).div(monthNights);
  return larger(zero, roundMoney(left.minus(months), listing.currency));
};

const isLastMinute = ({ listing, stay, now }: DiscountInput): boolean => {
  const hours = listing.last_minute_hour ?? 0;
  return hours > 0 && toInstant(stay.start, listing.timezone) - now <= hours * hourMs;
};

/**
 * Returns the minimum after a last-minute discount: `minimum_rate` a night; a day counts as a night, hours have no
 * minimum.
 */
const minimumPrice = ({ listing, stay }: DiscountInput): Amount =>
  stay.pricingType === 'hourly'
    ? zero
    : roundMoney(money(listing.minimum_rate ?? 0).times(Math.max(1, stay.nights)), listing.currency);

const lastMinuteDiscount = (input: DiscountInput, left: Amount): Amount => {
  if (!isLastMinute(input)) return zero;
  const { listing } = input;
  const discount = percentOf(left, listing.last_minute_discount ?? 0, listing.currency);
  return smaller(discount, larger(zero, left.minus(minimumPrice(input))));
};

const comboDiscount = (
  { id, original_price, discounted_price }: NonNullable<Stay['combo']>,
  d: DiscountInput,
) => {
  const { currency } = d.listing;
  const saved = larger(
    zero,
    roundMoney(original_price, currency).minus(roundMoney(discounted_price, currency)),
  );
  const combo = saved.times(Math.max(1, d.stay.nights));
  return { ...none, combo, lines: [line('Combo discount', combo, `combo:${id}`)] };
};

const none: Discounts = { combo: zero, nightShort: zero, monthly: zero, lastMinute: zero, lines: [] };

/**
 * Returns the discounts: night short, monthly, last minute, each from the remaining amount; a combo excludes the others
 * (D37, D38).
 */
export const discountsOf = (input: DiscountInput): Discounts => {
  const { stay, base } = input;
  if (stay.combo) return comboDiscount(stay.combo, input);
  const nightShort = nightShortDiscount(input);
  const monthly = monthlyDiscount(input, base.minus(nightShort));
  const lastMinute = lastMinuteDiscount(input, base.minus(nightShort).minus(monthly));
  const lines = [
    nightShortLine(nightShort),
    line('Monthly price', monthly, monthlyPrice(input)[1]),
    lastMinuteLine(lastMinute),
  ];
  return { ...none, nightShort, monthly, lastMinute, lines };
};

const nightShortLine = (amount: Amount): Line =>
  line('Late overnight discount', amount, 'night_short_discount');
const lastMinuteLine = (amount: Amount): Line => line('Last-minute discount', amount, 'last_minute_discount');

/** Returns the discounts of nights that were sold at different times. */
export const nightDiscounts = (nightShort: Amount, lastMinute: Amount): Discounts => ({
  ...none,
  nightShort,
  lastMinute,
  lines: [nightShortLine(nightShort), lastMinuteLine(lastMinute)],
});

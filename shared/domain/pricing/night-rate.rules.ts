import { isExactNumber, money, roundMoney, toNumber } from '../../platform/money.ts';
import { weekday } from '../../platform/time/time.ts';
import type { ChargeUnit, DateType, PricingRule } from './price-part.schema.ts';
import type { RateCard, StayType } from './rate-card.rules.ts';

const specificity: Record<DateType, number> = { SPECIFIC_DATE: 3, DATE_RANGE: 2, WEEKDAY: 1, ALWAYS: 0 };

/** Orders rules by strength: priority, then the narrower date type, then the newer one; ids increase with time (D34, D2). */
export const byStrength = (one: PricingRule, other: PricingRule): number =>
  other.priority - one.priority ||
  specificity[other.date_type] - specificity[one.date_type] ||
  other.id - one.id;

export const coversDate = (rule: PricingRule, date: string): boolean => {
  switch (rule.date_type) {
    case 'ALWAYS':
      return true;
    case 'WEEKDAY':
      return rule.day_of_week === weekday(date);
    case 'SPECIFIC_DATE':
      return rule.date_from === date;
    case 'DATE_RANGE':
      return (
        rule.date_from !== null &&
        rule.date_to !== null &&
        rule.date_from <= date &&
        date <= rule.date_to &&
        (rule.weekdays?.includes(weekday(date)) ?? true)
      );
  }
};

/** Returns a function that finds the strongest active rule for a date, of the given charge units and stay type (D34, D35). */
export const ruleFinder = (
  rules: readonly PricingRule[],
  units: readonly ChargeUnit[],
  stayType: StayType,
): ((date: string) => PricingRule | undefined) => {
  const ranked = rules
    .filter(({ is_active }) => is_active)
    .filter(({ charge_unit }) => units.includes(charge_unit))
    .filter(({ stay_type }) => stay_type === 'ANY' || stay_type === stayType)
    .sort(byStrength);
  return (date) => ranked.find((rule) => coversDate(rule, date));
};

/** A price with its reason; `source` as in the lines of a quote (D42). */
interface Rate {
  price: number;
  source: string;
  pricing_rule_id: number | null;
}

/** Returns a function from date to the price of the night that begins on it, or of the day for day use (D34). */
export const nightRates = ({ listing, rules }: RateCard, stayType: StayType): ((date: string) => Rate) => {
  const ruleOn = ruleFinder(rules, ['PER_NIGHT'], stayType);
  return (date) => {
    const rule = ruleOn(date);
    if (rule) return { price: rule.price, source: `rule:${rule.id}`, pricing_rule_id: rule.id };
    const weekly = listing.prices_by_week?.[weekday(date)] ?? 0;
    if (weekly > 0) return { price: weekly, source: 'weekday', pricing_rule_id: null };
    return { price: listing.full_rate, source: 'full_rate', pricing_rule_id: null };
  };
};

/**
 * Returns the price of one hour of an hourly stay on a date (D31, D35, D36): the PER_HOUR rule's, else the first hours'
 * price divided by `min_hours`, else `price_per_hour`; null if the listing takes no hourly stay.
 */
export const hourRate = ({ listing, rules }: RateCard, date: string): Rate | null => {
  if (listing.allow_hourly_booking !== true) return null;
  const rule = ruleFinder(rules, ['PER_HOUR'], 'DAY')(date);
  if (rule) return { price: rule.price, source: `rule:${rule.id}`, pricing_rule_id: rule.id };
  const first = listing.price_first_hours ?? 0;
  if (first > 0) {
    const share = roundMoney(money(first).div(minHours(listing)), listing.currency);
    return isExactNumber(share)
      ? { price: toNumber(share), source: 'price_first_hours', pricing_rule_id: null }
      : null;
  }
  const hourly = listing.price_per_hour ?? 0;
  if (hourly > 0) return { price: hourly, source: 'price_per_hour', pricing_rule_id: null };
  const extra = listing.extra_hour_price ?? 0;
  return extra > 0 ? { price: extra, source: 'extra_hour_price', pricing_rule_id: null } : null;
};

/** Returns the fewest hours of an hourly stay, 2 by default. */
export const minHours = (listing: { readonly min_hours?: number | null | undefined }): number =>
  Math.max(1, listing.min_hours ?? 2);

import { type DateRange, datesOf, rangesWith } from '../../platform/time/date-ranges.ts';
import { invalid } from '../../platform/errors.ts';
import { isExactNumber, money, roundMoney, toNumber } from '../../platform/money.ts';
import { coversDate, nightRates } from './night-rate.rules.ts';
import type { PriceParts } from './price-parts.entity.ts';
import type { RateCard } from './rate-card.rules.ts';

type Rule = PriceParts['rules'][number];

/** A night whose price a bulk change has set, and the rule that it is in. */
export interface BulkNight {
  price: number;
  priority: number;
  bulk_id: number;
  rule_id: number;
}

/** A range of such nights. */
export type BulkNights = DateRange & BulkNight;

const rangeOf = ({ date_from, date_to, weekdays }: Rule): DateRange => ({
  date_from: date_from ?? '',
  date_to: date_to ?? '',
  weekdays: weekdays ?? null,
});

type OfBulk = Rule & { bulk_id: number };
const isOfBulk = (rule: Rule): rule is OfBulk => rule.bulk_id !== undefined;

const nightOf = ({ id, price, priority, bulk_id }: OfBulk): BulkNight => ({
  ...{ price, priority, bulk_id },
  rule_id: id,
});

/** Returns the nights that bulk changes have set, by date. No two of their rules have the same date. */
export const bulkNights = (rules: readonly Rule[]): ReadonlyMap<string, BulkNight> =>
  new Map(
    rules
      .filter(isOfBulk)
      .flatMap((rule) => datesOf([rangeOf(rule)]).map((date) => [date, nightOf(rule)] as const)),
  );

/** Returns ranges of nights for a record. */
export const packNights = (nights: Iterable<readonly [string, BulkNight]>): BulkNights[] =>
  rangesWith(nights, (night) => JSON.stringify(night)).map(({ range, value }) => ({ ...range, ...value }));

/** Returns the nights of a record by date. */
export const unpackNights = (packed: readonly BulkNights[]): ReadonlyMap<string, BulkNight> =>
  new Map(
    packed.flatMap(({ date_from, date_to, weekdays, ...night }) =>
      datesOf([{ date_from, date_to, weekdays }]).map((date) => [date, night] as const),
    ),
  );

/** Whether a host's own rule can price an overnight stay by the night. */
const pricesNights = (rule: Rule): boolean =>
  rule.is_active && !isOfBulk(rule) && rule.charge_unit === 'PER_NIGHT' && rule.stay_type !== 'DAY';

/**
 * Returns the lowest priority with which a new range is stronger than the host's own rules on these dates. Throws
 * VALIDATION_ERROR if one of them has the highest priority that there is.
 */
export const priorityOver = (rules: readonly Rule[], dates: readonly string[]): number => {
  const priority = rules
    .filter((rule) => pricesNights(rule) && dates.some((date) => coversDate(rule, date)))
    .map(({ date_type, priority: own }) => (date_type === 'SPECIFIC_DATE' ? own + 1 : own))
    .reduce((most, own) => Math.max(most, own), 0);
  if (Number.isSafeInteger(priority)) return priority;
  throw invalid({
    path: 'date_ranges',
    message: 'name a date whose own rule has the highest priority that there is: lower it',
  });
};

/**
 * Returns the rules with other nights of bulk changes: those of the map, null for none. The nights of other dates stay as
 * they are, also below a host's rule of the same priority that is newer than theirs: a rule that is made now would be the
 * newest. Nights that have passed are dropped.
 */
export const withNights = (
  rules: readonly Rule[],
  nights: ReadonlyMap<string, BulkNight | null>,
  { listingId, today, newId }: { listingId: number; today: string; newId: () => number },
): Rule[] => {
  const own = rules.filter((rule) => !isOfBulk(rule));
  const ranges = own.filter((rule) => pricesNights(rule) && rule.date_type === 'DATE_RANGE');
  const kept: Rule[] = [];
  const made = new Map([...nights].flatMap(([date, night]) => (night ? [[date, night] as const] : [])));
  for (const rule of rules.filter(isOfBulk)) {
    const dates = datesOf([rangeOf(rule)]);
    const left = dates.filter((date) => date >= today && !nights.has(date));
    if (left.length === dates.length) kept.push(rule);
    else for (const date of left) made.set(date, nightOf(rule));
  }
  const placed = [...made].map(([date, { rule_id: ruleId, ...night }]) => {
    const isBelow = ranges.some(
      (rule) => rule.priority === night.priority && rule.id > ruleId && coversDate(rule, date),
    );
    return [date, isBelow ? { ...night, priority: night.priority - 1 } : night] as const;
  });
  const added = rangesWith(placed, (night) => JSON.stringify(night)).map(({ range, value }): Rule => ({
    ...{ id: newId(), listing_id: listingId, date_type: 'DATE_RANGE', day_of_week: null },
    ...{ charge_unit: 'PER_NIGHT', stay_type: 'OVERNIGHT', is_active: true },
    ...range,
    ...value,
  }));
  return [...own, ...kept, ...added].sort((one, other) => one.id - other.id);
};

export type PriceChange = { price: number } | { percent: number };

/** Returns the price of each night before and after a change. Throws VALIDATION_ERROR for a night that has none. */
export const changedPrices = (
  card: RateCard,
  dates: readonly string[],
  change: PriceChange,
): Map<string, { before: number; after: number }> => {
  const rateOn = nightRates(card, 'OVERNIGHT');
  const after = (before: number): number => {
    if ('price' in change) return change.price;
    const exact = money(before).times(money(100).plus(change.percent)).div(100);
    const rounded = roundMoney(exact, card.listing.currency);
    if (!isExactNumber(rounded))
      throw invalid({ path: 'change.percent', message: 'makes a price too large' });
    return toNumber(rounded);
  };
  const prices = new Map(
    dates.map((date) => {
      const before = rateOn(date).price;
      return [date, { before, after: after(before) }] as const;
    }),
  );
  const [without] = [...prices].find(([, price]) => price.after === 0) ?? [];
  if (without !== undefined)
    throw invalid({ path: 'change.percent', message: `leaves the night of ${without} without a price` });
  return prices;
};

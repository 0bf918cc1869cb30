import { dateOfDay, dayNumber } from '../../platform/time/time.ts';
import { byStrength, type RateCard } from '../pricing/model.ts';
import { type Column, packNumberColumns, unpackNumberColumns } from './number-columns.ts';
import type { ShownDocument } from './search-document.ts';

/** The prices of a listing as numbers; 0 is unset. */
const priceFields = [
  'full_rate',
  'minimum_rate',
  'extra_adult_rate',
  'extra_child_rate',
  'guest_included_in_rate',
  'cleaning_fee',
  'monthly_price',
  'last_minute_hour',
  'last_minute_discount',
  'price_rate_in_day',
] as const;
const weekdays = ['0', '1', '2', '3', '4', '5', '6'] as const;
const ruleFields = ['date_type', 'day_of_week', 'from', 'to', 'charge_unit', 'stay_type', 'price'] as const;
const serviceFields = ['price_unit', 'price'] as const;

/** Stored as their positions. */
export const dateTypes = ['ALWAYS', 'WEEKDAY', 'DATE_RANGE', 'SPECIFIC_DATE'] as const;
export const chargeUnits = ['PER_BOOKING', 'PER_NIGHT', 'PER_HOUR', 'PACKAGE', 'PER_MONTH'] as const;
export const stayTypes = ['DAY', 'OVERNIGHT', 'ANY'] as const;
export const priceUnits = ['per_use', 'per_night', 'per_person'] as const;

/** The weekdays of a range as bits, in place of the one day of a WEEKDAY rule; not a number for all. */
const weekdayMask = (days: readonly number[] | null | undefined): number =>
  days ? days.reduce((mask, day) => mask | (1 << day), 0) : NaN;

export const hasWeekday = (mask = NaN, day: number): boolean =>
  Number.isNaN(mask) || (mask & (1 << day)) !== 0;

const dateText = (day: number): string | null => (Number.isNaN(day) ? null : dateOfDay(day));
const dayOrNone = (date: string | null): number => (date === null ? NaN : dayNumber(date));

/** The numbers of one listing: its prices and those by weekday; its rules, the strongest first; its required services. */
interface PriceRow {
  prices: readonly number[];
  rules: readonly (readonly number[])[];
  services: readonly (readonly number[])[];
}

const noPrices: PriceRow = { prices: [...priceFields, ...weekdays].map(() => 0), rules: [], services: [] };

export const priceRow = ({ rateCard: { listing, rules, services } }: ShownDocument): PriceRow => ({
  prices: [
    ...priceFields.map((field) => listing[field] ?? 0),
    ...weekdays.map((day) => listing.prices_by_week?.[day] ?? 0),
  ],
  rules: rules
    .toSorted(byStrength)
    .map((rule) => [
      dateTypes.indexOf(rule.date_type),
      rule.date_type === 'DATE_RANGE' ? weekdayMask(rule.weekdays) : (rule.day_of_week ?? NaN),
      dayOrNone(rule.date_from),
      dayOrNone(rule.date_to),
      chargeUnits.indexOf(rule.charge_unit),
      stayTypes.indexOf(rule.stay_type),
      rule.price,
    ]),
  services: services.map(({ price_unit, price }) => [priceUnits.indexOf(price_unit), price]),
});

const columnsOf = (rows: readonly (readonly number[])[], count: number): number[][] =>
  Array.from({ length: count }, (_, at) => rows.map((row) => row[at] ?? 0));

export const packPrices = (rows: readonly (PriceRow | undefined)[]): Uint8Array => {
  const filled = rows.map((row) => row ?? noPrices);
  const part = (name: keyof PriceRow) => filled.map((row) => row[name]);
  const lists = (name: 'rules' | 'services') => filled.flatMap((row) => row[name]);
  return packNumberColumns({
    numbers: [
      ...columnsOf(part('prices') as number[][], noPrices.prices.length),
      part('rules').map(({ length }) => length),
      part('services').map(({ length }) => length),
      ...columnsOf(lists('rules'), ruleFields.length),
      ...columnsOf(lists('services'), serviceFields.length),
    ],
  });
};

type Named<Names extends readonly string[]> = Record<Names[number], Column>;

/** Names columns; missing ones are empty. */
const named = <const Names extends readonly string[]>(
  names: Names,
  columns: readonly Column[],
): Named<Names> =>
  Object.fromEntries(names.map((name, at) => [name, columns[at] ?? new Uint8Array()])) as Named<Names>;

/** Prices as columns. The rules of a listing are those from `ruleStarts[slot]` to `ruleStarts[slot + 1]`; likewise services. */
export class PricePlane {
  readonly prices: Named<typeof priceFields>;
  readonly week: readonly Column[];
  readonly ruleStarts: Uint32Array;
  readonly serviceStarts: Uint32Array;
  readonly rules: Named<typeof ruleFields>;
  readonly services: Named<typeof serviceFields>;
  readonly length: number;
  readonly bytes: number;

  constructor(packed: Uint8Array) {
    const { numbers: columns, bytes } = unpackNumberColumns(packed);
    this.bytes = bytes;
    let at = 0;
    const next = (count: number) => columns.slice(at, (at += count));
    this.prices = named(priceFields, next(priceFields.length));
    this.week = next(weekdays.length);
    const [ruleCounts, serviceCounts] = next(2);
    this.ruleStarts = startsOf(ruleCounts);
    this.serviceStarts = startsOf(serviceCounts);
    this.rules = named(ruleFields, next(ruleFields.length));
    this.services = named(serviceFields, next(serviceFields.length));
    this.length = this.prices.full_rate.length;
  }

  row(slot: number): PriceRow {
    const at = (columns: readonly Column[], row: number) => columns.map((column) => column[row] ?? 0);
    const list = (starts: Uint32Array, columns: readonly Column[]) =>
      rangeOf(starts, slot).map((row) => at(columns, row));
    return {
      prices: at([...Object.values(this.prices), ...this.week], slot),
      rules: list(this.ruleStarts, Object.values(this.rules)),
      services: list(this.serviceStarts, Object.values(this.services)),
    };
  }

  /** Returns what the pricing function needs of a listing. Rules and services have numbers of their own as ids. */
  rateCard(slot: number, { id, currency, capacity, times }: Identity): RateCard {
    const prices = Object.fromEntries(priceFields.map((field) => [field, this.prices[field][slot] ?? 0]));
    const byWeekday = Object.fromEntries(weekdays.map((day, at) => [day, this.week[at]?.[slot] ?? 0]));
    const { rules, services } = this;
    return {
      listing: {
        ...{ id, name: '', currency, capacity, full_rate: 0, ...times, ...prices },
        prices_by_week: byWeekday,
      },
      combos: [],
      rules: rangeOf(this.ruleStarts, slot).map((at) => ({
        ...{ id: at + 1, listing_id: id, priority: -at, is_active: true },
        date_type: dateTypes[rules.date_type[at] ?? 0] ?? 'ALWAYS',
        // One of them counts, by the type of the rule.
        day_of_week: numberOrNull(rules.day_of_week[at]),
        weekdays: weekdays.map(Number).filter((day) => hasWeekday(rules.day_of_week[at], day)),
        date_from: dateText(rules.from[at] ?? NaN),
        date_to: dateText(rules.to[at] ?? NaN),
        charge_unit: chargeUnits[rules.charge_unit[at] ?? 0] ?? 'PER_NIGHT',
        stay_type: stayTypes[rules.stay_type[at] ?? 0] ?? 'ANY',
        price: rules.price[at] ?? 0,
      })),
      services: rangeOf(this.serviceStarts, slot).map((at) => ({
        ...{ id: at + 1, listing_id: id, service_name: '', description: null, created_at: '' },
        ...{ is_required: true, is_active: true, price: services.price[at] ?? 0 },
        price_unit: priceUnits[services.price_unit[at] ?? 0] ?? 'per_use',
      })),
    };
  }
}

/** What the price of a stay is computed from. */
export type PriceColumns = Pick<
  PricePlane,
  'prices' | 'week' | 'ruleStarts' | 'serviceStarts' | 'rules' | 'services'
>;

const documentPrices = new WeakMap<ShownDocument, PriceColumns>();
const noRules = named(ruleFields, []);
const noServices = named(serviceFields, []);

/** Returns the prices of one document as columns of one row. */
export const pricesOf = (document: ShownDocument): PriceColumns => {
  const known = documentPrices.get(document);
  if (known) return known;
  const { prices, rules, services } = priceRow(document);
  const columns = (rows: readonly (readonly number[])[], count: number) =>
    columnsOf(rows, count).map((column) => Float64Array.from(column));
  const own = {
    prices: named(
      priceFields,
      priceFields.map((_, at) => Float64Array.of(prices[at] ?? 0)),
    ),
    week: weekdays.map((_, at) => Float64Array.of(prices[priceFields.length + at] ?? 0)),
    ruleStarts: Uint32Array.of(0, rules.length),
    serviceStarts: Uint32Array.of(0, services.length),
    rules: rules.length === 0 ? noRules : named(ruleFields, columns(rules, ruleFields.length)),
    services:
      services.length === 0 ? noServices : named(serviceFields, columns(services, serviceFields.length)),
  };
  documentPrices.set(document, own);
  return own;
};

/** What a rate card has beside prices. */
interface Identity {
  id: number;
  currency: string;
  capacity: number;
  times: Pick<RateCard['listing'], 'timezone'>;
}

/** Returns where the list of each row begins, and the end of the last. */
export const startsOf = (counts: Column | undefined): Uint32Array => {
  const starts = new Uint32Array((counts?.length ?? 0) + 1);
  counts?.forEach((count, at) => (starts[at + 1] = (starts[at] ?? 0) + count));
  return starts;
};

export const rangeOf = (starts: Uint32Array, slot: number): number[] => {
  const from = starts[slot] ?? 0;
  return Array.from({ length: Math.max(0, (starts[slot + 1] ?? from) - from) }, (_, at) => from + at);
};

const numberOrNull = (value: number | undefined): number | null =>
  value === undefined || Number.isNaN(value) ? null : value;

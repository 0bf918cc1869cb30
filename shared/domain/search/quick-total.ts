import { minorDigits } from '../../platform/money.ts';
import { hourMs } from '../../platform/time/time.ts';
import type { Column } from './number-columns.ts';
import {
  chargeUnits,
  dateTypes,
  hasWeekday,
  priceUnits,
  type PriceColumns,
  stayTypes,
} from './price-plane.ts';

/** A stay of one search as numbers. */
export interface PricedStay {
  /** The dates of its nights, or its only date, as days since 1970. */
  days: readonly number[];
  /** The weekday of each: 0 is Sunday. */
  weekdays: readonly number[];
  /** 0 for day use. */
  nights: number;
  guests: number;
  children: number;
  /** Milliseconds until it begins. */
  beginsIn: number;
}

const [perBooking, perNight, perPackage, perMonth] = (
  ['PER_BOOKING', 'PER_NIGHT', 'PACKAGE', 'PER_MONTH'] as const
).map((unit) => chargeUnits.indexOf(unit));
const [always, byWeekday, inRange, onDate] = (
  ['ALWAYS', 'WEEKDAY', 'DATE_RANGE', 'SPECIFIC_DATE'] as const
).map((type) => dateTypes.indexOf(type));
const anyStay = stayTypes.indexOf('ANY');
const perPerson = priceUnits.indexOf('per_person');
const perNightUnit = priceUnits.indexOf('per_night');
const monthNights = 30;
/** 1970-01-01 was a Thursday. */
export const weekdayOf = (day: number): number => (day + 4) % 7;
/** Amounts from 10^15 minor units on are refused, so every accepted one is an exact whole number. */
const tooMuch = 1e15;

/** Returns a quotient of whole numbers, rounded half up; NaN if it may not be exact. */
const quotient = (dividend: number, divisor: number): number => {
  if (!(dividend >= 0 && dividend < 2 ** 52)) return NaN;
  const half = dividend + divisor / 2;
  return (half - (half % divisor)) / divisor;
};

/** Returns a decimal as a whole number of ten-thousandths; NaN if it has more digits. */
const tenThousandths = (value: number): number => {
  const whole = Math.round(value * 10_000);
  return whole / 10_000 === value ? whole : NaN;
};

/**
 * Prices one listing by its columns, in whole minor units: the function of a checkout (D33–D41) without its lines, for stays
 * without combos and chosen services. The result is the total, null if a checkout would refuse, and NaN where it cannot be
 * computed in whole numbers.
 */
class QuickPrice {
  readonly #plane: PriceColumns;
  readonly #slot: number;
  readonly #stay: PricedStay;
  readonly #unit: number;

  constructor(plane: PriceColumns, slot: number, stay: PricedStay, unit: number) {
    this.#plane = plane;
    this.#slot = slot;
    this.#stay = stay;
    this.#unit = unit;
  }

  total(): number | null {
    const stayRule = this.#stayRule();
    const base = this.#base(stayRule);
    if (base === null) return null;
    const monthly = this.#monthlyDiscount(base, stayRule);
    const left = base - monthly;
    const lastMinute = this.#lastMinuteDiscount(left);
    const total = Math.max(0, left - lastMinute) + this.#fees();
    if (base + monthly + lastMinute >= tooMuch || total >= tooMuch) return null;
    return total;
  }

  /** NaN if the price has more decimals than its currency. */
  #minor(price: number | undefined): number {
    const whole = Math.round((price ?? 0) * this.#unit);
    return whole / this.#unit === price ? whole : NaN;
  }

  /** The columns are named where they are read: a name that varies takes several times as long. */
  #at(column: Column): number {
    return column[this.#slot] ?? 0;
  }

  /** Returns the strongest rule of the units for a date; -1 without one. */
  #ruleOn(day: number, isOfUnit: (unit: number) => boolean): number {
    const { rules, ruleStarts } = this.#plane;
    const end = ruleStarts[this.#slot + 1] ?? 0;
    const stayType = this.#stay.nights > 0 ? 1 : 0;
    for (let at = ruleStarts[this.#slot] ?? 0; at < end; at++) {
      if (!isOfUnit(rules.charge_unit[at] ?? 0)) continue;
      const type = rules.stay_type[at];
      if ((type === anyStay || type === stayType) && this.#covers(at, day)) return at;
    }
    return -1;
  }

  #covers(at: number, day: number): boolean {
    const { date_type, day_of_week, from, to } = this.#plane.rules;
    switch (date_type[at]) {
      case always:
        return true;
      case byWeekday:
        return day_of_week[at] === weekdayOf(day);
      case onDate:
        return from[at] === day;
      case inRange:
        return (
          (from[at] ?? NaN) <= day && day <= (to[at] ?? NaN) && hasWeekday(day_of_week[at], weekdayOf(day))
        );
      default:
        return false;
    }
  }

  get #hasRules(): boolean {
    const { ruleStarts } = this.#plane;
    return ruleStarts[this.#slot] !== ruleStarts[this.#slot + 1];
  }

  #stayRule(): number {
    if (!this.#hasRules) return -1;
    const isLong = this.#stay.nights >= monthNights;
    return this.#ruleOn(
      this.#stay.days[0] ?? 0,
      (unit) => unit === perBooking || unit === perPackage || (isLong && unit === perMonth),
    );
  }

  #isPerMonth(rule: number): boolean {
    return rule >= 0 && this.#plane.rules.charge_unit[rule] === perMonth;
  }

  /** Returns the price of all days, or of a rule for the whole stay; null if a day has no price. */
  #base(stayRule: number): number | null {
    const { rules, week } = this.#plane;
    if (stayRule >= 0 && !this.#isPerMonth(stayRule)) return this.#minor(rules.price[stayRule]);
    const hasRules = this.#hasRules;
    const { days, weekdays } = this.#stay;
    let base = 0;
    for (let at = 0; at < days.length; at++) {
      const rule = hasRules ? this.#ruleOn(days[at] ?? 0, (unit) => unit === perNight) : -1;
      const weekly = week[weekdays[at] ?? 0]?.[this.#slot] ?? 0;
      const price =
        rule >= 0 ? rules.price[rule] : weekly > 0 ? weekly : this.#at(this.#plane.prices.full_rate);
      const amount = this.#ofDay(this.#minor(price));
      if (amount === 0 && rule < 0) return null;
      base += amount;
    }
    return base;
  }

  /** A day costs its price times `price_rate_in_day`, a night its price (D36). */
  #ofDay(price: number): number {
    if (this.#stay.nights > 0) return price;
    const factor = Math.max(1, this.#at(this.#plane.prices.price_rate_in_day));
    return factor === 1 ? price : quotient(price * tenThousandths(factor), 10_000);
  }

  #monthlyDiscount(left: number, stayRule: number): number {
    const { nights } = this.#stay;
    if (nights < monthNights) return 0;
    const price = this.#isPerMonth(stayRule)
      ? (this.#plane.rules.price[stayRule] ?? 0)
      : this.#at(this.#plane.prices.monthly_price);
    if (price <= 0) return 0;
    const saved = left * monthNights - this.#minor(price) * nights;
    return saved < 0 ? 0 : quotient(saved, monthNights);
  }

  #lastMinuteDiscount(left: number): number {
    const hours = this.#at(this.#plane.prices.last_minute_hour);
    const percent = this.#at(this.#plane.prices.last_minute_discount);
    if (hours <= 0 || percent <= 0 || this.#stay.beginsIn > hours * hourMs) return 0;
    const discount = quotient(left * tenThousandths(percent), 1_000_000);
    const least = this.#minor(this.#at(this.#plane.prices.minimum_rate)) * Math.max(1, this.#stay.nights);
    return Math.min(discount, Math.max(0, left - least));
  }

  #fees(): number {
    const { guests, children } = this.#stay;
    const extra = Math.max(0, guests - this.#at(this.#plane.prices.guest_included_in_rate));
    return (
      extra * this.#minor(this.#at(this.#plane.prices.extra_adult_rate)) +
      children * this.#minor(this.#at(this.#plane.prices.extra_child_rate)) +
      this.#minor(this.#at(this.#plane.prices.cleaning_fee)) +
      this.#requiredServices()
    );
  }

  #requiredServices(): number {
    const { services, serviceStarts } = this.#plane;
    const end = serviceStarts[this.#slot + 1] ?? 0;
    let total = 0;
    for (let at = serviceStarts[this.#slot] ?? 0; at < end; at++)
      total += this.#timesCharged(services.price_unit[at] ?? 0) * this.#minor(services.price[at]);
    return total;
  }

  #timesCharged(unit: number): number {
    if (unit === perPerson) return this.#stay.guests;
    return unit === perNightUnit ? Math.max(1, this.#stay.nights) : 1;
  }
}

const units = new Map<string, number>();

/** Returns how many minor units a currency has. */
export const unitOf = (currency: string): number => {
  const known = units.get(currency) ?? 10 ** minorDigits(currency);
  units.set(currency, known);
  return known;
};

/**
 * Returns the total of a stay in a currency with so many minor units; null if a checkout would refuse, undefined if only the exact
 * function knows.
 */
export const quickTotal = (
  plane: PriceColumns,
  slot: number,
  stay: PricedStay,
  unit: number,
): number | null | undefined => {
  const total = new QuickPrice(plane, slot, stay, unit).total();
  if (total === null) return null;
  return Number.isNaN(total) ? undefined : total / unit;
};

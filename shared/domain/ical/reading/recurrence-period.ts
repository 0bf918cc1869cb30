import { addDays, hourMs, minuteMs, nightsBetween, weekday } from '../../../platform/time/time.ts';
import { dayDates, monthDates, weekDates, yearDates } from './recurrence-dates.ts';
import type { RecurrenceRule } from './recurrence-rule.ts';

/** A day, week, month or year that a rule visits; for finer rules a moment. */
export interface Period {
  /** Its first date, or datetime. */
  first: string;
  time?: string;
  dates: () => string[];
  /** Its cost in visited days. */
  cost: number;
}

const unitMs: Partial<Record<RecurrenceRule['unit'], number>> = {
  second: 1000,
  minute: minuteMs,
  hour: hourMs,
};
const wallMs = (local: string): number => Date.parse(`${local}Z`);
const farthest = { days: 366 * 1200, year: 2199 };
const nothing = (): string[] => [];

const weekOf = (date: string, weekStart: number): string =>
  addDays(date, -((weekday(date) - weekStart + 7) % 7));

const monthStart = (year: number, month: number): string =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-01`;

/** Returns the nth period, counted from the one in which the rule starts; undefined beyond the calendar's range. */
export const periodAt = (start: string, rule: RecurrenceRule, number: number): Period | undefined => {
  const { unit, interval, weekStart } = rule;
  const offset = number * interval;
  const date = start.slice(0, 10);
  const ms = unitMs[unit];
  if (ms !== undefined) {
    const at = wallMs(start) + offset * ms;
    if (at >= Date.UTC(farthest.year, 0)) return undefined;
    const time = new Date(at).toISOString().slice(0, 19);
    return { first: time, time, dates: nothing, cost: 1 };
  }
  if (unit === 'day' || unit === 'week') {
    const days = offset * (unit === 'day' ? 1 : 7);
    if (days > farthest.days) return undefined;
    const first = addDays(unit === 'day' ? date : weekOf(date, weekStart), days);
    return unit === 'day'
      ? { first, dates: () => dayDates(rule, first), cost: 1 }
      : { first, dates: () => weekDates(rule, first, date), cost: 7 };
  }
  const [year = 0, month = 1] = date.split('-').map(Number);
  const months = year * 12 + (unit === 'month' ? month - 1 + offset : 12 * offset);
  if (months > farthest.year * 12) return undefined;
  const first = monthStart(Math.floor(months / 12), (months % 12) + 1);
  return unit === 'month'
    ? { first, dates: () => monthDates(rule, first, date), cost: 31 }
    : { first, dates: () => yearDates(rule, first, date), cost: 366 };
};

/** Returns the number of periods before a datetime, which need no visit. */
export const periodsUntil = (start: string, { unit, interval }: RecurrenceRule, until: string): number => {
  const days = nightsBetween(start.slice(0, 10), until.slice(0, 10));
  const ms = unitMs[unit];
  if (ms !== undefined) return Math.floor((wallMs(until) - wallMs(start)) / (ms * interval));
  const longest = { day: 1, week: 7, month: 31, year: 366 }[unit as 'day' | 'week' | 'month' | 'year'];
  return Math.floor(days / (longest * interval)) - 1;
};

import { addDays, datesBetween, nightsBetween, weekday } from '../../../platform/time/time.ts';
import type { RecurrenceRule } from './recurrence-rule.ts';

/** Returns the dates of a day, week, month or year that a rule selects (RFC 5545, 3.3.10, the table of BY parts). */

const nextMonth = (first: string): string => `${addDays(first, 31).slice(0, 7)}-01`;

const nextYear = (first: string): string => `${String(Number(first.slice(0, 4)) + 1).padStart(4, '0')}-01-01`;

const inMonths = ({ months }: RecurrenceRule, date: string): boolean =>
  months.length === 0 || months.includes(Number(date.slice(5, 7)));

const onMonthDays = ({ monthDays }: RecurrenceRule, date: string): boolean => {
  if (monthDays.length === 0) return true;
  const fromEnd = nightsBetween(date, nextMonth(`${date.slice(0, 7)}-01`));
  return monthDays.includes(Number(date.slice(8))) || monthDays.includes(-fromEnd);
};

const onWeekdays = ({ weekdays }: RecurrenceRule, date: string): boolean =>
  weekdays.length === 0 || weekdays.some(({ day }) => day === weekday(date));

/** Returns whether a date is the nth weekday (or nth last) between the first date and the next period. */
const onNthWeekdays = ({ weekdays }: RecurrenceRule, date: string, first: string, next: string): boolean => {
  if (weekdays.length === 0) return true;
  const before = Math.floor(nightsBetween(first, date) / 7) + 1;
  const after = Math.floor((nightsBetween(date, next) - 1) / 7) + 1;
  return weekdays.some(
    ({ day, nth }) => day === weekday(date) && (nth === 0 || nth === before || nth === -after),
  );
};

export const dayDates = (rule: RecurrenceRule, date: string): string[] =>
  inMonths(rule, date) && onMonthDays(rule, date) && onWeekdays(rule, date) ? [date] : [];

export const weekDates = (rule: RecurrenceRule, first: string, start: string): string[] => {
  const days = rule.weekdays.length > 0 ? rule.weekdays.map(({ day }) => day) : [weekday(start)];
  return datesBetween(first, addDays(first, 7)).filter(
    (date) => days.includes(weekday(date)) && inMonths(rule, date),
  );
};

export const monthDates = (rule: RecurrenceRule, first: string, start: string): string[] => {
  if (!inMonths(rule, first)) return [];
  const next = nextMonth(first);
  const dates = datesBetween(first, next);
  if (rule.monthDays.length === 0 && rule.weekdays.length === 0)
    return dates.filter((date) => date.slice(8) === start.slice(8, 10));
  return dates.filter((date) => onMonthDays(rule, date) && onNthWeekdays(rule, date, first, next));
};

export const yearDates = (rule: RecurrenceRule, first: string, start: string): string[] => {
  const next = nextYear(first);
  const dates = datesBetween(first, next);
  if (rule.yearDays.length > 0)
    return dates
      .filter((date) => {
        const fromStart = nightsBetween(first, date) + 1;
        return rule.yearDays.includes(fromStart) || rule.yearDays.includes(-nightsBetween(date, next));
      })
      .flatMap((date) => dayDates(rule, date));
  if (rule.months.length > 0 || rule.monthDays.length > 0)
    return dates.filter((date) => date.endsWith('-01')).flatMap((month) => monthDates(rule, month, start));
  if (rule.weekdays.length > 0) return dates.filter((date) => onNthWeekdays(rule, date, first, next));
  return dates.filter((date) => date.slice(5) === start.slice(5, 10));
};

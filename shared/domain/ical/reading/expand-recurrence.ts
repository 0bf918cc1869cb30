import { addDays, datesBetween, nightsBetween, weekday } from '../../../platform/time.ts';
import { FeedProblem } from './feed-problem.ts';
import type { RecurrenceRule } from './recurrence-rule.ts';

/** Steps that all recurrences of a feed may take together, so that no rule keeps the service busy for long. */
export interface Effort {
  left: number;
}

export const feedEffort = (): Effort => ({ left: 200_000 });

const step = (effort: Effort): void => {
  if (--effort.left < 0) throw new FeedProblem('has recurrences that take too long to work out');
};

const unitMs = { second: 1000, minute: 60_000, hour: 3_600_000 };
const wallMs = (local: string): number => Date.parse(`${local}Z`);
const lastYear = 2199;

/**
 * The local datetimes of a recurrence, in order, from its DTSTART (which is the first) until `end`. Endless ones are cut
 * there; COUNT and UNTIL are the caller's to judge, who may stop at any one.
 */
export function* expandRecurrence(
  start: string,
  rule: RecurrenceRule,
  end: string,
  effort: Effort,
): Generator<string> {
  yield start;
  let last = start;
  for (const local of candidates(start, rule, end, effort)) {
    if (local >= end) return;
    if (local <= last) continue;
    yield local;
    last = local;
  }
}

function* candidates(start: string, rule: RecurrenceRule, end: string, effort: Effort): Generator<string> {
  if (rule.unit === 'second' || rule.unit === 'minute' || rule.unit === 'hour') {
    const ms = unitMs[rule.unit] * rule.interval;
    for (let at = wallMs(start) + ms; at < wallMs(end); at += ms) {
      step(effort);
      yield new Date(at).toISOString().slice(0, 19);
    }
    return;
  }
  const date = start.slice(0, 10);
  for (let period = 0; ; period++) {
    step(effort);
    const { first, dates } = periodOf(date, rule, period * rule.interval);
    if (first === undefined || first >= end) return;
    const found = [...new Set(dates())].sort();
    yield* (rule.positions.length === 0 ? found : atPositions(found, rule.positions)).map(
      (found) => `${found}${start.slice(10)}`,
    );
  }
}

const atPositions = (dates: readonly string[], positions: readonly number[]): string[] =>
  positions
    .flatMap((position) => dates.at(position > 0 ? position - 1 : position) ?? [])
    .toSorted();

interface Period {
  /** Undefined: beyond every calendar. */
  first: string | undefined;
  dates: () => string[];
}

/** The dates of one day, week, month or year of the rule; `offset` units after the one it began in. */
const periodOf = (start: string, rule: RecurrenceRule, offset: number): Period => {
  const { unit, weekStart } = rule;
  if (unit === 'day') {
    const date = laterDate(start, offset);
    return { first: date, dates: () => [date].filter(isDefined).filter((day) => keeps(rule, day)) };
  }
  if (unit === 'week') {
    const monday = laterDate(start, 7 * offset - ((weekday(start) - weekStart + 7) % 7));
    const days = rule.weekdays.length > 0 ? rule.weekdays.map(({ day }) => day) : [weekday(start)];
    return {
      first: monday,
      dates: () =>
        (monday === undefined ? [] : datesBetween(monday, addDays(monday, 7)))
          .filter((date) => days.includes(weekday(date)))
          .filter((date) => inMonths(rule, date)),
    };
  }
  const [year = 0, month = 0] = start.split('-').map(Number);
  if (unit === 'month') {
    const months = year * 12 + month - 1 + offset;
    const first = monthStart(Math.floor(months / 12), (months % 12) + 1);
    return { first, dates: () => (first === undefined || !inMonths(rule, first) ? [] : monthDates(start, rule, first)) };
  }
  const first = monthStart(year + offset, 1);
  return { first, dates: () => (first === undefined ? [] : yearDates(start, rule, first)) };
};

const isDefined = (date: string | undefined): date is string => date !== undefined;

const laterDate = (date: string, days: number): string | undefined =>
  days > 366 * 300 ? undefined : addDays(date, days);

const monthStart = (year: number, month: number): string | undefined =>
  year > lastYear ? undefined : `${String(year)}-${String(month).padStart(2, '0')}-01`;

const nextMonth = (first: string): string => `${addDays(first, 31).slice(0, 7)}-01`;

const inMonths = ({ months }: RecurrenceRule, date: string): boolean =>
  months.length === 0 || months.includes(Number(date.slice(5, 7)));

const isMonthDay = (days: readonly number[], date: string): boolean => {
  const fromEnd = nightsBetween(date, nextMonth(`${date.slice(0, 7)}-01`));
  return days.includes(Number(date.slice(8))) || days.includes(-fromEnd);
};

/** What thins out the days of a daily rule. */
const keeps = (rule: RecurrenceRule, date: string): boolean =>
  inMonths(rule, date) &&
  (rule.monthDays.length === 0 || isMonthDay(rule.monthDays, date)) &&
  (rule.weekdays.length === 0 || rule.weekdays.some(({ day }) => day === weekday(date)));

const monthDates = (start: string, rule: RecurrenceRule, first: string): string[] => {
  const dates = datesBetween(first, nextMonth(first));
  if (rule.monthDays.length === 0 && rule.weekdays.length === 0)
    return dates.filter((date) => date.slice(8) === start.slice(8, 10));
  return dates
    .filter((date) => rule.monthDays.length === 0 || isMonthDay(rule.monthDays, date))
    .filter((date) => rule.weekdays.length === 0 || isNthWeekday(rule, date, dates));
};

/** Whether a date is, say, the second Tuesday or the last Friday among the dates. */
const isNthWeekday = (rule: RecurrenceRule, date: string, dates: readonly string[]): boolean => {
  const before = Math.floor(nightsBetween(dates[0] ?? date, date) / 7) + 1;
  const after = Math.floor(nightsBetween(date, dates.at(-1) ?? date) / 7) + 1;
  return rule.weekdays.some(
    ({ day, nth }) => day === weekday(date) && (nth === 0 || nth === before || nth === -after),
  );
};

const yearDates = (start: string, rule: RecurrenceRule, first: string): string[] => {
  const next = `${Number(first.slice(0, 4)) + 1}-01-01`;
  if (rule.yearDays.length > 0)
    return datesBetween(first, next)
      .filter((date) => inMonths(rule, date))
      .filter((date) => {
        const fromStart = nightsBetween(first, date) + 1;
        return rule.yearDays.includes(fromStart) || rule.yearDays.includes(-nightsBetween(date, next));
      })
      .filter((date) => keeps({ ...rule, months: [] }, date));
  if (rule.months.length === 0 && rule.monthDays.length === 0) {
    if (rule.weekdays.length === 0) return datesBetween(first, next).filter((date) => date.slice(5) === start.slice(5, 10));
    const dates = datesBetween(first, next);
    return dates.filter((date) => isNthWeekday(rule, date, dates));
  }
  return Array.from({ length: 12 }, (_, month) => monthStart(Number(first.slice(0, 4)), month + 1) ?? '')
    .filter((month) => inMonths(rule, month))
    .flatMap((month) => monthDates(start, rule, month));
};

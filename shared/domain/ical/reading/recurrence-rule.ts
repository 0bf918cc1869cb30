import { isDate } from '../../../platform/time/time.ts';
import { FeedProblem } from './components.ts';

/** An RRULE (RFC 5545, 3.3.10) as far as calendars of stays use it. */
export interface RecurrenceRule {
  unit: 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year';
  interval: number;
  count: number | undefined;
  /** As written: a date, a local datetime or one in UTC. */
  until: string | undefined;
  months: number[];
  monthDays: number[];
  yearDays: number[];
  weekdays: { day: number; nth: number }[];
  positions: number[];
  /** 0 is Sunday. */
  weekStart: number;
}

const units: Record<string, RecurrenceRule['unit']> = {
  SECONDLY: 'second',
  MINUTELY: 'minute',
  HOURLY: 'hour',
  DAILY: 'day',
  WEEKLY: 'week',
  MONTHLY: 'month',
  YEARLY: 'year',
};
const weekdayNames = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];
const known = new Set([
  'FREQ',
  'INTERVAL',
  'COUNT',
  'UNTIL',
  'BYMONTH',
  'BYMONTHDAY',
  'BYYEARDAY',
  'BYDAY',
  'BYSETPOS',
  'WKST',
]);
const finer = ['second', 'minute', 'hour'];

/** Reads a rule; one that is not understood in full is refused, since half a rule would leave taken time open. */
export const recurrenceRule = (text: string): RecurrenceRule => {
  const refuse = () => new FeedProblem(`has a recurrence that cannot be read: ${text.slice(0, 80)}`);
  const parts = new Map(
    text
      .trim()
      .toUpperCase()
      .split(';')
      .filter((part) => part !== '')
      .map((part) => {
        const [name = '', value = ''] = part.split('=', 2);
        if (!known.has(name) || value === '') throw refuse();
        return [name, value] as const;
      }),
  );
  const numbers = (name: string, most: number, least = 1): number[] =>
    (parts.get(name)?.split(',') ?? []).map((part) => {
      const value = /^[+-]?\d{1,9}$/.test(part) ? Number(part) : Number.NaN;
      const size = least < 0 ? Math.abs(value) : value;
      if (!(size >= 1 && size <= most)) throw refuse();
      return value;
    });
  const unit = units[parts.get('FREQ') ?? ''];
  const until = parts.get('UNTIL');
  const [count] = numbers('COUNT', 1e9);
  if (!unit || (until !== undefined && !/^\d{8}(T\d{6}Z?)?$/.test(until))) throw refuse();
  if (until !== undefined && !isDate(until.replace(/^(....)(..)(..).*$/, '$1-$2-$3'))) throw refuse();
  if (finer.includes(unit) && [...parts.keys()].some((name) => name.startsWith('BY'))) throw refuse();
  const rule: RecurrenceRule = {
    unit,
    interval: numbers('INTERVAL', 1e6)[0] ?? 1,
    count,
    until,
    months: numbers('BYMONTH', 12),
    monthDays: numbers('BYMONTHDAY', 31, -31),
    yearDays: numbers('BYYEARDAY', 366, -366),
    weekdays: (parts.get('BYDAY')?.split(',') ?? []).map((part) => {
      const [, nth = '0', name = ''] = /^([+-]?\d{0,2})([A-Z]{2})$/.exec(part) ?? [];
      const day = weekdayNames.indexOf(name);
      if (day === -1 || Math.abs(Number(nth)) > 53) throw refuse();
      return { day, nth: Number(nth) };
    }),
    positions: numbers('BYSETPOS', 366, -366),
    weekStart: weekdayNames.indexOf(parts.get('WKST') ?? 'MO'),
  };
  if (rule.weekStart === -1 || !makesSense(rule)) throw refuse();
  return rule;
};

/** Parts that RFC 5545 does not allow together. */
const makesSense = ({ unit, monthDays, yearDays, weekdays }: RecurrenceRule): boolean => {
  if (yearDays.length > 0 && unit !== 'year') return false;
  if (monthDays.length > 0 && unit === 'week') return false;
  return unit === 'month' || unit === 'year' || weekdays.every(({ nth }) => nth === 0);
};

import type { PutStayRule, PutStayRules, StayRules } from '@nightlatch/client';
import { Temporal } from 'temporal-polyfill';
import { addDays, nightsBetween } from '../chart/free.ts';

/** What is set for dates, beside the most nights, which the board leaves as they are. */
export interface DayLimits {
  /** Null: no own rule for the dates. */
  min_nights: number | null;
  closed_to_arrival: boolean;
  closed_to_departure: boolean;
  closed: boolean;
}

const limitNames = ['min_nights', 'closed_to_arrival', 'closed_to_departure', 'closed'] as const;

/** From the first to the last one. */
interface Dates {
  from: string;
  to: string;
}

/** The rules of a home. */
type ListedRules = Omit<StayRules, 'listing_id'>;

const mostDays = 800;

/** Returns the rules of a home with other limits on some dates; what binds other dates, and the most nights, stays. */
export const limited = (
  { default: usual, min_notice_hours, booking_window_days, date_rules }: ListedRules,
  { from, to }: Dates,
  limits: DayLimits,
): PutStayRules => {
  const rest = date_rules.flatMap((rule): PutStayRule[] => {
    const { id, date_from, date_to } = rule;
    if (date_to < from || date_from > to) return [rule];
    const { id: _, ...whole } = rule;
    const without = { min_nights: null, closed_to_arrival: null, closed_to_departure: null, closed: null };
    const parts: PutStayRule[] = [
      ...(date_from < from ? [{ ...whole, date_to: addDays(from, -1) }] : []),
      ...(rule.max_nights === null
        ? []
        : [
            {
              ...{ ...whole, ...without },
              date_from: date_from > from ? date_from : from,
              date_to: date_to < to ? date_to : to,
            },
          ]),
      ...(date_to > to ? [{ ...whole, date_from: addDays(to, 1) }] : []),
    ];
    // The first part is the rule that was; the others are new.
    return parts.map((part, at) => (at === 0 ? { id, ...part } : part));
  });
  const flag = (name: Exclude<keyof DayLimits, 'min_nights'>): boolean | null =>
    limits[name] ? true : usual[name] ? false : null;
  const own = {
    min_nights: limits.min_nights,
    closed_to_arrival: flag('closed_to_arrival'),
    closed_to_departure: flag('closed_to_departure'),
    closed: flag('closed'),
  };
  const isEmpty = Object.values(own).every((value) => value === null);
  return {
    ...{ default: usual, min_notice_hours, booking_window_days },
    date_rules: isEmpty ? rest : [...rest, { date_from: from, date_to: to, ...own }],
  };
};

/** Returns what binds a stay on a date. */
export const limitsOn = (
  { default: usual, date_rules = [] }: Pick<PutStayRules, 'default' | 'date_rules'>,
  date: string,
): DayLimits => {
  // Sunday is 0 here and 7 there.
  const weekday = Temporal.PlainDate.from(date).dayOfWeek % 7;
  const binding = date_rules.filter(
    ({ date_from, date_to, weekdays }) =>
      date_from <= date && date <= date_to && (weekdays?.includes(weekday) ?? true),
  );
  const last = <Name extends keyof DayLimits>(name: Name) =>
    [usual, ...binding].map((rule) => rule?.[name] ?? null).findLast((value) => value !== null) ?? null;
  return {
    min_nights: last('min_nights'),
    closed_to_arrival: last('closed_to_arrival') === true,
    closed_to_departure: last('closed_to_departure') === true,
    closed: last('closed') === true,
  };
};

interface Stretch {
  date_from: string;
  date_to: string;
  before: DayLimits;
  after: DayLimits;
}

const isSame = (one: DayLimits, other: DayLimits): boolean =>
  // No rule, and one night at least, are the same.
  limitNames.every((name) => (one[name] || 1) === (other[name] || 1));

/** Returns what changes on some dates, from date to date with the same change; undefined: more dates than are shown. */
export const changesOn = (
  was: PutStayRules,
  next: PutStayRules,
  { from, to }: Dates,
): Stretch[] | undefined => {
  if (nightsBetween(from, to) > mostDays) return undefined;
  const stretches: Stretch[] = [];
  for (let date = from; date <= to; date = addDays(date, 1)) {
    const [before, after] = [limitsOn(was, date), limitsOn(next, date)];
    const open = stretches.at(-1);
    if (isSame(before, after)) continue;
    if (open && addDays(open.date_to, 1) === date && isSame(open.before, before) && isSame(open.after, after))
      open.date_to = date;
    else stretches.push({ date_from: date, date_to: date, before, after });
  }
  return stretches;
};

import { dateOfDay, dayNumber, today, weekday } from './time.ts';

/** Dates from the first to the last, both included, of some days of the week or all. */
export interface DateRange {
  date_from: string;
  date_to: string;
  /** 0 = Sunday to 6 = Saturday; null: every day. */
  weekdays: number[] | null;
}

/** Returns the dates of ranges, each once, in order. */
export const datesOf = (ranges: readonly DateRange[]): string[] => {
  const dates = new Set<string>();
  for (const { date_from, date_to, weekdays } of ranges)
    for (let day = dayNumber(date_from); day <= dayNumber(date_to); day++) {
      const date = dateOfDay(day);
      if (weekdays?.includes(weekday(date)) ?? true) dates.add(date);
    }
  return [...dates].sort();
};

/** Returns the dates that have not passed in a time zone. */
export const datesAhead = (now: number, timezone: string, dates: readonly string[]): string[] => {
  const first = today(now, timezone);
  return dates.filter((date) => date >= first);
};

interface Growing {
  from: number;
  to: number;
  count: number;
  weekdays: Set<number>;
}

const weekdayOf = (day: number): number => weekday(dateOfDay(day));

/** Whether a range that has all of its weekdays also has them with one more day behind its end. */
const takes = ({ from, to, weekdays }: Growing, day: number): boolean => {
  if (!weekdays.has(weekdayOf(day)) && day - 7 >= from) return false;
  for (let left = to + 1; left < day; left++)
    if (weekdays.has(weekdayOf(left)) || weekdayOf(left) === weekdayOf(day)) return false;
  return true;
};

/** Returns few ranges that have exactly these dates, which are in order. */
export const rangesOf = (dates: readonly string[]): DateRange[] => {
  const ranges: Growing[] = [];
  for (const day of dates.map(dayNumber)) {
    const last = ranges.at(-1);
    if (last && takes(last, day)) {
      last.to = day;
      last.count++;
      last.weekdays.add(weekdayOf(day));
    } else ranges.push({ from: day, to: day, count: 1, weekdays: new Set([weekdayOf(day)]) });
  }
  return ranges.map(({ from, to, count, weekdays }) => ({
    date_from: dateOfDay(from),
    date_to: dateOfDay(to),
    weekdays: count === to - from + 1 ? null : [...weekdays].sort(),
  }));
};

/** Returns values by date as ranges of dates with the same value, in order of their first dates. */
export const rangesWith = <Value>(
  values: Iterable<readonly [date: string, value: Value]>,
  keyOf: (value: Value) => string,
): { range: DateRange; value: Value }[] => {
  const groups = Map.groupBy(values, ([, value]) => keyOf(value));
  return [...groups.values()]
    .flatMap((group) => {
      const value = (group[0] as readonly [string, Value])[1];
      return rangesOf(group.map(([date]) => date).sort()).map((range) => ({ range, value }));
    })
    .sort((one, other) => (one.range.date_from < other.range.date_from ? -1 : 1));
};

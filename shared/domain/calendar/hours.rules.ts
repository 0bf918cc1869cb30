import { addHours, ceilHour, floorHour, hoursBetween } from '../../platform/time/time.ts';

/** The hours of one month as a bitmap: bit `(day − 1) × 24 + hour` of local time (D25). 31 days take 93 bytes. */
export type Hours = Uint8Array;

const monthBytes = 93;

export const noHours = (): Hours => new Uint8Array(monthBytes);

/** The part of a stay within one month: hours `from` to `to`, half-open. */
export interface MonthSpan {
  /** `YYYY-MM`. */
  month: string;
  from: number;
  to: number;
}

/** The interval of a stay, lock or block, in local time. */
interface TakenInterval {
  start_at: string;
  end_at: string;
  /** The hours after the end that are taken too, to prepare the listing for the next guest (D77). */
  preparation_hours?: number;
}

/** Returns until when a stay, lock or block takes its time; whatever takes or frees hours asks here. */
export const takenUntil = ({ end_at, preparation_hours = 0 }: Omit<TakenInterval, 'start_at'>): string =>
  preparation_hours === 0 ? end_at : addHours(end_at, preparation_hours);

/** Returns what a stay, lock or block takes, in whole hours: start rounded down, end rounded up (D25). */
export const wholeHours = (stay: TakenInterval): { start_at: string; end_at: string } => ({
  start_at: floorHour(stay.start_at),
  end_at: ceilHour(takenUntil(stay)),
});

/** Returns the hours that a stay, lock or block takes, split at the borders of months. */
export const monthSpans = (stay: TakenInterval): MonthSpan[] => {
  const { start_at, end_at } = wholeHours(stay);
  requireWritable(end_at);
  const spans: MonthSpan[] = [];
  for (let at = start_at; at < end_at;) {
    const month = at.slice(0, 7);
    const next = firstHour(followingMonth(month));
    const until = next < end_at ? next : end_at;
    const from = hoursBetween(firstHour(month), at);
    spans.push({ month, from, to: from + hoursBetween(at, until) });
    at = until;
  }
  return spans;
};

/** Returns the local datetime of an hour of a month. */
export const hourText = (month: string, hour: number): string => addHours(firstHour(month), hour);

/** Returns a whole hour of local time as a number: hours since 1970. */
export const hourNumber = (local: string): number => hoursBetween('1970-01-01T00:00:00', local);

/** Returns the months from the first to the last, both included. */
export const monthsBetween = (first: string, last: string): string[] => {
  requireWritable(last);
  const months: string[] = [];
  for (let month = first; month <= last; month = followingMonth(month)) months.push(month);
  return months;
};

export const hoursInMonth = (month: string): number =>
  hoursBetween(firstHour(month), firstHour(followingMonth(month)));

/** Returns the whole time of a month. */
export const rangeOf = ({ month }: { month: string }): { start_at: string; end_at: string } => ({
  start_at: hourText(month, 0),
  end_at: hourText(month, hoursInMonth(month)),
});

export const isTaken = (hours: Hours, hour: number): boolean =>
  ((hours[hour >> 3] ?? 0) & (1 << (hour & 7))) !== 0;

export const isAnyTaken = (hours: Hours, { from, to }: Pick<MonthSpan, 'from' | 'to'>): boolean => {
  for (let hour = from; hour < to; hour++) if (isTaken(hours, hour)) return true;
  return false;
};

export const withSpan = (hours: Hours, { from, to }: Pick<MonthSpan, 'from' | 'to'>): Hours => {
  const result = Uint8Array.from(hours);
  for (let hour = from; hour < to; hour++) result[hour >> 3] = (result[hour >> 3] ?? 0) | (1 << (hour & 7));
  return result;
};

export const withoutSpan = (hours: Hours, { from, to }: Pick<MonthSpan, 'from' | 'to'>): Hours => {
  const result = Uint8Array.from(hours);
  for (let hour = from; hour < to; hour++) result[hour >> 3] = (result[hour >> 3] ?? 0) & ~(1 << (hour & 7));
  return result;
};

const dayBytes = 3;

/** Returns the days of a month (`04`) that a span touches. */
export const daysOf = ({ from, to }: Pick<MonthSpan, 'from' | 'to'>): string[] =>
  Array.from({ length: Math.ceil(to / 24) - Math.floor(from / 24) }, (_, at) =>
    dayText(Math.floor(from / 24) + at),
  );

/** Returns every day of a month. */
export const daysIn = (month: string): string[] => daysOf({ from: 0, to: hoursInMonth(month) });

const dayText = (index: number): string => String(index + 1).padStart(2, '0');

/** Returns the hours of one day, 24 bits. */
export const hoursOn = (hours: Hours, day: string): Uint8Array =>
  hours.slice((Number(day) - 1) * dayBytes, Number(day) * dayBytes);

/** Returns the hours of a month, of which each day has its own 24 bits. */
export const hoursOfDays = (days: Readonly<Record<string, Uint8Array>>): Hours => {
  const hours = noHours();
  for (const [day, bits] of Object.entries(days)) hours.set(bits, (Number(day) - 1) * dayBytes);
  return hours;
};

/** Returns the hours of a month by day; days without taken hours are left out. */
export const byDay = (month: string, hours: Hours): Record<string, Uint8Array> =>
  Object.fromEntries(
    daysIn(month)
      .map((day) => [day, hoursOn(hours, day)] as const)
      .filter(([, bits]) => !isEmpty(bits)),
  );

export const union = (sets: Iterable<Hours>): Hours => {
  const result = noHours();
  for (const set of sets)
    for (let byte = 0; byte < monthBytes; byte++) result[byte] = (result[byte] ?? 0) | (set[byte] ?? 0);
  return result;
};

export const isEmpty = (hours: Hours): boolean => hours.every((byte) => byte === 0);

/** Returns the taken stretches within a span, half-open. */
export const takenWithin = (
  hours: Hours,
  { from, to }: Pick<MonthSpan, 'from' | 'to'>,
): { from: number; to: number }[] => {
  const stretches: { from: number; to: number }[] = [];
  for (let hour = from; hour < to; hour++) {
    if (!isTaken(hours, hour)) continue;
    const last = stretches.at(-1);
    if (last?.to === hour) last.to = hour + 1;
    else stretches.push({ from: hour, to: hour + 1 });
  }
  return stretches;
};

/** Beyond the year 9999 texts no longer compare as times, and a loop over months would not end. */
const requireWritable = (text: string): void => {
  if (!(text < '9999-12')) throw new RangeError(`${text} is beyond the calendar`);
};

const firstHour = (month: string): string => `${month}-01T00:00:00`;

const followingMonth = (month: string): string => {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return number === 12
    ? `${String(year + 1).padStart(4, '0')}-01`
    : `${String(year).padStart(4, '0')}-${String(number + 1).padStart(2, '0')}`;
};

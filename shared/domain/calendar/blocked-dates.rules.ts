import { addDays, atTime, dateOf, datesBetween } from '../../platform/time/time.ts';
import { blockedTime } from '../pricing/model.ts';
import { maxBlockNights } from './block.store.ts';
import { type LocalRange, overlaps } from './listing-time.rules.ts';
import { wholeHours } from './hours.rules.ts';
import { shared, without } from './stretches.rules.ts';

type Sold = Parameters<typeof blockedTime>[0];
/** The time of dates, from the first to before the last. */
type TimeOf = (from: string, to: string) => LocalRange;

const nightsOf =
  (listing: Sold): TimeOf =>
  (from, to) =>
    blockedTime(listing, from, to);

/** Blocks of a date were its local day before they were its night. */
const daysOf: TimeOf = (from, to) => ({
  start_at: atTime(from, '00:00:00'),
  end_at: atTime(to, '00:00:00'),
});

const stretches = (dates: readonly string[], timeOf: TimeOf): LocalRange[] => {
  const runs: { from: string; to: string; count: number }[] = [];
  for (const date of dates) {
    const last = runs.at(-1);
    if (last?.to === date && last.count < maxBlockNights) {
      last.to = addDays(date, 1);
      last.count += 1;
    } else runs.push({ from: date, to: addDays(date, 1), count: 1 });
  }
  return runs.map(({ from, to }) => timeOf(from, to));
};

/** Returns what dates in order take when they are blocked (D116), as few stretches, each short enough for a block. */
export const stretchesOf = (dates: readonly string[], listing: Sold): LocalRange[] =>
  stretches(dates, nightsOf(listing));

/** Returns what a date takes when it is blocked. */
export const dateTime = (date: string, listing: Sold): LocalRange =>
  blockedTime(listing, date, addDays(date, 1));

/** The dates of a block, and the time of some of them. An interval that is none of dates has those that it hinders. */
const shapeOf = (time: LocalRange, listing: Sold): { dates: string[]; timeOf: TimeOf; isExact: boolean } => {
  const [from, to] = [dateOf(time.start_at), dateOf(time.end_at)];
  for (const timeOf of [nightsOf(listing), daysOf]) {
    if (!(from < to)) continue;
    const { start_at, end_at } = timeOf(from, to);
    if (start_at === time.start_at && end_at === time.end_at)
      return { dates: datesBetween(from, to), timeOf, isExact: true };
  }
  const dates = datesBetween(addDays(from, -1), addDays(to, 1)).filter((date) =>
    overlaps(dateTime(date, listing), wholeHours(time)),
  );
  const timeOf: TimeOf = (first, last) => shared(time, blockedTime(listing, first, last));
  return { dates, timeOf, isExact: false };
};

/** Returns the dates of a block, or those whose blocks an interval hinders. */
export const datesIn = (time: LocalRange, listing: Sold): string[] => shapeOf(time, listing).dates;

/** Returns what of a block is left without dates, and what is freed. */
export const withoutDates = (
  block: LocalRange,
  dates: readonly string[],
  listing: Sold,
): { rest: LocalRange[]; freed: LocalRange[] } => {
  const { dates: own, timeOf, isExact } = shapeOf(block, listing);
  if (!isExact) {
    const rest = without(block, stretchesOf(dates, listing));
    return { rest, freed: without(block, rest) };
  }
  const [gone, left] = [
    own.filter((date) => dates.includes(date)),
    own.filter((date) => !dates.includes(date)),
  ];
  return { rest: stretches(left, timeOf), freed: stretches(gone, timeOf) };
};

/** Returns what of a block's time may be blocked again: that of its dates which are free. */
export const freeDatesOf = (
  block: LocalRange,
  listing: Sold,
  isFree: (time: LocalRange) => boolean,
): LocalRange[] => {
  const { dates, timeOf } = shapeOf(block, listing);
  return stretches(
    dates.filter((date) => isFree(timeOf(date, addDays(date, 1)))),
    timeOf,
  );
};

/** Whether blocks leave nothing of a date to be sold: of nights the hours before and after them count for nothing. */
export const isBlockedBy = (date: string, blocks: readonly LocalRange[], listing: Sold): boolean => {
  const left = without(dateTime(date, listing), blocks);
  if (listing.allow_hourly_booking === true) return left.length === 0;
  return left.every(
    ({ start_at, end_at }) =>
      !(start_at < atTime(addDays(date, 1), '00:00:00') && end_at > atTime(addDays(date, 1), '00:00:00')),
  );
};

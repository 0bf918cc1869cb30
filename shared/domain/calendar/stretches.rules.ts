import { addDays, atTime, dateOf, nightsBetween } from '../../platform/time.ts';
import { maxBlockNights } from './block.store.ts';
import { type LocalRange, overlaps } from './calendar.store.ts';
import { wholeHours } from './hours.rules.ts';

const midnight = '00:00:00';

/** Returns a whole day. */
export const dayOf = (date: string): LocalRange => ({
  start_at: atTime(date, midnight),
  end_at: atTime(addDays(date, 1), midnight),
});

/** Returns the whole days of dates, which are in order, as few stretches, each short enough for a block. */
export const stretchesOf = (dates: readonly string[]): LocalRange[] => {
  const stretches: LocalRange[] = [];
  for (const date of dates) {
    const { start_at: start, end_at: end } = dayOf(date);
    const last = stretches.at(-1);
    const nights = last ? nightsBetween(dateOf(last.start_at), date) : 0;
    if (last?.end_at === start && nights < maxBlockNights) last.end_at = end;
    else stretches.push(dayOf(date));
  }
  return stretches;
};

/** Returns the parts of a time that none of the others takes an hour of. */
export const without = (time: LocalRange, others: readonly LocalRange[]): LocalRange[] => {
  const parts: LocalRange[] = [];
  let from = time.start_at;
  const taking = others
    .map(wholeHours)
    .filter((other) => overlaps(other, time))
    .sort((one, other) => (one.start_at < other.start_at ? -1 : 1));
  for (const { start_at, end_at } of taking) {
    if (start_at > from) parts.push({ start_at: from, end_at: start_at });
    if (end_at > from) from = end_at;
  }
  if (from < time.end_at) parts.push({ start_at: from, end_at: time.end_at });
  return parts;
};

/** Returns the part that two times share. */
export const shared = (one: LocalRange, other: LocalRange): LocalRange => ({
  start_at: one.start_at > other.start_at ? one.start_at : other.start_at,
  end_at: one.end_at < other.end_at ? one.end_at : other.end_at,
});

/** Returns the dates of which a time has an hour. */
export const datesIn = ({ start_at, end_at }: LocalRange): string[] => {
  const dates: string[] = [];
  for (let date = dateOf(start_at); atTime(date, midnight) < end_at; date = addDays(date, 1))
    dates.push(date);
  return dates;
};

/** Returns the time from the first start to the last end; undefined of none. */
export const hullOf = (times: readonly LocalRange[]): LocalRange | undefined => {
  const [first] = times.map(({ start_at }) => start_at).sort();
  const last = times
    .map(({ end_at }) => end_at)
    .sort()
    .at(-1);
  return first === undefined || last === undefined ? undefined : { start_at: first, end_at: last };
};

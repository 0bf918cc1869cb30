import { type LocalRange, overlaps } from './listing-time.rules.ts';
import { wholeHours } from './hours.rules.ts';

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

/** Returns the time from the first start to the last end; undefined of none. */
export const hullOf = (times: readonly LocalRange[]): LocalRange | undefined => {
  const [first] = times.map(({ start_at }) => start_at).sort();
  const last = times
    .map(({ end_at }) => end_at)
    .sort()
    .at(-1);
  return first === undefined || last === undefined ? undefined : { start_at: first, end_at: last };
};

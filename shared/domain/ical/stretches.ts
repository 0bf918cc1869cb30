import { addHours, dateOf } from '../../platform/time/time.ts';

interface Stretch {
  start_at: string;
  end_at: string;
}

/** The time that events take together: those that overlap are one; those that only touch stay apart unless `touching`. */
export const mergedTimes = (events: readonly Stretch[], { touching = false } = {}): Stretch[] => {
  const merged: Stretch[] = [];
  for (const { start_at, end_at } of events.toSorted((one, other) =>
    one.start_at < other.start_at ? -1 : 1,
  )) {
    const last = merged.at(-1);
    if (last && (start_at < last.end_at || (touching && start_at === last.end_at))) {
      if (end_at > last.end_at) last.end_at = end_at;
    } else merged.push({ start_at, end_at });
  }
  return merged;
};

/**
 * What of a range is left beside others. The hours between nights of both are left to neither: check-in and check-out of a house
 * and its rooms may differ, and an export shows such hours as their whole date where they stand alone.
 */
export const beside = (range: Stretch, taken: readonly Stretch[]): Stretch[] => {
  const gaps = gapsIn(range, taken);
  const [from, to] = [clockOf(range.start_at), clockOf(range.end_at)];
  if (!hasNight(range) || from < to) return gaps;
  const nights = taken.filter(hasNight);
  return gaps
    .map(({ start_at, end_at }) => {
      const checkIn = dateOf(start_at) + from;
      const checkOut = dateOf(end_at) + to;
      const isAfter = start_at < checkIn && nights.some((time) => time.end_at === start_at);
      const isBefore = end_at > checkOut && nights.some((time) => time.start_at === end_at);
      return { start_at: isAfter ? checkIn : start_at, end_at: isBefore ? checkOut : end_at };
    })
    .filter(({ start_at, end_at }) => start_at < end_at);
};

const clockOf = (local: string): string => local.slice(10);

const hasNight = ({ start_at, end_at }: Stretch): boolean => dateOf(start_at) < dateOf(addHours(end_at, -1));

export const textOf = ({ start_at, end_at }: Stretch): string => `${start_at} ${end_at}`;
export const textsOf = (ranges: readonly Stretch[]): string => ranges.map(textOf).join();

export const common = (one: Stretch, other: Stretch): Stretch[] => {
  const startAt = one.start_at > other.start_at ? one.start_at : other.start_at;
  const endAt = one.end_at < other.end_at ? one.end_at : other.end_at;
  return startAt < endAt ? [{ start_at: startAt, end_at: endAt }] : [];
};

/** What of a range is left beside stretches, which come in any order. */
export const gapsIn = (range: Stretch, stretches: readonly Stretch[]): Stretch[] => {
  const gaps: Stretch[] = [];
  let from = range.start_at;
  for (const { start_at, end_at } of mergedTimes(stretches, { touching: true })) {
    if (end_at <= from || start_at >= range.end_at) continue;
    if (start_at > from) gaps.push({ start_at: from, end_at: start_at });
    from = end_at;
  }
  if (from < range.end_at) gaps.push({ start_at: from, end_at: range.end_at });
  return gaps;
};

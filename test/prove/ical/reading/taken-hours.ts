import type { Occurrence } from './independent-reader.ts';

/** Whole hours of a listing's wall clock as `YYYY-MM-DDTHH`, the last one exclusive; in order, and none touch. */
export type Hours = [from: string, until: string];

export interface Home {
  timezone: string;
  standard_check_in_time?: string;
  standard_check_out_time?: string;
}

const hourMs = 3_600_000;
const hourText = (ms: number): string => new Date(ms).toISOString().slice(0, 13);
const msOf = (local: string): number => Date.parse(local.length === 13 ? `${local}:00Z` : `${local}Z`);
const floor = (local: string): number => Math.floor(msOf(local) / hourMs) * hourMs;
const ceil = (local: string): number => Math.ceil(msOf(local) / hourMs) * hourMs;

/** The hours that an occurrence takes (D115): nights from check-in to check-out, or each hour that it touches. */
const hoursOf = (
  occurrence: Occurrence,
  { standard_check_in_time = '14:00:00', standard_check_out_time = '12:00:00' }: Home,
): [number, number] => {
  const nights = (from: string, until: string): [number, number] => [
    floor(`${from}T${standard_check_in_time}`),
    ceil(`${until}T${standard_check_out_time}`),
  ];
  if (occurrence.length === 2) return nights(...occurrence);
  const [from, until, fromHere, untilHere] = occurrence;
  for (const [start, end] of [
    [from, until],
    [fromHere, untilHere],
  ] as const) {
    const first = start.slice(0, 10);
    const last = new Date(msOf(end) + (/T23:59:?(00|59)?$/.test(end) ? 60_000 : 0))
      .toISOString()
      .slice(0, 16);
    if (start.endsWith('T00:00:00') && last.endsWith('T00:00') && first < last.slice(0, 10))
      return nights(first, last.slice(0, 10));
  }
  const start = floor(fromHere);
  return [start, Math.max(ceil(untilHere), start + hourMs)];
};

/** Merges intervals and cuts off what is outside of a span. */
export const mergeHours = (intervals: readonly (readonly [number, number])[], span: Hours): Hours[] => {
  const [first, last] = msOfHours(span);
  const merged: [number, number][] = [];
  for (const [from, until] of intervals
    .map(([one, other]) => [Math.max(one, first), Math.min(other, last)] as const)
    .filter(([one, other]) => one < other)
    .toSorted(([one], [other]) => one - other)) {
    const last = merged.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], until);
    else merged.push([from, until]);
  }
  return merged.map(([from, until]) => [hourText(from), hourText(until)]);
};

/** The hours from one local time until another that occurrences take of a home. */
export const takenHours = (occurrences: readonly Occurrence[], home: Home, span: Hours): Hours[] =>
  mergeHours(
    occurrences.map((occurrence) => hoursOf(occurrence, home)),
    span,
  );

export const msOfHours = ([from, until]: Hours): [number, number] => [msOf(from), msOf(until)];

/** Returns whether one takes all that the other takes, perhaps more. */
export const takesAll = (one: readonly Hours[], other: readonly Hours[]): boolean =>
  other.every(([from, until]) => one.some((hours) => hours[0] <= from && until <= hours[1]));

export const isSameHours = (one: Hours, other: Hours): boolean => one[0] === other[0] && one[1] === other[1];

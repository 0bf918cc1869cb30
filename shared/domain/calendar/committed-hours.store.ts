import type { Table } from '../../platform/table/index.ts';
import { readFamily } from './calendar.store.ts';
import { hourNumber, hoursInMonth, hourText, takenWithin } from './hours.rules.ts';
import { type FamilyMonth, familyMonths } from './month.rules.ts';
import { unavailableHours } from './overlap.rules.ts';

/** A stretch of whole hours of local time, half-open, in hours since 1970. */
export type HourStretch = [from: number, to: number];

/** All soft locks have expired at this instant. */
const endOfLocks = Number.POSITIVE_INFINITY;

/**
 * Returns the stretches at which each listing of a calendar is taken without end: by stays and blocks, its parent's and
 * children's included (D26), from a month (`YYYY-MM`) on. Soft locks are not included.
 */
export const committedHours = async (
  table: Table,
  calendarId: number,
  firstMonth: string,
): Promise<(listingId: number) => HourStretch[]> => {
  const months = familyMonths(await readFamily(table, calendarId, { first: firstMonth }));
  return (listingId) => joinAdjacentHours(months.flatMap((month) => stretchesOf(month, listingId)));
};

const stretchesOf = (month: FamilyMonth, listingId: number): HourStretch[] => {
  const first = hourNumber(hourText(month.month, 0));
  const hours = unavailableHours(month, listingId, endOfLocks);
  return takenWithin(hours, { from: 0, to: hoursInMonth(month.month) }).map(({ from, to }) => [
    first + from,
    first + to,
  ]);
};

/** Joins stretches, in order, that touch. */
export const joinAdjacentHours = (stretches: HourStretch[]): HourStretch[] =>
  stretches.reduce<HourStretch[]>((result, [from, to]) => {
    const last = result.at(-1);
    if (last?.[1] === from) last[1] = to;
    else result.push([from, to]);
    return result;
  }, []);

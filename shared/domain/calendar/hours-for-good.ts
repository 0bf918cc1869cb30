import type { Table } from '../../platform/table/index.ts';
import { unavailableHours } from './calendar-month.ts';
import { type CalendarMonth, calendarPartition } from './calendar.entity.ts';
import { hourNumber, hoursInMonth, hourText, takenWithin } from './hours.ts';

/** A stretch of whole hours of local time, half-open, each counted from 1970. */
export type HourStretch = [from: number, to: number];

/** No soft lock outlives this instant. */
const endOfLocks = Number.POSITIVE_INFINITY;

/**
 * The hours of a calendar from a month (`YYYY-MM`) on, however far ahead: what a listing cannot be had for good, by stays and
 * blocks, its parent's and children's included (D26), in order. Soft locks are not among them.
 */
export const committedHours = async (
  table: Table,
  calendarId: number,
  firstMonth: string,
): Promise<(listingId: number) => HourStretch[]> => {
  const range = { from: `MONTH#${firstMonth}`, to: 'MONTH#~' };
  const { items } = await table.queryAll({ pk: calendarPartition(calendarId), ...range });
  const months = items as unknown as CalendarMonth[];
  return (listingId) => joined(months.flatMap((month) => stretchesOf(month, listingId)));
};

const stretchesOf = (month: CalendarMonth, listingId: number): HourStretch[] => {
  const first = hourNumber(hourText(month.month, 0));
  const hours = unavailableHours(month, listingId, endOfLocks);
  return takenWithin(hours, { from: 0, to: hoursInMonth(month.month) }).map(({ from, to }) => [
    first + from,
    first + to,
  ]);
};

const joined = (stretches: HourStretch[]): HourStretch[] =>
  stretches.reduce<HourStretch[]>((result, [from, to]) => {
    const last = result.at(-1);
    if (last?.[1] === from) last[1] = to;
    else result.push([from, to]);
    return result;
  }, []);

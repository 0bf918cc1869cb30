import type { Table } from '../../platform/table/index.ts';
import { addDays } from '../../platform/time.ts';
import { type AvailabilityEntry, calendarPartition, shortStayNights } from './calendar.entity.ts';

const longestStayDays = 366;

/** A local interval, half-open. */
export interface LocalRange {
  start_at: string;
  end_at: string;
}

/** Whether two intervals share a moment; in whole hours, whether one stands against the other (D25). */
export const overlaps = (one: LocalRange, other: LocalRange): boolean =>
  one.start_at < other.end_at && one.end_at > other.start_at;

/** The entries of a calendar that overlap a range, ordered by their start. Lapsed soft locks are still among them. */
export const overlappingEntries = async (
  table: Table,
  calendarId: number,
  range: LocalRange,
): Promise<AvailabilityEntry[]> => {
  const found = await Promise.all([
    startingWithin(table, calendarId, 'ENTRY', range, shortStayNights + 1),
    startingWithin(table, calendarId, 'LONG_ENTRY', range, longestStayDays),
  ]);
  return found
    .flat()
    .filter((entry) => overlaps(entry, range))
    .sort((one, other) => (one.start_at < other.start_at ? -1 : 1));
};

const startingWithin = async (
  table: Table,
  calendarId: number,
  prefix: string,
  range: LocalRange,
  lookBackDays: number,
): Promise<AvailabilityEntry[]> => {
  const earliest = addDays(range.start_at.slice(0, 10), -lookBackDays);
  const { items } = await table.queryAll({
    pk: calendarPartition(calendarId),
    from: `${prefix}#${earliest}`,
    to: `${prefix}#${range.end_at}`,
  });
  return items as unknown as AvailabilityEntry[];
};

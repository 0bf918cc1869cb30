import type { PageOf, PagingQuery } from '../../platform/schema/schema.ts';
import { paginate, type Table } from '../../platform/table/index.ts';
import { addDays } from '../../platform/time/time.ts';
import { type AvailabilityEntry, AvailabilityEntryEntity, type ImportedStay } from './calendar.store.ts';

/** A block that a calendar has brought and that counts as a stay. */
type Imported = AvailabilityEntry & { imported: ImportedStay };

/** The key range of dates, the last one included. */
const dates = (from: string, to: string) => ({ from, to: addDays(to, 1) });

/** Imported stays of a team by their beginning, and by their end; the index may lag. */
const byBeginning = (teamId: number) => ({ index: 'by_team' as const, pk: `TEAM#${teamId}#IMPORTED` });
const byEnd = (teamId: number) => ({ index: 'by_audience' as const, pk: `TEAM#${teamId}#IMPORTED_ENDS` });

const isImported = (entry: AvailabilityEntry): entry is Imported => entry.imported !== undefined;

const found = async (
  table: Table,
  source: ReturnType<typeof byBeginning | typeof byEnd> & { from?: string; to: string },
): Promise<Imported[]> => (await table.queryAll(AvailabilityEntryEntity, source)).filter(isImported);

/** Returns the imported stays of a team that begin on the dates from one to another. */
export const arrivingStays = (table: Table, teamId: number, from: string, to: string): Promise<Imported[]> =>
  found(table, { ...byBeginning(teamId), ...dates(from, to) });

/** Returns those that end on these dates. */
export const leavingStays = (table: Table, teamId: number, from: string, to: string): Promise<Imported[]> =>
  found(table, { ...byEnd(teamId), ...dates(from, to) });

/** Returns those that have ended before a local time, whose text is to be forgotten. */
export const endedStays = (table: Table, teamId: number, before: string): Promise<Imported[]> =>
  found(table, { ...byEnd(teamId), to: before });

/** Returns one by its id: the index has them by time, so all of a team's are looked through. */
export const findImportedStay = async (
  table: Table,
  teamId: number,
  availabilityId: number,
): Promise<Imported | undefined> => {
  let after: Record<string, unknown> | undefined;
  do {
    const page = await table.query(AvailabilityEntryEntity, { ...byBeginning(teamId), after });
    const found = page.items.filter(isImported).find((entry) => entry.availability_id === availabilityId);
    if (found) return found;
    after = page.next;
  } while (after);
  return undefined;
};

/** Returns a page of those that begin on these dates, by their beginning. */
export const pageArrivingStays = async (
  table: Table,
  teamId: number,
  { from, to }: { from: string; to: string },
  paging: PagingQuery,
): Promise<PageOf<Imported>> => {
  const source = { ...byBeginning(teamId), ...dates(from, to) };
  const page = await paginate(table, AvailabilityEntryEntity, source, paging);
  return { ...page, items: page.items.filter(isImported) };
};

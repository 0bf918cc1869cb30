import * as z from 'zod';
import {
  binary,
  defineEntity,
  defineRecord,
  type Read,
  readOf,
  type RecordOf,
  type Table,
} from '../../platform/table/index.ts';
import { addDays, nightsBetween } from '../../platform/time/time.ts';
import { takenUntil } from './hours.rules.ts';
import { MonthBeforeRecord, monthOfVersion1 } from './month-before.rules.ts';
import { type LocalRange, overlaps } from './listing-time.rules.ts';

/** A soft lock on hours of one listing: from the hour `from` of the month to `to`, until it expires. */
const HourHoldRecord = defineRecord(() => ({
  order_id: z.int(),
  /** The caller's reference. */
  holder: z.string(),
  from: z.int(),
  to: z.int(),
  /** Epoch milliseconds. */
  until: z.int(),
}));
export type HourHold = RecordOf<typeof HourHoldRecord>;

/**
 * The hours of one listing in one month. A write asks that the days which it touches are as they were read, so that
 * stays on other days, and stays of siblings, do not meet. What parent and children exclude (D26) is decided on the
 * parent's month, in which each write of a child counts.
 */
const CalendarMonthRecord = defineRecord(() => ({
  /** The parent's listing id for a family, else the listing's own. */
  calendar_id: z.int(),
  listing_id: z.int(),
  /** `YYYY-MM`, local time. */
  month: z.string(),
  /** By day (`04`): the hours that its stays, blocks and soft locks take, expired ones included; 24 bits. */
  days: z.record(z.string(), binary()),
  /** By availability id. */
  locks: z.record(z.string(), HourHoldRecord()),
  /** By day: how often the listing has changed it. */
  changes: z.record(z.string(), z.int()),
  /** By day, of a parent: how often its children have changed theirs. */
  child_changes: z.record(z.string(), z.int()),
  /**
   * Epoch milliseconds. The listing may have taken the hours of its children's soft locks that had expired by then, so
   * none of them can be confirmed or extended, by a clock that is behind either.
   */
  expired_by: z.int().exactOptional(),
  /**
   * The time zone of the calendar, in the months of its parent or of a listing without one; absent: as ever. A writer that has
   * another one has read an outdated listing.
   */
  timezone: z.string().exactOptional(),
  /** The listing has left this calendar; a writer that still uses it has read an outdated listing. */
  left: z.literal(true).exactOptional(),
  /** A month as version 1 held it, for a whole family; the first write replaces it. */
  before: MonthBeforeRecord().exactOptional(),
}));
export type CalendarMonth = RecordOf<typeof CalendarMonthRecord>;

/** What is known of an imported block that counts as a stay of its platform (D120). */
const ImportedStayRecord = defineRecord(() => ({
  team_id: z.int(),
  timezone: z.string(),
  /** The label of its calendar. */
  label: z.string(),
  /** What the platform calls it. */
  summary: z.string(),
  /** What the platform keeps of its price; absent: not known. */
  commission_rate: z.number().exactOptional(),
}));
export type ImportedStay = RecordOf<typeof ImportedStayRecord>;

/** A stay, soft lock or block for display (D27). Only `CalendarMonth` decides what is free. */
const AvailabilityEntryRecord = defineRecord(() => ({
  calendar_id: z.int(),
  availability_id: z.int(),
  listing_id: z.int(),
  state: z.enum(['BOOKED', 'BLOCKED', 'SOFT_LOCK']),
  reservation_id: z.int().nullable(),
  order_id: z.int().nullable(),
  /** The guest's account, to show them their own booking (D15). Never published. */
  guest_user_id: z.int().exactOptional(),
  /** The listing's local time. */
  start_at: z.string(),
  end_at: z.string(),
  /** When the stay begins as it was booked; absent: at `start_at`, before which no guest was checked in (D148). */
  booked_from: z.string().exactOptional(),
  /** Hours after the end that are taken too (D77); absent: none. */
  preparation_hours: z.int().exactOptional(),
  /** Epoch milliseconds of a SOFT_LOCK's end. */
  locked_until: z.int().nullable(),
  note: z.string().nullable(),
  /** The followed calendar that a block was imported from (D64), or that leads an adopted stay (D120). */
  feed_id: z.int().exactOptional(),
  /** The parent that follows it, of a child's block: the parent's time was taken in part. */
  imported_for: z.int().exactOptional(),
  /** Of an adopted stay: the key of its event in the calendar. */
  event_key: z.string().exactOptional(),
  /** Of an adopted stay: the text of its event said that it is one. */
  by_text: z.literal(true).exactOptional(),
  /** Of an adopted stay: the version of its calendar at the first good fetch whose text says that its time is only closed. */
  closed_in: z.int().exactOptional(),
  /** Of an imported block that counts as a stay. */
  imported: ImportedStayRecord().exactOptional(),
  /** UTC. */
  created_at: z.string(),
}));
export type AvailabilityEntry = RecordOf<typeof AvailabilityEntryRecord>;

const calendarPartition = (calendarId: number): string =>
  CalendarMonthEntity.partition({ calendar_id: calendarId });

/** A month of a listing; of a parent, or of a listing without one, it is the listing's own calendar. */
export type MonthIds = Pick<CalendarMonth, 'calendar_id' | 'listing_id' | 'month'>;

export const CalendarMonthEntity = defineEntity<CalendarMonth, MonthIds>({
  name: 'CalendarMonth',
  meaning: 'The taken hours of one listing in one month.',
  patterns: [
    'the months of a listing that a stay touches, its children included (one Query)',
    'the months of a child that a stay touches, and those of its parent (one BatchGet)',
  ],
  record: CalendarMonthRecord,
  upgrades: [monthOfVersion1],
  key: [
    {
      pk: 'CALENDAR#{calendar_id}',
      sk: 'MONTH#{month}#{listing_id}',
      when: { says: 'of a child', holds: ({ calendar_id, listing_id }) => calendar_id !== listing_id },
    },
    { pk: 'CALENDAR#{calendar_id}', sk: 'MONTH#{month}' },
  ],
  example: { calendar_id: 1, listing_id: 1, month: '2027-02' },
});

/** Returns the month of the parent, or of a listing without one. */
export const homeOf = ({ calendar_id, month }: Omit<MonthIds, 'listing_id'>): MonthIds => ({
  calendar_id,
  listing_id: calendar_id,
  month,
});

/** Whether a listing's calendar is its own, so that what its children take counts too. */
export const isHome = ({ calendar_id, listing_id }: Omit<MonthIds, 'month'>): boolean =>
  calendar_id === listing_id;

/** Returns the number of month items that a change of these months writes: those of the parents of children too. */
export const writtenMonths = (months: readonly MonthIds[]): number =>
  new Set(
    months
      .flatMap((ids) => [ids, homeOf(ids)])
      .map(({ calendar_id, listing_id, month }) => `${calendar_id} ${listing_id} ${month}`),
  ).size;

/**
 * Reads months in one round trip: of a child with those of its parent, of other listings with those of all of their
 * children. Returns those that exist.
 */
export const readMonths = async (
  table: Table,
  wanted: readonly MonthIds[],
  { consistent = true }: { consistent?: boolean } = {},
): Promise<CalendarMonth[]> => {
  const reads = monthReads(wanted.filter((ids) => !isHome(ids)));
  const families = Map.groupBy(wanted.filter(isHome), ({ calendar_id }) => calendar_id);
  const found = await Promise.all([
    reads.length === 0 ? [] : table.getAll(reads, { consistent }),
    ...[...families].map(([calendarId, some]) => {
      const months = some.map(({ month }) => month).sort();
      return readFamily(table, calendarId, { first: months[0] ?? '', last: months.at(-1), consistent });
    }),
  ]);
  return found.flat().filter((month) => month !== undefined);
};

/** Returns the BatchGet requests for months, with those of the parents of children. */
export const monthReads = (wanted: readonly MonthIds[]): Read<CalendarMonth>[] => {
  const ids = wanted.flatMap((one) => (isHome(one) ? [one] : [one, homeOf(one)]));
  const keys = new Map(ids.map((one) => [CalendarMonthEntity.key(one).sk + String(one.calendar_id), one]));
  return [...keys.values()].map((one) => readOf(CalendarMonthEntity, one));
};

/** Reads the months of children, eventually consistent, where the months of their parents have counted any. */
export const monthsOfChildren = async (
  table: Table,
  found: readonly CalendarMonth[],
): Promise<CalendarMonth[]> => {
  const houses = found.filter(({ child_changes: counted }) => Object.keys(counted).length > 0);
  const families = await Promise.all(
    houses.map(({ calendar_id, month }) =>
      readFamily(table, calendar_id, { first: month, last: month, consistent: false }),
    ),
  );
  return families.flat().filter((month) => !isHome(month));
};

/** Reads the months of a calendar, of all of its listings, from the first to the last. */
export const readFamily = (
  table: Table,
  calendarId: number,
  { first, last, consistent = true }: { first: string; last?: string | undefined; consistent?: boolean },
): Promise<CalendarMonth[]> =>
  table.queryAll(CalendarMonthEntity, {
    pk: calendarPartition(calendarId),
    from: `MONTH#${first}`,
    to: `MONTH#${last ?? ''}~`,
    consistent,
  });

/** Range reads find stays of up to this length by reading earlier starts; longer ones have a key prefix of their own. */
const shortStayNights = 31;

export const isLongStay = (entry: Pick<AvailabilityEntry, 'start_at' | 'end_at'>): boolean =>
  nightsBetween(entry.start_at.slice(0, 10), entry.end_at.slice(0, 10)) > shortStayNights;

type EntryIds = Pick<AvailabilityEntry, 'calendar_id' | 'availability_id' | 'start_at' | 'end_at'>;

const countsAsStay = {
  says: 'an imported stay',
  holds: ({ imported }: AvailabilityEntry): boolean => imported !== undefined,
};

export const AvailabilityEntryEntity = defineEntity<AvailabilityEntry, EntryIds>({
  name: 'AvailabilityEntry',
  meaning: 'A stay, soft lock or block as the calendar shows it.',
  patterns: [
    "a calendar's entries that overlap a range (two Queries: short stays and long ones)",
    "a team's imported stays, by their beginning or by their end",
  ],
  record: AvailabilityEntryRecord,
  key: [
    {
      pk: 'CALENDAR#{calendar_id}',
      sk: 'LONG_ENTRY#{start_at}#{availability_id}',
      when: { says: 'longer than 31 nights', holds: isLongStay },
    },
    { pk: 'CALENDAR#{calendar_id}', sk: 'ENTRY#{start_at}#{availability_id}' },
  ],
  indexes: [
    {
      index: 'by_team',
      pk: 'TEAM#{imported.team_id}#IMPORTED',
      sk: '{start_at}#{availability_id}',
      when: countsAsStay,
    },
    {
      index: 'by_audience',
      pk: 'TEAM#{imported.team_id}#IMPORTED_ENDS',
      sk: '{end_at}#{availability_id}',
      when: countsAsStay,
    },
  ],
  expiresAt: (entry) =>
    entry.locked_until === null ? undefined : Math.ceil(entry.locked_until / 1000) + 3600,
  example: {
    calendar_id: 1,
    availability_id: 5,
    start_at: '2027-02-04T14:00:00',
    end_at: '2027-02-07T12:00:00',
  },
});

/** No stay is longer. */
export const maxLookBackDays = 366;

/** Returns the entries of a calendar that take time in a range, ordered by start. Expired soft locks are included. */
export const overlappingEntries = async (
  table: Table,
  calendarId: number,
  range: LocalRange,
  { consistent = true }: { consistent?: boolean } = {},
): Promise<AvailabilityEntry[]> => {
  const pk = calendarPartition(calendarId);
  const found = await Promise.all(
    [
      startingWithin('ENTRY', range, shortStayNights + 1),
      startingWithin('LONG_ENTRY', range, maxLookBackDays),
    ].map((keys) => table.queryAll(AvailabilityEntryEntity, { pk, ...keys, consistent })),
  );
  return found
    .flat()
    .filter((entry) => overlaps({ start_at: entry.start_at, end_at: takenUntil(entry) }, range))
    .sort((one, other) => (one.start_at < other.start_at ? -1 : 1));
};

const startingWithin = (prefix: string, range: LocalRange, lookBackDays: number) => ({
  from: `${prefix}#${addDays(range.start_at.slice(0, 10), -lookBackDays)}`,
  to: `${prefix}#${range.end_at}`,
});

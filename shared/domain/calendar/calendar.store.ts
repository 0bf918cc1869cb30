import * as z from 'zod';
import { defineEntity, type Table, binary, defineRecord, type RecordOf } from '../../platform/table/index.ts';
import { addDays, nightsBetween } from '../../platform/time.ts';

/** Hours under a claim: a soft lock until it expires, or a new booking (`until` null) until it is merged into `taken`. */
const HourHoldRecord = defineRecord(() => ({
  listing_id: z.int(),
  order_id: z.int(),
  /** The caller's reference. */
  holder: z.string(),
  from: z.int(),
  to: z.int(),
  /** Epoch milliseconds; null: no end. */
  until: z.int().nullable(),
}));
export type HourHold = RecordOf<typeof HourHoldRecord>;

/**
 * One month of a calendar. A parent and its children share one calendar, so that the rules between them (D26) are decided
 * on one item, whatever the number of nights. Each write checks and increments `version`.
 */
const CalendarMonthRecord = defineRecord(() => ({
  /** The parent's listing id for a family, else the listing's own. */
  calendar_id: z.int(),
  /** `YYYY-MM`, local time. */
  month: z.string(),
  version: z.int(),
  /** By listing id: the hours of its own stays and blocks. */
  taken: z.record(z.string(), binary()),
  /** By availability id. */
  claims: z.record(z.string(), HourHoldRecord()),
  /** Listings that have left this calendar; a writer that still uses it for them has read an outdated listing. */
  left: z.array(z.int()).exactOptional(),
}));
export type CalendarMonth = RecordOf<typeof CalendarMonthRecord>;

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
  /** Epoch milliseconds of a SOFT_LOCK's end. */
  locked_until: z.int().nullable(),
  note: z.string().nullable(),
  /** The followed calendar that a block was imported from (D64). */
  feed_id: z.int().exactOptional(),
  /** The parent that follows it, of a child's block: the parent's time was taken in part. */
  imported_for: z.int().exactOptional(),
  /** UTC. */
  created_at: z.string(),
}));
export type AvailabilityEntry = RecordOf<typeof AvailabilityEntryRecord>;

export const calendarPartition = (calendarId: number): string =>
  CalendarMonthEntity.partition({ calendar_id: calendarId });

export const CalendarMonthEntity = defineEntity<CalendarMonth, Pick<CalendarMonth, 'calendar_id' | 'month'>>({
  name: 'CalendarMonth',
  meaning: 'The taken hours of one month, of a listing or of a parent with its children.',
  patterns: ['the months that a stay touches (one BatchGet)'],
  record: CalendarMonthRecord,
  key: { pk: 'CALENDAR#{calendar_id}', sk: 'MONTH#{month}' },
  example: { calendar_id: 1, month: '2027-02' },
});

/** Range reads find stays of up to this length by reading earlier starts; longer ones have a key prefix of their own. */
const shortStayNights = 31;

export const isLongStay = (entry: Pick<AvailabilityEntry, 'start_at' | 'end_at'>): boolean =>
  nightsBetween(entry.start_at.slice(0, 10), entry.end_at.slice(0, 10)) > shortStayNights;

type EntryIds = Pick<AvailabilityEntry, 'calendar_id' | 'availability_id' | 'start_at' | 'end_at'>;

export const AvailabilityEntryEntity = defineEntity<AvailabilityEntry, EntryIds>({
  name: 'AvailabilityEntry',
  meaning: 'A stay, soft lock or block as the calendar shows it.',
  patterns: ["a calendar's entries that overlap a range (two Queries: short stays and long ones)"],
  record: AvailabilityEntryRecord,
  key: [
    {
      pk: 'CALENDAR#{calendar_id}',
      sk: 'LONG_ENTRY#{start_at}#{availability_id}',
      when: { says: 'longer than 31 nights', holds: isLongStay },
    },
    { pk: 'CALENDAR#{calendar_id}', sk: 'ENTRY#{start_at}#{availability_id}' },
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

const maxLookBackDays = 366;

/** A local interval, half-open. */
export interface LocalRange {
  start_at: string;
  end_at: string;
}

/** Whether two intervals overlap (D25). */
export const overlaps = (one: LocalRange, other: LocalRange): boolean =>
  one.start_at < other.end_at && one.end_at > other.start_at;

/** Returns the entries of a calendar that overlap a range, ordered by start. Expired soft locks are included. */
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
    .filter((entry) => overlaps(entry, range))
    .sort((one, other) => (one.start_at < other.start_at ? -1 : 1));
};

const startingWithin = (prefix: string, range: LocalRange, lookBackDays: number) => ({
  from: `${prefix}#${addDays(range.start_at.slice(0, 10), -lookBackDays)}`,
  to: `${prefix}#${range.end_at}`,
});

/** Returns the id of the calendar that holds a listing's hours: its parent's for a child, else its own (D26). */
export const calendarOf = (listing: { id: number; parent_listing_id: number | null }): number =>
  listing.parent_listing_id ?? listing.id;

/** Whether an entry takes hours of the listing: its own, its parent's or its children's, but not a sibling's (D26). */
export const affectsListing = (
  entry: Pick<AvailabilityEntry, 'listing_id' | 'calendar_id'>,
  listingId: number,
): boolean =>
  entry.listing_id === listingId || entry.listing_id === entry.calendar_id || listingId === entry.calendar_id;

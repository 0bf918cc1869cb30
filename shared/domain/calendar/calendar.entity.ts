import { defineEntity } from '../../platform/table/index.ts';
import { nightsBetween } from '../../platform/time.ts';
import type { Hours } from './hours.ts';

/** Hours that somebody claimed: a soft lock until it expires, a fresh booking (`until` null) until it is folded into `taken`. */
export interface HourClaim {
  listing_id: number;
  order_id: number;
  /** The caller's reference. */
  holder: string;
  from: number;
  to: number;
  /** Epoch milliseconds, judged by the clock; null: for good. */
  until: number | null;
}

/**
 * One month of a calendar. A parent and its children share one calendar, so that every rule between them (D26) is judged on
 * one item, whatever the number of nights. Every write checks and bumps `version`.
 */
export interface CalendarMonth {
  /** The parent's listing id for a family, else the listing's own. */
  calendar_id: number;
  /** `YYYY-MM`, local time. */
  month: string;
  version: number;
  /** By listing id: the hours of its own stays and blocks. */
  taken: Record<string, Hours>;
  /** By availability id. */
  claims: Record<string, HourClaim>;
  /** Listings that keep their hours elsewhere by now, or nowhere: whoever comes with one has read an old listing. */
  left?: number[];
}

/** One stay, soft lock or block, for people to read (D27). `CalendarMonth` alone decides what is free. */
export interface AvailabilityEntry {
  calendar_id: number;
  availability_id: number;
  listing_id: number;
  state: 'BOOKED' | 'BLOCKED' | 'SOFT_LOCK';
  reservation_id: number | null;
  order_id: number | null;
  /** Who stays, when it is somebody with an account: to them alone their own booking is shown (D15). Never answered. */
  guest_user_id?: number;
  /** The listing's local time. */
  start_at: string;
  end_at: string;
  /** Epoch milliseconds of a SOFT_LOCK's end. */
  locked_until: number | null;
  note: string | null;
  /** The calendar of elsewhere that a block was imported from (D64). */
  feed_id?: number;
  /** UTC. */
  created_at: string;
}

export const calendarPartition = (calendarId: number): string => `CALENDAR#${calendarId}`;

export const CalendarMonthEntity = defineEntity<CalendarMonth, Pick<CalendarMonth, 'calendar_id' | 'month'>>({
  name: 'CalendarMonth',
  meaning: 'The taken hours of one month, of a listing or of a parent with its children.',
  patterns: ['the months that a stay touches (one BatchGet)'],
  key: ({ calendar_id, month }) => ({ pk: calendarPartition(calendar_id), sk: `MONTH#${month}` }),
  example: { calendar_id: 1, month: '2027-02' },
});

/** The longest stay that a range read finds by looking back; longer ones have a prefix of their own. */
export const shortStayNights = 31;

export const isLongStay = (entry: Pick<AvailabilityEntry, 'start_at' | 'end_at'>): boolean =>
  nightsBetween(entry.start_at.slice(0, 10), entry.end_at.slice(0, 10)) > shortStayNights;

type EntryIds = Pick<AvailabilityEntry, 'calendar_id' | 'availability_id' | 'start_at' | 'end_at'>;

export const AvailabilityEntryEntity = defineEntity<AvailabilityEntry, EntryIds>({
  name: 'AvailabilityEntry',
  meaning: 'A stay, soft lock or block as the calendar shows it.',
  patterns: ["a calendar's entries that overlap a range (two Queries: short stays and long ones)"],
  key: (entry) => ({
    pk: calendarPartition(entry.calendar_id),
    sk: `${isLongStay(entry) ? 'LONG_ENTRY' : 'ENTRY'}#${entry.start_at}#${entry.availability_id}`,
  }),
  expiresAt: (entry) =>
    entry.locked_until === null ? undefined : Math.ceil(entry.locked_until / 1000) + 3600,
  example: {
    calendar_id: 1,
    availability_id: 5,
    start_at: '2027-02-04T14:00:00',
    end_at: '2027-02-07T12:00:00',
  },
});

import { instantText } from '../../platform/clock.ts';
import { addDays, dateOf, timeOf, toInstant } from '../../platform/time.ts';
import type { AvailabilityEntry } from '../calendar/index.ts';
import { basicForm, type Property } from './calendar-text.ts';

type Interval = Pick<AvailabilityEntry, 'start_at' | 'end_at'>;

/** When an event is: nights by their dates (D64), or hours by their instants. */
export type EventTime =
  { kind: 'nights'; from: string; to: string } | { kind: 'hours'; from: number; to: number };

const hourMs = 3_600_000;
const isMidnight = (local: string): boolean => timeOf(local) === '00:00:00';

/**
 * A stay over midnight is its nights, from the date it begins to the date it ends, which is exclusive. Whole days are their
 * dates. Whatever stays within one day is hours. An end at midnight belongs to the day before it: a check-out at 23:30,
 * kept as a whole hour (D25), takes no night more.
 */
export const eventTime = ({ start_at, end_at }: Interval, timezone: string): EventTime => {
  const from = dateOf(start_at);
  const lastDay = isMidnight(end_at) && !isMidnight(start_at) ? addDays(dateOf(end_at), -1) : dateOf(end_at);
  if (lastDay > from) return { kind: 'nights', from, to: lastDay };
  const begin = toInstant(start_at, timezone);
  // Where daylight saving skips the hour, its end would come before it has begun.
  return { kind: 'hours', from: begin, to: Math.max(toInstant(end_at, timezone), begin + hourMs) };
};

/** Whether an entry of a calendar takes hours of the listing: its own, its parent's, its children's; never a sibling's (D26). */
export const concerns = (
  entry: Pick<AvailabilityEntry, 'listing_id' | 'calendar_id'>,
  listingId: number,
): boolean =>
  entry.listing_id === listingId || entry.listing_id === entry.calendar_id || listingId === entry.calendar_id;

/** An entry as an event: its hours and nothing about its guest. */
export const eventOf = (entry: AvailabilityEntry, timezone: string): Property[] => [
  ['BEGIN', 'VEVENT'],
  ['UID', `${entry.availability_id}@nightlatch`],
  ['DTSTAMP', basicForm(entry.created_at)],
  ...timeProperties(eventTime(entry, timezone)),
  ['SUMMARY', entry.state === 'BLOCKED' ? 'Not available' : 'Reserved'],
  ['TRANSP', 'OPAQUE'],
  ['END', 'VEVENT'],
];

const timeProperties = (time: EventTime): Property[] =>
  time.kind === 'nights'
    ? [
        ['DTSTART;VALUE=DATE', basicForm(time.from)],
        ['DTEND;VALUE=DATE', basicForm(time.to)],
      ]
    : [
        ['DTSTART', basicForm(instantText(time.from))],
        ['DTEND', basicForm(instantText(time.to))],
      ];

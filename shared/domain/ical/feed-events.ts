import { instantText } from '../../platform/clock.ts';
import { addDays, addHours, dateOf, datesBetween, hoursBetween, toInstant } from '../../platform/time.ts';
import { type AvailabilityEntry, type LocalRange, overlaps, wholeHours } from '../calendar/index.ts';
import { nightOf } from '../pricing/index.ts';
import { basicForm, type Property } from './calendar-text.ts';
import type { FeedListing } from './reading/read-feed.ts';

/** When an event is: nights by their dates (D64), the last one exclusive, or hours by their instants. */
export type EventTime =
  { kind: 'nights'; from: string; to: string } | { kind: 'hours'; from: number; to: number };

/** An event of an entry; `part` tells it from the others of the same entry, and never changes. */
export interface EntryEvent {
  part: '' | '-before' | '-after';
  time: EventTime;
}

const hourMs = 3_600_000;

/** In whole hours: the hour before midnight is the last of its date. */
const takesNights = ({ start_at, end_at }: LocalRange): boolean =>
  dateOf(addHours(end_at, -1)) > dateOf(start_at) || hoursBetween(start_at, end_at) === 24;

/**
 * The events of an entry. What crosses midnight, or takes a whole day, is an all-day event over every night of the listing
 * that cannot be booked for it (D25, D64); hours that it takes between check-out and check-in, which no night has, are an
 * event beside it. What stays within one date is hours.
 */
export const eventTimes = (entry: LocalRange, listing: FeedListing): EntryEvent[] => {
  const taken = wholeHours(entry);
  if (!takesNights(taken)) {
    const { from, to } = instantsOf(entry, listing);
    // Where daylight saving skips the hour, its end would come before it has begun.
    return [{ part: '', time: { kind: 'hours', from, to: Math.max(to, from + hourMs) } }];
  }
  const dates = datesBetween(addDays(dateOf(taken.start_at), -1), addDays(dateOf(taken.end_at), 1));
  const nights = dates.filter((date) => overlaps(nightOf(listing, date), taken));
  const [first = dateOf(taken.start_at)] = nights;
  const last = nights.at(-1) ?? first;
  return [
    { part: '', time: { kind: 'nights', from: first, to: addDays(last, 1) } },
    ...rest('-before', { start_at: taken.start_at, end_at: nightOf(listing, first).start_at }, listing),
    ...rest('-after', { start_at: nightOf(listing, last).end_at, end_at: taken.end_at }, listing),
  ];
};

const rest = (part: EntryEvent['part'], range: LocalRange, listing: FeedListing): EntryEvent[] => {
  const { from, to } = instantsOf(range, listing);
  return range.start_at < range.end_at && from < to ? [{ part, time: { kind: 'hours', from, to } }] : [];
};

const instantsOf = ({ start_at, end_at }: LocalRange, { timezone }: FeedListing) => ({
  from: toInstant(start_at, timezone),
  to: toInstant(end_at, timezone),
});

/** An entry as events: its time and nothing about its guest. */
export const eventsOf = (entry: AvailabilityEntry, listing: FeedListing): Property[] =>
  eventTimes(entry, listing).flatMap(({ part, time }): Property[] => [
    ['BEGIN', 'VEVENT'],
    ['UID', `${entry.availability_id}${part}@nightlatch`],
    ['DTSTAMP', basicForm(entry.created_at)],
    ...timeProperties(time),
    ['SUMMARY', entry.state === 'BLOCKED' ? 'Not available' : 'Reserved'],
    ['TRANSP', 'OPAQUE'],
    ['END', 'VEVENT'],
  ]);

/** A calendar has at least one component (RFC 5545, 3.6): where nothing is taken, the zone that instants are written in. */
export const emptyCalendar: readonly Property[] = [
  ['BEGIN', 'VTIMEZONE'],
  ['TZID', 'UTC'],
  ['BEGIN', 'STANDARD'],
  ['DTSTART', '19700101T000000'],
  ['TZOFFSETFROM', '+0000'],
  ['TZOFFSETTO', '+0000'],
  ['END', 'STANDARD'],
  ['END', 'VTIMEZONE'],
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

import { instantText } from '../../platform/time/clock.ts';
import {
  addDays,
  addHours,
  dateOf,
  datesBetween,
  hourMs,
  hoursBetween,
  toInstant,
} from '../../platform/time/time.ts';
import { type AvailabilityEntry, type LocalRange, overlaps, wholeHours } from '../calendar/model.ts';
import { nightOf } from '../pricing/model.ts';
import type { FeedListing } from './reading/taken-time.ts';

/** One line of an iCalendar object before it is written: a name with its parameters, and a value that is escaped already. */
export type Property = readonly [name: string, value: string];

const maxOctets = 75;

/** TEXT values carry backslash, semicolon, comma and line breaks escaped (RFC 5545, 3.3.11); other controls are left out. */
export const escapeText = (text: string): string =>
  text
    .replaceAll(/[\\;,]/g, (sign) => `\\${sign}`)
    .replaceAll(/\r\n|\r|\n/g, '\\n')
    .replaceAll(/\p{Cc}/gu, '');

/** Lines of at most 75 octets, cut between characters; a continuation begins with a space (RFC 5545, 3.1). */
export const foldLine = (line: string): string => {
  const lines: string[] = [];
  let current = '';
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > maxOctets) {
      lines.push(current);
      current = ' ';
      octets = 1;
    }
    current += character;
    octets += size;
  }
  return [...lines, current].join('\r\n');
};

/** The lines of an iCalendar stream, each ended by CRLF. */
export const calendarText = (properties: readonly Property[]): string =>
  properties.map(([name, value]) => `${foldLine(`${name}:${value}`)}\r\n`).join('');

/** A local date or datetime, or an instant, in the basic form: 20270204, 20270204T140000, 20270204T070000Z. */
const basicForm = (text: string): string => text.replace(/\.\d+/, '').replaceAll(/[-:]/g, '');

/** The time of an event: nights by their dates (D64), the last one exclusive, or hours by their instants. */
type EventTime = { kind: 'nights'; from: string; to: string } | { kind: 'hours'; from: number; to: number };

/** An event of an entry; `part` distinguishes it from the others of the same entry and never changes. */
interface EntryEvent {
  part: '' | '-before' | '-after';
  time: EventTime;
}

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
    // Where daylight saving skips the hour, its end would precede its start.
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

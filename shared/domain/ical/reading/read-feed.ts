import { createHash } from 'node:crypto';
import {
  addDays,
  addHours,
  ceilHour,
  dateOf,
  dayMs,
  floorHour,
  hourMs,
  nightsBetween,
  toLocal,
} from '../../../platform/time.ts';
import { nightOf } from '../../pricing/model.ts';
import { type FeedComponent, FeedProblem, type FeedProperty, readComponents } from './components.ts';
import { zonesOf } from './find-zone.ts';
import { durationOf, identityOf, later, type Moment, momentOf, type ZoneOf } from './moment.ts';
import { occurrencesOf } from './occurrences.ts';
import { ReadingBudget } from './reading-budget.ts';

/** Taken time of a calendar of another platform, in whole hours of the listing's local time; nothing of a guest. */
export interface FeedEvent {
  /** Identifies the event within its feed, and stays when its time changes. */
  key: string;
  start_at: string;
  end_at: string;
  /** The dates of an all-day event, or of one from midnight to midnight of its own zone; the last one exclusive. */
  dates?: { from: string; to: string };
}

/** The fields of a listing that decide how an event is read. */
export interface FeedListing {
  timezone: string;
  standard_check_in_time?: string | null | undefined;
  standard_check_out_time?: string | null | undefined;
}

/** A feed with more future events is refused. */
const mostEvents = 2000;

interface Reading {
  listing: FeedListing;
  /** Local: events that ended before it are omitted. */
  now: string;
  /** Local: beyond it no stay can be booked. */
  until: string;
  zoneOf: ZoneOf;
  budget: ReadingBudget;
}

interface Event {
  uid: string;
  start: Moment;
  properties: FeedProperty[];
  /** It replaces this occurrence of another event with its UID. */
  replaces: string | undefined;
}

/**
 * The events of an iCalendar stream that have not ended, read for one listing (D64): all-day events, and those from midnight
 * to midnight of their own zone, take their nights from check-in to check-out, times without a zone are the listing's, cancelled and transparent ones take nothing. Throws
 * {@link FeedProblem} for what cannot be read as a whole, since half a calendar would leave taken time open, and for one that
 * takes too long (D111).
 */
export const readFeed = (
  text: string,
  listing: FeedListing,
  nowMs: number,
  budget: ReadingBudget = new ReadingBudget(),
): FeedEvent[] => {
  const calendars = readComponents(text);
  const now = toLocal(nowMs, listing.timezone);
  const until = importedUntil(now);
  const zoneOf = zonesOf(calendars, listing.timezone, { until, budget });
  const reading = { listing, now, until, zoneOf, budget };
  const events = calendars
    .flatMap(({ children }) => children)
    .filter(({ name }) => name === 'VEVENT')
    .map((component) => eventOf(component, zoneOf));
  const replaced = Map.groupBy(events.filter(isReplacement), ({ uid }) => uid);
  const alike = Map.groupBy(events, likeness);
  const found = new Map<string, FeedEvent>();
  for (const event of events.filter(takesTime)) {
    const isAlone = event.uid !== '' && alike.get(likeness(event))?.length === 1;
    const absent = new Set(
      isReplacement(event) ? [] : (replaced.get(event.uid) ?? []).map(({ replaces }) => replaces ?? ''),
    );
    for (const taken of takenBy(event, absent, reading)) {
      const key = keyOf(event.uid, taken.occurrence, isAlone ? '' : `${taken.start_at} ${taken.end_at}`);
      const { start_at, end_at, dates } = taken;
      found.set(key, { key, start_at, end_at, ...(dates ? { dates } : {}) });
      if (found.size > mostEvents) throw new FeedProblem(`has more than ${mostEvents} events to come`);
    }
  }
  return [...found.values()];
};

/** A stay begins at most 730 days ahead and lasts at most 365 nights (D24); a round date, so that it rarely moves. */
const importedUntil = (now: string): string => `${Number(now.slice(0, 4)) + 4}-01-01T00:00:00`;

const isReplacement = ({ replaces }: Event): boolean => replaces !== undefined;

/** A UID may occur twice: such events are distinguished by their times. */
const likeness = ({ uid, replaces = '' }: Event): string => JSON.stringify([uid, replaces]);

const keyOf = (...parts: string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 12);

const valueIn = (properties: readonly FeedProperty[], name: string): FeedProperty | undefined =>
  properties.find((property) => property.name === name);

const eventOf = ({ properties }: FeedComponent, zoneOf: ZoneOf): Event => {
  const start = valueIn(properties, 'DTSTART');
  const replaces = valueIn(properties, 'RECURRENCE-ID');
  const uid = valueIn(properties, 'UID')?.value.trim() ?? '';
  if (!start) throw new FeedProblem(`has an event without DTSTART${uid && `: ${uid.slice(0, 60)}`}`);
  return {
    uid,
    properties,
    start: momentOf(start.value, start, zoneOf),
    replaces: replaces && identityOf(momentOf(replaces.value, replaces, zoneOf)),
  };
};

const takesTime = ({ properties }: Event): boolean =>
  valueIn(properties, 'STATUS')?.value.trim().toUpperCase() !== 'CANCELLED' &&
  valueIn(properties, 'TRANSP')?.value.trim().toUpperCase() !== 'TRANSPARENT';

type Taken = Omit<FeedEvent, 'key'> & { occurrence: string };

function* takenBy(event: Event, absent: ReadonlySet<string>, reading: Reading): Generator<Taken> {
  const { now, until } = reading;
  const endOf = lengthOf(event, reading);
  const intervalOf = (start: Moment) => wholeHours(start, endOf(start), reading.listing);
  const first = intervalOf(event.start);
  // The wall clocks of two zones are at most 26 hours apart.
  const days = nightsBetween(first.start_at.slice(0, 10), first.end_at.slice(0, 10)) + 3;
  const stretch = { from: addDays(now.slice(0, 10), -days), until: addDays(until.slice(0, 10), 2) };
  const isSeries = event.properties.some(({ name }) => name === 'RRULE' || name === 'RDATE');
  const isOfInterest = (start: Moment): boolean => {
    const { start_at, end_at } = intervalOf(start);
    return end_at > now && start_at < until;
  };
  for (const start of occurrencesOf(event, { ...reading, absent, stretch, isOfInterest })) {
    const { start_at, end_at } = intervalOf(start);
    const earliest = `${Number(now.slice(0, 4)) - 1}-01-01T00:00:00`;
    const dates = datesOf(start, endOf(start));
    yield {
      ...(dates ? { dates } : {}),
      occurrence: event.replaces ?? (isSeries ? identityOf(start) : ''),
      start_at: start_at < earliest ? earliest : start_at,
      end_at: end_at > until ? until : end_at,
    };
  }
}

const datesOf = (start: Moment, end: Moment): FeedEvent['dates'] => {
  const isMidnight = ({ local }: Moment) => local.endsWith('T00:00:00');
  const [from, to] = [dateOf(start.local), dateOf(end.local)];
  return isMidnight(start) && isMidnight(end) && from < to ? { from, to } : undefined;
};

/** When an occurrence ends: by DTEND or DURATION; without them a date is one day (RFC 5545, 3.6.1), a time one hour. */
const lengthOf = ({ start, properties }: Event, { zoneOf }: Reading): ((from: Moment) => Moment) => {
  const end = valueIn(properties, 'DTEND');
  const duration = valueIn(properties, 'DURATION');
  const shortest = start.isDate ? { days: 1, ms: 0 } : { days: 0, ms: hourMs };
  if (end) {
    const moment = momentOf(end.value, end, zoneOf);
    if (start.isDate) {
      const days = nightsBetween(start.local.slice(0, 10), moment.local.slice(0, 10));
      return (from) => later(from, { days: Math.max(1, days), ms: 0 });
    }
    const ms = moment.zone.toInstant(moment.local) - start.zone.toInstant(start.local);
    return (from) => later(from, { days: 0, ms: Math.max(shortest.ms, ms) });
  }
  if (!duration) return (from) => later(from, shortest);
  const length = durationOf(duration.value);
  if (start.isDate)
    return (from) => later(from, { days: Math.max(1, length.days + Math.ceil(length.ms / dayMs)), ms: 0 });
  return (from) => later(from, length.days === 0 && length.ms < shortest.ms ? shortest : length);
};

/**
 * Nights from the check-in hour to the check-out hour, also where they are written from midnight to midnight; other times on
 * the listing's wall clock, at least an hour.
 */
const wholeHours = (start: Moment, end: Moment, listing: FeedListing): Omit<FeedEvent, 'key'> => {
  const dates = datesOf(start, end);
  if (dates) {
    const { start_at } = nightOf(listing, dates.from);
    return { start_at, end_at: nightOf(listing, addDays(dates.to, -1)).end_at };
  }
  const localOf = ({ zone, local }: Moment) => toLocal(zone.toInstant(local), listing.timezone);
  const startAt = floorHour(localOf(start));
  const endAt = ceilHour(localOf(end));
  return { start_at: startAt, end_at: endAt > startAt ? endAt : addHours(startAt, 1) };
};

import { createHash } from 'node:crypto';
import { addDays, atTime, dateOf, nightsBetween, toLocal } from '../../../platform/time/time.ts';
import { mergedTimes } from '../stretches.ts';
import { FeedProblem, readComponents } from './components.ts';
import { currentVersions, type FeedItem, isSeries, itemsOf, likeness, summaryOf } from './feed-item.ts';
import { zonesOf } from './find-zone.ts';
import { identityOf, type Moment, type ZoneOf } from './moment.ts';
import { occurrencesOf } from './occurrences.ts';
import { ReadingBudget } from './reading-budget.ts';
import { type ReadCounts, ReadingReport } from './reading-report.ts';
import { isChange, SeriesChanges } from './series-changes.ts';
import { type FeedListing, takenHours, type TakenHours } from './taken-time.ts';

/** Taken time of a calendar of another platform. */
export interface FeedEvent extends TakenHours {
  /** Identifies the event within its feed, and stays when its time changes. */
  key: string;
  /** What the platform calls it; undefined: it is known from an earlier fetch alone. */
  summary?: string;
}

export interface FeedReading {
  events: FeedEvent[];
  read: ReadCounts;
  /** What a host should know of it, in sentences. */
  problems: string[];
}

/** A calendar with more events to come, or more stretches of time that they take together, is refused. */
const mostEvents = 5000;
const mostStretches = 2000;
/** As far as a stay can end (D24), in days. */
const daysAhead = 1095;

interface Reading {
  listing: FeedListing;
  /** Local: what ended before it is omitted. */
  now: string;
  /** Local: what begins later is omitted. */
  until: string;
  zoneOf: ZoneOf;
  budget: ReadingBudget;
}

/**
 * Reads an iCalendar stream for one listing, from now to 1,095 days ahead (D114, D115). Throws {@link FeedProblem} for what
 * cannot be read as a whole, since half a calendar would leave taken time open, and for one that takes too long (D111).
 */
export const readFeed = (
  text: string,
  listing: FeedListing,
  nowMs: number,
  budget: ReadingBudget = new ReadingBudget(),
): FeedReading => {
  const calendars = readComponents(text);
  const now = toLocal(nowMs, listing.timezone);
  const until = atTime(addDays(dateOf(now), daysAhead), '00:00:00');
  const zoneOf = zonesOf(calendars, listing.timezone, { until, budget });
  const reading = { listing, now, until, zoneOf, budget };
  const items = currentVersions(
    calendars.flatMap(({ children }) => children).flatMap((component) => itemsOf(component, zoneOf)),
  );
  const changes = new Map(
    [...Map.groupBy(items.filter(isChange), ({ uid }) => uid)].map(([uid, made]) => [
      uid,
      new SeriesChanges(made, zoneOf),
    ]),
  );
  const none = new SeriesChanges([], zoneOf);
  const alike = Map.groupBy(items, likeness);
  const found = new Map<string, FeedEvent>();
  const report = new ReadingReport();
  for (const item of items) {
    const isAlone = item.uid !== '' && alike.get(likeness(item))?.length === 1;
    const changed = isChange(item) ? none : (changes.get(item.uid) ?? none);
    let takes = false;
    for (const { occurrence, hours, kind, doubts } of takenBy(item, changed, reading)) {
      takes = true;
      if (kind !== 'BUSY') continue;
      report.doubt(item, doubts);
      const key = keyOf(item.uid, occurrence, isAlone ? '' : `${hours.start_at} ${hours.end_at}`);
      found.set(key, { key, ...hours, summary: summaryOf(item) });
      if (found.size > mostEvents) throw new FeedProblem(`has more than ${mostEvents} events to come`);
    }
    report.count(item, takes);
  }
  const events = [...found.values()];
  if (mergedTimes(events).length > mostStretches)
    throw new FeedProblem(`takes more than ${mostStretches} separate stretches of time`);
  return { events, ...report.result() };
};

const keyOf = (...parts: string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 12);

interface Taken {
  /** Distinguishes the occurrences of an item. */
  occurrence: string;
  hours: TakenHours;
  kind: FeedItem['kind'];
  doubts: readonly string[];
}

function* takenBy(item: FeedItem, changes: SeriesChanges, reading: Reading): Generator<Taken> {
  const { now, until, listing } = reading;
  const first = takenHours(item.start, item.endOf(item.start), listing);
  // The wall clocks of two zones are at most 26 hours apart.
  const days = nightsBetween(dateOf(first.start_at), dateOf(first.end_at)) + changes.reachDays + 3;
  const stretch = { from: addDays(dateOf(now), -days), until: addDays(dateOf(until), changes.reachDays + 2) };
  for (const span of occurrencesOf(item, { ...reading, stretch })) {
    const place = changes.placeOf(item, span);
    if (!place) continue;
    const hours = takenHours(place.start, place.end, listing);
    if (hours.end_at <= now || hours.start_at >= until) continue;
    yield {
      occurrence: occurrenceOf(item, span.start),
      hours: clipped(hours, reading),
      kind: place.kind,
      doubts: hours.dates ? item.doubts : [...item.doubts, ...zoneDoubts(place.start)],
    };
  }
}

const occurrenceOf = (item: FeedItem, start: Moment): string => {
  const replaced = item.replaces ? identityOf(item.replaces.moment) : '';
  if (!isSeries(item)) return replaced;
  return replaced === '' ? identityOf(start) : `${replaced} ${identityOf(start)}`;
};

const zoneDoubts = ({ zone: { unknown } }: Moment): string[] =>
  unknown === undefined
    ? []
    : [`the time zone "${unknown.slice(0, 40)}" is not known: all hours that it may mean are taken`];

/**
 * Round dates beyond the limits, so that the time of an endless event rarely changes. Nothing that is bookable lies beyond
 * them.
 */
const clipped = (hours: TakenHours, { now, until }: Reading): TakenHours => {
  const earliest = `${Number(now.slice(0, 4)) - 1}-01-01T00:00:00`;
  const latest = `${Number(until.slice(0, 4)) + 1}-01-01T00:00:00`;
  const { start_at, end_at } = hours;
  return {
    ...hours,
    start_at: start_at < earliest ? earliest : start_at,
    end_at: end_at > latest ? latest : end_at,
  };
};

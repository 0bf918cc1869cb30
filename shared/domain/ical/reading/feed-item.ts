import {
  addDays,
  addSeconds,
  dateOf,
  dayMs,
  hourMs,
  hoursBetween,
  nightsBetween,
  timeOf,
} from '../../../platform/time/time.ts';
import { type FeedComponent, FeedProblem, type FeedProperty } from './components.ts';
import {
  durationOf,
  identityOf,
  instantOf,
  later,
  type Moment,
  momentOf,
  spansOf,
  type ZoneOf,
} from './moment.ts';

/** An event of a calendar, or a busy or free period of a VFREEBUSY. */
export interface FeedItem {
  uid: string;
  start: Moment;
  /** When an occurrence of it ends. */
  endOf: (start: Moment) => Moment;
  properties: readonly FeedProperty[];
  /** CANCELLED and FREE take nothing. */
  kind: 'BUSY' | 'FREE' | 'CANCELLED';
  /** The highest of a UID counts. */
  sequence: number;
  /** It replaces this occurrence of another event with its UID; `andLater`: those after it too, which move as it did. */
  replaces?: { moment: Moment; andLater: boolean };
  /** What is understood in part. */
  doubts: string[];
}

export const isSeries = ({ properties }: FeedItem): boolean => repeats(properties);

const repeats = (properties: readonly FeedProperty[]): boolean =>
  properties.some(({ name }) => name === 'RRULE' || name === 'RDATE');

export const itemsOf = (component: FeedComponent, zoneOf: ZoneOf): FeedItem[] => {
  if (component.name === 'VEVENT') return eventOf(component, zoneOf);
  return component.name === 'VFREEBUSY' ? periodsOf(component, zoneOf) : [];
};

const valueIn = (properties: readonly FeedProperty[], name: string): FeedProperty | undefined =>
  properties.find((property) => property.name === name);
const textIn = (properties: readonly FeedProperty[], name: string): string =>
  valueIn(properties, name)?.value.trim() ?? '';

const longestSummary = 200;

/** What a platform calls an event, in one line; several names a guest in it. */
export const summaryOf = ({ properties }: FeedItem): string => {
  const text = textIn(properties, 'SUMMARY').replaceAll(/\\([nN\\;,])/g, (_, sign: string) =>
    sign.toLowerCase() === 'n' ? ' ' : sign,
  );
  const line = text.replaceAll(/\s+|\p{Cc}/gu, ' ').trim();
  return Array.from(line).slice(0, longestSummary).join('');
};

const eventOf = ({ properties }: FeedComponent, zoneOf: ZoneOf): FeedItem[] => {
  const uid = textIn(properties, 'UID');
  const start = valueIn(properties, 'DTSTART');
  if (!start) throw new FeedProblem(`has an event without DTSTART${uid && `: ${uid.slice(0, 60)}`}`);
  const replaces = valueIn(properties, 'RECURRENCE-ID');
  const { first, endOf, isTurned } = timesOf(start, properties, zoneOf);
  const item: FeedItem = {
    uid,
    start: first,
    endOf,
    properties,
    kind: kindOf(properties),
    sequence: Number.parseInt(textIn(properties, 'SEQUENCE'), 10) || 0,
    doubts: [
      ...(isTurned ? [endsEarly] : []),
      ...(valueIn(properties, 'EXRULE') ? [exceptionRule] : []),
      ...(replaces && repeats(properties) ? [repeatedChange] : []),
    ],
  };
  if (!replaces) return [item];
  const andLater = replaces.params['RANGE']?.toUpperCase() === 'THISANDFUTURE';
  return [{ ...item, replaces: { moment: momentOf(replaces.value, replaces, zoneOf), andLater } }];
};

const kindOf = (properties: readonly FeedProperty[]): FeedItem['kind'] => {
  if (textIn(properties, 'STATUS').toUpperCase() === 'CANCELLED') return 'CANCELLED';
  return textIn(properties, 'TRANSP').toUpperCase() === 'TRANSPARENT' ? 'FREE' : 'BUSY';
};

/** RFC 5545, 3.2.9: without FBTYPE, and with one that is not known, a period is busy. */
const periodsOf = ({ properties }: FeedComponent, zoneOf: ZoneOf): FeedItem[] =>
  properties
    .filter(({ name }) => name === 'FREEBUSY')
    .flatMap((property) =>
      spansOf(property, zoneOf).map(({ start, end }) => ({
        uid: textIn(properties, 'UID'),
        start,
        endOf: (from) => end ?? later(from, { days: 0, ms: hourMs }),
        properties: [],
        kind: property.params['FBTYPE']?.toUpperCase() === 'FREE' ? 'FREE' : 'BUSY',
        sequence: 0,
        doubts: [],
      })),
    );

const exceptionRule = 'an EXRULE is not read: its dates are taken too';
const repeatedChange = 'a change of one occurrence recurs itself: all its dates are taken';
const endsEarly = 'the end is before the beginning: the time between both is taken';

const timesOf = (start: FeedProperty, properties: readonly FeedProperty[], zoneOf: ZoneOf) => {
  const end = valueIn(properties, 'DTEND');
  const from = momentOf(start.value, start, zoneOf);
  const until = end && momentOf(end.value, end, zoneOf);
  const isTurned = until !== undefined && instantOf(until) < instantOf(from);
  const [first, last] = isTurned ? [until, from] : [from, until];
  return { first, endOf: lengthOf(first, last, valueIn(properties, 'DURATION')), isTurned };
};

/** When an occurrence ends: by DTEND or DURATION; without them a date is one day (RFC 5545, 3.6.1), a time one hour. */
const lengthOf = (
  start: Moment,
  until: Moment | undefined,
  written: FeedProperty | undefined,
): FeedItem['endOf'] => {
  const duration = written && !until ? durationOf(written.value) : { days: 0, ms: 0 };
  if (start.isDate) {
    const days = until
      ? nightsBetween(dateOf(start.local), dateOf(until.local))
      : duration.days + Math.ceil(duration.ms / dayMs);
    return (from) => later(from, { days: Math.max(1, days), ms: 0 });
  }
  if (until && instantOf(until) > instantOf(start)) return endBy(start, until);
  const length = duration.days + duration.ms > 0 ? duration : { days: 0, ms: hourMs };
  return (from) => later(from, length);
};

/** An end on the same clock keeps its time of day when the clocks change. */
export const endBy = (start: Moment, end: Moment): FeedItem['endOf'] => {
  if (start.zone !== end.zone) {
    const ms = instantOf(end) - instantOf(start);
    return (from) => later(from, { days: 0, ms });
  }
  const seconds = secondsBetween(start.local, end.local);
  // Where the clocks are set forward, a skipped beginning is later, and the end with it.
  return (from) => ({ ...from, local: addSeconds(from.zone.toLocal(instantOf(from)), seconds) });
};

const secondsBetween = (from: string, to: string): number => Math.round(hoursBetween(from, to) * 3600);

/** Distinguishes versions of one event: a UID may occur twice. */
export const likeness = ({ uid, replaces }: FeedItem): string =>
  JSON.stringify([uid, replaces ? identityOf(replaces.moment) : '']);

/** Of the versions of an event those that count: the ones with the highest SEQUENCE. */
export const currentVersions = (items: readonly FeedItem[]): FeedItem[] => {
  const highest = new Map<string, number>();
  for (const item of items) {
    const name = likeness(item);
    highest.set(name, Math.max(item.sequence, highest.get(name) ?? 0));
  }
  return items.filter((item) => item.uid === '' || item.sequence === highest.get(likeness(item)));
};

/** Where an occurrence goes when another one, and all after it, has moved: as far, or to the time of day of the other type. */
export const movedLike = (occurrence: Moment, from: Moment, to: Moment): Moment => {
  if (from.isDate || to.isDate) {
    const days = nightsBetween(dateOf(from.local), dateOf(to.local));
    return { ...to, local: `${addDays(dateOf(occurrence.local), days)}T${timeOf(to.local)}` };
  }
  const { zone } = occurrence;
  const here = (moment: Moment) => (moment.zone === zone ? moment.local : zone.toLocal(instantOf(moment)));
  return { ...occurrence, local: addSeconds(occurrence.local, secondsBetween(here(from), here(to))) };
};

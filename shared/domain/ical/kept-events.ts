import { addDays, addHours, dateOf, datesBetween } from '../../platform/time/time.ts';
import { mergedTimes } from './stretches.ts';
import type { FeedEvent } from './reading/read-feed.ts';

/** An event as it is kept between two fetches. */
export interface KeptEvent extends FeedEvent {
  /** How often in a row it was not there; {@link held}: it stays until it is back or a host has spoken. */
  misses: number;
  /** It may be what is left of an echo (D94): when it vanishes, that is no loss. */
  late: boolean;
  /** It was seen by itself, and is a part of an echo since. */
  joined: boolean;
}

const held = -1;

/** What a good fetch makes of the events that were known. */
export interface Fold {
  events: KeptEvent[];
  /** The nights of those that vanished together with too many others to be believed. */
  quarantined: number;
}

export const keptText = ({ key, start_at, end_at, misses, late, joined }: KeptEvent): string =>
  [key, start_at, end_at, misses, ...(late ? ['late'] : []), ...(joined ? ['joined'] : [])].join(' ');

export const keptEvent = (text: string): KeptEvent => {
  const [key = '', startAt = '', endAt = '', misses = '0', ...marks] = text.split(' ');
  const [late, joined] = [marks.includes('late'), marks.includes('joined')];
  return { key, start_at: startAt, end_at: endAt, misses: Number(misses), late, joined };
};

interface Fetch {
  /** Local time of the listing: what has ended is forgotten. */
  now: string;
  /** The fetch before was good too. */
  inARow: boolean;
  /** A host has said that the feed is right. */
  confirmed: boolean;
  /** Our own time that the feed shows: what it covers is not freed. */
  echoes: readonly FeedEvent[];
  /** A vanished event that is still there without what was ours of it. */
  isShrunk: (event: FeedEvent) => boolean;
}

/** An event that vanished frees its time after so many good fetches in a row (D64). */
const missesToGo = 2;

/** A loss is too large above half of the nights that were taken within a year, but no smaller one than this (D117). */
const leastLoss = 5;
const countedDays = 365;

/**
 * Folds the events of a good fetch into those that were known (D64). Moved ones follow at once; a vanished one goes at the
 * second good fetch in a row without it. When a fetch would free more than half of the nights that were taken within a year,
 * and at least 5, what is lost stays in quarantine until it is back or a host confirms (D117). Time that others of the feed took
 * over is no loss, whatever their UIDs; nor is what is left of an echo, nor an event that has shrunk by what was ours. Of an event
 * that moved under its UID only the nights are lost that it has fewer.
 */
export const foldFetch = (
  known: readonly KeptEvent[],
  found: readonly Omit<KeptEvent, 'misses'>[],
  fetch: Fetch,
): Fold => {
  const present = found.map((event) => ({ ...event, misses: 0 }));
  if (fetch.confirmed) return { events: present, quarantined: 0 };
  const foundByKey = new Map(found.map((event) => [event.key, event]));
  const covered = coverage(found);
  const standing = known.filter(({ end_at }) => end_at > fetch.now);
  const lost = standing.filter((event) => !covered(event) && !fetch.isShrunk(event));
  const isGone = ({ key }: KeptEvent) => !foundByKey.has(key);
  const isShorter = (event: KeptEvent) => nightsOf(foundByKey.get(event.key)).length < nightsOf(event).length;
  const shorter = lost.filter((event) => !isGone(event) && isShorter(event));
  const gone = lost.filter(isGone);
  const tooMany = isTooMany(standing, [...gone, ...shorter], [...found, ...fetch.echoes], fetch.now);
  const kept = [
    ...gone.map((event) => ({ ...event, misses: missesOf(event, tooMany, fetch.inARow) })),
    // Beside the event as it is now, so under a key of its own.
    ...(tooMany ? shorter.map((event) => ({ ...event, key: `${event.key}-`, misses: held })) : []),
  ].filter(({ misses }) => misses < missesToGo);
  const inQuarantine = kept.filter(({ misses }) => misses === held);
  return { events: [...present, ...kept], quarantined: nightsIn(inQuarantine).size };
};

const isTooMany = (
  standing: readonly KeptEvent[],
  lost: readonly KeptEvent[],
  shown: readonly FeedEvent[],
  now: string,
): boolean => {
  const until = addDays(dateOf(now), countedDays);
  const counted = (events: readonly KeptEvent[]) =>
    nightsIn(
      events.filter(({ misses, late }) => misses === 0 && !late).map((event) => clipped(event, now, until)),
    );
  const still = nightsIn(shown);
  const freed = [...counted(lost)].filter((night) => !still.has(night));
  return freed.length >= leastLoss && 2 * freed.length > counted(standing).size;
};

const clipped = <Event extends FeedEvent>(event: Event, from: string, until: string): Event => ({
  ...event,
  start_at: event.start_at < from ? from : event.start_at,
  end_at: event.end_at > until ? until : event.end_at,
});

/** The nights that an event takes, by their first dates; hours within one date count as that date. */
const nightsOf = (event: FeedEvent | undefined): string[] => {
  if (!event || event.start_at >= event.end_at) return [];
  const [from, to] = [dateOf(event.start_at), dateOf(addHours(event.end_at, -1))];
  return from === to ? [from] : datesBetween(from, to);
};

const nightsIn = (events: readonly FeedEvent[]): Set<string> => new Set(events.flatMap(nightsOf));

const missesOf = ({ misses }: KeptEvent, tooMany: boolean, inARow: boolean): number =>
  tooMany || misses === held ? held : (inARow ? misses : 0) + 1;

/** Whether the events of a fetch take the whole time of another one. */
const coverage = (found: readonly FeedEvent[]): ((event: FeedEvent) => boolean) => {
  const stretches = mergedTimes(found, { touching: true });
  return ({ start_at, end_at }) =>
    stretches.some((stretch) => stretch.start_at <= start_at && stretch.end_at >= end_at);
};

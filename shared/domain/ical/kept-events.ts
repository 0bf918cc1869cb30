import { mergedTimes } from './merged-times.ts';
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
  /** Those that vanished together with too many others to be believed. */
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
  /** A vanished event that is still there without what was ours of it. */
  isShrunk: (event: FeedEvent) => boolean;
}

/** An event that vanished frees its time after so many good fetches in a row (D64). */
const missesToGo = 2;

/**
 * Folds the events of a good fetch into those that were known (D64). Moved ones follow at once; a vanished one goes at the
 * second good fetch in a row without it; when more than half vanish at once, or all, they stay in quarantine until they are
 * back or a host confirms. An event whose time others of the feed took over is no loss: some platforms give out new UIDs
 * every day; nor is one of what is left of an echo, nor one that has shrunk by what was ours.
 */
export const foldFetch = (
  known: readonly KeptEvent[],
  found: readonly Omit<KeptEvent, 'misses'>[],
  fetch: Fetch,
): Fold => {
  const present = found.map((event) => ({ ...event, misses: 0 }));
  if (fetch.confirmed) return { events: present, quarantined: 0 };
  const keys = new Set(found.map(({ key }) => key));
  const covered = coverage(found);
  const standing = known.filter(({ end_at }) => end_at > fetch.now);
  const gone = standing.filter((event) => !keys.has(event.key) && !covered(event) && !fetch.isShrunk(event));
  const counted = (events: readonly KeptEvent[]) =>
    events.filter(({ misses, late }) => misses === 0 && !late).length;
  const tooMany = 2 * counted(gone) > counted(standing);
  const missed = gone.map((event) => ({ ...event, misses: missesOf(event, tooMany, fetch.inARow) }));
  const kept = missed.filter(({ misses }) => misses < missesToGo);
  return { events: [...present, ...kept], quarantined: kept.filter(({ misses }) => misses === held).length };
};

const missesOf = ({ misses }: KeptEvent, tooMany: boolean, inARow: boolean): number =>
  tooMany || misses === held ? held : (inARow ? misses : 0) + 1;

/** Whether the events of a fetch take the whole time of another one. */
const coverage = (found: readonly FeedEvent[]): ((event: FeedEvent) => boolean) => {
  const stretches = mergedTimes(found, { touching: true });
  return ({ start_at, end_at }) =>
    stretches.some((stretch) => stretch.start_at <= start_at && stretch.end_at >= end_at);
};

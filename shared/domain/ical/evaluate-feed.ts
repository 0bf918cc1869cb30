import { createHash } from 'node:crypto';
import type { Dependencies } from '../../platform/context.ts';
import { equals, put, readOf, type Write } from '../../platform/table/index.ts';
import { toLocal } from '../../platform/time/time.ts';
import { calendarOf, wholeHours } from '../calendar/model.ts';
import type { Listing } from '../listing/model.ts';
import { classifyEvents, shrunk, timeText } from './classify-events.ts';
import { exportedEntries } from './exported-entries.ts';
import { givenText, type GivenTime, givenTime, hoursOf, lookedAt, seenNow } from './exported-times.ts';
import {
  FeedContentsEntity,
  type FeedExport,
  FeedExportEntity,
  type FeedRevision,
  FeedRevisionEntity,
  type FollowedFeed,
} from './ical.store.ts';
import { type Fold, foldFetch, keptEvent, type KeptEvent, keptText } from './kept-events.ts';
import type { FeedEvent, FeedReading } from './reading/read-feed.ts';

type Deps = Pick<Dependencies, 'table' | 'clock'>;

/** A fetch as it is understood: what takes time, what is an echo of ours, and what is to be kept of both. */
export interface EvaluatedFeed extends Pick<FollowedFeed, 'revision'> {
  /** What is to be reported of how it was read. */
  reading: Pick<FollowedFeed, 'read' | 'problems' | 'texts'>;
  fold: Fold;
  echoes: number;
  /** An echo whose side of ours has gone: only time decides. */
  waits: boolean;
  /** What the feed held, where it is not what is kept already. */
  contents: Write[];
  /** What is known of the follower, likewise. */
  given: Write[];
  /** As it was read; absent: the feed has no export of its own yet. */
  follower: FeedExport | undefined;
}

/** How a host's word changes the reading. */
interface Word {
  /** What vanished has gone. */
  confirmed: boolean;
  /** Bookings and echoes are distinguished anew. */
  anew: boolean;
}

/** Weighs the events of a good fetch against what the feed held before and what its follower was given (D64, D94). */
export const evaluateFeed = async (
  deps: Deps,
  work: { listing: Listing; feed: FollowedFeed; reading: FeedReading },
  { confirmed, anew }: Word = { confirmed: false, anew: false },
): Promise<EvaluatedFeed> => {
  const { listing, feed } = work;
  const { events: found, read, problems } = work.reading;
  const { listing_id, url_hash, feed_id } = feed;
  // Read after the fetch, so that nothing it may echo is unknown; the change count before the entries that it is kept with.
  const [contents, follower, revision] = await deps.table.getAll([
    readOf(FeedContentsEntity, feed),
    readOf(FeedExportEntity, feed),
    readOf(FeedRevisionEntity, { calendar_id: calendarOf(listing) }),
  ]);
  const known = (contents?.events ?? []).map(keptEvent);
  const now = deps.clock.now();
  const look =
    follower && follower.given.length > 0 ? await lookAt(deps, work, { follower, revision }) : undefined;
  const times = look ?? [];
  const echoKeys = anew || !contents?.echoes ? undefined : new Set(contents.echoes);
  const judged = classifyEvents(found, {
    known: anew ? [] : known,
    given: times,
    echoKeys,
    listing,
    now,
  });
  const fold = foldFetch(withoutEchoes(known, judged.echoes, echoKeys), judged.bookings, {
    echoes: judged.echoes,
    isShrunk: shrunk(judged.bookings, { given: times, listing }),
    now: toLocal(now, listing.timezone),
    inARow: feed.failures === 0,
    confirmed,
  });
  const events = fold.events.map(keptText).toSorted();
  const given = seenNow(times, judged.seen, now).map(givenText);
  const isNews = follower !== undefined && given.join() !== follower.given.join();
  const echoes = judged.echoes.map(({ key }) => key).toSorted();
  const contentsWrite = put(FeedContentsEntity, { listing_id, url_hash, events, echoes });
  const isSame = events.join() === contents?.events.join();
  return {
    reading: { read, problems, texts: textsOf(found) },
    fold,
    echoes: judged.echoes.length,
    waits: judged.waits,
    follower,
    revision: revision?.revision ?? 0,
    contents: isSame ? [] : [contentsWrite],
    given: isNews
      ? [
          put(
            FeedExportEntity,
            { ...follower, feed_id, given, version: follower.version + 1 },
            { when: equals('version', follower.version) },
          ),
          ...(isSame ? [contentsWrite] : []),
        ]
      : [],
  };
};

/** Their texts are kept with blocks (D120); of all together a hash says whether one is another now. */
const textsOf = (events: readonly FeedEvent[]): string => {
  const hash = createHash('sha256');
  for (const { key, summary = '' } of events) hash.update(`${key} ${summary}\n`);
  return hash.digest('base64url').slice(0, 16);
};

/** What is an echo by now has not vanished; a booking beside one that was an echo before has. */
const withoutEchoes = (
  known: readonly KeptEvent[],
  echoes: readonly FeedEvent[],
  echoKeys: ReadonlySet<string> | undefined,
): KeptEvent[] => {
  const keys = new Set(echoes.map(({ key }) => key));
  const times = new Set(echoes.filter(({ key }) => !echoKeys?.has(key)).map(timeText));
  return known.filter((event) => !keys.has(event.key) && !times.has(timeText(event)));
};

/** Which of the given times are still taken, and since when the others are not: from the last change of the calendar. */
const lookAt = async (
  deps: Deps,
  { listing, feed }: { listing: Listing; feed: FollowedFeed },
  { follower, revision }: { follower: FeedExport; revision: FeedRevision | undefined },
): Promise<GivenTime[]> => {
  const entries = await exportedEntries(deps, listing, feed.feed_id);
  const now = deps.clock.now();
  const standing = entries.map((entry) => hoursOf(wholeHours(entry)));
  const goneAt = changedSince(feed, revision) ?? now;
  return lookedAt(follower.given.map(givenTime), { standing, now, goneAt });
};

/** When the calendar changed last, where that was since the last good fetch. */
const changedSince = (
  { last_synced_at }: FollowedFeed,
  revision: FeedRevision | undefined,
): number | undefined =>
  revision && last_synced_at !== null && revision.changed_at >= last_synced_at
    ? Date.parse(revision.changed_at)
    : undefined;

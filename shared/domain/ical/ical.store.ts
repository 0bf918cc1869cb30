import { createHash } from 'node:crypto';
import { defineEntity, sortable, type Table } from '../../platform/table/index.ts';

/**
 * What opens the export of a listing's calendar. It is kept readable, since the host is shown the address again, and it
 * opens nothing but hours without names; giving the listing another one closes the old address.
 */
export interface FeedToken {
  listing_id: number;
  token: string;
  /** UTC. */
  created_at: string;
}

export const FeedTokenEntity = defineEntity<FeedToken, Pick<FeedToken, 'listing_id'>>({
  name: 'FeedToken',
  meaning: "The secret in the address of a listing's calendar export.",
  patterns: ['may this subscriber read the calendar?', 'the export address, for the host'],
  key: { pk: 'FEED#{listing_id}', sk: 'TOKEN' },
  example: { listing_id: 1 },
});

/** How often the exports of a calendar have changed, and when last. A parent and its children share it as they share hours. */
export interface FeedRevision {
  calendar_id: number;
  revision: number;
  /** UTC. */
  changed_at: string;
}

export const FeedRevisionEntity = defineEntity<FeedRevision, Pick<FeedRevision, 'calendar_id'>>({
  name: 'FeedRevision',
  meaning: 'When the exports of a calendar changed last.',
  patterns: ['since when does the export stand as it is?'],
  key: { pk: 'FEED#{calendar_id}', sk: 'REVISION' },
  example: { calendar_id: 1 },
});

/** A stretch of a feed that something else of the listing holds: a booking, a block, a live soft lock. */
export interface FeedConflict {
  /** The listing's local time. */
  start_at: string;
  end_at: string;
}

/**
 * A calendar of another platform that a listing follows (D64). Every write checks and increments `version`; every change that a
 * synchronisation makes to the calendar asks for the version it began with, so that one that was overtaken changes nothing.
 */
export interface FollowedFeed {
  listing_id: number;
  feed_id: number;
  team_id: number;
  /** Made of `url`: a listing follows an address once. */
  url_hash: string;
  url: string;
  /** REMOVING: its blocks are being lifted, and then it is gone. */
  state: 'FOLLOWING' | 'REMOVING';
  version: number;
  /** Which part of the due feeds it stands in. */
  shard: number;
  /** Epoch milliseconds: when it is due, and until when a running synchronisation keeps it. */
  next_sync_at: number;
  lease_until: number;
  /** UTC; null: never. */
  last_synced_at: string | null;
  /** Failed fetches in a row, and what was wrong with the last. */
  failures: number;
  problem: string | null;
  /** The owners were written to since the last good fetch. */
  stale_told?: boolean;
  /** What the server said of the text that was read last. */
  etag: string | null;
  last_modified: string | null;
  /** Nothing is left to do until the text changes, or is read another way. */
  settled: boolean;
  /** What decided how the text was read: the day, and the zone and hours of the listing. */
  read_as: string;
  /** Events that hold time of the listing. */
  imported: number;
  conflicts: FeedConflict[];
  /** Another feed's block holds time that this one wants: it takes over when that goes. */
  shared: boolean;
  /** Events that were the listing's own time, and took nothing (D94). */
  echoes?: number;
  /** How often the calendar had changed when its echoes were looked at. */
  revision?: number;
  /** Events that vanished at once, and for which a host has to speak; 0: none. */
  quarantined: number;
  /** UTC. */
  created_at: string;
}

export type FeedIds = Pick<FollowedFeed, 'listing_id' | 'url_hash'>;

/** Longer than any function may run: a dead synchronisation never blocks the next for long. */
export const leaseMs = 60_000;

export const feedsPartition = (listingId: number): string =>
  FollowedFeedEntity.partition({ listing_id: listingId });
const followedPrefix = 'FOLLOWED#';

/** Enough for a hundred thousand feeds every ten minutes, few enough to look at each minute. */
export const feedShards = 16;
const dueFeedsPartition = (shard: number): string => FollowedFeedEntity.partition({ shard }, 'by_audience');

export const FollowedFeedEntity = defineEntity<FollowedFeed, FeedIds>({
  name: 'FollowedFeed',
  meaning: 'A calendar of another platform that a listing follows.',
  patterns: ['the calendars a listing follows', 'the feeds that are due, by shard'],
  key: { pk: 'FEED#{listing_id}', sk: `${followedPrefix}{url_hash}` },
  indexes: [{ index: 'by_audience', pk: 'DUE_FEEDS#{shard}', sk: '{next_sync_at:sortable}#{feed_id}' }],
  example: { listing_id: 1, url_hash: 'a1b2c3' },
});

/** The events of a feed when it was read last: distinguishes moved events from vanished ones. */
interface FeedContents {
  listing_id: number;
  url_hash: string;
  /** `key start_at end_at misses`: how often in a row an event was not there. */
  events: string[];
  /** The keys of its echoes, as they were when what is known of them changed last (D94). */
  echoes?: string[];
}

export const FeedContentsEntity = defineEntity<FeedContents, FeedIds>({
  name: 'FeedContents',
  meaning: 'The events of a followed calendar as they were read last.',
  patterns: ['what was in the feed before?'],
  key: { pk: 'FEED#{listing_id}', sk: 'CONTENTS#{url_hash}' },
  example: { listing_id: 1, url_hash: 'a1b2c3' },
});

/**
 * The export of a listing's calendar for the follower behind one followed feed, and what that follower was given of it:
 * how its own feed's echoes are recognised (D94). Kept apart from the feed, which is written at every poll.
 */
export interface FeedExport {
  listing_id: number;
  feed_id: number;
  /** What opens it, readable as {@link FeedToken} is; it begins with the feed's id. */
  token: string;
  /** As `givenText` writes them; several thousand at most. */
  given: string[];
  /** Every write checks and bumps it. */
  version: number;
  /** UTC. */
  created_at: string;
}

export const FeedExportEntity = defineEntity<FeedExport, Pick<FeedExport, 'listing_id' | 'feed_id'>>({
  name: 'FeedExport',
  meaning: 'The secret in the export address of one followed calendar, and what its follower was given.',
  patterns: [
    'may this follower read the calendar?',
    'what was a follower given? (one BatchGet for all feeds)',
  ],
  key: { pk: 'FEED#{listing_id}', sk: 'EXPORT#{feed_id}' },
  example: { listing_id: 1, feed_id: 6 },
});

/** Every feed of a listing, those that are being removed included. */
export const feedsOf = async (table: Table, listingId: number): Promise<FollowedFeed[]> => {
  const feeds = await table.queryAll(FollowedFeedEntity, {
    pk: feedsPartition(listingId),
    prefix: followedPrefix,
  });
  return feeds.sort((one, other) => one.feed_id - other.feed_id);
};

/** Distinguishes the addresses of a listing. */
export const urlHash = (url: string): string =>
  createHash('sha256').update(url).digest('base64url').slice(0, 22);

/** The feeds of a shard that are due, page after page; the index may lag a moment. */
export async function* dueFeeds(table: Table, shard: number, now: number): AsyncGenerator<FeedIds[]> {
  let after: Record<string, unknown> | undefined;
  do {
    const page = await table.query(FollowedFeedEntity, {
      index: 'by_audience',
      pk: dueFeedsPartition(shard),
      to: `${sortable(now)}~`,
      after,
    });
    yield page.items.map(({ listing_id, url_hash }) => ({ listing_id, url_hash }));
    after = page.next;
  } while (after);
}

import * as z from 'zod';
import { createHash } from 'node:crypto';
import {
  defineEntity,
  defineRecord,
  type RecordOf,
  sortable,
  type Table,
} from '../../platform/table/index.ts';
import { CountsAs } from './counts-as.schema.ts';

/**
 * What opens the export of a listing's calendar. It is kept readable, since the host is shown the address again, and it
 * opens nothing but hours without names; giving the listing another one closes the old address.
 */
const FeedTokenRecord = defineRecord(() => ({
  listing_id: z.int(),
  token: z.string(),
  /** UTC. */
  created_at: z.string(),
}));
export type FeedToken = RecordOf<typeof FeedTokenRecord>;

export const FeedTokenEntity = defineEntity<FeedToken, Pick<FeedToken, 'listing_id'>>({
  name: 'FeedToken',
  meaning: "The secret in the address of a listing's calendar export.",
  patterns: ['may this subscriber read the calendar?', 'the export address, for the host'],
  record: FeedTokenRecord,
  key: { pk: 'FEED#{listing_id}', sk: 'TOKEN' },
  example: { listing_id: 1 },
});

/** Is counted at least once after each change of the exports of a calendar, and has the time of the last. A parent and its children share it as they share hours. */
const FeedRevisionRecord = defineRecord(() => ({
  calendar_id: z.int(),
  revision: z.int(),
  /** UTC. */
  changed_at: z.string(),
}));
export type FeedRevision = RecordOf<typeof FeedRevisionRecord>;

export const FeedRevisionEntity = defineEntity<FeedRevision, Pick<FeedRevision, 'calendar_id'>>({
  name: 'FeedRevision',
  meaning: 'When the exports of a calendar changed last.',
  patterns: ['since when does the export stand as it is?'],
  record: FeedRevisionRecord,
  key: { pk: 'FEED#{calendar_id}', sk: 'REVISION' },
  example: { calendar_id: 1 },
});

/** A range of a feed that a booking, a block or a live soft lock of the listing already holds. */
const FeedConflictRecord = defineRecord(() => ({
  /** The listing's local time. */
  start_at: z.string(),
  end_at: z.string(),
  /** Null: no booking holds it; absent: of a version before. */
  booking_id: z.int().nullable().exactOptional(),
  /** Only soft locks hold it. */
  held: z.literal(true).exactOptional(),
}));
export type FeedConflict = RecordOf<typeof FeedConflictRecord>;

/** The events of a calendar by what became of them. */
const ReadCountsRecord = defineRecord(() => ({
  events: z.int(),
  taken: z.int(),
  free: z.int(),
  cancelled: z.int(),
  past: z.int(),
  not_understood: z.int(),
}));

/**
 * A calendar of another platform that a listing follows (D64). Every write checks and increments `version`; every change that a
 * synchronisation makes to the calendar asks for the version it began with, so that one that was overtaken changes nothing.
 */
const FollowedFeedRecord = defineRecord(() => ({
  listing_id: z.int(),
  feed_id: z.int(),
  team_id: z.int(),
  /** Derived from `url`: a listing follows an address once. */
  url_hash: z.string(),
  url: z.string(),
  /** REMOVING: its blocks are being lifted; then it is deleted. */
  state: z.enum(['FOLLOWING', 'REMOVING']),
  version: z.int(),
  /** What the team calls the platform; absent: the host name of the address. */
  label: z.string().exactOptional(),
  /** Which of its events are stays (D120); absent: BY_TEXT. */
  counts_as: CountsAs.exactOptional(),
  /** What the platform keeps of a price; absent: not known. */
  commission_rate: z.number().exactOptional(),
  /** Its shard of the due list. */
  shard: z.int(),
  /** Epoch milliseconds: when it is due, or when the lease of a running synchronisation ends. */
  next_sync_at: z.int(),
  lease_until: z.int(),
  /** Of the lines that were read last; absent: of a version before. */
  fingerprint: z.string().exactOptional(),
  /** True while a changed text is read; left behind by a run that died (D111). */
  reading: z.literal(true).exactOptional(),
  /** UTC; null: never. */
  last_synced_at: z.string().nullable(),
  /** The number of failed fetches in a row, and the error of the last. */
  failures: z.int(),
  problem: z.string().nullable(),
  /** True once the owners were notified since the last good fetch. */
  stale_notified: z.boolean().exactOptional(),
  /** The server's validators of the text that was read last. */
  etag: z.string().nullable(),
  last_modified: z.string().nullable(),
  /** True if nothing is to be done until the text, or the way it is read, changes. */
  settled: z.boolean(),
  /** The inputs of reading besides the text: the day, and the zone and hours of the listing. */
  read_as: z.string(),
  /** The number of events that hold time of the listing. */
  imported: z.int(),
  conflicts: z.array(FeedConflictRecord()),
  /** Of what the platform calls its events, a hash; absent: read by a version before. */
  texts: z.string().exactOptional(),
  /** How its events were read, and what the host should know of that (D114); absent: read by a version before. */
  read: ReadCountsRecord().exactOptional(),
  problems: z.array(z.string()).exactOptional(),
  /** True if another feed's block holds time of this one, which takes it over when that block is lifted. */
  shared: z.boolean(),
  /** The number of events that were echoes and took nothing (D94). */
  echoes: z.int().exactOptional(),
  /** The number of events of a house that its rooms' entries explain, wholly or in part (D113). */
  explained: z.int().exactOptional(),
  /** The calendar's change count when the events were last weighed against it. */
  revision: z.int().exactOptional(),
  /** The number of nights in quarantine, which were lost at once and need a host's decision (D117). */
  quarantined: z.int(),
  /** UTC. */
  created_at: z.string(),
}));
export type FollowedFeed = RecordOf<typeof FollowedFeedRecord>;

export type FeedIds = Pick<FollowedFeed, 'listing_id' | 'url_hash'>;

/** Longer than the time limit of any function: a dead synchronisation delays the next one by no more. */
export const leaseMs = 60_000;

export const feedsPartition = (listingId: number): string =>
  FollowedFeedEntity.partition({ listing_id: listingId });
const followedPrefix = 'FOLLOWED#';

/** Enough for a hundred thousand feeds every ten minutes, few enough to query each minute. */
export const feedShards = 16;
const dueFeedsPartition = (shard: number): string => FollowedFeedEntity.partition({ shard }, 'by_audience');

export const FollowedFeedEntity = defineEntity<FollowedFeed, FeedIds>({
  name: 'FollowedFeed',
  meaning: 'A calendar of another platform that a listing follows.',
  patterns: ['the calendars a listing follows', 'the feeds that are due, by shard'],
  record: FollowedFeedRecord,
  upgrades: [
    ({ stale_told, ...feed }) => (stale_told === undefined ? feed : { stale_notified: stale_told, ...feed }),
  ],
  key: { pk: 'FEED#{listing_id}', sk: `${followedPrefix}{url_hash}` },
  indexes: [{ index: 'by_audience', pk: 'DUE_FEEDS#{shard}', sk: '{next_sync_at:sortable}#{feed_id}' }],
  example: { listing_id: 1, url_hash: 'a1b2c3' },
});

/** The events of a feed when it was read last: distinguishes moved events from vanished ones. */
const FeedContentsRecord = defineRecord(() => ({
  listing_id: z.int(),
  url_hash: z.string(),
  /** `key start_at end_at misses`, then marks; misses is the number of fetches in a row without the event. */
  events: z.array(z.string()),
  /** The keys of its echoes, as they were when what is known of them changed last (D94). */
  echoes: z.array(z.string()).exactOptional(),
}));
type FeedContents = RecordOf<typeof FeedContentsRecord>;

export const FeedContentsEntity = defineEntity<FeedContents, FeedIds>({
  name: 'FeedContents',
  meaning: 'The events of a followed calendar as they were read last.',
  patterns: ['what was in the feed before?'],
  record: FeedContentsRecord,
  key: { pk: 'FEED#{listing_id}', sk: 'CONTENTS#{url_hash}' },
  example: { listing_id: 1, url_hash: 'a1b2c3' },
});

/** Returns the key of the event with exactly a time, among those that are kept of a calendar. */
export const eventKeyAt = (
  { events }: Pick<FeedContents, 'events'>,
  { start_at, end_at }: { start_at: string; end_at: string },
): string | undefined =>
  events.map((text) => text.split(' ')).find(([, from, to]) => from === start_at && to === end_at)?.[0];

/**
 * The export of a listing's calendar for the follower behind one followed feed, and what that follower was given of it:
 * how its own feed's echoes are recognised (D94). Kept apart from the feed, which is written at every poll.
 */
const FeedExportRecord = defineRecord(() => ({
  listing_id: z.int(),
  feed_id: z.int(),
  /** What opens it, readable as {@link FeedToken} is; it begins with the feed's id. */
  token: z.string(),
  /** In the format of `givenText`; several thousand at most. */
  given: z.array(z.string()),
  /** Every write checks and increments it. */
  version: z.int(),
  /** UTC. */
  created_at: z.string(),
}));
export type FeedExport = RecordOf<typeof FeedExportRecord>;

export const FeedExportEntity = defineEntity<FeedExport, Pick<FeedExport, 'listing_id' | 'feed_id'>>({
  name: 'FeedExport',
  meaning: 'The secret in the export address of one followed calendar, and what its follower was given.',
  patterns: [
    'may this follower read the calendar?',
    'what was a follower given? (one BatchGet for all feeds)',
  ],
  record: FeedExportRecord,
  key: { pk: 'FEED#{listing_id}', sk: 'EXPORT#{feed_id}' },
  example: { listing_id: 1, feed_id: 6 },
});

/** The conflicts of a followed calendar, without those with soft locks; deleted when there is none (D118). */
const FeedConflictsRecord = defineRecord(() => ({
  team_id: z.int(),
  feed_id: z.int(),
  listing_id: z.int(),
  /** The host name of the calendar's address. */
  host: z.string(),
  /** That of the feed, changed with it; absent: it has none, or of a version before. */
  label: z.string().exactOptional(),
  conflicts: z.array(FeedConflictRecord()),
}));
export type FeedConflicts = RecordOf<typeof FeedConflictsRecord>;

export const FeedConflictsEntity = defineEntity<FeedConflicts, Pick<FeedConflicts, 'team_id' | 'feed_id'>>({
  name: 'FeedConflicts',
  meaning: 'The conflicts of a followed calendar.',
  patterns: ["the conflicts of a team's calendars"],
  record: FeedConflictsRecord,
  key: { pk: 'TEAM#{team_id}#CONFLICTS', sk: '{feed_id}' },
  example: { team_id: 71, feed_id: 6 },
});

/** Returns the conflicts of a team's calendars. */
export const conflictsOf = (table: Table, teamId: number): Promise<FeedConflicts[]> =>
  table.queryAll(FeedConflictsEntity, { pk: FeedConflictsEntity.partition({ team_id: teamId }) });

/** Returns every feed of a listing, including those that are being removed. */
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

/** A feed that is due, and since when. */
type DueFeed = FeedIds & Pick<FollowedFeed, 'next_sync_at'>;

/** Returns the due feeds of a shard in pages; the index is eventually consistent. */
export async function* dueFeeds(table: Table, shard: number, now: number): AsyncGenerator<DueFeed[]> {
  let after: Record<string, unknown> | undefined;
  do {
    const page = await table.query(FollowedFeedEntity, {
      index: 'by_audience',
      pk: dueFeedsPartition(shard),
      to: `${sortable(now)}~`,
      after,
    });
    yield page.items.map(({ listing_id, url_hash, next_sync_at }) => ({
      listing_id,
      url_hash,
      next_sync_at,
    }));
    after = page.next;
  } while (after);
}

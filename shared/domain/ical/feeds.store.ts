import { createHash } from 'node:crypto';
import type { Table } from '../../platform/table/index.ts';
import { sortable } from '../../platform/table/index.ts';
import {
  dueFeedsPartition,
  type FeedIds,
  feedsPartition,
  followedPrefix,
  type FollowedFeed,
} from './followed-feed.entity.ts';

/** Every feed of a listing, those that are being removed included. */
export const feedsOf = async (table: Table, listingId: number): Promise<FollowedFeed[]> => {
  const { items } = await table.queryAll({ pk: feedsPartition(listingId), prefix: followedPrefix });
  return (items as unknown as FollowedFeed[]).sort((one, other) => one.feed_id - other.feed_id);
};

/** What tells the addresses of a listing apart. */
export const urlHash = (url: string): string =>
  createHash('sha256').update(url).digest('base64url').slice(0, 22);

/** The feeds of a shard that are due, page after page; the index may lag a moment. */
export async function* dueFeeds(table: Table, shard: number, now: number): AsyncGenerator<FeedIds[]> {
  let after: Record<string, unknown> | undefined;
  do {
    const page = await table.query({
      index: 'by_audience',
      pk: dueFeedsPartition(shard),
      to: `${sortable(now)}~`,
      ...(after ? { after } : {}),
    });
    yield (page.items as unknown as FollowedFeed[]).map(({ listing_id, url_hash }) => ({
      listing_id,
      url_hash,
    }));
    after = page.next;
  } while (after);
}

import { equals, ConflictError, put } from '../../platform/table/index.ts';
import type { Dependencies } from '../../platform/context.ts';
import { feedsOf } from './feeds.store.ts';
import { type FollowedFeed, FollowedFeedEntity } from './followed-feed.entity.ts';

/**
 * Makes feeds of a listing due: all of them after a booking (D64), so that one made elsewhere at the same time shows; after
 * any other change those that wait for time that was taken. A failing one is tried after a booking too (D94). One that a
 * synchronisation works at is left to it.
 */
export const makeFeedsDue = async (
  { table, clock }: Pick<Dependencies, 'table' | 'clock'>,
  { listing_id, isBooking }: { listing_id: number; isBooking: boolean },
): Promise<void> => {
  const now = clock.now();
  const feeds = await feedsOf(table, listing_id);
  await Promise.all(
    feeds
      .filter((feed) => isBooking || waits(feed))
      .filter(({ next_sync_at, lease_until }) => next_sync_at > now && lease_until <= now)
      .map(async (feed) => {
        const due = { ...feed, version: feed.version + 1, next_sync_at: now };
        try {
          await table.put(put(FollowedFeedEntity, due, { when: equals('version', feed.version) }));
        } catch (error) {
          if (!(error instanceof ConflictError)) throw error;
        }
      }),
  );
};

const waits = ({ conflicts, shared, failures }: FollowedFeed): boolean =>
  failures === 0 && (conflicts.length > 0 || shared);

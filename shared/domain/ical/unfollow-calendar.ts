import type { UserCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { ConflictError, equals, put, remove, retryOnConflict } from '../../platform/table/index.ts';
import { hostedListing } from '../listing/model.ts';
import { Overtaken } from './apply-blocks.ts';
import { requireFeed } from './change-feed.ts';
import { FeedExportEntity, FollowedFeedEntity, leaseMs } from './ical.store.ts';
import { removeFeed } from './remove-feed.ts';

/**
 * Ends following a calendar (D64): the feed and its export are gone at once, and its blocks with them. Were this process to die between the
 * two, the feed is due, and the next synchronisation lifts what is left. Where it has adopted stays, that leaves them to the host (D120).
 */
export const unfollowCalendar = async (
  ctx: Context<UserCaller>,
  listingId: number,
  feedId: number,
): Promise<{ message: string; id: number }> => {
  const { listing, feed, body } = await retryOnConflict(async () => {
    const found = await hostedListing(ctx, listingId, 'manage');
    const known = await requireFeed(ctx, found.id, feedId);
    const removing = {
      ...known,
      state: 'REMOVING' as const,
      version: known.version + 1,
      lease_until: ctx.clock.now() + leaseMs,
      next_sync_at: ctx.clock.now(),
    };
    return {
      listing: found,
      feed: removing,
      body: await ctx.commit(
        [
          put(FollowedFeedEntity, removing, { when: equals('version', known.version) }),
          remove(FeedExportEntity, known),
        ],
        { message: 'The calendar is no longer followed.', id: known.feed_id },
      ),
    };
  });
  try {
    await removeFeed(ctx, { feed, listing });
  } catch (error) {
    if (!(error instanceof Overtaken || error instanceof ConflictError)) throw error;
  }
  return body;
};

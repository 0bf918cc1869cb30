import type { UserCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { equals, put, readOf, retryOnConflict } from '../../platform/table/index.ts';
import { hostedListing } from '../listing/model.ts';
import { exportAddress, exportTokenOf } from './feed-exports.ts';
import type { CalendarFeed, FeedChange } from './ical.schema.ts';
import { FeedExportEntity, feedsOf, type FollowedFeed, FollowedFeedEntity } from './ical.store.ts';
import { presentFeed } from './list-feeds.ts';
import { feedReports } from './report-feed.ts';

/** A feed with the settings that a request gives; null takes one away. */
export const withSettings = (
  feed: FollowedFeed,
  { label, counts_as, commission_rate }: FeedChange,
): FollowedFeed => {
  const { commission_rate: known, ...rest } = feed;
  const rate = commission_rate === undefined ? known : commission_rate;
  return {
    ...rest,
    ...(label === undefined ? {} : { label }),
    ...(counts_as === undefined ? {} : { counts_as }),
    ...(rate === undefined || rate === null ? {} : { commission_rate: rate }),
  };
};

/** Returns the feed that a listing follows. */
export const requireFeed = async (
  ctx: Pick<Context, 'table'>,
  listingId: number,
  feedId: number,
): Promise<FollowedFeed> => {
  const feeds = await feedsOf(ctx.table, listingId);
  const known = feeds.find(({ feed_id, state }) => feed_id === feedId && state === 'FOLLOWING');
  if (!known) throw new ServiceError('NOT_FOUND', 'The listing follows no such calendar.');
  return known;
};

/**
 * Changes what a team says of a followed calendar (D120). It is due at once, and what is said of its stays follows; a run that reads
 * it is overtaken.
 */
export const changeFeed = (
  ctx: Context<UserCaller>,
  listingId: number,
  feedId: number,
  { change, apiUrl }: { change: FeedChange; apiUrl: string },
): Promise<CalendarFeed> =>
  retryOnConflict(async () => {
    const { id } = await hostedListing(ctx, listingId, 'manage');
    const known = await requireFeed(ctx, id, feedId);
    const [follower] = await ctx.table.getAll([readOf(FeedExportEntity, known)]);
    const token = await exportTokenOf(ctx, known, follower);
    if (token === undefined) throw new ServiceError('NOT_FOUND', 'The listing follows no such calendar.');
    const now = ctx.clock.now();
    const { reading: _, ...changed } = withSettings(known, change);
    const feed = {
      ...changed,
      version: known.version + 1,
      lease_until: 0,
      settled: false,
      next_sync_at: now,
    };
    return ctx.commit(
      [
        put(FollowedFeedEntity, feed, { when: equals('version', known.version) }),
        ...feedReports(ctx.clock, known, feed),
      ],
      presentFeed(feed, { now, export_url: exportAddress(apiUrl, id, token) }),
    );
  });

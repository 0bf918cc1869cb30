import { instantText } from '../../platform/time/clock.ts';
import type { Context } from '../../platform/context.ts';
import { hostedListing } from '../listing/model.ts';
import { exportAddress, exportsOf, exportTokenOf, tokenOf } from './feed-exports.ts';
import type { CalendarFeed, CalendarFeeds, FeedStatus } from './ical.schema.ts';
import { labelOf } from './imported-stay.rules.ts';
import { feedsOf, type FollowedFeed } from './ical.store.ts';
import { isStale } from './stale-feed.rules.ts';

/** Returns the status of a feed; the one that needs a host's attention most takes precedence. */
const statusOf = (feed: FollowedFeed, now: number): FeedStatus => {
  const { failures, quarantined, conflicts } = feed;
  if (isStale(feed, now)) return 'STALE';
  if (failures > 0) return 'FAILING';
  if (quarantined > 0) return 'QUARANTINED';
  return conflicts.length > 0 ? 'CONFLICT' : 'ACTIVE';
};

const problemOf = ({ failures, problem, quarantined, conflicts }: FollowedFeed): string | null => {
  if (failures > 0) return problem;
  if (quarantined > 0)
    return `the feed lost ${quarantined} nights at once; they stay blocked until they are back or you add the address again`;
  if (conflicts.length === 0) return null;
  return 'events of the feed lie over bookings, blocks or soft locks of the listing, which stay as they are';
};

/** Returns a feed as its host sees it (D64). */
export const presentFeed = (
  feed: FollowedFeed,
  { now, export_url }: { now: number; export_url: string },
): CalendarFeed => ({
  id: feed.feed_id,
  listing_id: feed.listing_id,
  url: feed.url,
  label: labelOf(feed),
  counts_as: feed.counts_as ?? 'BY_TEXT',
  commission_rate: feed.commission_rate ?? null,
  export_url,
  status: statusOf(feed, now),
  problem: problemOf(feed),
  last_synced_at: feed.last_synced_at,
  next_sync_at: instantText(feed.next_sync_at),
  imported: feed.imported,
  read: feed.read ?? null,
  problems: feed.problems ?? [],
  echoes: feed.echoes ?? 0,
  explained: feed.explained ?? 0,
  conflicts: feed.conflicts.map(({ start_at, end_at, booking_id = null }) => ({
    start_at,
    end_at,
    booking_id,
  })),
  created_at: feed.created_at,
});

/** The calendars that a listing follows, oldest first, each with its own export address, and the general one (D64, D94). */
export const listFeeds = async (
  ctx: Pick<Context, 'table' | 'clock' | 'caller'>,
  listingId: number,
  apiUrl: string,
): Promise<CalendarFeeds> => {
  const { id } = await hostedListing(ctx, listingId, 'read');
  const [all, token] = await Promise.all([feedsOf(ctx.table, id), tokenOf(ctx, id)]);
  const feeds = all.filter(({ state }) => state === 'FOLLOWING');
  const exports = await exportsOf(ctx, feeds);
  const now = ctx.clock.now();
  const items = await Promise.all(
    feeds.map(async (feed, at) => {
      const own = await exportTokenOf(ctx, feed, exports[at]);
      return own === undefined
        ? []
        : [presentFeed(feed, { now, export_url: exportAddress(apiUrl, id, own) })];
    }),
  );
  return { items: items.flat(), export_url: exportAddress(apiUrl, id, token) };
};

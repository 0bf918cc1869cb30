import { instantText } from '../../platform/clock.ts';
import type { FollowedFeed } from './followed-feed.entity.ts';
import type { CalendarFeed, FeedStatus } from './ical.schema.ts';
import { isStale } from './stale-feed.ts';

/** How a feed is doing: what a host has to look at first wins. */
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
    return `${quarantined} events vanished at once; their time stays blocked until they are back or you add the address again`;
  if (conflicts.length === 0) return null;
  return 'events of the feed lie over bookings, blocks or soft locks of the listing, which stay as they are';
};

/** A feed as its host sees it (D64). */
export const presentFeed = (
  feed: FollowedFeed,
  { now, export_url }: { now: number; export_url: string },
): CalendarFeed => ({
  id: feed.feed_id,
  listing_id: feed.listing_id,
  url: feed.url,
  export_url,
  status: statusOf(feed, now),
  problem: problemOf(feed),
  last_synced_at: feed.last_synced_at,
  next_sync_at: instantText(feed.next_sync_at),
  imported: feed.imported,
  echoes: feed.echoes ?? 0,
  conflicts: feed.conflicts,
  created_at: feed.created_at,
});

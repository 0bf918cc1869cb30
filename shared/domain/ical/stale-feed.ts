import { recordEvent } from '../../record-event.ts';
import type { Dependencies } from '../../platform/context.ts';
import type { Write } from '../../platform/table/index.ts';
import { type FollowedFeed, feedsPartition } from './followed-feed.entity.ts';

const staleMs = 3 * 3_600_000;

/** Whether a feed had no good fetch for three hours (D94). */
export const isStale = ({ last_synced_at }: Pick<FollowedFeed, 'last_synced_at'>, now: number): boolean =>
  last_synced_at !== null && now - Date.parse(last_synced_at) >= staleMs;

/** Tells the owners of the listing's team that a feed is stale. Of its address only the host: the rest may be a secret. */
export const stale = (clock: Dependencies['clock'], feed: FollowedFeed): Write => {
  const { feed_id, listing_id, team_id, problem, last_synced_at } = feed;
  return recordEvent(
    { clock, caller: { kind: 'system', name: 'calendar-import' } },
    {
      subject: feedsPartition(listing_id),
      event_type: 'calendar_feed.stale',
      team_id,
      data: { id: feed_id, listing_id, team_id, host: new URL(feed.url).host, problem, last_synced_at },
    },
  );
};

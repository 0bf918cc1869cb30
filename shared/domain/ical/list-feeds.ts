import type { Context } from '../../platform/context.ts';
import { hostedListing } from '../listing/index.ts';
import { exportAddress, tokenOf } from './feed-token.ts';
import { feedsOf } from './feeds.store.ts';
import type { CalendarFeeds } from './ical.schema.ts';
import { presentFeed } from './present-feed.ts';

/** The calendars that a listing follows, oldest first, and the address of its own export (D64). */
export const listFeeds = async (
  ctx: Pick<Context, 'table' | 'clock' | 'caller'>,
  { params }: { params: { listing_id: number } },
  apiUrl: string,
): Promise<CalendarFeeds> => {
  const { id } = await hostedListing(ctx, params.listing_id, 'read');
  const [feeds, token] = await Promise.all([feedsOf(ctx.table, id), tokenOf(ctx, id)]);
  return {
    items: feeds
      .filter(({ state }) => state === 'FOLLOWING')
      .map((feed) => presentFeed(feed, ctx.clock.now())),
    export_url: exportAddress(apiUrl, id, token),
  };
};

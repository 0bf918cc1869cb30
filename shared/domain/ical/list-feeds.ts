import type { Context } from '../../platform/context.ts';
import { hostedListing } from '../listing/index.ts';
import { exportsOf, exportTokenOf } from './feed-exports.ts';
import { exportAddress, tokenOf } from './feed-token.ts';
import { feedsOf } from './feeds.store.ts';
import type { CalendarFeeds } from './ical.schema.ts';
import { presentFeed } from './present-feed.ts';

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

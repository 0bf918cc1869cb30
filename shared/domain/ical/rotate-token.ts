import type { UserCaller } from '../../platform/auth.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Context } from '../../platform/context.ts';
import { change, equals, put, retryOnConflict } from '../../platform/table/index.ts';
import { hostedListing } from '../listing/model.ts';
import { exportAddress, exportsOf, newFeedToken, newToken } from './feed-exports.ts';
import { FeedExportEntity, feedsOf, FeedTokenEntity } from './ical.store.ts';

/**
 * Gives the exports of a listing other addresses, the general one and those of its feeds; the old ones stop at once (D64).
 * What the followers were given stays known (D94).
 */
export const rotateToken = (
  ctx: Context<UserCaller>,
  listingId: number,
  apiUrl: string,
): Promise<{ export_url: string }> =>
  retryOnConflict(async () => {
    const { id } = await hostedListing(ctx, listingId, 'manage');
    const exports = await exportsOf(ctx, await feedsOf(ctx.table, id));
    const token = newToken();
    const createdAt = instantText(ctx.clock.now());
    const ofFeeds = exports.flatMap((known) =>
      known
        ? [
            change(
              FeedExportEntity,
              known,
              { set: { token: newFeedToken(known.feed_id), version: known.version + 1 } },
              { when: equals('version', known.version) },
            ),
          ]
        : [],
    );
    return ctx.commit([put(FeedTokenEntity, { listing_id: id, token, created_at: createdAt }), ...ofFeeds], {
      export_url: exportAddress(apiUrl, id, token),
    });
  });

import type { UserCaller } from '../../platform/auth.ts';
import { instantText } from '../../platform/clock.ts';
import type { Context } from '../../platform/context.ts';
import { put } from '../../platform/table/index.ts';
import { hostedListing } from '../listing/index.ts';
import { exportAddress, newToken } from './feed-token.ts';
import { FeedTokenEntity } from './ical.entity.ts';

/** Gives the export of a listing another address; the old one stops at once (D64). */
export const rotateToken = async (
  ctx: Context<UserCaller>,
  { params }: { params: { listing_id: number } },
  apiUrl: string,
): Promise<{ export_url: string }> => {
  const { id } = await hostedListing(ctx, params.listing_id, 'manage');
  const token = newToken();
  const created_at = instantText(ctx.clock.now());
  return ctx.commit([put(FeedTokenEntity, { listing_id: id, token, created_at })], {
    export_url: exportAddress(apiUrl, id, token),
  });
};

import { isHostOf } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import type { ListingResponse } from './listing.schema.ts';
import { readViewedListing } from './listing-views.store.ts';
import { presentListing } from './present-listing.ts';
import { requireReadable } from './readable-listing.ts';
import type { ViewCounter } from './view-counter.ts';

/** A listing as the caller may see it (D15, D79); a customer's read is counted (D23). */
export const getListing = async (
  ctx: Context,
  listingId: number,
  counter: ViewCounter,
): Promise<ListingResponse> => {
  const [written, read] = await Promise.all([
    counter.write(ctx, listingId),
    readViewedListing(ctx.table, listingId),
  ]);
  const listing = await requireReadable(ctx, read.listing);
  if (ctx.caller.kind === 'user' && !isHostOf(ctx.caller, listing.team_id))
    counter.count(listingId, ctx.clock.now());
  return presentListing(ctx.caller, listing, Math.max(read.views, written ?? 0));
};

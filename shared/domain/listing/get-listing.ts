import type { Context } from '../../platform/context.ts';
import type { ListingResponse } from './listing.schema.ts';
import { visibleListing } from './listing.store.ts';
import { presentListing } from './present-listing.ts';

/** A listing as the caller may see it (D15). */
export const getListing = async (
  ctx: Context,
  { params }: { params: { listing_id: number } },
): Promise<ListingResponse> => presentListing(ctx.caller, await visibleListing(ctx, params.listing_id));

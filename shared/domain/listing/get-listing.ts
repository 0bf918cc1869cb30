import type { Context } from '../../platform/context.ts';
import type { ListingResponse } from './listing.schema.ts';
import { presentListing } from './present-listing.ts';
import { readableListing } from './readable-listing.ts';

/** A listing as the caller may see it (D15, D79). */
export const getListing = async (
  ctx: Context,
  { params }: { params: { listing_id: number } },
): Promise<ListingResponse> => presentListing(ctx.caller, await readableListing(ctx, params.listing_id));

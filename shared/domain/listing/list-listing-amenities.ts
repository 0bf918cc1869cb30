import type { Context } from '../../platform/context.ts';
import { type ListingAmenities, presentAmenities } from '../catalog/index.ts';
import { readableListing } from './readable-listing.ts';

/** The amenities of a listing by group. */
export const listListingAmenities = async (
  ctx: Context,
  listingId: number,
): Promise<ListingAmenities> => presentAmenities((await readableListing(ctx, listingId)).amenities);

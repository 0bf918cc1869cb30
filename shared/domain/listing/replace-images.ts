import { instantText } from '../../platform/time/clock.ts';
import type { Context } from '../../platform/context.ts';
import { newId } from '../../platform/ids.ts';
import { retryOnConflict } from '../../platform/table/index.ts';
import type { ListingImages } from './listing-images.schema.ts';
import { readViewedListing } from './listing-views.store.ts';
import { presentListing } from './present-listing.rules.ts';
import type { ListingResponse } from './listing.schema.ts';
import type { Listing } from './listing.entity.ts';
import { fieldChanges } from './listing-change.store.ts';
import { listingUpdated, putListing, requireHosted } from './listing.store.ts';
import { openedListing } from './sealed-access.store.ts';

/** Replaces the images of a listing (D22); a URL that it already has keeps its id. */
export const replaceImages = async (
  ctx: Context,
  listingId: number,
  input: ListingImages,
): Promise<ListingResponse> =>
  retryOnConflict(async () => {
    const read = await readViewedListing(ctx.table, listingId);
    const listing = requireHosted(ctx.caller, read.listing, 'manage');
    const next: Listing = {
      ...listing,
      images: imagesOf(listing, input, () => newId(ctx.clock)),
      updated_at: instantText(ctx.clock.now()),
    };
    return ctx.commit(
      [putListing(next), ...listingUpdated(ctx, next, ['images'], fieldChanges(listing, next, ['images']))],
      presentListing(ctx.caller, await openedListing(ctx, next), read.views),
    );
  });

const imagesOf = (listing: Listing, { images }: ListingImages, fresh: () => number): Listing['images'] => {
  const known = new Map(listing.images.map(({ url, id }) => [url, id]));
  const idOf = (url: string): number => {
    const id = known.get(url) ?? fresh();
    known.delete(url);
    return id;
  };
  return images
    .map(({ url, order }, position) => ({ id: idOf(url), url, order: order ?? position }))
    .sort((one, other) => one.order - other.order);
};

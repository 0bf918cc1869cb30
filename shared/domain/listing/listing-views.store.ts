import type { Table } from '../../platform/table/index.ts';
import type { Listing } from './listing.entity.ts';
import { listingRead } from './listing.store.ts';
import { type ListingViews, ListingViewsEntity } from './listing-views.entity.ts';

const viewsRead = (listing_id: number) => ({ key: ListingViewsEntity.key({ listing_id }) });

/** A listing in any state, with its view count: one BatchGet. */
export const readViewedListing = async (
  table: Table,
  id: number,
): Promise<{ listing: Listing | undefined; views: number }> => {
  const [listing, counted] = await table.getAll([listingRead(id), viewsRead(id)]);
  return {
    listing: listing as Listing | undefined,
    views: (counted as ListingViews | undefined)?.views ?? 0,
  };
};

/** The view counts of listings, in their order: one BatchGet of half a read unit each. */
export const readViews = async (table: Table, ids: readonly number[]): Promise<number[]> => {
  const counted = await table.getAll(ids.map(viewsRead), { consistent: false });
  return (counted as (ListingViews | undefined)[]).map((one) => one?.views ?? 0);
};

import { defineEntity } from '../../platform/table/index.ts';

/** How often customers have read a listing's detail (D23). An item of its own: the listing is written whole, under its version. */
export interface ListingViews {
  listing_id: number;
  views: number;
}

export const ListingViewsEntity = defineEntity<ListingViews, Pick<ListingViews, 'listing_id'>>({
  name: 'ListingViews',
  meaning: "The number of customers' reads of a listing.",
  patterns: ['the view count of a listing (one BatchGet with it)'],
  key: ({ listing_id }) => ({ pk: `LISTING#${listing_id}`, sk: 'VIEWS' }),
  example: { listing_id: 1 },
});

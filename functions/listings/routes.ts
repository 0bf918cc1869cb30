import { defineRoutes } from '../../shared/platform/http/route.ts';
import { catalogRows } from './catalog-rows.ts';
import { houseRows } from './house-rows.ts';
import { listingRows } from './listing-rows.ts';
import { reviewRows } from './review-rows.ts';

/** Listings with what is said of them, and the reference data they are described with. */
export const listingsRoutes = defineRoutes('listings', {
  ...listingRows,
  ...houseRows,
  ...reviewRows,
  ...catalogRows,
});

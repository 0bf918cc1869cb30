export { amenityCategories, catalogItems } from './catalog.rules.ts';
export { ListingCreate } from './listing-input.schema.ts';
export { packListings } from './listing-list.store.ts';
export { ListingViewsEntity, ViewCounter } from './listing-views.store.ts';
export { summarizeListing } from './present-listing.rules.ts';
export { hasOwnPrice, moneyIssues, priceMissing } from './listing.rules.ts';
export { roughlyPlaced } from './rough-place.rules.ts';
export { propertyTypes } from './listing-state.schema.ts';
export { ListingSummary } from './listing.schema.ts';
export { defaultBalanceHours, defaultTransferHours } from './transfer-window.data.ts';
export { ListingChangeEntity } from './listing-change.entity.ts';
export { type FieldChange, fieldChanges, partChanges, recordChanges } from './listing-change.store.ts';
export { isOpenToAll, type Listing, ListingEntity, openListings } from './listing.entity.ts';
export {
  hostedListing,
  listingPartition,
  listingRead,
  ListingSlugEntity,
  listingUpdated,
  putListing,
  readListing,
  requireHosted,
  requireVisible,
  teamListings,
  visibleListing,
} from './listing.store.ts';
export { ParkingRulesEntity } from './parking.store.ts';
export { countryNames, sameProvince } from './places.rules.ts';
export { PoliciesEntity } from './policies.store.ts';
export { openedListing, sealedListing } from './sealed-access.store.ts';
export { fullRefundUntil, termsIssues, termsOfListing } from './cancellation-terms.rules.ts';
export type { CancellationTerms } from './cancellation-terms.schema.ts';
export { ReviewEntity, reviewsPartition, type StoredReview } from './review.store.ts';

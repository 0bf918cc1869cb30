export { createListing } from './create-listing.ts';
export { countryName, countryNames } from './countries.ts';
export { derivedFields } from './derived-fields.ts';
export {
  maxChildren,
  putListing,
  requireParent,
  requireParentZone,
  withChild,
  withoutChild,
} from './family.ts';
export { getListing } from './get-listing.ts';
export { listListingAmenities } from './list-listing-amenities.ts';
export { listListings } from './list-listings.ts';
export { ListingEntity, ListingSlugEntity, listingPartition, type Listing } from './listing.entity.ts';
export { type ListingResponse, type ListingSummary, usualTransferHours } from './listing.schema.ts';
export { type ListingImages, type ListingUpdate } from './listing-input.schema.ts';
export { listingGuestIssues } from './listing-guests.ts';
export { listingMoneyIssues, moneyIssues } from './listing-money.ts';
export { listingMoves, mayMove, requireMove } from './listing-moves.ts';
export { listingUpdated } from './listing-updated.ts';
export {
  hostedListing,
  listingNotFound,
  listingRead,
  readListing,
  requireHosted,
  requireVisible,
  seesListing,
  visibleListing,
} from './listing.store.ts';
export { readViewedListing } from './listing-views.store.ts';
export { hasOwnPrice, priceMissing } from './own-price.ts';
export { packListings } from './pack-listings.ts';
export { presentListing, summarizeListing } from './present-listing.ts';
export { provinceName, provinces, provincesNamed, sameProvince, type Province } from './provinces.ts';
export { refundNoticeHours, refundRuleIssues } from './refund-rule.ts';
export { readableListing, requireReadable } from './readable-listing.ts';
export { replaceImages } from './replace-images.ts';
export { slugOf } from './slug.ts';
export { takeGivenSlug } from './choose-slug.ts';
export { requireAccessible } from './accessible-listing.ts';
export { listExternalListings } from './list-external-listings.ts';
export { ViewCounter } from './view-counter.ts';

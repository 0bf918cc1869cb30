export { amenityCategories, catalogItems } from './catalog.rules.ts';
export {
  AmenityCategories,
  AmenityQuery,
  CatalogItems,
  CatalogQuery,
  ListingAmenities,
} from './catalog.schema.ts';
export { listingExample } from './listing-example.schema.ts';
export { ListingCreate, ListingImages, ListingQuery, ListingUpdate } from './listing-input.schema.ts';
export { packListings } from './listing-list.store.ts';
export { ListingViewsEntity, ViewCounter } from './listing-views.store.ts';
export { hasOwnPrice, moneyIssues, priceMissing, summarizeListing } from './listing.rules.ts';
export {
  ListingOrder,
  ListingResponse,
  ListingState,
  ListingSummary,
  propertyTypes,
  defaultTransferHours,
  WeeklyPrices,
  WeeklyPricesAnswer,
} from './listing.schema.ts';
export {
  hostedListing,
  type Listing,
  ListingEntity,
  listingPartition,
  listingRead,
  ListingSlugEntity,
  listingUpdated,
  putListing,
  readListing,
  requireHosted,
  requireVisible,
  visibleListing,
} from './listing.store.ts';
export {
  CreateParkingRule,
  ParkingRule,
  ParkingRulesByVehicle,
  UpdateParkingRule,
} from './parking.schema.ts';
export { ParkingRulesEntity } from './parking.store.ts';
export { countryNames, sameProvince } from './places.rules.ts';
export { Policies, PutPolicies } from './policies.schema.ts';
export { PoliciesEntity } from './policies.store.ts';
export { refundNoticeHours } from './refund-terms.rules.ts';

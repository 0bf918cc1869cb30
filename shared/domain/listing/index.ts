export { ListingEntity, listingPartition, type Listing } from './listing.entity.ts';
export { listingRead } from './listing.store.ts';
export { refundNoticeHours } from './refund-rule.ts';

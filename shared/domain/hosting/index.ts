export { archiveListing } from './archive-listing.ts';
export { updateListing } from './update-listing.ts';
export { updateWeeklyPrices } from './update-weekly-prices.ts';

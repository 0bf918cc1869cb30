export { CellReader } from './cell-reader.ts';
export { indexListings, listingOf } from './index-listing.ts';
export { searchListings } from './search-listings.ts';
export { searchStays } from './search-stays.ts';

export { CellReader } from './cell-reader.ts';
export { indexListing } from './index-listing.ts';
export { searchListings } from './search-listings.ts';

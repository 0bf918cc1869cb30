import type { Listing } from '../listing/index.ts';

/** A listing with one review more. The average has two decimals, the sum that it is made of none. */
export const rated = (listing: Listing, rating: number): Listing & { rating_average: number } => {
  const before = listing.rating_sum ?? Math.round((listing.rating_average ?? 0) * listing.review_count);
  const rating_sum = before + rating;
  const review_count = listing.review_count + 1;
  return {
    ...listing,
    rating_sum,
    review_count,
    rating_average: Math.round((rating_sum / review_count) * 100) / 100,
  };
};

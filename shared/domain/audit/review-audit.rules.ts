import type { Listing, StoredReview } from '../listing/model.ts';
import type { AuditRule } from './audit-rule.rules.ts';

/** A listing with all of its reviews. */
interface AuditedReviews {
  listing: Listing;
  reviews: readonly StoredReview[];
}

/** Rules of the counted figures of a listing. */
export const reviewRules: readonly AuditRule<AuditedReviews>[] = [
  {
    name: 'review-figures',
    holds: 'The number and the sum of the ratings of a listing are those of its reviews.',
    violations: ({ listing: { id, review_count, rating_sum }, reviews }) => {
      const sum = reviews.reduce((total, { rating }) => total + rating, 0);
      return review_count === reviews.length && (rating_sum ?? sum) === sum
        ? []
        : [
            {
              listing_id: id,
              review_count,
              reviews: reviews.length,
              rating_sum: rating_sum ?? null,
              ratings: sum,
            },
          ];
    },
  },
];

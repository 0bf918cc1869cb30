import { defineEntity, sortable } from '../../platform/table/index.ts';

/** A guest's review of a stay. */
export interface StoredReview {
  review_id: number;
  listing_id: number;
  team_id: number;
  reservation_id: number;
  user_id: number;
  /** As everybody reads it. */
  guest_name: string | null;
  rating: number;
  comment: string | null;
  reply?: { text: string; created_at: string };
  /** UTC. */
  created_at: string;
}

export const reviewPartition = (reviewId: number): string => `REVIEW#${reviewId}`;
export const reviewsPartition = (listingId: number): string => `LISTING#${listingId}#REVIEWS`;

export const ReviewEntity = defineEntity<StoredReview, Pick<StoredReview, 'review_id'>>({
  name: 'Review',
  meaning: 'What a guest says of a stay, with the answer of the host.',
  patterns: ['a review by its id', "a listing's reviews, newest first"],
  key: ({ review_id }) => ({ pk: reviewPartition(review_id), sk: 'REVIEW' }),
  indexes: ({ listing_id, review_id }) => ({
    by_audience: { pk: reviewsPartition(listing_id), sk: sortable(review_id) },
  }),
  example: { review_id: 1 },
});

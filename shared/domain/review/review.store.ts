import { defineEntity } from '../../platform/table/index.ts';

/** A guest's review of a stay as stored. */
export interface StoredReview {
  review_id: number;
  listing_id: number;
  team_id: number;
  reservation_id: number;
  user_id: number;
  /** As published. */
  guest_name: string | null;
  rating: number;
  comment: string | null;
  reply?: { text: string; created_at: string };
  /** UTC. */
  created_at: string;
}

export const reviewPartition = (reviewId: number): string => ReviewEntity.partition({ review_id: reviewId });
export const reviewsPartition = (listingId: number): string =>
  ReviewEntity.partition({ listing_id: listingId }, 'by_audience');

export const ReviewEntity = defineEntity<StoredReview, Pick<StoredReview, 'review_id'>>({
  name: 'Review',
  meaning: 'What a guest says of a stay, with the answer of the host.',
  patterns: ['a review by its id', "a listing's reviews, newest first"],
  key: { pk: 'REVIEW#{review_id}', sk: 'REVIEW' },
  indexes: [{ index: 'by_audience', pk: 'LISTING#{listing_id}#REVIEWS', sk: '{review_id:sortable}' }],
  example: { review_id: 1 },
});

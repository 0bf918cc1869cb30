import * as z from 'zod';
import { defineEntity, defineRecord, type RecordOf } from '../../platform/table/index.ts';

/** A guest's review of a stay as stored. */
const StoredReviewRecord = defineRecord(() => ({
  review_id: z.int(),
  listing_id: z.int(),
  team_id: z.int(),
  reservation_id: z.int(),
  /** Null: a guest without an account, by the link to the stay (D122). */
  user_id: z.int().nullable(),
  /** As published. */
  guest_name: z.string().nullable(),
  rating: z.number(),
  comment: z.string().nullable(),
  reply: z.object({ text: z.string(), created_at: z.string() }).exactOptional(),
  /** UTC. */
  created_at: z.string(),
}));
export type StoredReview = RecordOf<typeof StoredReviewRecord>;

export const reviewPartition = (reviewId: number): string => ReviewEntity.partition({ review_id: reviewId });
export const reviewsPartition = (listingId: number): string =>
  ReviewEntity.partition({ listing_id: listingId }, 'by_audience');

export const ReviewEntity = defineEntity<StoredReview, Pick<StoredReview, 'review_id'>>({
  name: 'Review',
  meaning: 'What a guest says of a stay, with the answer of the host.',
  patterns: ['a review by its id', "a listing's reviews, newest first"],
  record: StoredReviewRecord,
  key: { pk: 'REVIEW#{review_id}', sk: 'REVIEW' },
  indexes: [{ index: 'by_audience', pk: 'LISTING#{listing_id}#REVIEWS', sk: '{review_id:sortable}' }],
  example: { review_id: 1 },
});

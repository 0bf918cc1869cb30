import type { StoredReview } from './review.entity.ts';
import type { Review } from './review.schema.ts';

/** A review as everybody reads it: its guest by the given name alone, and nothing of the booking. */
export const presentReview = (review: StoredReview): Review => ({
  id: review.review_id,
  listing_id: review.listing_id,
  guest_name: review.guest_name,
  rating: review.rating,
  comment: review.comment,
  reply: review.reply ?? null,
  created_at: review.created_at,
});

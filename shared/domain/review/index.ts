export { createReview } from './create-review.ts';
export { listReviews } from './list-reviews.ts';
export { replyToReview } from './reply-to-review.ts';
export * from './review.schema.ts';

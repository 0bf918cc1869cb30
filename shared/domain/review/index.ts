export { createReview, listReviews, replyToReview } from './reviews.ts';

export { ReviewEntity, reviewsPartition, type StoredReview } from './review.store.ts';

export { CreateReply, CreateReview, Review } from './review.schema.ts';
export { ReviewEntity } from './review.store.ts';

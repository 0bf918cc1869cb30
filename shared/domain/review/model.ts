export { ReviewEntity } from './review.store.ts';

export { CartAdditionEntity, CartItemEntity } from './cart.store.ts';
export { QuoteEntity } from './quote.store.ts';
export { CallerCheckoutsEntity, ExternalReferenceEntity, UnpaidStaysEntity } from './checkout.store.ts';

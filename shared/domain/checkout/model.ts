export { Cart, CartInput, CartRecord, RemovedFromCart } from './cart.schema.ts';
export { CartItemEntity } from './cart.store.ts';
export { Checkout, Confirmation, ConfirmRequest, GuestBookingRequest } from './checkout.schema.ts';
export { CallerCheckoutsEntity, ExternalReferenceEntity, UnpaidStaysEntity } from './checkout.store.ts';

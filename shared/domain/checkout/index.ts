export { adoptStay } from './adopt-stay.ts';
export { addAdjustment, removeAdjustment } from './adjust-booking.ts';
export { bookExternally } from './book-externally.ts';
export { bookForGuest } from './book-for-guest.ts';
export { addToCart, listCart, removeFromCart } from './cart.ts';
export { confirmCheckout } from './confirm-checkout.ts';
export { createCheckout, extendCheckout } from './create-checkout.ts';
export { previewCheckout } from './preview-checkout.ts';
export { quoteStay } from './quote-stay.ts';
export { createQuote, extendQuote, holdQuote, releaseQuote } from './quotes.ts';
export { releaseCheckout } from './release-checkout.ts';
export {
  changeBooking,
  changeExternalBooking,
  previewChange,
  previewExternalChange,
} from './change-booking.ts';

export { bookExternally, type ExternallyBooked } from './book-externally.ts';
export { claimAll } from './claim-offers.ts';
export { confirmCheckout } from './confirm-checkout.ts';
export { createCheckout } from './create-checkout.ts';
export { draftOrder } from './draft-order.ts';
export { extendCheckout } from './extend-checkout.ts';
export { loadOffers, type Offers } from './load-offers.ts';
export { previewCheckout } from './preview-checkout.ts';
export { releaseCheckout } from './release-checkout.ts';

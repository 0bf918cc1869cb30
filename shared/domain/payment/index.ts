export { acceptBooking } from './accept-booking.ts';
export { authorisedWrites, declineAuthorised, releasedWrites } from './book-charged.ts';
export { chargeToken } from './charge-token.ts';
export { changeHold } from './deposit-hold.ts';
export { type MovedBookings, moveDueBookings } from './move-due-bookings.ts';
export { openDuePage, openGuestPage } from './open-due-page.ts';
export { paidWrites } from './paid-writes.ts';
export {
  handlePaymentWebhook,
  reconcilePayments,
  reconcileSoon,
  reconcileStay,
} from './reconcile-payments.ts';
export { repeatRefund, confirmRefund } from './refunds.ts';
export { openNextPage, replaceBy, settlePayment } from './settle-payment.ts';

export { acceptBooking } from './accept-booking.ts';
export { authorisedWrites, declineAuthorised, conflictWhenTaken } from './book-charged.ts';
export { type MovedBookings, moveDueBookings } from './move-due-bookings.ts';
export { paidWrites } from './paid-writes.ts';
export { handlePaymentWebhook, reconcilePayments, reconcileSoon } from './reconcile-payments.ts';
export { repeatRefund, confirmRefund } from './refunds.ts';
export { openNextAttempt, settlePayment } from './settle-payment.ts';

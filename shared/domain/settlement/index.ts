export { rereadWhenTaken } from './book-charged.ts';
export { hearPayment } from './hear-payment.ts';
export { lookAfterPayment, lookSoon } from './look-after-payment.ts';
export { moveDueBookings, type MovedBookings } from './move-due-bookings.ts';
export { paidWrites } from './paid-writes.ts';
export { reconcilePayments } from './reconcile-payments.ts';
export { repeatRefund, settleRefund } from './settle-refund.ts';
export { settlePayment } from './settle-payment.ts';

export { type AwaitedStay, awaitedStay, heldOrder } from './awaited-change.rules.ts';
export { type BookedOrder, type BookingTerms, bookOrder, transferUntil } from './book-order.ts';
export { listBookingHistory } from './booking-history.ts';
export { cancelBooking, cancelReservations } from './cancel-booking.ts';
export {
  type ChangedPayment,
  changedReservation,
  type ChangedStay,
  changeReservation,
  movesHours,
} from './change-reservation.ts';
export {
  accessibleStay,
  cancelExternalBooking,
  getExternalBooking,
  getExternalCancellation,
  listExternalBookings,
  listExternalHistory,
  seesPersonal,
} from './external-bookings.ts';
export { declineBooking } from './decline-booking.ts';
export { getCancellation } from './get-cancellation.ts';
export { correctExternalGuest, correctGuest } from './correct-guest.ts';
export { markNoShow, noShowOf } from './mark-no-show.ts';
export { extendPayment } from './extend-payment.ts';
export { readAccounts, transferOf } from './booking-transfer.ts';
export { transferCode } from './transfer-code.ts';
export { correctPayment } from './correct-payment.ts';
export { changeDeposit, depositedStay, requireDeposit } from './change-deposit.ts';
export { postDeposit, type PostedDeposit } from './post-deposit.ts';
export { addCharge, removeCharge } from './post-charge.ts';
export { refundBooking, returnRefund } from './refund-by-hand.ts';
export { commitFolio, getFolio, readFolio } from './get-folio.ts';
export { hostedBooking, moveBooking } from './move-booking.ts';
export { markPaid, payableStays, payByTransfer, takePayment } from './take-payment.ts';
export { type Restored, restoreByTransfer } from './restore-stays.ts';
export { releaseAccess } from './release-access.ts';
export {
  isUnsecured,
  type MovedStay,
  movedStay,
  moveReservation,
  payReservation,
} from './move-reservation.ts';
export { isUnpaid, waitsForPayment } from './booking.rules.ts';
export { isGuestOf } from './guest-link.rules.ts';
export { openPageOf } from './money-refusals.rules.ts';
export { readPendingChange } from './pending-change.ts';
export { endedStatus, postRefunds, refundOf, type StayRefund } from './refund.rules.ts';
export { accessOpens } from './access-info.rules.ts';
export { openAccess } from './open-access.ts';
export {
  type DetailSources,
  paymentExpiry,
  paymentStatusOf,
  presentBooking,
  presentDetail,
  presentOrder,
  presentToHost,
  readDetailSources,
  presentStay,
} from './present-booking.ts';
export {
  getBooking,
  getGuestBooking,
  listMyBookings,
  listTeamBookings,
  ownStay,
  visibleBooking,
} from './read-bookings.ts';
export { readGuestAccess } from './guest-access.ts';
export { readGuest, rotateGuestLink } from './guest-link.ts';
export { guestUrl } from './guest-url.ts';
export { emitRefundElsewhere } from './refund-elsewhere.ts';

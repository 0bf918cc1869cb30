export { accessOpens, accessTo } from './access-to.ts';
export { bookOrder, type BookedOrder, type BookingTerms } from './book-order.ts';
export {
  type Guest,
  type Order,
  OrderEntity,
  type OrderItem,
  type Reservation,
  ReservationEntity,
} from './booking.entity.ts';
export * from './booking-detail.schema.ts';
export type { Cancellation } from './cancellation.schema.ts';
export * from './booking.schema.ts';
export * from './external-booking.schema.ts';
export {
  findBooking,
  findOrder,
  findPaid,
  type FoundBooking,
  type FoundOrder,
  paymentOf,
} from './booking.store.ts';
export type { BookingEventType } from './booking.events.ts';
export { type BookingEvent, emitBookingEvent } from './booking-event.ts';
export { isUnsecured, payReservation, waitsForPayment } from './pay-reservation.ts';
export { payUrlOf } from './pay-url.ts';
export { cancelBooking, cancelReservations } from './cancel-booking.ts';
export { type DueMove, dueMove } from './due-booking.ts';
export { type DueBooking, DueBookingEntity, dueBookings } from './due-booking.entity.ts';
export { freezeQuote, thawQuote } from './frozen-quote.ts';
export { getBooking, visibleBooking } from './get-booking.ts';
export { totalOf } from './refund.ts';
export { listMyBookings } from './list-my-bookings.ts';
export { paymentExpiry, presentBooking, presentDetail, presentStay } from './present-booking.ts';
export {
  accessibleStay,
  cancelExternalBooking,
  getExternalBooking,
  listExternalBookings,
} from './external-bookings.ts';
export { getCancellation } from './get-cancellation.ts';
export { getExternalCancellation } from './get-external-cancellation.ts';
export { listBookingHistory } from './list-booking-history.ts';
export { listExternalHistory } from './list-external-history.ts';
export { listTeamBookings } from './list-team-bookings.ts';
export { hostedBooking, markPaid, moveBooking } from './move-booking.ts';
export { type MovedStay, moveReservation } from './move-reservation.ts';
export { packStays } from './pack-stays.ts';

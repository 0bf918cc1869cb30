export { packStays, stayTimes, type StayRow, teamStayRows } from './booking-list.store.ts';
export {
  freezeQuote,
  type Guest,
  type Order,
  OrderEntity,
  type OrderItem,
  type Reservation,
  ReservationEntity,
  StayRequestRecord,
  teamStays,
  thawQuote,
} from './booking.entity.ts';
export type { BookingEventType } from './booking.events.ts';
export { bookingMoves, fellThrough, totalOf } from './booking.rules.ts';
export { BookingState, PaymentStatus } from './booking-state.schema.ts';
export { AccessInfo, BookingDetail } from './booking.schema.ts';
export {
  type BookingEvent,
  emitBookingEvent,
  findBooking,
  findOrder,
  findOrderWithEvents,
  findPaid,
  type FoundBooking,
  type FoundOrder,
  paymentOf,
} from './booking.store.ts';
export {
  type DueBooking,
  DueBookingEntity,
  dueBookings,
  type DueMove,
  dueMove,
  endItem,
  isAtEnd,
  scheduleEnd,
} from './due-booking.store.ts';
export {
  ExternalBookingRequest,
  type ExternallyBooked,
  ExternalStay,
  namesOneStay,
} from './external-booking.schema.ts';
export { stayedUntil } from './unused-time.rules.ts';

export { packStays, type StaySpan, teamStayRows, teamStaysWithin } from './booking-list.store.ts';
export { adjustmentReason, adjustmentsChanged, adjustmentsOfReason } from './adjustment-reason.rules.ts';
export { isToReturn } from './handover.rules.ts';
export { shownPostings } from './shown-postings.rules.ts';
export {
  awaitsTransfer,
  isTransferDue,
  rowLabel,
  stateOf,
  stayLabel,
  stayTimes,
  type StayRow,
} from './stay-row.rules.ts';
export { freezeQuote, thawQuote } from './frozen-quote.rules.ts';
export {
  type Guest,
  type Order,
  OrderEntity,
  type OrderItem,
  type PendingChange,
  StayRequestRecord,
} from './order.entity.ts';
export { type Reservation, ReservationEntity, reservationRead, teamStays } from './reservation.entity.ts';
export type { BookingEventType } from './booking.events.ts';
export {
  bookingMoves,
  adjustableStates,
  changeableStates,
  changeOrdersOf,
  guestRef,
  heldTimes,
  isAuthorised,
  isLapsed,
  isOfPlatform,
  managedElsewhere,
  mayMove,
  samePending,
  totalOf,
  unchangedSince,
  withoutUnset,
} from './booking.rules.ts';
export { atPayEnd, changeKept, changeUnpaid, wasGivenUp } from './unpaid-change.rules.ts';
export { BookingState, fellThrough, PaymentStatus, takesPlace } from './booking-state.schema.ts';
export type { DepositChange, DepositRequest, Folio, PresentedPosting } from './folio.schema.ts';
export { authorisedFrom, authorisedUntil, frozenDeposit, takesDeposit } from './security-deposit.rules.ts';
export { AccessInfo, BookingDetail } from './booking.schema.ts';
export {
  type BookingEvent,
  emitBookingEvent,
  findBooking,
  readBookingEvent,
  readReservation,
  findOrder,
  findOrderWithEvents,
  findPaid,
  duePageOf,
  onlyStay,
  withDuePages,
  type FoundBooking,
  type FoundOrder,
  paymentOf,
  postedBy,
  requireAsRead,
  requireOneTransaction,
} from './booking.store.ts';
export { type DueBooking, DueBookingEntity, dueBookings, scheduleEnds } from './due-booking.store.ts';
export { type DueMove, dueMove, endItem, isAtEnd } from './due-move.rules.ts';
export {
  ExternalBookingRequest,
  type ExternallyBooked,
  ExternalStay,
  namesOneStay,
} from './external-booking.schema.ts';
export {
  balanceDueAt,
  balanceGraceMs,
  balanceReminderMs,
  dueAtBooking,
  freezePlan,
} from './payment-plan.rules.ts';
export { linkHasEnded, linkOf } from './guest-link.rules.ts';
export type { GuestField } from './guest-correction.schema.ts';
export { needs } from './allowed-actions.rules.ts';
export { duePageRefusal, guestPageRefusal, ownPageOf } from './money-refusals.rules.ts';
export {
  changeStateRefusal,
  changeTimeRefusal,
  chargedChangeRefusal,
  mayEnd,
  reviewRefusal,
} from './stay-refusals.rules.ts';
export { cancellationDeadline, freezeTerms, termsOf } from './terms.rules.ts';
export { stayedUntil } from './unused-time.rules.ts';

import { instantText } from '../../platform/clock.ts';
import type { Context } from '../../platform/context.ts';
import { all, change, equals, isOneOf, type Write } from '../../platform/table/index.ts';
import { type Reservation, ReservationEntity } from './booking.entity.ts';
import { type BookingMove, bookingMoves, mayMove } from './booking.rules.ts';
import { emitBookingEvent } from './booking.store.ts';
import { reschedule } from './due-booking.store.ts';

/** Transitions that leave the calendar unchanged. */
export type StayMove = Exclude<BookingMove, 'cancel'>;

/** A stay before and after a transition, with its writes. */
export interface MovedStay {
  before: Reservation;
  after: Reservation;
  writes: Write[];
}

/** Returns the transition of one stay; `reason` explains an automatic one. */
export const moveReservation = (
  ctx: Context,
  before: Reservation,
  move: StayMove,
  { reason, fields = {} }: { reason?: string; fields?: Pick<Reservation, 'pay_until'> } = {},
): MovedStay => {
  const { from, to, event } = bookingMoves[move];
  const now = instantText(ctx.clock.now());
  const changed = {
    ...fields,
    state: to,
    updated_at: now,
    ...(move === 'check_out' ? { checked_out_at: now } : {}),
  };
  const after: Reservation = { ...before, ...changed };
  return {
    before,
    after,
    writes: [
      change(ReservationEntity, before, { set: changed }, { when: isOneOf('state', from) }),
      ...reschedule(before, after),
      emitBookingEvent(ctx, after, event, reason === undefined ? {} : { reason }),
    ],
  };
};

/** Whether the stay can still be paid. */
export const waitsForPayment = ({ state, payment_status }: Reservation): boolean =>
  state !== 'CANCELLED' && payment_status === 'PENDING';

/** Whether an open stay is neither paid nor authorised (D85). */
export const isUnsecured = (stay: Reservation): boolean =>
  mayMove(stay.state, 'cancel') && stay.payment_status === 'PENDING' && stay.authorised !== true;

/**
 * Returns the writes of a payment. A host who records a payment thereby accepts the booking. A payment through the
 * gateway (`transaction`) confirms a PENDING booking only if it was captured on the host's acceptance (D86).
 */
export const payReservation = (
  ctx: Context,
  before: Reservation,
  { transaction, acceptedBy }: { transaction?: string; acceptedBy?: string | undefined } = {},
): MovedStay => {
  const isAccepted = transaction === undefined || acceptedBy !== undefined;
  const changed = {
    state: before.state === 'PENDING' && isAccepted ? bookingMoves.confirm.to : before.state,
    payment_status: 'PAID' as const,
    updated_at: instantText(ctx.clock.now()),
    ...(transaction === undefined ? {} : { payment_transaction_id: transaction }),
  };
  const after = { ...before, ...changed };
  const unchanged = all(equals('state', before.state), equals('payment_status', 'PENDING'));
  return {
    before,
    after,
    writes: [
      change(ReservationEntity, before, { set: changed }, { when: unchanged }),
      ...reschedule(before, after),
      emitBookingEvent(ctx, after, 'payment.paid'),
      ...(before.state === after.state
        ? []
        : [emitBookingEvent(ctx, after, bookingMoves.confirm.event, {}, acceptedBy)]),
    ],
  };
};

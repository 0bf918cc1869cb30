import { instantText } from '../../platform/clock.ts';
import type { Context } from '../../platform/context.ts';
import { all, change, equals, isOneOf, type Write } from '../../platform/table/index.ts';
import { type Reservation, ReservationEntity } from './booking.entity.ts';
import { type BookingMove, bookingMoves, mayMove } from './booking.rules.ts';
import { emitBookingEvent } from './booking.store.ts';
import { reschedule } from './due-booking.store.ts';

/** The moves that leave the calendar as it is. */
export type StayMove = Exclude<BookingMove, 'cancel'>;

/** A stay as it stood and as it will stand, with what brings it there. */
export interface MovedStay {
  before: Reservation;
  after: Reservation;
  writes: Write[];
}

/** Moves one stay; where nobody asked for it, `reason` says why. */
export const moveReservation = (
  ctx: Context,
  before: Reservation,
  move: StayMove,
  { reason, given = {} }: { reason?: string; given?: Pick<Reservation, 'pay_until'> } = {},
): MovedStay => {
  const { from, to, event } = bookingMoves[move];
  const now = instantText(ctx.clock.now());
  const changed = {
    ...given,
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

/** Whether a payment of the stay would be welcome. */
export const waitsForPayment = ({ state, payment_status }: Reservation): boolean =>
  state !== 'CANCELLED' && payment_status === 'PENDING';

/** Whether nothing but the guest's word stands behind a stay that is still to come (D85). */
export const isUnsecured = (stay: Reservation): boolean =>
  mayMove(stay.state, 'cancel') && stay.payment_status === 'PENDING' && stay.authorised !== true;

/**
 * Pays a stay. A host who notes a payment has accepted the booking by it; what comes through the gateway, under a transaction,
 * never confirms a booking that waits for its host, unless it was captured because a host has accepted it (D86).
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
  const asItWas = all(equals('state', before.state), equals('payment_status', 'PENDING'));
  return {
    before,
    after,
    writes: [
      change(ReservationEntity, before, { set: changed }, { when: asItWas }),
      ...reschedule(before, after),
      emitBookingEvent(ctx, after, 'payment.paid'),
      ...(before.state === after.state
        ? []
        : [emitBookingEvent(ctx, after, bookingMoves.confirm.event, {}, acceptedBy)]),
    ],
  };
};

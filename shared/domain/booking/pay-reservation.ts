import { instantText } from '../../platform/clock.ts';
import type { Context } from '../../platform/context.ts';
import { all, change, equals } from '../../platform/table/index.ts';
import { type Reservation, ReservationEntity } from './booking.entity.ts';
import { emitBookingEvent } from './booking-event.ts';
import { bookingMoves, mayMove } from './booking-moves.ts';
import { reschedule } from './due-booking.ts';
import type { MovedStay } from './move-reservation.ts';

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

import { instantText } from '../../platform/clock.ts';
import type { Context } from '../../platform/context.ts';
import { change, isOneOf, type Write } from '../../platform/table/index.ts';
import { type Reservation, ReservationEntity } from './booking.entity.ts';
import { emitBookingEvent } from './booking-event.ts';
import { type BookingMove, bookingMoves } from './booking-moves.ts';
import { reschedule } from './due-booking.ts';

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

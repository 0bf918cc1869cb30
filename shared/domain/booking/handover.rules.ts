import { depositHeldFor, toReturnFor } from '../folio/model.ts';
import { type BookingState, fellThrough } from './booking-state.schema.ts';
import { totalOf } from './booking.rules.ts';
import type { Reservation } from './reservation.entity.ts';

/** Whether the guest has left, or does not come. */
const isOver = (state: BookingState): boolean =>
  fellThrough(state) || state === 'CHECKED_OUT' || state === 'COMPLETED';

const depositToReturn = (stay: Reservation): number => (isOver(stay.state) ? depositHeldFor(stay) : 0);

/** Returns what the host still has to hand over for stays: what was refunded, and the security deposits of those that are over. */
export const handoverOf = (stays: readonly Reservation[]) => ({
  amount_to_return: totalOf(stays.map(toReturnFor)),
  deposit_to_return: totalOf(stays.map(depositToReturn)),
});

/** Whether the host still has to hand over something for a stay. */
export const isToReturn = (stay: Reservation): boolean => toReturnFor(stay) > 0 || depositToReturn(stay) > 0;

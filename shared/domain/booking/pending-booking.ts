import { create, remove, type Write } from '../../platform/table/index.ts';
import type { Reservation } from './booking.entity.ts';
import { PendingBookingEntity } from './pending-booking.entity.ts';

const dayMs = 24 * 60 * 60 * 1000;

const waiting = ({ reservation_id, created_at }: Reservation) => ({
  reservation_id,
  deadline: Date.parse(created_at) + dayMs,
});

/** A booking that starts PENDING waits 24 hours for the host (D46). */
export const awaitHost = (reservation: Reservation): Write[] =>
  reservation.state === 'PENDING' ? [create(PendingBookingEntity, waiting(reservation))] : [];

/** The waiting is over, one way or another. */
export const stopWaiting = (reservation: Reservation): Write[] =>
  reservation.state === 'PENDING' ? [remove(PendingBookingEntity, waiting(reservation))] : [];

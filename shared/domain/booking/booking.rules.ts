import { instantText } from '../../platform/clock.ts';
import { ServiceError } from '../../platform/errors.ts';
import { money, sum, toNumber } from '../../platform/money.ts';
import { toInstant } from '../../platform/time.ts';
import type { Reservation } from './booking.entity.ts';
import type { BookingEventType } from './booking.events.ts';
import type { BookingState } from './booking-state.schema.ts';
import type { Refund } from './booking.schema.ts';

/** The state transitions of a booking (D48, D50); conditions, errors and the diagram are derived from them. */
export const bookingMoves = {
  confirm: { from: ['PENDING'], to: 'CONFIRMED', event: 'booking.confirmed' },
  cancel: { from: ['PENDING', 'CONFIRMED'], to: 'CANCELLED', event: 'booking.cancelled' },
  check_in: { from: ['CONFIRMED'], to: 'CHECKED_IN', event: 'booking.checked_in' },
  check_out: { from: ['CHECKED_IN'], to: 'CHECKED_OUT', event: 'booking.checked_out' },
  complete: { from: ['CHECKED_OUT'], to: 'COMPLETED', event: 'booking.completed' },
} as const satisfies Record<
  string,
  { from: readonly BookingState[]; to: BookingState; event: BookingEventType }
>;

export type BookingMove = keyof typeof bookingMoves;

export const mayMove = (state: BookingState, move: BookingMove): boolean =>
  (bookingMoves[move].from as readonly BookingState[]).includes(state);

export const refuseMove = (state: BookingState | undefined, move: BookingMove): ServiceError =>
  new ServiceError(
    'INVALID_STATE_TRANSITION',
    `A booking that is ${state ?? 'gone'} does not allow ${move}.`,
    {
      state: state ?? null,
      allowed_from: bookingMoves[move].from,
    },
  );

const hourMs = 3_600_000;

/** Returns the last millisecond at which a cancellation refunds in full, by the terms frozen with the price (D48, D48b). */
export const cancellationDeadline = (reservation: Reservation): string | null => {
  if (reservation.refund_notice_hours === null) return null;
  const checkIn = toInstant(reservation.start_at, reservation.timezone);
  // A notice that reaches before 1970 is a mistake of the host; the deadline is then in 1970.
  return instantText(Math.max(0, checkIn - reservation.refund_notice_hours * hourMs));
};

/**
 * Returns the refund of a cancellation at an instant: by the frozen terms if the guest cancels, otherwise all that was
 * paid (D48).
 */
export const refundAt = (reservation: Reservation, instant: number, byGuest: boolean): number => {
  const deadline = cancellationDeadline(reservation);
  const inTime = deadline !== null && instant <= Date.parse(deadline);
  return inTime || !byGuest ? paidFor(reservation) : 0;
};

export const paidFor = ({ payment_status, total }: Reservation): number =>
  payment_status === 'PAID' ? total : 0;

export const totalOf = (amounts: readonly number[]): number => toNumber(sum(amounts.map(money)));

/** Whether a refund of the stay goes through the gateway, which takes time. */
export const isPaidOnline = ({ payment_transaction_id }: Reservation): boolean =>
  payment_transaction_id !== undefined;

/** The refund of one stay. */
export interface StayRefund {
  before: Reservation;
  refund: number;
}

export const refundOf = (refunds: readonly StayRefund[]): Refund => {
  const amount = totalOf(refunds.map(({ refund }) => refund));
  const waits = refunds.some(({ before, refund }) => refund > 0 && isPaidOnline(before));
  return { amount, status: amount === 0 ? 'NONE' : waits ? 'PENDING' : 'REFUNDED' };
};

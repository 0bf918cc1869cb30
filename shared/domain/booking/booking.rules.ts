import { ServiceError } from '../../platform/errors.ts';
import { money, sum, toNumber } from '../../platform/money.ts';
import type { BookingEventType } from './booking.events.ts';
import type { BookingState } from './booking-state.schema.ts';

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

export const totalOf = (amounts: readonly number[]): number => toNumber(sum(amounts.map(money)));

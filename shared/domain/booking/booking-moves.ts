import { ServiceError } from '../../platform/errors.ts';
import type { BookingEventType } from './booking.events.ts';
import type { BookingState } from './booking.schema.ts';

/** The moves of a booking (D48, D50): conditions, refusals and the diagram come from here. */
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
    `A booking that is ${state ?? 'gone'} cannot move by ${move}.`,
    {
      state: state ?? null,
      allowed_from: bookingMoves[move].from,
    },
  );

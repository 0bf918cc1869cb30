import { type Caller, hasPermission } from '../../platform/auth.ts';
import { invalid, ServiceError } from '../../platform/errors.ts';
import { dateOf, dayMs, toInstant, toLocal } from '../../platform/time/time.ts';
import { isBeingCharged } from './awaited-change.rules.ts';
import type { BookingState } from './booking-state.schema.ts';
import {
  type BookingMove,
  changeableStates,
  mayMove,
  type Refusal,
  refused,
  refuseMove,
} from './booking.rules.ts';
import { isGuestOf, linkHasEnded, linkOf } from './guest-link.rules.ts';
import type { Order } from './order.entity.ts';
import type { Reservation } from './reservation.entity.ts';
import { cancellationDeadline } from './terms.rules.ts';
import { atPayEnd } from './unpaid-change.rules.ts';

/** The first refusal of several stays. */
const firstOf = (stays: readonly Reservation[], refusalOf: (stay: Reservation) => Refusal): Refusal =>
  stays.map(refusalOf).find((refusal) => refusal !== undefined);

/** Of stays that no move ends or begins: that none has its state, or that one of them is too early or too late for it (D50, D83). */
export const moveRefusal = (stays: readonly Reservation[], move: BookingMove, now: number): Refusal => {
  const ready = stays.filter(({ state }) => mayMove(state, move));
  if (ready.length === 0) return refuseMove(stays[0]?.state, move);
  if (move === 'check_in') return firstOf(ready, (stay) => checkInRefusal(stay, now));
  return move === 'undo_check_in' ? firstOf(ready, (stay) => undoRefusal(stay, now)) : undefined;
};

/** Before the check-in date (D50), and after the end of the stay (D83). */
const checkInRefusal = ({ check_in_date, end_at, timezone }: Reservation, instant: number): Refusal => {
  const now = toLocal(instant, timezone);
  if (dateOf(now) < check_in_date) return refused(`Check-in begins on ${check_in_date}.`, { check_in_date });
  return now >= end_at ? refused(`The stay ended at ${end_at}.`, { end_at }) : undefined;
};

const undoMs = dayMs;

/** More than 24 hours after the check-in (D83). */
const undoRefusal = ({ checked_in_at }: Reservation, now: number): Refusal =>
  checked_in_at !== undefined && now <= Date.parse(checked_in_at) + undoMs
    ? undefined
    : refused(
        'A check-in can be undone within 24 hours.',
        checked_in_at === undefined ? {} : { checked_in_at },
      );

/** Whether a caller may cancel or change a stay: as its guest, or as a manager of its team (D48, D84). */
export const mayEnd = (caller: Caller, stay: Reservation): boolean =>
  isGuestOf({ caller }, stay) || hasPermission(caller, 'manage', stay.team_id);

/** Returns the stays whose access a host can release: accepted, and not at their end (D109). */
export const releasable = (stays: readonly Reservation[], now: number): Reservation[] =>
  stays.filter(
    ({ state, end_at, timezone }) =>
      (state === 'CONFIRMED' || state === 'CHECKED_IN') && now < toInstant(end_at, timezone),
  );

export const releaseRefusal = (stays: readonly Reservation[], now: number): Refusal =>
  releasable(stays, now).length > 0
    ? undefined
    : refused('Access is released for a stay that is confirmed and has not ended.', {
        state: stays[0]?.state ?? null,
        allowed_from: ['CONFIRMED', 'CHECKED_IN'],
      });

/** Of a stay whose state is none of those in which it can be changed (D84). */
export const changeStateRefusal = (
  state: BookingState,
  states: readonly BookingState[] = changeableStates,
): Refusal =>
  states.includes(state)
    ? undefined
    : refused(`A booking that is ${state} cannot be changed.`, { state, allowed_from: [...states] });

/**
 * After the end of the payment window, which ends no stay in house, and for a guest or partner after the deadline of a full refund:
 * a change may not give more than a cancellation.
 */
export const changeTimeRefusal = (stay: Reservation, isByHost: boolean, now: number): Refusal => {
  const { state } = stay;
  const isUnpaidBefore =
    stay.payment_status === 'PENDING' && state !== 'CHECKED_IN' && atPayEnd(stay) !== undefined;
  if (isUnpaidBefore && (stay.pay_until ?? Infinity) <= now)
    return refused('The time to pay for the booking has ended.');
  if (isByHost) return undefined;
  const deadline = cancellationDeadline(stay);
  return deadline !== null && now <= Date.parse(deadline)
    ? undefined
    : refused('A guest can change a booking until the end of its free cancellation; ask the host.', {
        state,
        cancellation_deadline: deadline,
      });
};

/** While another change of a stay is being charged. */
export const chargedChangeRefusal = (pending: Order | undefined, { state }: Reservation): Refusal =>
  isBeingCharged(pending)
    ? refused('Another change of the booking is being paid; its outcome is not known yet.', { state })
    : undefined;

/** Of a stay whose link cannot be replaced (D122). */
export const rotateRefusal = (stay: Reservation, now: number): Refusal => {
  if (linkOf(stay).is_off) return refused('This booking has no links.');
  return linkHasEnded(stay, now) ? refused('The links to this stay have ended.') : undefined;
};

/** Where the caller has no completed stay without a review. Who has the link from the host may be the host (D122). */
export const reviewRefusal = (caller: Caller, stays: readonly Reservation[]): Refusal => {
  if (caller.kind === 'guest' && caller.from === 'h')
    return new ServiceError(
      'FORBIDDEN',
      'A stay is reviewed by the link in a mail to the guest, or by its account.',
    );
  const own = stays.filter((stay) => isGuestOf({ caller }, stay));
  const [stay] = own;
  if (!stay) return new ServiceError('FORBIDDEN', 'Only the guest of the stay may review it.');
  if (own.length > 1)
    return invalid({
      path: 'booking_id',
      message: `has several stays; review each by its own id: ${own.map((one) => one.reservation_id).join(', ')}`,
    });
  const { state, review_id } = stay;
  if (state !== 'COMPLETED')
    return refused('A stay can be reviewed once it is COMPLETED.', { state, allowed_from: ['COMPLETED'] });
  return review_id === undefined ? undefined : refused('The stay already has a review.', { review_id });
};

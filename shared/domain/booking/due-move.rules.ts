import { dayMs, toInstant } from '../../platform/time/time.ts';
import { paidFor, unpaidFor } from '../folio/model.ts';
import { type BookingMove, mayMove } from './booking.rules.ts';
import { balanceDueAt } from './payment-plan.rules.ts';
import type { Reservation } from './reservation.entity.ts';
import { atPayEnd } from './unpaid-change.rules.ts';

/** When a booking is looked at again; epoch milliseconds. */
interface DueItem {
  due_at: number;
  reservation_id: number;
}

/** A transition at a set time. */
export type DueMove = DueItem &
  (
    | {
        move: 'cancel';
        /** What has not happened in time. */
        why: 'unpaid' | 'unaccepted';
      }
    | {
        move:
          | Extract<BookingMove, 'complete' | 'check_out' | 'close' | 'no_show'>
          | ('call_balance' | 'give_up_change');
      }
  );

/**
 * Returns the next automatic transition of a booking: cancelled after 24 hours without acceptance by the host (D46) or
 * when its payment window ends (D73), whichever is first; its unpaid change is given up then (D147); the balance of its plan falls due (D129); completed 24 hours after check-out (D50). 24 hours after its end
 * a stay is checked out if its guest came; if not, it is COMPLETED if it was paid, also in part, and NO_SHOW if it was not
 * (D83).
 */
export const dueMove = (stay: Reservation): DueMove | undefined => {
  const { reservation_id, state, payment_status, pay_until, created_at, checked_out_at } = stay;
  const hostUntil = state === 'PENDING' ? Date.parse(created_at) + dayMs : Infinity;
  const isUnpaid = payment_status === 'PENDING' && unpaidFor(stay) > 0;
  const taken = mayMove(state, 'cancel') && isUnpaid ? atPayEnd(stay) : undefined;
  const payUntil = taken ? (pay_until ?? Infinity) : Infinity;
  if (payUntil <= hostUntil && payUntil !== Infinity)
    return taken === 'change'
      ? { reservation_id, due_at: payUntil, move: 'give_up_change' }
      : { reservation_id, due_at: payUntil, move: 'cancel', why: 'unpaid' };
  if (hostUntil !== Infinity) return { reservation_id, due_at: hostUntil, move: 'cancel', why: 'unaccepted' };
  if (state === 'CHECKED_OUT' && checked_out_at !== undefined)
    return { reservation_id, due_at: Date.parse(checked_out_at) + dayMs, move: 'complete' };
  const atEnd = endItem(stay);
  if (state === 'CHECKED_IN') return { ...atEnd, move: 'check_out' };
  if (state !== 'CONFIRMED') return undefined;
  const balanceDue = balanceDueAt(stay);
  if (balanceDue !== undefined) return { reservation_id, due_at: balanceDue, move: 'call_balance' };
  return { ...atEnd, move: isUnpaid && paidFor(stay) === 0 ? 'no_show' : 'close' };
};

/** Returns the due item of what follows the end of a stay. */
export const endItem = ({ reservation_id, end_at, timezone }: Reservation): DueItem => ({
  reservation_id,
  due_at: toInstant(end_at, timezone) + dayMs,
});

/** Whether a transition is that of the end of its stay, which `scheduleEnds` puts into the list. */
export const isAtEnd = ({ move }: Pick<DueMove, 'move'>): boolean =>
  move === 'check_out' || move === 'close' || move === 'no_show';

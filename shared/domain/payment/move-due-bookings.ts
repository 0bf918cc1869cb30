import { type Context, type Dependencies, systemContext } from '../../platform/context.ts';
import { drainDueList } from '../../platform/due/index.ts';
import { recordMetric } from '../../platform/metrics/index.ts';
import { remove, retryOnConflict, type Write } from '../../platform/table/index.ts';
import { hourMs } from '../../platform/time/time.ts';
import { cancelReservations, moveReservation, noShowOf, postRefunds } from '../booking/index.ts';
import {
  changeUnpaid,
  type DueBooking,
  DueBookingEntity,
  dueBookings,
  type DueMove,
  duePageOf,
  dueMove,
  findBooking,
  type FoundBooking,
  isAtEnd,
  paymentOf,
  postedBy,
  type Reservation,
  withDuePages,
} from '../booking/model.ts';
import { conflictWhenTaken } from '../calendar/index.ts';
import { askForBalance } from './ask-for-balance.ts';
import { giveUpChange } from './give-up-change.ts';
import type { Payment } from './payment.entity.ts';
import { reconcilePayment } from './reconcile-payments.ts';

/**
 * How long a gateway that does not respond delays the cancellation of an unpaid stay. Longer than the published outages
 * of large gateways, since a guest who has paid keeps the booking; not longer, because the nights cannot be sold
 * meanwhile.
 */
const maxGatewayWaitMs = 6 * hourMs;

/**
 * Has the gateway report and close an open payment before its stay is cancelled, since a report may be late or lost.
 * Throws while the gateway does not respond, for at most 6 hours; a later payment is refunded.
 */
const settleBeforeCancel = async (
  ctx: Context,
  { payment_id }: Payment,
  { reservation_id, due_at }: DueMove,
): Promise<void> => {
  try {
    await reconcilePayment(ctx, payment_id);
  } catch (error) {
    if (ctx.clock.now() < due_at + maxGatewayWaitMs) throw error;
    recordMetric('payment_attention', 1, { what: 'payment_unasked' });
    ctx.log.error('A booking is cancelled although the state of its payment is unknown.', {
      reservation_id,
      payment_id,
      cause: String(error),
    });
  }
};

const actor = 'move-due-bookings';

/** The reasons in the histories of bookings. */
const reasons = {
  unpaid: 'The payment was not made in time.',
  unaccepted: 'The host did not accept in time.',
  complete: '24 hours have passed since check-out.',
  check_out: 'The stay ended 24 hours ago.',
  close: 'The stay ended without check-in.',
  no_show: 'The stay ended without check-in and payment.',
  call_balance: 'The rest of the price has fallen due.',
  give_up_change: changeUnpaid,
} as const;

/** Returns the reason of an automatic transition. */
export const reasonOf = (next: DueMove): string => reasons[next.move === 'cancel' ? next.why : next.move];

type Outcome =
  | 'balance_due'
  | 'cancelled'
  | 'change_ended'
  | 'completed'
  | 'checked_out'
  | 'no_show'
  | 'nothing';

const outcomes = {
  cancel: 'cancelled',
  complete: 'completed',
  close: 'completed',
  check_out: 'checked_out',
  no_show: 'no_show',
  call_balance: 'balance_due',
  give_up_change: 'change_ended',
} as const satisfies Record<DueMove['move'], Outcome>;

/** The result of a run. */
export type MovedBookings = Record<Exclude<Outcome, 'nothing'> | 'failed', number>;

/**
 * Moves the bookings that are due: asks for the balance of a payment plan (D129), cancels those that no host accepted or that were not paid in time (D46), gives up changes that were not (D147), completes
 * those that were checked out (D50), closes the stays that ended a day ago (D83). Each is one transaction that also removes
 * the due item, so runs can overlap and repeat. A failing booking is deferred and does not stop the others.
 */
export const moveDueBookings = async (deps: Dependencies): Promise<MovedBookings> => {
  const ctx = systemContext(deps, actor);
  const moved = {
    ...{ balance_due: 0, cancelled: 0, change_ended: 0, completed: 0, checked_out: 0, no_show: 0 },
    nothing: 0,
  };
  const { failed } = await drainDueList(deps, actor, dueBookings, async (due) => {
    moved[await moveDue(ctx, due)]++;
  });
  const { nothing: _, ...all } = moved;
  return { ...all, failed };
};

const moveDue = async (ctx: Context, due: DueBooking): Promise<Outcome> => {
  let settled = false;
  return retryOnConflict(async () => {
    let found = await findDue(ctx, due);
    const undecided = found ? pagesOf(found).filter(isUndecided) : [];
    if (!settled && found && endsPayment.includes(found.next.move) && undecided[0]) {
      for (const payment of undecided) await settleBeforeCancel(ctx, payment, found.next);
      settled = true;
      found = await findDue(ctx, due);
    }
    const writes = found ? await movingWrites(ctx, found, due) : [remove(DueBookingEntity, due)];
    await conflictWhenTaken(() => ctx.table.transact(writes));
    return found ? outcomes[found.next.move] : 'nothing';
  });
};

/** What is not done for want of a payment that may have been made. */
const endsPayment: readonly DueMove['move'][] = ['cancel', 'give_up_change'];

/** Returns the payment of a stay and the page for what is due of it. */
const pagesOf = (found: FoundDue): Payment[] =>
  [paymentOf(found, found.stay), duePageOf(found, found.stay)].filter((payment) => payment !== undefined);

/** Whether the payment may still succeed, or is being captured. */
const isUndecided = ({ state }: Payment): boolean => state === 'OPEN' || state === 'CAPTURING';

interface FoundDue extends FoundBooking {
  stay: Reservation;
  next: DueMove;
}

/** Reads the current state of a due booking: it may have been moved meanwhile, or be due later. */
const findDue = async (ctx: Context, due: DueBooking): Promise<FoundDue | undefined> => {
  const found = await findBooking(ctx.table, due.reservation_id);
  const [stay] = found?.reservations ?? [];
  const next = stay && dueMove(stay);
  // A deferred item is later than the transition that it is for.
  return found && next && next.due_at <= due.due_at
    ? { ...(await withDuePages(ctx.table, found)), stay, next }
    : undefined;
};

const movingWrites = async (ctx: Context, found: FoundDue, due: DueBooking): Promise<Write[]> => {
  const { next } = found;
  // A transition before the end removes the item of its time; a deferred one has another key.
  const isRemoved = next.due_at === due.due_at && !isAtEnd(next);
  const writes = await moveWrites(ctx, found);
  return isRemoved ? writes : [...writes, remove(DueBookingEntity, due)];
};

const moveWrites = async (ctx: Context, found: FoundDue): Promise<Write[]> => {
  const { stay, next } = found;
  const reason = reasonOf(next);
  if (next.move === 'cancel')
    return (await cancelReservations(ctx, found, reason, { isLapse: next.why === 'unpaid' })).writes;
  if (next.move === 'give_up_change') return giveUpChange(ctx, found, stay);
  if (next.move === 'call_balance')
    return stay.plan ? askForBalance(ctx, found, { ...stay, plan: stay.plan }) : [];
  if (next.move === 'no_show') return unpaidNoShow(ctx, stay, reason);
  return moveReservation(ctx, stay, next.move, { reason }).writes;
};

/** It was never paid, so nothing goes back. */
const unpaidNoShow = (ctx: Context, before: Reservation, reason: string): Write[] => {
  const { posted } = postRefunds([{ before, refund: 0 }], { kind: 'no-show', posted: postedBy(ctx) });
  return posted.flatMap((stay) => noShowOf(ctx, stay, reason).writes);
};

import { type Context, type Dependencies, systemContext } from '../../platform/context.ts';
import { drainDueList } from '../../platform/due/index.ts';
import { recordMetric } from '../../platform/metrics/index.ts';
import { remove, retryOnConflict, type Write } from '../../platform/table/index.ts';
import { cancelReservations, moveReservation } from '../booking/index.ts';
import {
  type DueBooking,
  DueBookingEntity,
  dueBookings,
  type DueMove,
  dueMove,
  findBooking,
  type FoundBooking,
  paymentOf,
  type Reservation,
} from '../booking/model.ts';
import type { Payment } from './payment.store.ts';
import { reconcilePayment } from './reconcile-payments.ts';

const hourMs = 3_600_000;

/**
 * How long a gateway that does not answer keeps a stay from being cancelled. Longer than the outages that large gateways
 * publish, for a guest who has paid keeps the booking; no longer, because unpaid nights cannot be sold meanwhile.
 */
const longestWaitMs = 6 * hourMs;

/**
 * Has the gateway say how an open payment stands, and close it, before its stay is cancelled: a report may be late or
 * lost. Throws while the gateway does not answer, for 6 hours at most; money that comes after that
 * goes back.
 */
const settleBeforeCancel = async (
  ctx: Context,
  { payment_id }: Payment,
  { reservation_id, due_at }: DueMove,
): Promise<void> => {
  try {
    await reconcilePayment(ctx, payment_id);
  } catch (error) {
    if (ctx.clock.now() < due_at + longestWaitMs) throw error;
    recordMetric('payment_unasked', 1);
    ctx.log.error('A booking is cancelled although its payment could not be asked about.', {
      reservation_id,
      payment_id,
      cause: String(error),
    });
  }
};

const actor = 'move-due-bookings';

type Outcome = 'cancelled' | 'completed' | 'nothing';

/** What a run of the schedule came to. */
export type MovedBookings = Record<'cancelled' | 'completed' | 'failed', number>;

/**
 * Moves the bookings whose time has come: cancels what no host accepted and what was not paid in time (D46), completes what
 * was checked out (D50). Each is one transaction that also takes it from the due ones, so a crash loses nothing and a second
 * run does nothing. One that fails is put off and does not keep the others.
 */
export const moveDueBookings = async (deps: Dependencies): Promise<MovedBookings> => {
  const ctx = systemContext(deps, actor);
  const moved = { cancelled: 0, completed: 0, nothing: 0 };
  const { failed } = await drainDueList(deps, actor, dueBookings, async (due) => {
    moved[await moveDue(ctx, due)]++;
  });
  return { cancelled: moved.cancelled, completed: moved.completed, failed };
};

const moveDue = async (ctx: Context, due: DueBooking): Promise<Outcome> => {
  let settled = false;
  return retryOnConflict(async () => {
    let found = await findDue(ctx, due);
    const payment = found && paymentOf(found, found.stay);
    if (!settled && found?.next.move === 'cancel' && payment && isUndecided(payment)) {
      await settleBeforeCancel(ctx, payment, found.next);
      settled = true;
      found = await findDue(ctx, due);
    }
    await ctx.table.transact(found ? await movingWrites(ctx, found, due) : [remove(DueBookingEntity, due)]);
    return found ? (found.next.move === 'cancel' ? 'cancelled' : 'completed') : 'nothing';
  });
};

/** Of a payment that may come in yet, or that a host's acceptance is about to take. */
const isUndecided = ({ state }: Payment): boolean => state === 'OPEN' || state === 'CAPTURING';

interface FoundDue extends FoundBooking {
  stay: Reservation;
  next: DueMove;
}

/** Judges by the booking as it stands, not by what was due: it may have been moved meanwhile, or be due later. */
const findDue = async (ctx: Context, due: DueBooking): Promise<FoundDue | undefined> => {
  const found = await findBooking(ctx.table, due.reservation_id);
  const [stay] = found?.reservations ?? [];
  const next = stay && dueMove(stay);
  // An item that was put off stands later than the move that it is for.
  return found && next && next.due_at <= due.due_at ? { ...found, stay, next } : undefined;
};

const movingWrites = async (ctx: Context, found: FoundDue, due: DueBooking): Promise<Write[]> => {
  const { stay, next } = found;
  const writes =
    next.move === 'cancel'
      ? (await cancelReservations(ctx, found, next.why)).writes
      : moveReservation(ctx, stay, next.move, { reason: next.why }).writes;
  // The move takes away the item of its time; one that was put off stands elsewhere.
  return next.due_at === due.due_at ? writes : [...writes, remove(DueBookingEntity, due)];
};

import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { put, type Write } from '../../platform/table/index.ts';
import { toInstant } from '../../platform/time/time.ts';
import { movedStay } from '../booking/index.ts';
import {
  balanceGraceMs,
  duePageOf,
  emitBookingEvent,
  type FoundBooking,
  type Reservation,
} from '../booking/model.ts';
import { callBalance, dueFor, type PaymentPlan } from '../folio/model.ts';
import { DueMailEntity } from '../notification/model.ts';
import { openPageFor, sameDuePage } from './open-due-page.ts';

/**
 * Returns the writes by which the balance of a payment plan falls due (D129). Unless it is paid on arrival, or that is nearer, the
 * guest has 12 hours to pay it, online on a page of its own; after that the stay is cancelled. The booking was read with its
 * due page.
 */
export const askForBalance = async (
  ctx: Context,
  found: Pick<FoundBooking, 'separatePayments'>,
  before: Reservation & { plan: PaymentPlan },
): Promise<Write[]> => {
  const now = ctx.clock.now();
  const called = callBalance(before);
  // A guest who comes sooner pays at the desk.
  const isOnArrival =
    before.plan.hours_before === 0 || now + balanceGraceMs > toInstant(before.start_at, before.timezone);
  const isOnline = !isOnArrival && before.payment_method === 'ONLINE_GATEWAY';
  const ends = now + balanceGraceMs;
  const page = isOnline
    ? await unlessRefused(ctx, before, () =>
        openPageFor(ctx, { ...before, ...called }, duePageOf(found, before), ends),
      )
    : undefined;
  const isAtDesk = isOnArrival || (isOnline && !page);
  const until = isAtDesk ? undefined : ends;
  const fields = { ...called, pay_until: until, ...(page && { due_page: page.payment.payment_id }) };
  const { writes } = movedStay(
    ctx,
    before,
    fields,
    (after) => [emitBookingEvent(ctx, after, 'payment.due', { amount: dueFor(after), charge: null })],
    sameDuePage(before),
  );
  const mail = { kind: 'balance' as const, id: before.reservation_id, due_at: now };
  return [...writes, ...(page?.writes ?? []), ...(isAtDesk ? [] : [put(DueMailEntity, mail)])];
};

/** What the gateway takes no page for, such as less than its least amount, the guest pays at the desk. */
const unlessRefused = async <Page>(
  ctx: Context,
  { reservation_id }: Reservation,
  open: () => Promise<Page>,
): Promise<Page | undefined> => {
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'VALIDATION_ERROR') throw error;
    ctx.log.warn('The gateway refuses the page of a balance; it is due without a time limit.', {
      reservation_id,
      cause: error.message,
    });
    return undefined;
  }
};

import type { Context } from '../../platform/context.ts';
import type { NotificationOutcome, PaymentNotification, Unpaid } from '../../platform/payment/index.ts';
import { retryOnConflict, type Write } from '../../platform/table/index.ts';
import { cancelReservations, waitsForPayment } from '../booking/index.ts';
import { emitBookingEvent, findPaid, type FoundOrder, type Reservation, totalOf } from '../booking/model.ts';
import { releaseDeclined, rereadWhenTaken, withGatewayCaller } from './book-charged.ts';
import { paidWrites } from './paid-writes.ts';
import { changePayment, earlierOf, movePayment, type Payment } from './payment.store.ts';

/** What is still to be paid for stays. */
export const owedFor = (waiting: readonly Reservation[]): number =>
  totalOf(waiting.map(({ total }) => total));

/** Opens another page for a payment, which asks for what the stays that wait for it cost. */
export const openAnother = async (
  ctx: Context,
  payment: Payment,
  waiting: readonly Reservation[],
  before: { may_be_paid: boolean },
): Promise<Write> => {
  const now = ctx.clock.now();
  const attempt = payment.attempt + 1;
  const amount = owedFor(waiting);
  const opened = await ctx.payments().openSession({ ...payment, amount, attempt, now });
  return changePayment(ctx, payment, {
    ...opened,
    ...earlierOf(payment, before),
    amount,
    attempt,
    opened_at: now,
    stays: waiting.map(({ reservation_id }) => reservation_id),
  });
};

/** What the gateway says of a payment, carried out once, however often and in whatever order it is said (D47). */
export const settlePayment = (from: Context, told: PaymentNotification): Promise<NotificationOutcome> =>
  retryOnConflict(async () => {
    const ctx = withGatewayCaller(from);
    const found = await findPaid(ctx.table, told.payment_id);
    const { outcome } = told;
    // What is authorised is captured or closed by what is asked here, never by a report.
    if (outcome.state === 'authorised') return 'repeated';
    const { heard, writes } =
      outcome.state === 'paid'
        ? await paidWrites(ctx, found, { ...told, paid: outcome })
        : await unpaidWrites(ctx, found, told.reference, outcome);
    await rereadWhenTaken(() => ctx.table.transact(writes));
    return heard;
  });

/** A failed attempt: the lock of a declined charge is released; a customer at the page may try again until the window ends. */
const unpaidWrites = async (
  ctx: Context,
  found: FoundOrder,
  reference: string,
  outcome: Unpaid,
): Promise<{ heard: NotificationOutcome; writes: Write[] }> => {
  const { payment } = found;
  if (!payment) return { heard: 'unknown', writes: [] };
  if (!outcome.final) return { heard: 'taken', writes: [] };
  if (payment.state === 'CHARGING')
    return { heard: 'taken', writes: await declineWrites(ctx, found, payment, outcome.reason) };
  if (payment.state === 'AUTHORISED' || payment.state === 'CAPTURING')
    return { heard: 'taken', writes: await voidWrites(ctx, found, payment, outcome.reason) };
  // Of an attempt that was followed by another, or of a payment that is over.
  if (payment.state !== 'OPEN' || payment.reference !== reference) return { heard: 'repeated', writes: [] };
  return { heard: 'taken', writes: await nextAttempt(ctx, found, payment, outcome.reason) };
};

const declineWrites = async (
  ctx: Context,
  { order }: FoundOrder,
  payment: Payment,
  reason: string,
): Promise<Write[]> => [
  movePayment(ctx, payment, 'decline'),
  ...(order?.state === 'CHARGING' ? await releaseDeclined(ctx, order, reason) : []),
];

/**
 * Nothing is authorised any more. The stay whose payment was to be captured is cancelled; the payment is looked at once more,
 * so that nothing stays authorised for it. A stay that waits for its host is left to its host.
 */
const voidWrites = async (
  ctx: Context,
  { order, reservations, separatePayments }: FoundOrder,
  payment: Payment,
  reason: string,
): Promise<Write[]> => {
  const waiting = reservations.filter(waitsForPayment);
  if (!order || waiting.length === 0) return [movePayment(ctx, payment, 'void')];
  if (payment.state === 'AUTHORISED') return [];
  const failed = waiting.map((stay) => emitBookingEvent(ctx, stay, 'payment.failed', { reason }));
  const why = `The payment could not be taken: ${reason}`;
  const { writes } = await cancelReservations(ctx, { order, reservations: waiting, separatePayments }, why);
  return [...writes, ...failed];
};

const nextAttempt = async (
  ctx: Context,
  { reservations }: FoundOrder,
  payment: Payment,
  reason: string,
): Promise<Write[]> => {
  const waiting = reservations.filter(waitsForPayment);
  const told = waiting.map((stay) => emitBookingEvent(ctx, stay, 'payment.failed', { reason }));
  if (waiting.length === 0 || ctx.clock.now() >= payment.ends_at)
    return [movePayment(ctx, payment, 'expire'), ...told];
  return [await openAnother(ctx, payment, waiting, { may_be_paid: false }), ...told];
};

/** The window of a payment is over, and the gateway has closed it: nothing is awaited any more. */
export const expirePayment = (ctx: Context, payment: Payment): Promise<void> =>
  ctx.table.transact([movePayment(ctx, payment, 'expire')]);

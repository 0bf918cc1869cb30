import type { Context } from '../../platform/context.ts';
import type { Heard, PaymentNotification, Unpaid } from '../../platform/payment/index.ts';
import { untilWon, type Write } from '../../platform/table/index.ts';
import { findPaid, type FoundOrder, tellBooking, waitsForPayment } from '../booking/index.ts';
import { changePayment, movePayment, type Payment } from '../payment/index.ts';
import { asGateway } from './as-gateway.ts';
import { releaseCharging, rereadWhenTaken } from './book-charged.ts';
import { paidWrites } from './paid-writes.ts';
import { tellPayment } from './tell-payment.ts';

/** What the gateway says of a payment, carried out once, however often and in whatever order it is said (D47). */
export const settlePayment = (from: Context, told: PaymentNotification): Promise<Heard> =>
  untilWon(async () => {
    const ctx = asGateway(from);
    const found = await findPaid(ctx.table, told.payment_id);
    const { outcome } = told;
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
): Promise<{ heard: Heard; writes: Write[] }> => {
  const { payment } = found;
  if (!payment) return { heard: 'unknown', writes: [] };
  if (!outcome.final) return { heard: 'taken', writes: [] };
  if (payment.state === 'CHARGING')
    return { heard: 'taken', writes: await declineWrites(ctx, found, payment, outcome.reason) };
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
  ...(order?.state === 'CHARGING' ? await releaseCharging(ctx, order) : []),
  ...tellPayment(ctx, order, 'payment.failed', { ...payment, reason }),
];

const nextAttempt = async (
  ctx: Context,
  { reservations }: FoundOrder,
  payment: Payment,
  reason: string,
): Promise<Write[]> => {
  const waiting = reservations.filter(waitsForPayment);
  const now = ctx.clock.now();
  const told = waiting.map((stay) => tellBooking(ctx, stay, 'payment.failed', { reason }));
  if (waiting.length === 0 || now >= payment.ends_at) return [movePayment(ctx, payment, 'expire'), ...told];
  const attempt = payment.attempt + 1;
  const opened = await ctx.payments().openSession({ ...payment, attempt, now });
  return [changePayment(ctx, payment, { ...opened, attempt, opened_at: now }), ...told];
};

/** The window of a payment is over, and the gateway has closed it: nothing is awaited any more. */
export const expirePayment = (ctx: Context, payment: Payment): Promise<void> =>
  ctx.table.transact([movePayment(ctx, payment, 'expire')]);

import type { Context } from '../../platform/context.ts';
import type { Write } from '../../platform/table/index.ts';
import { type Reservation, totalOf } from '../booking/index.ts';
import { changePayment, earlierOf, type Payment } from '../payment/index.ts';

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

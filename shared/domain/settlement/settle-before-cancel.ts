import type { Context } from '../../platform/context.ts';
import { count } from '../../platform/metrics/index.ts';
import type { DueMove } from '../booking/index.ts';
import type { Payment } from '../payment/index.ts';
import { reconcilePayment } from './look-after-payment.ts';

const hourMs = 3_600_000;

/**
 * How long a gateway that does not answer keeps a stay from being cancelled. Longer than the outages that large gateways
 * publish, for a guest who has paid keeps the booking; no longer, because unpaid nights cannot be sold meanwhile.
 */
export const longestWaitMs = 6 * hourMs;

/**
 * Has the gateway say how an open payment stands, and close it, before its stay is cancelled: a report may be late or
 * lost. Throws while the gateway does not answer, for 6 hours at most; money that comes after that
 * goes back.
 */
export const settleBeforeCancel = async (
  ctx: Context,
  { payment_id }: Payment,
  { reservation_id, due_at }: DueMove,
): Promise<void> => {
  try {
    await reconcilePayment(ctx, payment_id);
  } catch (error) {
    if (ctx.clock.now() < due_at + longestWaitMs) throw error;
    count('payment_unasked', 1);
    ctx.log.error('A booking is cancelled although its payment could not be asked about.', {
      reservation_id,
      payment_id,
      cause: String(error),
    });
  }
};

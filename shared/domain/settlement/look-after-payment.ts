import type { Context } from '../../platform/context.ts';
import { LostRace } from '../../platform/table/index.ts';
import { findOrder, type FoundOrder, waitsForPayment } from '../booking/index.ts';
import type { Payment } from '../payment/index.ts';
import { asGateway } from './as-gateway.ts';
import { giveBack } from './give-back.ts';
import { expirePayment, settlePayment } from './settle-payment.ts';

/** Younger than that, the confirm that charges it is still at work. */
const chargeMs = 60_000;

/**
 * Does what is to be done about a payment now: asks the gateway how it stands (a lost webhook, a process that died between
 * charge and booking), ends it when its window is over, and gives back what is owed (D47, D48). Answers whether it is to be
 * looked at again.
 */
export const lookAfterPayment = async (from: Context, payment_id: number): Promise<boolean> => {
  const ctx = asGateway(from);
  const { payment, reservations } = await findOrder(ctx.table, payment_id);
  if (!payment) return false;
  if (payment.provider !== ctx.payments().provider)
    throw new Error(`payment ${payment_id} is of ${payment.provider}, which is not the gateway here`);
  if (payment.state === 'OPEN') await lookAtOpen(ctx, payment, reservations.some(waitsForPayment));
  if (payment.state === 'CHARGING') await lookAtCharging(ctx, payment);
  const found = await giveBackOwed(ctx, payment_id);
  return isOpen(found.payment);
};

/** The same at once, for whoever has other work: what fails now is done by the schedule. */
export const lookSoon = async (ctx: Context, payment_id: number): Promise<void> => {
  try {
    await lookAfterPayment(ctx, payment_id);
  } catch (error) {
    ctx.log.warn('A payment has to wait for the schedule.', { payment_id, cause: String(error) });
  }
};

const isOpen = (payment: Payment | undefined): boolean =>
  payment?.state === 'OPEN' || payment?.state === 'CHARGING';

const lookAtOpen = async (ctx: Context, payment: Payment, isAwaited: boolean): Promise<void> => {
  const now = ctx.clock.now();
  const isOver = now >= payment.ends_at || !isAwaited;
  const gateway = ctx.payments();
  const outcome = await (isOver ? gateway.close({ ...payment, now }) : gateway.find({ ...payment, now }));
  if (outcome.state === 'paid' || !isOver) await settlePayment(ctx, { ...payment, outcome });
  else await unlessBeaten(() => expirePayment(ctx, payment));
};

const lookAtCharging = async (ctx: Context, payment: Payment): Promise<void> => {
  const now = ctx.clock.now();
  if (now < payment.opened_at + chargeMs) return;
  const outcome = await ctx.payments().close({ ...payment, now });
  await settlePayment(ctx, {
    ...payment,
    outcome: outcome.state === 'paid' ? outcome : { ...outcome, final: true },
  });
};

const giveBackOwed = async (ctx: Context, payment_id: number): Promise<FoundOrder> => {
  const found = await findOrder(ctx.table, payment_id);
  const { payment, refunds } = found;
  for (const refund of refunds) if (payment && refund.state === 'DUE') await giveBack(ctx, payment, refund);
  return found;
};

/** Whoever was faster leaves it to be looked at again. */
const unlessBeaten = async (write: () => Promise<void>): Promise<void> => {
  try {
    await write();
  } catch (error) {
    if (!(error instanceof LostRace)) throw error;
  }
};

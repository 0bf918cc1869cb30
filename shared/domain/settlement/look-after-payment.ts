import type { Context } from '../../platform/context.ts';
import { orderIdOf } from '../../platform/ids.ts';
import { findOrder, findPaid, type FoundOrder, waitsForPayment } from '../booking/index.ts';
import type { Payment } from '../payment/index.ts';
import { asGateway } from './as-gateway.ts';
import { bookAuthorised, declineAuthorised } from './book-authorised.ts';
import { giveBack } from './give-back.ts';
import { expirePayment, settlePayment } from './settle-payment.ts';
import { unlessBeaten } from './unless-beaten.ts';

/** Younger than that, the confirm that charges it is still at work. */
const chargeMs = 60_000;

/**
 * Does what is to be done about a payment now: asks the gateway how it stands (a lost webhook, a process that died between
 * charge and booking), captures what a host has accepted, ends it when its window is over or no stay waits for it any more, and refunds what is
 * owed (D47, D48). Answers whether it is to be looked at again.
 */
export const lookAfterPayment = async (from: Context, payment_id: number): Promise<boolean> => {
  const ctx = asGateway(from);
  const found = await findPaid(ctx.table, payment_id);
  const { payment } = found;
  if (!payment) return false;
  if (payment.provider !== ctx.payments().provider)
    throw new Error(`payment ${payment_id} is of ${payment.provider}, which is not the gateway here`);
  const isAsItWas = !(await ask(ctx, payment, found));
  const after = isAsItWas ? found : await findPaid(ctx.table, payment_id);
  await giveBackOwed(ctx, after);
  return isOpen(after.payment);
};

/** The same at once, for a caller with other work: what fails now is done by the schedule. */
export const lookSoon = async (ctx: Context, payment_id: number): Promise<void> => {
  try {
    await lookAfterPayment(ctx, payment_id);
  } catch (error) {
    ctx.log.warn('A payment has to wait for the schedule.', { payment_id, cause: String(error) });
  }
};

/** What is authorised waits for its host; whatever ends that has the payment looked at. */
const isOpen = (payment: Payment | undefined): boolean =>
  payment?.state === 'OPEN' || payment?.state === 'CHARGING' || payment?.state === 'CAPTURING';

/** Whether the gateway's answer may have changed something. */
const ask = async (ctx: Context, payment: Payment, { order, reservations }: FoundOrder): Promise<boolean> => {
  if (payment.state === 'OPEN') return askOpen(ctx, payment, reservations.some(waitsForPayment));
  if (payment.state === 'CHARGING') return askCharging(ctx, payment, order?.state === 'CHARGING');
  if (payment.state === 'AUTHORISED' || payment.state === 'CAPTURING')
    return askAuthorised(ctx, payment, reservations.some(waitsForPayment));
  return false;
};

const askOpen = async (ctx: Context, payment: Payment, isAwaited: boolean): Promise<boolean> => {
  const now = ctx.clock.now();
  const isOver = now >= payment.ends_at || !isAwaited;
  const gateway = ctx.payments();
  const outcome = await (isOver ? gateway.close({ ...payment, now }) : gateway.find({ ...payment, now }));
  if (outcome.state === 'authorised' || (outcome.state === 'unpaid' && !outcome.final && !isOver))
    return false;
  if (outcome.state === 'paid' || !isOver) await settlePayment(ctx, { ...payment, outcome });
  else await unlessBeaten(() => expirePayment(ctx, payment));
  return true;
};

const askCharging = async (ctx: Context, payment: Payment, isAwaited: boolean): Promise<boolean> => {
  const now = ctx.clock.now();
  if (isAwaited && now < payment.opened_at + chargeMs) return false;
  if (isAwaited && payment.captured_later) return askAuthorising(ctx, payment);
  const outcome = await ctx.payments().close({ ...payment, now });
  await settlePayment(ctx, {
    ...payment,
    outcome: outcome.state === 'paid' ? outcome : { ...outcome, final: true },
  });
  return true;
};

/**
 * An order with authorisations, whose confirm has died: its charge comes last and decides; without one, it is booked when all
 * are authorised. It is released before any of them is closed, so that no confirm still at work can book without one.
 */
const askAuthorising = async (ctx: Context, { payment_id }: Payment): Promise<boolean> => {
  const orderId = orderIdOf(payment_id);
  const { payment, apart } = await findOrder(ctx.table, orderId);
  if (payment) return askCharging(ctx, payment, true);
  const now = ctx.clock.now();
  const outcomes = await Promise.all(apart.map((one) => ctx.payments().find({ ...one, now })));
  const missing = outcomes.find(({ state }) => state !== 'authorised');
  if (missing)
    await declineAuthorised(ctx, orderId, missing.state === 'unpaid' ? missing.reason : missing.state);
  else await bookAuthorised(ctx, orderId);
  return true;
};

/** Captures what was accepted, once; what no stay waits for is closed. */
const askAuthorised = async (ctx: Context, payment: Payment, isAwaited: boolean): Promise<boolean> => {
  if (isAwaited && payment.state === 'AUTHORISED') return false;
  const opened = { ...payment, now: ctx.clock.now() };
  const gateway = ctx.payments();
  const outcome = await (isAwaited ? gateway.capture(opened) : gateway.close(opened));
  await settlePayment(ctx, { ...payment, outcome });
  return true;
};

const giveBackOwed = async (ctx: Context, { payment, refunds }: FoundOrder): Promise<void> => {
  const failures: unknown[] = [];
  for (const refund of refunds) {
    const alike = refunds.filter(({ transaction_id }) => transaction_id === refund.transaction_id);
    if (!payment || refund.state !== 'DUE') continue;
    await giveBack(ctx, payment, refund, alike.length === 1).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
};

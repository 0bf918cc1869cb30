import { type Context, type Dependencies, systemContext } from '../../platform/context.ts';
import { drainDueList } from '../../platform/due/index.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { RawRequest } from '../../platform/http/route.ts';
import { orderIdOf } from '../../platform/ids.ts';
import { BadSignature, type NotificationOutcome } from '../../platform/payment/index.ts';
import { present, remove } from '../../platform/table/index.ts';
import { waitsForPayment } from '../booking/index.ts';
import { findOrder, findPaid, type FoundOrder, type Reservation } from '../booking/model.ts';
import { bookAuthorised, declineAuthorised, withGatewayCaller } from './book-charged.ts';
import {
  type DuePayment,
  DuePaymentEntity,
  duePayments,
  type Payment,
  reconciliationIntervalMs,
  scheduleReconciliation,
} from './payment.store.ts';
import { executeRefund, ignoreConflict } from './refunds.ts';
import { expirePayment, openAnother, owedFor, settlePayment } from './settle-payment.ts';

/** Younger than that, the confirm that charges it is still at work. */
const chargeMs = 60_000;

/**
 * Does what is to be done about a payment now: asks the gateway how it stands (a lost webhook, a process that died between
 * charge and booking), captures what a host has accepted, ends it when its window is over or no stay waits for it any more, and refunds what is
 * owed (D47, D48). Answers whether it is to be looked at again.
 */
export const reconcilePayment = async (from: Context, payment_id: number): Promise<boolean> => {
  const ctx = withGatewayCaller(from);
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
export const reconcileSoon = async (ctx: Context, payment_id: number): Promise<void> => {
  try {
    await reconcilePayment(ctx, payment_id);
  } catch (error) {
    ctx.log.warn('A payment has to wait for the schedule.', { payment_id, cause: String(error) });
  }
};

/** What is authorised waits for its host; whatever ends that has the payment looked at. */
const isOpen = (payment: Payment | undefined): boolean =>
  payment?.state === 'OPEN' || payment?.state === 'CHARGING' || payment?.state === 'CAPTURING';

/** Whether the gateway's answer may have changed something. */
const ask = async (ctx: Context, payment: Payment, { order, reservations }: FoundOrder): Promise<boolean> => {
  if (payment.state === 'OPEN') return askOpen(ctx, payment, reservations.filter(waitsForPayment));
  if (payment.state === 'CHARGING') return askCharging(ctx, payment, order?.state === 'CHARGING');
  if (payment.state === 'AUTHORISED' || payment.state === 'CAPTURING')
    return askAuthorised(ctx, payment, reservations.some(waitsForPayment));
  return false;
};

/** A page that asks for too much, because stays were cancelled, is closed and followed by another. */
const askOpen = async (ctx: Context, payment: Payment, waiting: readonly Reservation[]): Promise<boolean> => {
  if (await wasPaidEarlier(ctx, payment)) return true;
  const now = ctx.clock.now();
  const isOver = now >= payment.ends_at || waiting.length === 0;
  const isTooMuch = waiting.length > 0 && owedFor(waiting) < payment.amount;
  const gateway = ctx.payments();
  const opened = { ...payment, now };
  const outcome = await (isOver || isTooMuch ? gateway.close(opened) : gateway.find(opened));
  if (outcome.state === 'authorised') return false;
  if (outcome.state === 'paid') await settlePayment(ctx, { ...payment, outcome });
  else if (isOver) await ignoreConflict(() => expirePayment(ctx, payment));
  else if (isTooMuch) await ignoreConflict(() => askForLess(ctx, payment, waiting, !outcome.final));
  else if (outcome.final) await settlePayment(ctx, { ...payment, outcome });
  else return false;
  return true;
};

const askForLess = async (
  ctx: Context,
  payment: Payment,
  waiting: readonly Reservation[],
  may_be_paid: boolean,
): Promise<void> => ctx.table.transact([await openAnother(ctx, payment, waiting, { may_be_paid })]);

/** Whether money came by a page that was followed by another while the gateway might still take it. */
const wasPaidEarlier = async (ctx: Context, payment: Payment): Promise<boolean> => {
  for (const { reference, amount, opened_at, may_be_paid } of payment.earlier ?? []) {
    if (!may_be_paid) continue;
    const opened = { ...payment, reference, amount, opened_at, now: ctx.clock.now() };
    const outcome = await ctx.payments().find(opened);
    if (outcome.state !== 'paid') continue;
    await settlePayment(ctx, { payment_id: payment.payment_id, reference, outcome });
    return true;
  }
  return false;
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
  const { payment, separatePayments } = await findOrder(ctx.table, orderId);
  if (payment) return askCharging(ctx, payment, true);
  const now = ctx.clock.now();
  const outcomes = await Promise.all(separatePayments.map((one) => ctx.payments().find({ ...one, now })));
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
    await executeRefund(ctx, payment, refund, alike.length === 1).catch((error: unknown) =>
      failures.push(error),
    );
  }
  if (failures.length > 0) throw failures[0];
};

const actor = 'reconcile-payments';

/**
 * Checks the payments whose time has come: one that is open is asked about every 5 minutes (D47). Each is looked at by
 * itself; one that fails is put off and does not keep the others.
 */
export const reconcilePayments = async (
  deps: Dependencies,
): Promise<{ looked_after: number; failed: number }> => {
  const { done, failed } = await drainDueList(deps, actor, duePayments, async (due) => {
    const isAgain = await reconcilePayment(systemContext(deps, actor), due.payment_id);
    await ignoreConflict(() => goOn(deps, due, isAgain));
  });
  return { looked_after: done, failed };
};

/** The payment keeps its place among the due ones until nothing is left to be done; of two runs at once, one gives it the next. */
const goOn = ({ table, clock }: Dependencies, due: DuePayment, isAgain: boolean): Promise<void> =>
  table.transact([
    remove(DuePaymentEntity, due, { when: present() }),
    ...(isAgain ? [scheduleReconciliation(due.payment_id, clock.now() + reconciliationIntervalMs)] : []),
  ]);

/**
 * A call of a gateway's webhook (D47). NOT_FOUND for a gateway that is not ours; UNAUTHORIZED when the signature is not the
 * gateway's, before anything is read. What is owed back by it goes back at once when the gateway answers, else with the schedule.
 */
export const handlePaymentWebhook = async (
  ctx: Context,
  { provider, method, raw }: { provider: string; method: 'GET' | 'POST'; raw: RawRequest },
): Promise<NotificationOutcome> => {
  const gateway = ctx.payments();
  if (provider !== gateway.provider || method !== gateway.notifiesBy)
    throw new ServiceError('NOT_FOUND', 'There is no such payment gateway here.');
  const told = await signed(() => gateway.readNotification(raw, ctx.clock.now()));
  if (!told) return 'unknown';
  const heard = await settlePayment(ctx, told);
  if (told.outcome.state === 'paid') await reconcileSoon(ctx, told.payment_id);
  return heard;
};

const signed = async <Told>(read: () => Promise<Told>): Promise<Told> => {
  try {
    return await read();
  } catch (error) {
    if (error instanceof BadSignature) throw new ServiceError('UNAUTHORIZED', error.message);
    throw error;
  }
};

import { type Context, type Dependencies, systemContext } from '../../platform/context.ts';
import { drainDueList } from '../../platform/due/index.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { RawRequest } from '../../platform/http/route.ts';
import { orderIdOf } from '../../platform/ids.ts';
import { BadSignature, GatewayUnavailable, type NotificationOutcome } from '../../platform/payment/index.ts';
import { present, remove } from '../../platform/table/index.ts';
import { waitsForPayment } from '../booking/index.ts';
import { findOrder, findPaid, type FoundOrder, paymentOf } from '../booking/model.ts';
import { chargesOf } from '../folio/model.ts';
import { bookAuthorised, declineAuthorised, withGatewayCaller } from './book-charged.ts';
import { type DuePayment, DuePaymentEntity, duePayments, type Payment } from './payment.entity.ts';
import { reconciliationIntervalMs, scheduleReconciliation } from './payment.store.ts';
import { withoutVainHold } from './pay-change.ts';
import { reconcileDeposit } from './reconcile-deposit.ts';
import { mayBePaidAgain, reconcileEnded, reconcileOpen } from './reconcile-pages.ts';
import { executeRefund, failRefund, ignoreConflict } from './refunds.ts';
import { settlePayment } from './settle-payment.ts';

/** Before this age, the confirm that charges it may still be running. */
const chargeTimeoutMs = 60_000;

/**
 * Reconciles a payment: asks the gateway for its state (after a lost webhook, or a crash between charge and booking),
 * captures an accepted payment, closes it when its window has ended or no stay awaits it, and executes due refunds (D47,
 * D48). Returns when it must be reconciled again; undefined: never.
 */
export const reconcilePayment = async (from: Context, paymentId: number): Promise<number | undefined> => {
  const ctx = withGatewayCaller(from);
  const found = await findPaid(ctx.table, paymentId);
  const { payment } = found;
  if (!payment) return undefined;
  if (payment.provider !== ctx.payments().provider)
    throw new Error(
      `payment ${paymentId} belongs to ${payment.provider}, which is not the configured gateway`,
    );
  if (payment.deposit_of !== undefined) return reconcileDeposit(ctx, paymentId);
  const { after, failures } = await reconcileStates(ctx, payment, found);
  failures.push(...(await executeDueRefunds(ctx, after)));
  if (failures.length > 0) throw failures[0];
  const mustContinue = isOpen(after.payment) || mayBePaidAgain(ctx, after.payment);
  return mustContinue ? ctx.clock.now() + reconciliationIntervalMs : undefined;
};

/** As often as a payment is looked at again in one run, after what one of its pages has changed. */
const mostLooks = 8;

/** Asks the gateway until nothing changes: a page that was paid says nothing of the others. What fails does not hold up refunds. */
const reconcileStates = async (
  ctx: Context,
  given: Payment,
  found: FoundOrder,
): Promise<{ after: FoundOrder; failures: unknown[] }> => {
  let [payment, after]: [Payment, FoundOrder] = [given, found];
  for (let look = 0; look < mostLooks; look++) {
    try {
      if (!(await reconcileState(ctx, payment, after))) break;
    } catch (failure) {
      return { after: await findPaid(ctx.table, given.payment_id), failures: [failure] };
    }
    const { version } = payment;
    after = await findPaid(ctx.table, given.payment_id);
    if (!after.payment || after.payment.version === version) break;
    payment = after.payment;
  }
  return { after, failures: [] };
};

/** The same for a caller with other work: logs a failure, after which the schedule continues. */
export const reconcileSoon = async (ctx: Context, paymentId: number): Promise<void> => {
  try {
    await reconcilePayment(ctx, paymentId);
  } catch (error) {
    ctx.log.warn('A payment is left to the schedule.', { payment_id: paymentId, cause: String(error) });
  }
};

/** Reconciles what a stay was paid by, or is to be paid by, like {@link reconcileSoon}: its changes included (D84). */
export const reconcileStay = async (ctx: Context, reservationId: number): Promise<void> => {
  const found = await findOrder(ctx.table, orderIdOf(reservationId));
  const stay = found.reservations.find(({ reservation_id }) => reservation_id === reservationId);
  if (!stay) return;
  const ids = [
    paymentOf(found, stay)?.payment_id,
    ...chargesOf(stay).map(({ payment_id }) => payment_id),
    stay.pending_change,
    stay.due_page,
  ];
  for (const paymentId of new Set(ids)) if (paymentId !== undefined) await reconcileSoon(ctx, paymentId);
};

/** An authorised payment awaits its host; what ends the waiting also schedules a reconciliation. */
const isOpen = (payment: Payment | undefined): boolean =>
  payment?.state === 'OPEN' || payment?.state === 'CHARGING' || payment?.state === 'CAPTURING';

/** Returns whether the gateway's answer may have changed the payment. */
const reconcileState = async (ctx: Context, payment: Payment, found: FoundOrder): Promise<boolean> => {
  const { order, reservations } = found;
  if (payment.state === 'OPEN') return reconcileOpen(ctx, payment, await withoutVainHold(ctx, found));
  if (payment.state === 'CHARGING') return reconcileCharging(ctx, payment, order?.state === 'CHARGING');
  if (payment.state === 'AUTHORISED' || payment.state === 'CAPTURING')
    return reconcileAuthorised(ctx, payment, reservations.some(waitsForPayment));
  return mayBePaidAgain(ctx, payment) ? reconcileEnded(ctx, payment) : false;
};

const reconcileCharging = async (ctx: Context, payment: Payment, isAwaited: boolean): Promise<boolean> => {
  const now = ctx.clock.now();
  if (isAwaited && now < payment.opened_at + chargeTimeoutMs) return false;
  if (isAwaited && payment.captured_later) return reconcileAuthorising(ctx, payment);
  const outcome = await ctx.payments().close({ ...payment, now });
  await settlePayment(ctx, {
    ...payment,
    outcome: outcome.state === 'paid' ? outcome : { ...outcome, final: true },
  });
  return true;
};

/**
 * Continues an order with authorisations whose confirm has stopped. If it also has a charge, that comes last and decides;
 * otherwise it is booked when all payments are authorised. It is released before any of them is closed, so that a confirm
 * that is still running cannot book it.
 */
const reconcileAuthorising = async (ctx: Context, { payment_id }: Payment): Promise<boolean> => {
  const orderId = orderIdOf(payment_id);
  const { payment, separatePayments } = await findOrder(ctx.table, orderId);
  if (payment) return reconcileCharging(ctx, payment, true);
  const now = ctx.clock.now();
  const outcomes = await Promise.all(separatePayments.map((one) => ctx.payments().find({ ...one, now })));
  const missing = outcomes.find(({ state }) => state !== 'authorised');
  if (missing)
    await declineAuthorised(ctx, orderId, missing.state === 'unpaid' ? missing.reason : missing.state);
  else await bookAuthorised(ctx, orderId);
  return true;
};

/** Captures an accepted payment; closes one that no stay awaits. */
const reconcileAuthorised = async (ctx: Context, payment: Payment, isAwaited: boolean): Promise<boolean> => {
  if (isAwaited && payment.state === 'AUTHORISED') return false;
  const opened = { ...payment, now: ctx.clock.now() };
  const gateway = ctx.payments();
  const outcome = await (isAwaited ? gateway.capture(opened) : gateway.close(opened));
  await settlePayment(ctx, { ...payment, outcome });
  return true;
};

/** Returns what has failed; one refund does not hold up another. */
const executeDueRefunds = async (ctx: Context, { payment, refunds }: FoundOrder): Promise<unknown[]> => {
  const failures: unknown[] = [];
  for (const refund of refunds) {
    const ofSameCharge = refunds.filter(({ transaction_id }) => transaction_id === refund.transaction_id);
    if (!payment || refund.state !== 'DUE') continue;
    await executeRefund(ctx, payment, refund, ofSameCharge.length === 1).catch((error: unknown) =>
      failures.push(error),
    );
  }
  return failures;
};

const actor = 'reconcile-payments';

/** Reconciles the due payments; open ones every 5 minutes (D47). A failing one is deferred and does not stop the others. */
export const reconcilePayments = async (
  deps: Dependencies,
): Promise<{ reconciled: number; failed: number }> => {
  const { done, failed } = await drainDueList(deps, actor, duePayments, async (due) => {
    const next = await reconcilePayment(systemContext(deps, actor), due.payment_id);
    await ignoreConflict(() => rescheduleWrites(deps, due, next));
  });
  return { reconciled: done, failed };
};

/** Removes the due item, and schedules the next one if necessary; of two concurrent runs one conflicts. */
const rescheduleWrites = (
  { table }: Dependencies,
  due: DuePayment,
  next: number | undefined,
): Promise<void> =>
  table.transact([
    remove(DuePaymentEntity, due, { when: present() }),
    ...(next === undefined ? [] : [scheduleReconciliation(due.payment_id, next)]),
  ]);

/**
 * Handles a webhook call of the gateway (D47). Throws NOT_FOUND for a gateway that is not configured, UNAUTHORIZED for a
 * wrong signature, before anything is read. Resulting refunds are executed at once if the gateway responds, else by the
 * schedule.
 */
export const handlePaymentWebhook = async (
  ctx: Context,
  { provider, method, raw }: { provider: string; method: 'GET' | 'POST'; raw: RawRequest },
): Promise<NotificationOutcome> => {
  const gateway = ctx.payments();
  if (provider !== gateway.provider || method !== gateway.notifiesBy)
    throw new ServiceError('NOT_FOUND', 'This payment gateway is not configured.');
  const notification = await unlessUnavailable(() =>
    requireSigned(() => gateway.readNotification(raw, ctx.clock.now())),
  );
  if (!notification) return 'unknown';
  if ('refund_id' in notification) return failRefund(ctx, notification);
  const result = await unlessUnavailable(() => settlePayment(ctx, notification));
  if (notification.outcome.state === 'paid') await reconcileSoon(ctx, notification.payment_id);
  return result;
};

/** A report that needs a gateway which does not respond is refused for now, so that the gateway sends it again. */
const unlessUnavailable = async <Result>(settle: () => Promise<Result>): Promise<Result> => {
  try {
    return await settle();
  } catch (error) {
    if (!(error instanceof GatewayUnavailable)) throw error;
    throw new ServiceError('SERVICE_UNAVAILABLE', undefined, {}, { retryAfterSeconds: 60, cause: error });
  }
};

const requireSigned = async <Notification>(read: () => Promise<Notification>): Promise<Notification> => {
  try {
    return await read();
  } catch (error) {
    if (error instanceof BadSignature) throw new ServiceError('UNAUTHORIZED', error.message);
    throw error;
  }
};

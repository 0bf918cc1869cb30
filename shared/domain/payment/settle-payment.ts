import type { Context } from '../../platform/context.ts';
import type { NotificationOutcome, PaymentNotification, Unpaid } from '../../platform/payment/index.ts';
import { retryOnConflict, type Write } from '../../platform/table/index.ts';
import { cancelReservations, waitsForPayment } from '../booking/index.ts';
import { emitBookingEvent, findPaid, type FoundOrder, type Reservation, totalOf } from '../booking/model.ts';
import { conflictWhenTaken } from '../calendar/index.ts';
import { dueFor } from '../folio/model.ts';
import { releaseDeclined, withGatewayCaller } from './book-charged.ts';
import { paidWrites } from './paid-writes.ts';
import { releaseChange } from './pay-change.ts';
import { reconcileDeposit } from './reconcile-deposit.ts';
import type { Payment } from './payment.entity.ts';
import { changePayment, earlierAttempts, movePayment } from './payment.store.ts';

/** Returns the amount still to be paid for stays. */
export const amountDue = (waiting: readonly Reservation[]): number => totalOf(waiting.map(dueFor));

/** A page that was opened at the gateway and is not part of its payment yet. */
export interface NextPage extends Pick<
  Payment,
  'reference' | 'url' | 'amount' | 'attempt' | 'opened_at' | 'ends_at'
> {
  stays: number[];
}

/** Opens another page for the stays that await a payment. Its address is published with {@link replaceBy}. */
export const openNextPage = async (
  ctx: Context,
  payment: Payment,
  waiting: readonly Reservation[],
  endsAt = payment.ends_at,
): Promise<NextPage> => {
  const now = ctx.clock.now();
  const next = { amount: amountDue(waiting), attempt: payment.attempt + 1, ends_at: endsAt };
  return {
    ...(await ctx.payments().openSession({ ...payment, ...next, now })),
    ...next,
    opened_at: now,
    stays: waiting.map(({ reservation_id }) => reservation_id),
  };
};

/** Returns the write that makes a page the present one; the one before becomes an earlier one, which may still be paid or not. */
export const replaceBy = (
  ctx: Context,
  payment: Payment,
  page: NextPage,
  before: { may_be_paid: boolean },
): { write: Write; opened: Payment } => {
  const changes = { ...page, ...earlierAttempts(payment, before) };
  return { write: changePayment(ctx, payment, changes), opened: { ...payment, ...changes } };
};

/** Applies a report of the gateway; idempotent and independent of the order of reports (D47). One of a deposit is a reason to ask. */
export const settlePayment = (
  from: Context,
  notification: PaymentNotification,
): Promise<NotificationOutcome> =>
  retryOnConflict(async () => {
    const ctx = withGatewayCaller(from);
    const found = await findPaid(ctx.table, notification.payment_id);
    const { outcome } = notification;
    if (found.payment?.deposit_of !== undefined) {
      await reconcileDeposit(from, notification.payment_id);
      return 'taken';
    }
    // Authorised payments are captured or closed by our own calls, not by reports.
    if (outcome.state === 'authorised') return 'repeated';
    const { result, writes } =
      outcome.state === 'paid'
        ? await paidWrites(ctx, found, { ...notification, paid: outcome })
        : await unpaidWrites(ctx, found, notification.reference, outcome);
    await conflictWhenTaken(() => ctx.table.transact(writes));
    return result;
  });

/**
 * Returns the writes of a failed attempt: a declined charge releases its lock; a customer on the page may try again until
 * the window ends.
 */
const unpaidWrites = async (
  ctx: Context,
  found: FoundOrder,
  reference: string,
  outcome: Unpaid,
): Promise<{ result: NotificationOutcome; writes: Write[] }> => {
  const { payment } = found;
  if (!payment) return { result: 'unknown', writes: [] };
  if (!outcome.final) return { result: 'taken', writes: [] };
  if (payment.change_of !== undefined) return unpaidChange(ctx, found, payment, { ...outcome, reference });
  if (payment.state === 'CHARGING')
    return { result: 'taken', writes: await declineWrites(ctx, found, payment, outcome.reason) };
  if (payment.state === 'AUTHORISED' || payment.state === 'CAPTURING')
    return { result: 'taken', writes: await voidWrites(ctx, found, payment, outcome.reason) };
  // An attempt that was replaced, or a payment that has ended.
  if (payment.state !== 'OPEN' || payment.reference !== reference) return { result: 'repeated', writes: [] };
  return { result: 'taken', writes: await nextAttempt(ctx, found, payment, outcome) };
};

/** A change has one page or charge; who made it can ask for it again. */
const unpaidChange = async (
  ctx: Context,
  found: FoundOrder,
  payment: Payment,
  { reference, reason }: Unpaid & { reference: string },
): Promise<{ result: NotificationOutcome; writes: Write[] }> => {
  const { state } = payment;
  const isOpen = state === 'CHARGING' || (state === 'OPEN' && payment.reference === reference);
  return isOpen
    ? { result: 'taken', writes: await endedChange(ctx, found, payment, reason) }
    : { result: 'repeated', writes: [] };
};

/** Returns the writes that end the payment of a change which was not made, and the change with it. */
const endedChange = async (
  ctx: Context,
  found: FoundOrder,
  payment: Payment,
  reason: string,
): Promise<Write[]> => [
  movePayment(ctx, payment, payment.state === 'CHARGING' ? 'decline' : 'expire'),
  ...(await releaseChange(ctx, found, reason)),
];

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
 * Returns the writes after an authorisation has ended. If it was being captured, the stay is cancelled and the payment
 * reconciled once more, so that nothing stays authorised; a stay that awaits its host is unchanged.
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
  { reason, closed }: Unpaid,
): Promise<Write[]> => {
  const waiting = reservations.filter(waitsForPayment);
  const notification = closed
    ? []
    : waiting.map((stay) => emitBookingEvent(ctx, stay, 'payment.failed', { reason }));
  if (waiting.length === 0 || ctx.clock.now() >= payment.ends_at)
    return [movePayment(ctx, payment, 'expire'), ...notification];
  const page = await openNextPage(ctx, payment, waiting);
  return [replaceBy(ctx, payment, page, { may_be_paid: false }).write, ...notification];
};

/** Ends a payment whose window is over and that the gateway has closed. */
export const expirePayment = async (ctx: Context, found: FoundOrder, payment: Payment): Promise<void> =>
  ctx.table.transact(
    payment.change_of === undefined
      ? [movePayment(ctx, payment, 'expire')]
      : await endedChange(ctx, found, payment, 'The change was not paid in time.'),
  );

import type { Context } from '../../platform/context.ts';
import { GatewayRefused, type PaymentNotification } from '../../platform/payment/index.ts';
import { hourMs } from '../../platform/time/time.ts';
import { payReservation, waitsForPayment } from '../booking/index.ts';
import { dueFor } from '../folio/model.ts';
import type { FoundOrder, Reservation } from '../booking/model.ts';
import { awaitedChange } from './pay-change.ts';
import type { Attempt, Payment } from './payment.entity.ts';
import { changePayment, endedAttempts } from './payment.store.ts';
import { ignoreConflict } from './refunds.ts';
import {
  amountDue,
  expirePayment,
  type NextPage,
  openNextPage,
  replaceBy,
  settlePayment,
} from './settle-payment.ts';

/**
 * How long after its window a payment is asked about while the gateway says that it may still be paid: some gateways cannot
 * close a page, and some payments take time.
 */
const longestLateMs = hourMs;

/**
 * Checks an open page; one with too high an amount, after a cancellation, is closed and replaced, and one of a change that
 * was given up is closed.
 */
export const reconcileOpen = async (ctx: Context, payment: Payment, found: FoundOrder): Promise<boolean> => {
  if (await wasPaidEarlier(ctx, payment)) return true;
  const now = ctx.clock.now();
  const isChange = payment.change_of !== undefined;
  const waiting = await withoutFree(ctx, found.reservations.filter(waitsForPayment), isChange);
  const isAwaited = isChange ? awaitedChange(found) !== undefined : waiting.length > 0;
  const isOver = now >= payment.ends_at || !isAwaited;
  const isAmountTooHigh = !isChange && !isOver && amountDue(waiting) < payment.amount;
  const next = isAmountTooHigh ? await openLess(ctx, payment, waiting) : undefined;
  const gateway = ctx.payments();
  const opened = { ...payment, now };
  const outcome = await (isOver || next ? gateway.close(opened) : gateway.find(opened));
  if (outcome.state === 'authorised') return false;
  if (outcome.state === 'paid') return settleUse(ctx, { ...payment, outcome });
  if (isOver && !outcome.final && now < payment.ends_at + longestLateMs) return false;
  if (isOver) await ignoreConflict(() => expirePayment(ctx, found, payment));
  else if (next) {
    const { write } = replaceBy(ctx, payment, next, { may_be_paid: !outcome.final });
    await ignoreConflict(() => ctx.table.transact([write]));
  } else if (outcome.final) await settlePayment(ctx, { ...payment, outcome });
  else return false;
  return true;
};

/** What is left of an order may cost nothing, for which there is no page: it is paid as it is. */
const withoutFree = async (
  ctx: Context,
  waiting: readonly Reservation[],
  isChange: boolean,
): Promise<readonly Reservation[]> => {
  const isFree = waiting.every((stay) => dueFor(stay) === 0 && stay.state !== 'PENDING');
  if (isChange || waiting.length === 0 || !isFree) return waiting;
  await ctx.table.transact(waiting.flatMap((stay) => payReservation(ctx, stay).writes));
  return [];
};

/**
 * Opens a page of less, before the one of more is closed. What the gateway refuses, such as less than its least amount, is paid
 * on the present page, and what is too much goes back.
 */
const openLess = async (
  ctx: Context,
  payment: Payment,
  waiting: readonly Reservation[],
): Promise<NextPage | undefined> => {
  try {
    return await openNextPage(ctx, payment, waiting);
  } catch (error) {
    if (!(error instanceof GatewayRefused)) throw error;
    const { payment_id } = payment;
    ctx.log.warn('A page of less was refused; the present one stays open.', {
      payment_id,
      cause: error.message,
    });
    return undefined;
  }
};

/** Settles a charge; returns whether that may have changed the payment. */
const settleUse = async (ctx: Context, notification: PaymentNotification): Promise<boolean> =>
  (await settlePayment(ctx, notification)) !== 'mismatch';

/** Whether a replaced page, which the gateway might not have closed, was paid. */
const wasPaidEarlier = async (ctx: Context, payment: Payment): Promise<boolean> => {
  for (const { reference, amount, opened_at, may_be_paid } of payment.earlier ?? []) {
    if (!may_be_paid) continue;
    const opened = { ...payment, reference, amount, opened_at, now: ctx.clock.now() };
    const outcome = await ctx.payments().find(opened);
    if (outcome.state !== 'paid') continue;
    const result = await settlePayment(ctx, { payment_id: payment.payment_id, reference, outcome });
    if (result === 'mismatch') continue;
    // Its charge is known, by another name of the gateway.
    if (result === 'repeated') await endAttempts(ctx, payment, new Set([reference]));
    return true;
  }
  return false;
};

/** Pages that can be paid no more, or are known to be paid, are not asked about again. */
const endAttempts = (ctx: Context, payment: Payment, references: ReadonlySet<string>): Promise<boolean> =>
  ignoreConflict(() => ctx.table.transact([changePayment(ctx, payment, endedAttempts(payment, references))]));

const isOther = ({ reference }: Payment, attempt: Attempt): boolean =>
  attempt.may_be_paid === true && attempt.reference !== reference;

/** Whether another page of a payment that has ended may still be paid. */
export const mayBePaidAgain = ({ clock }: Context, payment: Payment | undefined): boolean =>
  (payment?.state === 'PAID' || payment?.state === 'REFUNDED' || payment?.state === 'EXPIRED') &&
  otherPages(payment, clock.now()).length > 0;

const otherPages = (payment: Payment, now: number): Attempt[] =>
  (payment.earlier ?? []).filter(
    (attempt) => isOther(payment, attempt) && now < (attempt.ends_at ?? payment.ends_at) + longestLateMs,
  );

/** Closes the other pages of a payment that has ended, and asks about them until they can no longer be paid. */
export const reconcileEnded = async (ctx: Context, payment: Payment): Promise<boolean> => {
  const { payment_id } = payment;
  const now = ctx.clock.now();
  const over = new Set<string>();
  const failures: unknown[] = [];
  for (const { reference, amount, opened_at } of otherPages(payment, now))
    try {
      const outcome = await ctx.payments().close({ ...payment, reference, amount, opened_at, now });
      if (outcome.state === 'paid') await settlePayment(ctx, { payment_id, reference, outcome });
      if (outcome.state === 'paid' || outcome.final) over.add(reference);
    } catch (error) {
      failures.push(error);
    }
  const isChanged = over.size > 0;
  if (isChanged) await endAttempts(ctx, payment, over);
  if (failures.length > 0) throw failures[0];
  return isChanged;
};

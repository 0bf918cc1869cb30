import { callerRef } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { invalid, ServiceError } from '../../platform/errors.ts';
import { newOrderId } from '../../platform/ids.ts';
import type { FinalOutcome } from '../../platform/payment/index.ts';
import { ConflictError, put, retryOnConflict } from '../../platform/table/index.ts';
import { instantText } from '../../platform/time/clock.ts';
import { commitFolio, depositedStay, postDeposit, requireDeposit } from '../booking/index.ts';
import {
  authorisedFrom,
  authorisedUntil,
  type DepositRequest,
  type Folio,
  type FoundBooking,
  type Reservation,
} from '../booking/model.ts';
import { DueMailEntity } from '../notification/model.ts';
import { type Payment, PaymentEntity } from './payment.entity.ts';
import { callGateway, openSession } from './payment-session.store.ts';
import {
  createPayment,
  movePayment,
  reconciliationIntervalMs,
  scheduleReconciliation,
} from './payment.store.ts';
import { paymentWindowEnd } from './payment-window.rules.ts';
import { decidedAtGateway, endedHold } from './reconcile-deposit.ts';

/**
 * Has the guest authorise the security deposit of a stay on a page of the gateway, releases what is authorised, or captures what
 * of it is kept (D131). Throws as {@link requireDeposit}; INVALID_STATE_TRANSITION earlier than 48 hours before check-in and
 * from 48 hours after check-out on, while one is authorised, and while another decision about it is under way.
 */
export const changeHold = (ctx: Context, bookingId: number, given: DepositRequest): Promise<Folio> =>
  given.action === 'TAKE' ? openHold(ctx, bookingId, given) : decideHold(ctx, bookingId, given);

const openHold = (ctx: Context, bookingId: number, given: DepositRequest): Promise<Folio> =>
  retryOnConflict(async () => {
    const { found, stay } = await depositedStay(ctx, bookingId, given);
    requireDeposit(found, stay, given);
    const now = ctx.clock.now();
    const { deposit_hold: before, currency, reservation_id } = stay;
    requireTime(now, stay);
    if (before?.amount === given.amount && now < (before.ends_at ?? 0))
      return commitFolio(ctx, bookingId, found, []);
    const due = {
      payment_id: newOrderId(ctx.clock),
      amount: given.amount,
      currency,
      captured_later: true as const,
    };
    const opened = await openSession(ctx, due, paymentWindowEnd(now, []), 'method');
    const payment: Payment = { ...opened, captured_later: true, deposit_of: reservation_id };
    const { payment_id, amount, url, ends_at } = payment;
    const hold = { payment_id, amount, ends_at, ...(url === null ? {} : { url }) };
    const moved = postDeposit(ctx, stay, [], { deposit_hold: hold });
    // The page before is closed.
    const closing = before ? [scheduleReconciliation(before.payment_id, now)] : [];
    const mail = put(DueMailEntity, { kind: 'deposit', id: reservation_id, due_at: now });
    const writes = [...moved.writes, ...createPayment(ctx, payment), ...closing, mail];
    return commitFolio(ctx, bookingId, found, [{ ...moved, writes }]);
  });

const requireTime = (now: number, stay: Reservation): void => {
  const from = authorisedFrom(stay);
  if (now < from)
    throw new ServiceError(
      'INVALID_STATE_TRANSITION',
      'A security deposit is authorised from 48 hours before check-in.',
      { authorised_from: instantText(from) },
    );
  if (now >= authorisedUntil(stay))
    throw new ServiceError(
      'INVALID_STATE_TRANSITION',
      'A security deposit is authorised until 48 hours after check-out.',
    );
  const { deposit_hold: hold } = stay;
  if (hold && hold.ends_at === undefined)
    throw new ServiceError(
      'INVALID_STATE_TRANSITION',
      'A card is authorised already; take the rest at the desk.',
    );
};

const decideHold = (ctx: Context, bookingId: number, given: DepositRequest): Promise<Folio> => {
  let asked: number | undefined;
  return retryOnConflict(async () => {
    const { found, stay } = await depositedStay(ctx, bookingId, given);
    const paymentId = stay.deposit_hold?.payment_id;
    if (asked !== undefined && paymentId !== asked) return presentDecided(ctx, bookingId, found, asked);
    const most = requireDeposit(found, stay, given);
    const captures = given.action === 'KEEP' ? given.amount : 0;
    if (captures === 0 && given.amount !== most)
      throw invalid({ path: 'amount', message: `must be ${most}: the gateway releases it as a whole` });
    const payment =
      paymentId === undefined ? undefined : await ctx.table.get(PaymentEntity, { payment_id: paymentId });
    if (!payment) throw new Error(`the payment ${paymentId} of a deposit does not exist`);
    if (payment.captures === captures) asked = paymentId;
    const decided = await decide(ctx, payment, stay, { captures, note: given.note });
    asked = paymentId;
    const outcome = await callGateway(() => decidedAtGateway(ctx, decided.payment), '');
    return commitDecided(ctx, bookingId, found, { ...decided, outcome });
  });
};

interface Decided {
  payment: Payment;
  stay: Reservation;
}

/** Stores what is to become of an authorised deposit; after a crash the schedule does it. One that is under way goes on. */
const decide = async (
  ctx: Context,
  payment: Payment,
  stay: Reservation,
  { captures, note }: { captures: number; note: string | undefined },
): Promise<Decided> => {
  const { payment_id, amount, state, version } = payment;
  if (payment.captures === captures) {
    // It was made since the stay was read.
    if (state !== 'CAPTURING') throw new ConflictError(PaymentEntity.name);
    return { payment, stay };
  }
  if (state !== 'AUTHORISED')
    throw new ServiceError('INVALID_STATE_TRANSITION', 'Another decision about the deposit is under way.');
  const decision = { captures, accepted_by: callerRef(ctx.caller) };
  const hold = { payment_id, amount, ...(note === undefined ? {} : { note }) };
  const moved = postDeposit(ctx, stay, [], { deposit_hold: hold });
  await ctx.table.transact([
    movePayment(ctx, payment, 'capture', decision),
    ...moved.writes,
    scheduleReconciliation(payment_id, ctx.clock.now() + reconciliationIntervalMs),
  ]);
  return {
    payment: { ...payment, ...decision, state: 'CAPTURING', version: version + 1 },
    stay: moved.after,
  };
};

const commitDecided = async (
  ctx: Context,
  bookingId: number,
  found: FoundBooking,
  { payment, stay, outcome }: Decided & { outcome: FinalOutcome },
): Promise<Folio> => {
  const moved = endedHold(ctx, payment, stay, outcome);
  if (outcome.state === 'unpaid' && payment.captures !== 0) {
    await ctx.table.transact(moved.writes);
    throw declined(outcome.reason);
  }
  return commitFolio(ctx, bookingId, found, [moved]);
};

/** The schedule, or a clerk who has asked for the same, was first. */
const presentDecided = async (
  ctx: Context,
  bookingId: number,
  found: FoundBooking,
  paymentId: number,
): Promise<Folio> => {
  const payment = await ctx.table.get(PaymentEntity, { payment_id: paymentId });
  if (payment?.state === 'VOIDED' && payment.captures !== 0) throw declined('it has ended');
  return commitFolio(ctx, bookingId, found, []);
};

const declined = (reason: string): ServiceError =>
  new ServiceError(
    'PAYMENT_DECLINED',
    'The deposit could not be captured, and is not authorised any more; take it at the desk.',
    { reason },
  );

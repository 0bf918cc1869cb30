import { instantText } from '../../platform/time/clock.ts';
import type { Context } from '../../platform/context.ts';
import { recordMetric } from '../../platform/metrics/index.ts';
import { money, toNumber } from '../../platform/money.ts';
import type { NotificationOutcome, Paid } from '../../platform/payment/index.ts';
import { create, type Write } from '../../platform/table/index.ts';
import {
  type BookedOrder,
  type ChangedStay,
  type MovedStay,
  payReservation,
  waitsForPayment,
} from '../booking/index.ts';
import { type FoundOrder, totalOf } from '../booking/model.ts';
import { dueFor } from '../folio/model.ts';
import { bookCharged, releaseOrder } from './book-charged.ts';
import { type Attempt, type Payment, PaymentEntity } from './payment.entity.ts';
import { changeCharged, releaseChange } from './pay-change.ts';
import { mayMovePayment } from './payment.rules.ts';
import {
  attemptOf,
  changePayment,
  earlierAttempts,
  endedAttempts,
  isAmbiguous,
  movePayment,
  scheduleRefunds,
} from './payment.store.ts';

/** The effect of a successful payment on its order. */
export interface PaidWrites {
  result: NotificationOutcome;
  writes: Write[];
  /** The order, if the payment makes it a booking. */
  booked?: BookedOrder;
  /** The stays that it pays. */
  moved?: MovedStay[];
  /** The stay whose change it pays. */
  changed?: ChangedStay;
}

/** A charge as the gateway reported it. */
interface Charged {
  payment_id: number;
  reference: string;
  paid: Paid;
}

/**
 * Returns the writes of a charge (D46, D47): stays that await it are paid, an order that was held for it is booked, and
 * an amount without use is refunded. A repeated charge writes nothing; a wrong amount is refused and reported.
 */
export const paidWrites = async (ctx: Context, found: FoundOrder, charged: Charged): Promise<PaidWrites> => {
  const { payment, order } = found;
  if (!payment) return refundOrphan(ctx, charged);
  if (isKnown(found, charged)) return { result: 'repeated', writes: [] };
  if (isOtherAmount(payment, charged)) return refuseAmount(ctx, payment, charged);
  if (!mayMovePayment(payment.state, 'pay')) return returnSecond(ctx, payment, charged);
  if (payment.change_of !== undefined) return payChange(ctx, found, payment, charged);
  return order?.state === 'BOOKED'
    ? payStays(ctx, found, payment, charged)
    : payHeld(ctx, found, payment, charged);
};

/** A charge without a payment record: its booking was never made, so the money is refunded. */
const refundOrphan = (ctx: Context, charged: Charged): PaidWrites => {
  report(ctx, 'orphan', charged);
  const { payment_id, reference, paid } = charged;
  const now = instantText(ctx.clock.now());
  const payment: Payment = {
    payment_id,
    provider: ctx.payments().provider,
    amount: paid.amount,
    currency: paid.currency,
    state: 'PAID',
    reference,
    url: null,
    attempt: 1,
    opened_at: ctx.clock.now(),
    ends_at: ctx.clock.now(),
    transaction_id: paid.transaction_id,
    refunded: 0,
    version: 1,
    created_at: now,
    updated_at: now,
  };
  const back = returnCharge(ctx, payment, charged, { of: 'charge', amount: paid.amount, stays: [] });
  return { result: 'unknown', writes: [create(PaymentEntity, payment), ...back] };
};

const isKnown = ({ payment, refunds }: FoundOrder, { paid: { transaction_id } }: Charged): boolean =>
  payment?.transaction_id === transaction_id ||
  refunds.some((refund) => refund.transaction_id === transaction_id);

const isOtherAmount = (payment: Payment, charged: Charged): boolean =>
  charged.paid.currency !== payment.currency ||
  !money(charged.paid.amount).eq(attemptBy(payment, charged).amount);

/** Only a fault can cause it: a person should look before money moves. */
const refuseAmount = (ctx: Context, payment: Payment, charged: Charged): PaidWrites => {
  const { amount: due } = attemptBy(payment, charged);
  report(ctx, 'mismatch', charged, { due, due_currency: payment.currency });
  return { result: 'mismatch', writes: [] };
};

const returnSecond = (ctx: Context, payment: Payment, charged: Charged): PaidWrites => {
  report(ctx, 'twice', charged);
  const back = returnCharge(ctx, payment, charged, { of: 'charge', amount: charged.paid.amount, stays: [] });
  return { result: 'taken', writes: back };
};

/**
 * Pays the waiting stays of a booked order and refunds the rest: the share of stays that were cancelled or paid otherwise
 * meanwhile, and what a change has made cheaper. A charge that is below their present price is refunded whole, and the page
 * of that price stays open.
 */
const payStays = (
  ctx: Context,
  { reservations }: FoundOrder,
  payment: Payment,
  charged: Charged,
): PaidWrites => {
  const { stays } = attemptBy(payment, charged);
  const waits = reservations.filter(waitsForPayment);
  const others = reservations.filter(
    (stay) => !waits.includes(stay) && (stays?.includes(stay.reservation_id) ?? true),
  );
  const { transaction_id, amount } = charged.paid;
  const { payment_id, accepted_by: acceptedBy } = payment;
  const charge = { payment_id, transaction_id };
  const rest = money(amount).minus(totalOf(waits.map(dueFor)));
  const isPart = rest.lt(0);
  // More may be due by now than when the host opened the page.
  if (isPart && payment.due_of === undefined) return returnShort(ctx, payment, charged);
  const part = isPart ? { amount } : {};
  const moved = waits.map((stay) => payReservation(ctx, stay, { charge, acceptedBy, ...part }));
  if (rest.gt(0)) report(ctx, 'late', charged);
  return {
    result: 'taken',
    moved,
    writes: [
      payWrite(ctx, payment, charged),
      ...moved.flatMap(({ writes }) => writes),
      ...(rest.lte(0)
        ? []
        : returnCharge(ctx, payment, charged, {
            of: 'late',
            amount: toNumber(rest),
            stays: others.map(({ reservation_id }) => reservation_id),
          })),
    ],
  };
};

const returnShort = (ctx: Context, payment: Payment, charged: Charged): PaidWrites => {
  report(ctx, 'late', charged);
  const charge = { reference: charged.reference, amount: charged.paid.amount };
  const { reference, amount } = attemptOf(payment, charge);
  // Pages of one amount are all asked about: which of them was paid, the gateway says.
  const paidPages = new Set(isAmbiguous(payment, charge) ? [] : [reference]);
  return {
    result: 'taken',
    writes: [
      changePayment(ctx, payment, endedAttempts(payment, paidPages)),
      ...returnCharge(ctx, payment, charged, { of: 'short', amount, stays: [] }),
    ],
  };
};

/**
 * Books an order that was held for a charge by token, or refunds the whole charge if that is no longer possible. An
 * authorisation books nothing: what was captured without an acceptance is refunded.
 */
const payHeld = async (
  ctx: Context,
  found: FoundOrder,
  payment: Payment,
  charged: Charged,
): Promise<PaidWrites> => {
  const { order } = found;
  const booked = payment.captured_later ? undefined : await bookCharged(ctx, found, charged.paid);
  if (booked) return { result: 'taken', writes: [payWrite(ctx, payment, charged), ...booked.writes], booked };
  report(ctx, 'late', charged);
  return {
    result: 'taken',
    writes: [
      payWrite(ctx, payment, charged),
      ...(order?.state === 'CHARGING' ? await releaseOrder(ctx, order) : []),
      ...returnWhole(ctx, payment, charged),
    ],
  };
};

/** Makes the change of a stay that waits for this charge, or refunds the whole charge if that is no longer possible. */
const payChange = async (
  ctx: Context,
  found: FoundOrder,
  payment: Payment,
  charged: Charged,
): Promise<PaidWrites> => {
  const { payment_id, paid } = charged;
  const changed = await changeCharged(ctx, found, { payment_id, ...paid });
  const paying = payWrite(ctx, payment, charged);
  if (changed) return { result: 'taken', writes: [paying, ...changed.writes], changed: changed.stay };
  report(ctx, 'late', charged);
  return {
    result: 'taken',
    writes: [paying, ...(await releaseChange(ctx, found)), ...returnWhole(ctx, payment, charged)],
  };
};

const attemptBy = (payment: Payment, { reference, paid }: Pick<Charged, 'reference' | 'paid'>): Attempt =>
  attemptOf(payment, { reference, amount: paid.amount });

const returnWhole = (ctx: Context, payment: Payment, charged: Charged): Write[] =>
  returnCharge(ctx, payment, charged, { of: 'late', amount: charged.paid.amount, stays: [] });

/**
 * Paid by an earlier page, or where the amount does not say by which, the present one becomes an earlier one, which may still be
 * paid.
 */
const payWrite = (ctx: Context, payment: Payment, { reference, paid }: Charged): Write => {
  const charge = { reference, amount: paid.amount };
  const attempt = attemptOf(payment, charge);
  const isPresent = attempt.reference === payment.reference && !isAmbiguous(payment, charge);
  return movePayment(ctx, payment, 'pay', {
    ...(payment.state === 'OPEN' && !isPresent ? earlierAttempts(payment, { may_be_paid: true }) : {}),
    transaction_id: paid.transaction_id,
    reference,
    amount: attempt.amount,
    opened_at: attempt.opened_at,
  });
};

const returnCharge = (
  ctx: Context,
  payment: Payment,
  { payment_id, reference, paid }: Charged,
  { of, amount, stays }: { of: string; amount: number; stays: number[] },
): Write[] =>
  scheduleRefunds(ctx, [
    {
      payment_id,
      refund_id: `${of}-${paid.transaction_id}`,
      transaction_id: paid.transaction_id,
      reference,
      opened_at: attemptBy(payment, { reference, paid }).opened_at,
      amount,
      paid: paid.amount,
      currency: paid.currency,
      // A host's page is of one stay: the other teams of the order do not learn of it.
      reservation_ids: payment.due_of === undefined ? stays : [payment.due_of],
      reason:
        of === 'short'
          ? 'The price had changed before the payment came.'
          : 'The payment came when nothing was due any more.',
    },
  ]);

const report = (
  ctx: Context,
  what: 'mismatch' | 'twice' | 'late' | 'orphan',
  { payment_id, paid }: Charged,
  details: object = {},
): void => {
  const isAlarm = what === 'mismatch' || what === 'twice';
  if (isAlarm) recordMetric('payment_attention', 1, { what: `payment_${what}` });
  ctx.log[isAlarm ? 'error' : 'warn'](`A payment differs from what was due: ${what}.`, {
    payment_id,
    ...paid,
    ...details,
  });
};

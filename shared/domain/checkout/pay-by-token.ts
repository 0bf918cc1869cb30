import { callerRef } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { invalid, ServiceError } from '../../platform/errors.ts';
import { orderIdOf } from '../../platform/ids.ts';
import type { DueCharge, Paid, Unpaid } from '../../platform/payment/index.ts';
import {
  absent,
  ConflictError,
  create,
  equals,
  maxWrites,
  put,
  retryOnConflict,
  type Write,
} from '../../platform/table/index.ts';
import type { BookedOrder } from '../booking/index.ts';
import {
  findOrder,
  findPaid,
  type FoundOrder,
  type Guest,
  type Order,
  OrderEntity,
} from '../booking/model.ts';
import { conflictWhenTaken } from '../calendar/index.ts';
import { AvailabilityEntryEntity, monthSpans } from '../calendar/model.ts';
import {
  authorisedWrites,
  chargeToken,
  declineAuthorised,
  paidWrites,
  reconcileSoon,
  settlePayment,
} from '../payment/index.ts';
import { createPayment, openCharge, type Payment } from '../payment/model.ts';
import { type PendingOrder, presentConfirmation } from './book-pending-order.ts';
import type { Confirmation, ConfirmRequest } from './checkout.schema.ts';
import { heldEntries } from './soft-lock.rules.ts';
import { dueOf } from './pay-online.ts';
import { requireFitting } from './refusals.ts';
import { paymentInProgress } from './release-checkout.ts';

/**
 * Charges a token and books (D46); stays that a host must accept are authorised instead (D86). The time is held and the
 * payments are stored before the gateway is called, so that after any failure the money is either a booking or refunded.
 * Throws PAYMENT_DECLINED, which releases the time, or PAYMENT_GATEWAY_UNAVAILABLE while the gateway does not respond,
 * after which the schedule decides.
 */
export const chargeAndBook = async (
  ctx: Context,
  pending: PendingOrder,
  guest: Guest,
  token: string,
): Promise<Confirmation> => {
  const order: Order = { ...pending.order, state: 'CHARGING', guest };
  const dues = chargesOf(order);
  requireBookable(order, dues);
  const payments: Payment[] = [];
  for (const due of dues) payments.push(await openCharge(ctx, due, order.locked_until));
  await ctx.recordStart(requireFitting(chargingWrites(ctx, pending, order, payments)), order.order_id);
  return charge(ctx, payments, token);
};

/** Returns the charges of a token: each stay that must be accepted separately, then all others together. */
const chargesOf = (order: Order): DueCharge[] => {
  const toBeAccepted = order.items.filter((item) => !item.instant_book);
  const instant = order.items.filter((item) => item.instant_book);
  const shared = toBeAccepted.length + Math.min(instant.length, 1) > 1 ? { shares_token: true as const } : {};
  return [
    ...toBeAccepted.map((item) => ({
      ...dueOf({ ...order, items: [item] }),
      payment_id: item.reservation_id,
      captured_later: true as const,
      ...shared,
    })),
    ...(instant.length === 0 ? [] : [{ ...dueOf({ ...order, items: instant }), ...shared }]),
  ];
};

/** Each stay's record, entry and event, and its due item or payment event. */
const writesPerStay = 4;

/**
 * Throws VALIDATION_ERROR, before the gateway is called, if the booking would not fit into one transaction after the
 * charge.
 */
const requireBookable = ({ items }: Order, dues: readonly DueCharge[]): void => {
  const months = items.flatMap((item) => monthSpans(item).map(({ month }) => `${item.calendar_id} ${month}`));
  const writes = 1 + items.length * writesPerStay + dues.length + new Set(months).size;
  if (writes < maxWrites) return;
  throw invalid({
    path: 'items',
    message: 'are too many stays of too many months for one token; book some of them separately',
  });
};

const chargingWrites = (
  ctx: Context,
  { isNew, calendar }: PendingOrder,
  order: Order,
  payments: readonly Payment[],
): Write[] => [
  put(OrderEntity, order, {
    when: isNew ? absent() : equals('state', 'HELD'),
  }),
  ...heldEntries(order).map((entry) => (isNew ? create : put)(AvailabilityEntryEntity, entry)),
  ...payments.flatMap((payment) => createPayment(ctx, payment)),
  ...calendar,
];

/**
 * Continues a confirm whose order is already being charged, by an earlier attempt of the same request or caller. The
 * gateway is asked for the result and, if it has no charge, called to make it. The same intent is never charged twice.
 */
export const resumeCharge = async (
  ctx: Context,
  { payment_gateway_token: token }: ConfirmRequest,
  orderId: number,
): Promise<Confirmation> => {
  const found = await findOrder(ctx.table, orderId);
  const { order, payment, reservations } = found;
  const payments = paymentsOf(found);
  if (!order || payments.length === 0 || order.holder !== callerRef(ctx.caller))
    throw new ConflictError('Order');
  if (order.state === 'BOOKED') return ctx.commit([], presentConfirmation(order, reservations));
  if (token === undefined) throw paymentInProgress();
  if (order.state !== 'CHARGING')
    throw payment && payment.transaction_id !== null ? bookingFailed() : new ServiceError('PAYMENT_DECLINED');
  return charge(ctx, payments, token, { isRepeated: true });
};

const paymentsOf = ({ payment, separatePayments }: FoundOrder): Payment[] => [
  ...separatePayments,
  ...(payment ? [payment] : []),
];

/** Charges in order: the charge comes last, when nothing can be declined after it. */
const charge = async (
  ctx: Context,
  payments: readonly Payment[],
  token: string,
  { isRepeated = false } = {},
): Promise<Confirmation> => {
  for (const payment of payments) {
    const outcome = await chargeToken(ctx, payment, token, { isRepeated });
    if (outcome.state !== 'authorised') return finishCharge(ctx, payments, payment, outcome);
  }
  const orderId = orderIdOf(payments[0]?.payment_id ?? 0);
  return book(ctx, payments, async () => authorisedWrites(ctx, await findOrder(ctx.table, orderId)));
};

const finishCharge = async (
  ctx: Context,
  payments: readonly Payment[],
  { payment_id, reference, captured_later }: Payment,
  outcome: Paid | Unpaid,
): Promise<Confirmation> => {
  if (outcome.state === 'paid')
    return book(ctx, payments, async () =>
      paidWrites(ctx, await findPaid(ctx.table, payment_id), { payment_id, reference, paid: outcome }),
    );
  if (captured_later) await declineAuthorised(ctx, orderIdOf(payment_id), outcome.reason);
  else await settlePayment(ctx, { payment_id, reference, outcome: { ...outcome, final: true } });
  await reconcileAll(
    ctx,
    payments.filter((one) => one.captured_later),
  );
  throw new ServiceError('PAYMENT_DECLINED', undefined, { reason: outcome.reason });
};

/** Books what was charged or authorised. Meanwhile another writer may have settled the payment or taken the time. */
const book = async (
  ctx: Context,
  payments: readonly Payment[],
  writesOf: () => Promise<{ writes: Write[]; booked?: BookedOrder }>,
): Promise<Confirmation> => {
  const orderId = orderIdOf(payments[0]?.payment_id ?? 0);
  const booked = await retryOnConflict(async () => {
    const { writes, booked } = await writesOf();
    if (booked) {
      const answer = presentConfirmation(booked.order, booked.reservations);
      return conflictWhenTaken(() => ctx.commit(writes, answer));
    }
    await ctx.table.transact(writes);
    return undefined;
  });
  return booked ?? presentOrRefund(ctx, orderId, payments);
};

/** Returns the booking if another writer has made it; otherwise refunds at once if the gateway responds. */
const presentOrRefund = async (
  ctx: Context,
  orderId: number,
  payments: readonly Payment[],
): Promise<Confirmation> => {
  const { order, reservations } = await findOrder(ctx.table, orderId);
  if (order?.state === 'BOOKED') return ctx.commit([], presentConfirmation(order, reservations));
  await reconcileAll(ctx, payments);
  throw bookingFailed();
};

const reconcileAll = async (ctx: Context, payments: readonly Payment[]): Promise<void> => {
  for (const { payment_id } of payments) await reconcileSoon(ctx, payment_id);
};

const bookingFailed = (): ServiceError => new ServiceError('CHECKOUT_CREATE_BOOKING_FAILED');

import { callerRef } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { invalid, ServiceError } from '../../platform/errors.ts';
import { orderIdOf } from '../../platform/ids.ts';
import type { DueCharge, Outcome, Paid, Unpaid } from '../../platform/payment/index.ts';
import {
  absent,
  all,
  any,
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
import { AvailabilityEntryEntity, monthsBetween } from '../calendar/model.ts';
import {
  authorisedWrites,
  declineAuthorised,
  paidWrites,
  reconcileSoon,
  rereadWhenTaken,
  settlePayment,
} from '../payment/index.ts';
import { callGateway, createPayment, openCharge, type Payment } from '../payment/model.ts';
import { type Claim, presentConfirmation } from './book-claim.ts';
import type { Confirmation, ConfirmRequest } from './checkout.schema.ts';
import { heldEntries } from './checkout.store.ts';
import { dueOf } from './pay-online.ts';
import { requireFitting } from './refusals.ts';
import { beingPaid } from './release-checkout.ts';

/**
 * Charges a token and books (D46); of stays that a host accepts by hand it authorises each (D86). The time is held and the
 * payments written down before the gateway is asked, so whatever dies where: the money is either a booking or goes back.
 * PAYMENT_DECLINED releases the time; when the gateway does not answer, PAYMENT_GATEWAY_UNAVAILABLE, and the schedule decides.
 */
export const chargeAndBook = async (
  ctx: Context,
  claim: Claim,
  guest: Guest,
  token: string,
): Promise<Confirmation> => {
  const order: Order = { ...claim.order, state: 'CHARGING', guest };
  const dues = chargesOf(order);
  requireBookable(order, dues);
  const payments: Payment[] = [];
  for (const due of dues) payments.push(await openCharge(ctx, due, order.locked_until));
  await ctx.recordStart(requireFitting(beginWrites(ctx, claim, order, payments)), order.order_id);
  return charge(ctx, payments, token);
};

/** What a token is to pay: each stay that waits for its host by itself, then all others together. */
const chargesOf = (order: Order): DueCharge[] => {
  const byHand = order.items.filter((item) => !item.instant_book);
  const atOnce = order.items.filter((item) => item.instant_book);
  const shared = byHand.length + Math.min(atOnce.length, 1) > 1 ? { shares_token: true as const } : {};
  return [
    ...byHand.map((item) => ({
      ...dueOf({ ...order, items: [item] }),
      payment_id: item.reservation_id,
      captured_later: true as const,
      ...shared,
    })),
    ...(atOnce.length === 0 ? [] : [{ ...dueOf({ ...order, items: atOnce }), ...shared }]),
  ];
};

/** Each stay's record, entry and event, and its place among the due ones or the event of its payment. */
const writesOfStay = 4;

/** Refuses, before the gateway is asked, what could not be booked in one transaction once it is charged or authorised. */
const requireBookable = ({ items }: Order, dues: readonly DueCharge[]): void => {
  const months = items.flatMap(({ calendar_id, start_at, end_at }) =>
    monthsBetween(start_at.slice(0, 7), end_at.slice(0, 7)).map((month) => `${calendar_id} ${month}`),
  );
  const writes = 1 + items.length * writesOfStay + dues.length + new Set(months).size;
  if (writes < maxWrites) return;
  throw invalid({
    path: 'items',
    message: 'are too many stays of too many months for one token; order some of them by themselves',
  });
};

const beginWrites = (
  ctx: Context,
  { isNew, calendar }: Claim,
  order: Order,
  payments: readonly Payment[],
): Write[] => [
  put(OrderEntity, order, {
    when: isNew ? absent() : any(absent(), all(equals('state', 'HELD'), equals('holder', order.holder))),
  }),
  ...heldEntries(order).map((entry) => (isNew ? create : put)(AvailabilityEntryEntity, entry)),
  ...payments.flatMap((payment) => createPayment(ctx, payment)),
  ...calendar,
];

/**
 * A confirm whose order is being charged already, by an earlier try of the same request or of the same caller: the gateway is
 * asked what became of it and, when it knows of no charge, told to make it. The same intent is never charged twice.
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
  if (token === undefined) throw beingPaid();
  if (order.state !== 'CHARGING')
    throw payment && payment.transaction_id !== null ? bookingFailed() : new ServiceError('PAYMENT_DECLINED');
  return charge(ctx, payments, token, { isRepeated: true });
};

const paymentsOf = ({ payment, separatePayments }: FoundOrder): Payment[] => [
  ...separatePayments,
  ...(payment ? [payment] : []),
];

/** One by one: the charge comes last, when nothing can be declined after it. */
const charge = async (
  ctx: Context,
  payments: readonly Payment[],
  token: string,
  { isRepeated = false } = {},
): Promise<Confirmation> => {
  for (const payment of payments) {
    const outcome = await chargeOne(ctx, payment, token, isRepeated);
    if (outcome.state !== 'authorised') return conclude(ctx, payments, payment, outcome);
  }
  const orderId = orderIdOf(payments[0]?.payment_id ?? 0);
  return book(ctx, payments, async () => authorisedWrites(ctx, await findOrder(ctx.table, orderId)));
};

const chargeOne = async (
  ctx: Context,
  payment: Payment,
  token: string,
  isRepeated: boolean,
): Promise<Outcome> => {
  const opened = { ...payment, now: ctx.clock.now() };
  const outcome = isRepeated ? await callGateway(() => ctx.payments().find(opened)) : undefined;
  const isOpen = outcome === undefined || (outcome.state === 'unpaid' && !outcome.final);
  return isOpen ? callGateway(() => ctx.payments().charge(opened, token)) : outcome;
};

const conclude = async (
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
  await lookAtAll(
    ctx,
    payments.filter((one) => one.captured_later),
  );
  throw new ServiceError('PAYMENT_DECLINED', undefined, { reason: outcome.reason });
};

/** Books what was charged or authorised; another may have settled it, or has the time, while the gateway was asked. */
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
      return rereadWhenTaken(() => ctx.commit(writes, answer));
    }
    await ctx.table.transact(writes);
    return undefined;
  });
  return booked ?? concluded(ctx, orderId, payments);
};

/** Settled by somebody else or not to be booked: the money goes back at once when the gateway answers. */
const concluded = async (
  ctx: Context,
  orderId: number,
  payments: readonly Payment[],
): Promise<Confirmation> => {
  const { order, reservations } = await findOrder(ctx.table, orderId);
  if (order?.state === 'BOOKED') return ctx.commit([], presentConfirmation(order, reservations));
  await lookAtAll(ctx, payments);
  throw bookingFailed();
};

const lookAtAll = async (ctx: Context, payments: readonly Payment[]): Promise<void> => {
  for (const { payment_id } of payments) await reconcileSoon(ctx, payment_id);
};

const bookingFailed = (): ServiceError => new ServiceError('CHECKOUT_CREATE_BOOKING_FAILED');

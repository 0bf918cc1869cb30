import { callerRef } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { Due, Outcome } from '../../platform/payment/index.ts';
import {
  all,
  any,
  absent,
  create,
  equals,
  LostRace,
  put,
  untilWon,
  type Write,
} from '../../platform/table/index.ts';
import { toInstant } from '../../platform/time.ts';
import { findOrder, type FoundOrder, type Guest, type Order, OrderEntity } from '../booking/index.ts';
import { AvailabilityEntryEntity } from '../calendar/index.ts';
import {
  atGateway,
  createPayment,
  openCharge,
  openSession,
  type Payment,
  paymentWindowEnd,
} from '../payment/index.ts';
import { lookSoon, paidWrites, rereadWhenTaken, settlePayment } from '../settlement/index.ts';
import { bookClaim, type Claim } from './book-claim.ts';
import type { Confirmation, ConfirmRequest } from './checkout.schema.ts';
import { presentConfirmation } from './present-confirmation.ts';
import { requireFitting } from './refusals.ts';
import { beingPaid } from './release-checkout.ts';
import { heldEntries } from './soft-lock.ts';

/** The payment session of an order, opened at the gateway before anything is written: nobody knows its address yet. */
export const sessionOf = (ctx: Context, order: Order): Promise<Payment> =>
  openSession(ctx, dueOf(order), windowOf(ctx, order));

/** Books an order that is to be paid on the gateway's page until the window ends (D46). */
export const bookUnpaid = async (ctx: Context, claim: Claim, guest: Guest): Promise<Confirmation> => {
  const payment = await sessionOf(ctx, claim.order);
  return bookClaim(
    ctx,
    claim,
    {
      guest,
      payment_method: 'ONLINE_GATEWAY',
      payment_status: 'PENDING',
      pay_until: payment.ends_at,
    },
    { writes: createPayment(ctx, payment), payUrl: payment.url },
  );
};

/**
 * Charges a token and books (D46). The time is held and the payment written down before the gateway is asked, so whatever
 * dies where: the money is either a booking or goes back. PAYMENT_DECLINED releases the time; when the gateway does not
 * answer, PAYMENT_GATEWAY_UNAVAILABLE, and the schedule decides.
 */
export const chargeAndBook = async (
  ctx: Context,
  claim: Claim,
  guest: Guest,
  token: string,
): Promise<Confirmation> => {
  const order: Order = { ...claim.order, state: 'CHARGING', guest };
  const payment = await openCharge(ctx, dueOf(order), order.locked_until);
  await ctx.begin(requireFitting(beginWrites(ctx, claim, order, payment)), order.order_id);
  return charge(ctx, payment, token);
};

const beginWrites = (ctx: Context, { isNew, calendar }: Claim, order: Order, payment: Payment): Write[] => [
  put(OrderEntity, order, {
    when: isNew ? absent() : any(absent(), all(equals('state', 'HELD'), equals('holder', order.holder))),
  }),
  ...heldEntries(order).map((entry) => (isNew ? create : put)(AvailabilityEntryEntity, entry)),
  ...createPayment(ctx, payment),
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
  const { order, payment, reservations } = await findOrder(ctx.table, orderId);
  if (!order || !payment || order.holder !== callerRef(ctx.caller)) throw new LostRace('Order');
  if (order.state === 'BOOKED') return ctx.commit([], presentConfirmation(order, reservations));
  if (token === undefined) throw beingPaid();
  if (payment.state === 'FAILED') throw new ServiceError('PAYMENT_DECLINED');
  if (payment.state !== 'CHARGING') throw bookingFailed();
  const now = ctx.clock.now();
  const outcome = await atGateway(() => ctx.payments().find({ ...payment, now }));
  return outcome.state === 'paid' || outcome.final
    ? conclude(ctx, payment, outcome)
    : charge(ctx, payment, token);
};

const charge = async (ctx: Context, payment: Payment, token: string): Promise<Confirmation> => {
  const now = ctx.clock.now();
  return conclude(ctx, payment, await atGateway(() => ctx.payments().charge({ ...payment, now }, token)));
};

const conclude = async (ctx: Context, payment: Payment, outcome: Outcome): Promise<Confirmation> => {
  const { payment_id, reference } = payment;
  if (outcome.state === 'unpaid') {
    await settlePayment(ctx, { payment_id, reference, outcome: { ...outcome, final: true } });
    throw new ServiceError('PAYMENT_DECLINED', undefined, { reason: outcome.reason });
  }
  const booked = await untilWon(async () => {
    const found = await findOrder(ctx.table, payment_id);
    const { writes, booked } = await paidWrites(ctx, found, { payment_id, reference, paid: outcome });
    if (booked) {
      const answer = presentConfirmation(booked.order, booked.reservations);
      return rereadWhenTaken(() => ctx.commit(writes, answer));
    }
    await ctx.table.transact(writes);
    return undefined;
  });
  return booked ?? concluded(ctx, payment_id);
};

/** Charged, and settled by somebody else or not to be booked: the money goes back at once when the gateway answers. */
const concluded = async (ctx: Context, payment_id: number): Promise<Confirmation> => {
  const { order, reservations }: FoundOrder = await findOrder(ctx.table, payment_id);
  if (order?.state === 'BOOKED') return ctx.commit([], presentConfirmation(order, reservations));
  await lookSoon(ctx, payment_id);
  throw bookingFailed();
};

const bookingFailed = (): ServiceError => new ServiceError('CHECKOUT_CREATE_BOOKING_FAILED');

const dueOf = ({ order_id, estimated_total, currency }: Order): Due => ({
  payment_id: order_id,
  amount: estimated_total,
  currency,
});

const windowOf = (ctx: Context, { items }: Order): number =>
  paymentWindowEnd(
    ctx.clock.now(),
    items.map(({ start_at, timezone }) => toInstant(start_at, timezone)),
  );

import { callerRef } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { invalid, ServiceError } from '../../platform/errors.ts';
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
import {
  findOrder,
  type FoundOrder,
  type Guest,
  type Order,
  OrderEntity,
  type OrderItem,
  thawQuote,
  totalOf,
} from '../booking/index.ts';
import { AvailabilityEntryEntity } from '../calendar/index.ts';
import {
  atGateway,
  createPayment,
  openCharge,
  openSession,
  type Payment,
  paymentWindowEnd,
  requirePayableLater,
} from '../payment/index.ts';
import { lookSoon, paidWrites, rereadWhenTaken, settlePayment } from '../settlement/index.ts';
import { bookClaim, type Claim } from './book-claim.ts';
import type { Confirmation, ConfirmRequest } from './checkout.schema.ts';
import { presentConfirmation } from './present-confirmation.ts';
import { requireFitting } from './refusals.ts';
import { beingPaid } from './release-checkout.ts';
import { heldEntries } from './soft-lock.ts';

/**
 * The payment session of an order, opened at the gateway before anything is written: its address is known to no one yet.
 * Stays that a host accepts by hand are paid apart, once that is done (D86); undefined: all of them are.
 */
export const sessionOf = async (ctx: Context, order: Order): Promise<Payment | undefined> => {
  const byHand = order.items.filter((item) => !item.instant_book);
  for (const item of byHand) requirePayableLater(ctx, dueOf({ ...order, items: [item] }));
  if (byHand.length === order.items.length) return undefined;
  const items = order.items.filter((item) => item.instant_book);
  return openSession(ctx, dueOf({ ...order, items }), windowOf(ctx, items));
};

/** Books an order that is to be paid on the gateway's page until the window ends (D46), or once its hosts have accepted (D86). */
export const bookUnpaid = async (ctx: Context, claim: Claim, guest: Guest): Promise<Confirmation> => {
  const payment = await sessionOf(ctx, claim.order);
  return bookClaim(
    ctx,
    claim,
    {
      guest,
      payment_method: 'ONLINE_GATEWAY',
      payment_status: 'PENDING',
      ...(payment ? { pay_until: payment.ends_at } : {}),
    },
    { writes: payment ? createPayment(ctx, payment) : [], payUrl: payment?.url ?? null },
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
  requireInstant(claim.order);
  const order: Order = { ...claim.order, state: 'CHARGING', guest };
  const payment = await openCharge(ctx, dueOf(order), order.locked_until);
  await ctx.begin(requireFitting(beginWrites(ctx, claim, order, payment)), order.order_id);
  return charge(ctx, payment, token);
};

/** A token is charged at once, and a stay that its host accepts by hand only after that (D86). */
const requireInstant = ({ items }: Order): void => {
  const waiting = items.find(({ instant_book }) => !instant_book);
  if (waiting)
    throw invalid({
      path: 'payment_gateway_token',
      message: `must be left out: listing ${waiting.listing_id} is accepted by its host, and paid at payment_url after that`,
    });
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

const dueOf = ({ order_id, items, currency }: Pick<Order, 'order_id' | 'items' | 'currency'>): Due => ({
  payment_id: order_id,
  amount: totalOf(items.map(({ quote }) => thawQuote(quote).total)),
  currency,
});

const windowOf = (ctx: Context, items: readonly OrderItem[]): number =>
  paymentWindowEnd(
    ctx.clock.now(),
    items.map(({ start_at, timezone }) => toInstant(start_at, timezone)),
  );

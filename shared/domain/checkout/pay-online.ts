import type { Context } from '../../platform/context.ts';
import type { Due } from '../../platform/payment/index.ts';
import { toInstant } from '../../platform/time.ts';
import { type Guest, type Order, type OrderItem, thawQuote, totalOf } from '../booking/model.ts';
import {
  createPayment,
  openSession,
  type Payment,
  paymentWindowEnd,
  requirePayableLater,
} from '../payment/model.ts';
import { bookClaim, type Claim } from './book-claim.ts';
import type { Confirmation } from './checkout.schema.ts';

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

/** What is due for the items of an order. */
export const dueOf = ({
  order_id,
  items,
  currency,
}: Pick<Order, 'order_id' | 'items' | 'currency'>): Due => ({
  payment_id: order_id,
  amount: totalOf(items.map(({ quote }) => thawQuote(quote).total)),
  currency,
});

const windowOf = (ctx: Context, items: readonly OrderItem[]): number =>
  paymentWindowEnd(
    ctx.clock.now(),
    items.map(({ start_at, timezone }) => toInstant(start_at, timezone)),
  );

import type { Context } from '../../platform/context.ts';
import type { Due } from '../../platform/payment/index.ts';
import { toInstant } from '../../platform/time/time.ts';
import type { BookingTerms } from '../booking/index.ts';
import { type Order, type OrderItem, thawQuote, totalOf } from '../booking/model.ts';
import { dueFor } from '../folio/model.ts';
import {
  createPayment,
  openSession,
  type Payment,
  paymentWindowEnd,
  requirePayableLater,
} from '../payment/model.ts';
import { bookPendingOrder, type PendingOrder } from './book-pending-order.ts';
import type { Confirmation } from './checkout.schema.ts';

/**
 * Opens the payment session of an order at the gateway. Nothing has been written, so its address is not published yet.
 * Stays that a host must accept are paid separately afterwards (D86); undefined if all must, or nothing is due at booking
 * (D129).
 */
export const sessionOf = async (ctx: Context, order: Order): Promise<Payment | undefined> => {
  const isNow = (item: OrderItem): boolean => item.plan === undefined || dueNowOf(item) > 0;
  const toBeAccepted = order.items.filter((item) => !item.instant_book && isNow(item));
  for (const item of toBeAccepted) requirePayableLater(ctx, dueOf({ ...order, items: [item] }));
  const items = order.items.filter((item) => item.instant_book && isNow(item));
  if (items.length === 0) return undefined;
  return openSession(ctx, dueOf({ ...order, items }), windowOf(ctx, items));
};

/** Books an order that is to be paid on the gateway's page until the window ends (D46), or after the acceptance (D86). */
export const bookUnpaid = async (
  ctx: Context,
  pending: PendingOrder,
  guest: Pick<BookingTerms, 'guest' | 'names'>,
): Promise<Confirmation> => {
  const payment = await sessionOf(ctx, pending.order);
  return bookPendingOrder(
    ctx,
    pending,
    {
      ...guest,
      payment_method: 'ONLINE_GATEWAY',
      payment_status: 'PENDING',
      ...(payment ? { pay_until: payment.ends_at } : {}),
    },
    { writes: payment ? createPayment(ctx, payment) : [], payUrl: payment?.url ?? null },
  );
};

/** Returns what of the price of a stay is due at booking. */
const dueNowOf = ({ quote, plan }: OrderItem): number =>
  dueFor({ total: thawQuote(quote).total, ...(plan && { plan }) });

/** Returns what is due at booking for the items of an order. */
export const dueOf = ({
  order_id,
  items,
  currency,
}: Pick<Order, 'order_id' | 'items' | 'currency'>): Due => ({
  payment_id: order_id,
  amount: totalOf(items.map(dueNowOf)),
  currency,
});

const windowOf = (ctx: Context, items: readonly OrderItem[]): number =>
  paymentWindowEnd(
    ctx.clock.now(),
    items.map(({ start_at, timezone }) => toInstant(start_at, timezone)),
  );

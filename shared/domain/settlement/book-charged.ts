import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { withGatewayCaller } from './as-gateway.ts';
import type { Paid } from '../../platform/payment/index.ts';
import { equals, ConflictError, put, remove, type Write } from '../../platform/table/index.ts';
import {
  type BookedOrder,
  bookOrder,
  type FoundOrder,
  type Order,
  OrderEntity,
  type OrderItem,
  emitBookingEvent,
} from '../booking/index.ts';
import { AvailabilityEntryEntity, CalendarDraft } from '../calendar/index.ts';
import { movePayment } from '../payment/index.ts';
import { emitPaymentEvent } from './tell-payment.ts';

/** Ends an order that was to be charged: its hours are free again. */
export const releaseCharging = async (ctx: Context, order: Order): Promise<Write[]> => {
  const draft = await CalendarDraft.load(ctx.table, order.items, ctx.clock.now());
  for (const item of order.items) draft.unhold(item);
  return [
    put(OrderEntity, { ...order, state: 'RELEASED' }, { when: equals('state', 'CHARGING') }),
    ...order.items.map((item) => remove(AvailabilityEntryEntity, item)),
    ...draft.writes(),
  ];
};

/** The same because its payment was declined, which is told. */
export const releaseDeclined = async (ctx: Context, order: Order, reason: string): Promise<Write[]> => [
  ...(await releaseCharging(ctx, order)),
  ...emitPaymentEvent(ctx, order, 'payment.failed', {
    payment_id: order.order_id,
    amount: order.estimated_total,
    currency: order.currency,
    transaction_id: null,
    reason,
  }),
];

/** Commits a booking; hours that somebody took meanwhile are seen when the order is read again: a lost race. */
export const rereadWhenTaken = async <Answer>(commit: () => Promise<Answer>): Promise<Answer> => {
  try {
    return await commit();
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'LISTING_NOT_AVAILABLE')
      throw new ConflictError('CalendarMonth');
    throw error;
  }
};

/** Takes hours for good; false when the listing keeps them in another calendar since the lock lapsed. */
const takeAtHome = (draft: CalendarDraft, item: OrderItem): boolean => {
  try {
    draft.take(item);
    return true;
  } catch (error) {
    if (error instanceof ConflictError) return false;
    throw error;
  }
};

/**
 * The writes that book an order which was charged, under its lock or, when that has lapsed, while its time is still free.
 * Its authorisations were made before the charge; an order of nothing else is booked without one (D86). Undefined: somebody
 * else has the time.
 */
export const bookCharged = async (
  ctx: Context,
  { order, payment, apart }: FoundOrder,
  paid?: Paid,
): Promise<BookedOrder | undefined> => {
  if (order?.state !== 'CHARGING' || !order.guest || (payment && !paid)) return undefined;
  const draft = await CalendarDraft.load(ctx.table, order.items, ctx.clock.now());
  for (const item of order.items) draft.unhold(item);
  for (const item of order.items) {
    if (draft.taken(item).length > 0) return undefined;
    if (!takeAtHome(draft, item)) return undefined;
  }
  const booked = bookOrder(ctx, order, {
    guest: order.guest,
    payment_method: 'ONLINE_GATEWAY',
    payment_status: 'PAID',
    ...(paid ? { payment_transaction_id: paid.transaction_id } : {}),
    authorised: new Set(apart.map(({ payment_id }) => payment_id)),
  });
  const told = booked.reservations
    .filter((stay) => stay.payment_status === 'PAID')
    .map((stay) => emitBookingEvent(withGatewayCaller(ctx), stay, 'payment.paid'));
  const authorised = apart.map((one) => movePayment(ctx, one, 'authorise'));
  return { ...booked, writes: [...booked.writes, ...told, ...authorised, ...draft.writes()] };
};

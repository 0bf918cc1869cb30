import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { orderIdOf, orderPartition } from '../../platform/ids.ts';
import type { Paid } from '../../platform/payment/index.ts';
import {
  ConflictError,
  equals,
  put,
  remove,
  retryOnConflict,
  type Write,
} from '../../platform/table/index.ts';
import { recordEvent } from '../../record-event.ts';
import { type BookedOrder, bookOrder } from '../booking/index.ts';
import {
  emitBookingEvent,
  findOrder,
  type FoundOrder,
  type Order,
  OrderEntity,
  type OrderItem,
} from '../booking/model.ts';
import { AvailabilityEntryEntity, CalendarDraft } from '../calendar/model.ts';
import { movePayment } from './payment.store.ts';

interface Told {
  payment_id: number;
  amount: number;
  currency: string;
  /** The gateway's id of the charge; null: nothing was charged. */
  transaction_id: string | null;
  reason: string | null;
}

/** A payment event of an order that never became a booking: `data.id` is the order's, one event for each team in it. */
export const emitPaymentEvent = (
  ctx: Pick<Context, 'clock' | 'caller'>,
  order: Order | undefined,
  event_type: 'payment.failed' | 'payment.refunded',
  { payment_id, amount, currency, transaction_id, reason }: Told,
): Write[] => {
  const told = {
    amount,
    currency,
    payment_transaction_id: transaction_id,
    reason,
    ...(event_type === 'payment.refunded' ? { refund: amount } : {}),
  };
  const teams = new Set<number | null>(order?.items.map(({ team_id }) => team_id) ?? [null]);
  return [...teams].map((team_id) =>
    recordEvent(ctx, {
      subject: orderPartition(orderIdOf(payment_id)),
      event_type,
      team_id,
      data: { id: payment_id, master_reservation_id: orderIdOf(payment_id), ...told },
    }),
  );
};

/** The same context, in the name of the gateway: what the money does is nobody's act (D62b). */
export const withGatewayCaller = (ctx: Context): Context => ({
  ...ctx,
  caller: { kind: 'system', name: `payment-gateway:${ctx.payments().provider}` },
});

/** Ends an order that was to be charged: its hours are free again. */
export const releaseCharging = async (ctx: Context, order: Order): Promise<Write[]> => {
  const draft = await CalendarDraft.load(ctx.table, order.items, ctx.clock.now());
  for (const item of order.items) draft.releaseHold(item);
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
  { order, payment, separatePayments }: FoundOrder,
  paid?: Paid,
): Promise<BookedOrder | undefined> => {
  if (order?.state !== 'CHARGING' || !order.guest || (payment && !paid)) return undefined;
  const draft = await CalendarDraft.load(ctx.table, order.items, ctx.clock.now());
  for (const item of order.items) draft.releaseHold(item);
  for (const item of order.items) {
    if (draft.taken(item).length > 0) return undefined;
    if (!takeAtHome(draft, item)) return undefined;
  }
  const booked = bookOrder(ctx, order, {
    guest: order.guest,
    payment_method: 'ONLINE_GATEWAY',
    payment_status: 'PAID',
    ...(paid ? { payment_transaction_id: paid.transaction_id } : {}),
    authorised: new Set(separatePayments.map(({ payment_id }) => payment_id)),
  });
  const told = booked.reservations
    .filter((stay) => stay.payment_status === 'PAID')
    .map((stay) => emitBookingEvent(withGatewayCaller(ctx), stay, 'payment.paid'));
  const authorised = separatePayments.map((one) => movePayment(ctx, one, 'authorise'));
  return { ...booked, writes: [...booked.writes, ...told, ...authorised, ...draft.writes()] };
};

/** What an order whose payments are all authorised comes to: a booking, or nothing when its time is gone (D86). */
export const authorisedWrites = async (
  ctx: Context,
  found: FoundOrder,
): Promise<{ writes: Write[]; booked?: BookedOrder }> => {
  const booked = await bookCharged(ctx, found);
  if (booked) return { writes: booked.writes, booked };
  return { writes: found.order?.state === 'CHARGING' ? await releaseCharging(ctx, found.order) : [] };
};

/** Books an order whose payments are all authorised, where the confirm that asked for it did not come so far. */
export const bookAuthorised = (ctx: Context, orderId: number): Promise<void> =>
  retryOnConflict(async () => {
    const { writes } = await authorisedWrites(ctx, await findOrder(ctx.table, orderId));
    await rereadWhenTaken(() => ctx.table.transact(writes));
  });

/** Releases an order of which a payment was declined; what the others have authorised is void once the gateway was asked. */
export const declineAuthorised = (ctx: Context, orderId: number, reason: string): Promise<void> =>
  retryOnConflict(async () => {
    const { order } = await findOrder(ctx.table, orderId);
    if (order?.state !== 'CHARGING') return;
    await ctx.table.transact(await releaseDeclined(ctx, order, reason));
  });

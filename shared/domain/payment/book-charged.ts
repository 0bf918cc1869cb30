import type { Context } from '../../platform/context.ts';
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
  heldTimes,
  type Order,
  OrderEntity,
  type OrderItem,
} from '../booking/model.ts';
import { conflictWhenTaken } from '../calendar/index.ts';
import { AvailabilityEntryEntity, CalendarDraft } from '../calendar/model.ts';
import { customerNamesOf } from '../people/index.ts';
import { paidFor } from '../folio/model.ts';
import { movePayment } from './payment.store.ts';

interface PaymentEventData {
  payment_id: number;
  amount: number;
  currency: string;
  /** The gateway's id of the charge; null: nothing was charged. */
  transaction_id: string | null;
  reason: string | null;
}

/**
 * Returns payment events of an order that did not become a booking: `data.id` is the order's id, one event for each of
 * its teams.
 */
export const emitPaymentEvent = (
  ctx: Pick<Context, 'clock' | 'caller'>,
  order: Order | undefined,
  eventType: 'payment.failed' | 'payment.refunded',
  { payment_id, amount, currency, transaction_id, reason }: PaymentEventData,
): Write[] => {
  const eventData = {
    amount,
    currency,
    payment_transaction_id: transaction_id,
    reason,
    ...(eventType === 'payment.refunded' ? { refund: amount } : {}),
  };
  const teams = new Set<number | null>(order?.items.map(({ team_id }) => team_id) ?? [null]);
  return [...teams].map((teamId) =>
    recordEvent(ctx, {
      subject: orderPartition(orderIdOf(payment_id)),
      event_type: eventType,
      team_id: teamId,
      data: { id: payment_id, master_reservation_id: orderIdOf(payment_id), ...eventData },
    }),
  );
};

/** Returns the context with the gateway as caller, for changes that follow from a payment (D62b). */
export const withGatewayCaller = (ctx: Context): Context => ({
  ...ctx,
  caller: { kind: 'system', name: `payment-gateway:${ctx.payments().provider}` },
});

/** Returns the writes that release an order which was to be paid, with its hours. */
export const releaseOrder = async (ctx: Context, order: Order): Promise<Write[]> => {
  const held = heldTimes(order);
  const draft = await CalendarDraft.load(ctx.table, held, ctx.clock.now());
  for (const time of held) draft.releaseHold(time);
  return [...releasedWrites(order), ...draft.writes()];
};

/** Returns the writes of a released order and its entries; those of the months are in a draft. */
export const releasedWrites = (order: Order): Write[] => [
  put(OrderEntity, { ...order, state: 'RELEASED' }, { when: equals('state', order.state) }),
  ...heldTimes(order).map((time) => remove(AvailabilityEntryEntity, time)),
];

/** Returns the same after a declined payment, with its event. */
export const releaseDeclined = async (ctx: Context, order: Order, reason: string): Promise<Write[]> => [
  ...(await releaseOrder(ctx, order)),
  ...emitPaymentEvent(ctx, order, 'payment.failed', {
    payment_id: order.order_id,
    amount: order.estimated_total,
    currency: order.currency,
    transaction_id: null,
    reason,
  }),
];

/** Takes hours; returns false if the listing has moved to another calendar since the lock expired. */
export const takeIfCurrent = (draft: CalendarDraft, item: OrderItem): boolean => {
  try {
    draft.take(item);
    return true;
  } catch (error) {
    if (error instanceof ConflictError) return false;
    throw error;
  }
};

/**
 * Returns the writes that book a charged order, under its lock or, after the lock has expired, while its time is free.
 * Its authorisations precede the charge; an order with authorisations only is booked without a charge (D86). Returns
 * undefined if the time is taken.
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
    if (!takeIfCurrent(draft, item)) return undefined;
  }
  const names = await customerNamesOf(ctx.table, order.guest);
  const booked = bookOrder(ctx, order, {
    guest: order.guest,
    ...(names && { names }),
    payment_method: 'ONLINE_GATEWAY',
    payment_status: 'PAID',
    ...(paid ? { charge: { payment_id: order.order_id, transaction_id: paid.transaction_id } } : {}),
    authorised: new Set(separatePayments.map(({ payment_id }) => payment_id)),
  });
  const eventData = booked.reservations
    .filter(({ postings }) => postings !== undefined)
    .map((stay) => emitBookingEvent(withGatewayCaller(ctx), stay, 'payment.paid', { amount: paidFor(stay) }));
  const authorised = separatePayments.map((one) => movePayment(ctx, one, 'authorise'));
  return { ...booked, writes: [...booked.writes, ...eventData, ...authorised, ...draft.writes()] };
};

/**
 * Returns the writes for an order whose payments are all authorised: a booking, or its release if the time is taken
 * (D86).
 */
export const authorisedWrites = async (
  ctx: Context,
  found: FoundOrder,
): Promise<{ writes: Write[]; booked?: BookedOrder }> => {
  const booked = await bookCharged(ctx, found);
  if (booked) return { writes: booked.writes, booked };
  return { writes: found.order?.state === 'CHARGING' ? await releaseOrder(ctx, found.order) : [] };
};

/** Books an order whose payments are all authorised, if its confirm has stopped before that. */
export const bookAuthorised = (ctx: Context, orderId: number): Promise<void> =>
  retryOnConflict(async () => {
    const { writes } = await authorisedWrites(ctx, await findOrder(ctx.table, orderId));
    await conflictWhenTaken(() => ctx.table.transact(writes));
  });

/** Releases an order after a declined payment; its other authorisations are voided by the reconciliation. */
export const declineAuthorised = (ctx: Context, orderId: number, reason: string): Promise<void> =>
  retryOnConflict(async () => {
    const { order } = await findOrder(ctx.table, orderId);
    if (order?.state !== 'CHARGING') return;
    await ctx.table.transact(await releaseDeclined(ctx, order, reason));
  });

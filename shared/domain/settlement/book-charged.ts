import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { asGateway } from './as-gateway.ts';
import type { Paid } from '../../platform/payment/index.ts';
import { equals, LostRace, put, remove, type Write } from '../../platform/table/index.ts';
import {
  type BookedOrder,
  bookOrder,
  type Order,
  OrderEntity,
  type OrderItem,
  tellBooking,
} from '../booking/index.ts';
import { AvailabilityEntryEntity, CalendarDraft } from '../calendar/index.ts';

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

/** Commits a booking; hours that somebody took meanwhile are seen when the order is read again: a lost race. */
export const rereadWhenTaken = async <Answer>(commit: () => Promise<Answer>): Promise<Answer> => {
  try {
    return await commit();
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'LISTING_NOT_AVAILABLE')
      throw new LostRace('CalendarMonth');
    throw error;
  }
};

/** Takes hours for good; false when the listing keeps them in another calendar since the lock lapsed. */
const takeAtHome = (draft: CalendarDraft, item: OrderItem): boolean => {
  try {
    draft.take(item);
    return true;
  } catch (error) {
    if (error instanceof LostRace) return false;
    throw error;
  }
};

/**
 * The writes that book an order which was charged, under its lock or, when that has lapsed, while its time is still free.
 * Undefined: somebody else has it.
 */
export const bookCharged = async (
  ctx: Context,
  order: Order,
  { transaction_id }: Paid,
): Promise<BookedOrder | undefined> => {
  if (order.state !== 'CHARGING' || !order.guest) return undefined;
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
    payment_transaction_id: transaction_id,
  });
  const told = booked.reservations.map((stay) => tellBooking(asGateway(ctx), stay, 'payment.paid'));
  return { ...booked, writes: [...booked.writes, ...told, ...draft.writes()] };
};

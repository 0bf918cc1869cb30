import { callerRef } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { invalid } from '../../platform/errors.ts';
import { readOf } from '../../platform/table/index.ts';
import { type Order, OrderEntity } from '../booking/model.ts';
import {
  type CalendarDraft,
  type ListingTime,
  notAvailable,
  overlaps,
  wholeHours,
} from '../calendar/model.ts';
import type { Offers } from './load-offers.ts';

/** Takes every stay of an order, for a holder if given. */
export const takeAll = ({ offers, draft }: Offers, holder?: string): void =>
  reserveAll(
    offers.map(({ time }) => time),
    draft,
    (time) => draft.take(time, holder),
  );

/** Holds every stay of an order under its soft lock. */
export const holdAll = (order: Order, draft: CalendarDraft): void => {
  const { order_id, holder, locked_until: until } = order;
  reserveAll(order.items, draft, (item) => draft.hold({ ...item, order_id, holder, until }));
};

/**
 * Takes or holds every stay of an order in the draft, or throws LISTING_NOT_AVAILABLE with all taken times, and
 * VALIDATION_ERROR for stays of one listing that overlap.
 */
const reserveAll = <Stay extends ListingTime>(
  stays: readonly Stay[],
  draft: CalendarDraft,
  reserve: (stay: Stay) => void,
): void => {
  requireApart(stays);
  const unavailable = stays.flatMap((stay) => {
    draft.requireCurrentCalendar(stay);
    const taken = draft.taken(stay);
    if (taken.length === 0) reserve(stay);
    return taken;
  });
  if (unavailable.length > 0) throw notAvailable(unavailable);
};

/** Throws VALIDATION_ERROR for stays that overlap an earlier one of the same listing: no other guest takes their time. */
const requireApart = (stays: readonly ListingTime[]): void => {
  const issues = stays.flatMap((stay, position) => {
    const first = stays.findIndex((earlier) => overlap(earlier, stay));
    return first < position ? [{ path: `items[${position}]`, message: `overlaps items[${first}]` }] : [];
  });
  if (issues.length > 0) throw invalid(...issues);
};

/** Whether two stays of a listing share an hour. */
const overlap = (one: ListingTime, other: ListingTime): boolean =>
  one.listing_id === other.listing_id && overlaps(wholeHours(one), wholeHours(other));

/** Returns the caller's own live checkouts that hold any of the requested time. */
export const ownOrdersOnTime = async (ctx: Context, { offers, draft }: Offers): Promise<Order[]> => {
  const holder = callerRef(ctx.caller);
  const ids = new Set(offers.flatMap(({ time }) => draft.ordersHeldBy(holder, time)));
  const orders = await ctx.table.getAll(
    [...ids].map((orderId) => readOf(OrderEntity, { order_id: orderId })),
  );
  return orders.filter((order) => order !== undefined);
};

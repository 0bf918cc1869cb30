import { callerRef } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { type CalendarDraft, type ListingTime, notAvailable } from '../calendar/index.ts';
import { type Order, OrderEntity } from '../booking/index.ts';
import type { Offers } from './load-offers.ts';

/** Claims every stay of an order in the draft, or throws LISTING_NOT_AVAILABLE with everything that is taken. */
export const claimAll = <Stay extends ListingTime>(
  stays: readonly Stay[],
  draft: CalendarDraft,
  claim: (stay: Stay) => void,
): void => {
  const unavailable = stays.flatMap((stay) => {
    draft.requireCurrentCalendar(stay);
    const taken = draft.taken(stay);
    if (taken.length === 0) claim(stay);
    return taken;
  });
  if (unavailable.length > 0) throw notAvailable(unavailable);
};

/** The caller's own live checkouts that hold any of the wanted time. */
export const ordersInTheWay = async (ctx: Context, { offers, draft }: Offers): Promise<Order[]> => {
  const holder = callerRef(ctx.caller);
  const ids = new Set(offers.flatMap(({ time }) => draft.ordersHeldBy(holder, time)));
  const orders = await ctx.table.getAll([...ids].map((order_id) => ({ key: OrderEntity.key({ order_id }) })));
  return orders.filter((order) => order !== undefined) as unknown as Order[];
};

/** Takes every stay of an order for good, for a holder if any. */
export const takeAll = ({ offers, draft }: Offers, holder?: string): void =>
  claimAll(
    offers.map(({ time }) => time),
    draft,
    (time) => draft.take(time, holder),
  );

/** Holds every stay of an order under its soft lock. */
export const holdAll = (order: Order, draft: CalendarDraft): void => {
  const { order_id, holder, locked_until: until } = order;
  claimAll(order.items, draft, (item) => draft.hold({ ...item, order_id, holder, until }));
};

import { callerRef } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { type CalendarDraft, notAvailable } from '../calendar/index.ts';
import { type Order, OrderEntity, type OrderItem } from '../booking/index.ts';
import type { Offers } from './load-offers.ts';

/** Claims every stay of an order in the draft, or throws LISTING_NOT_AVAILABLE with everything that is taken. */
export const claimAll = (
  items: readonly OrderItem[],
  draft: CalendarDraft,
  claim: (item: OrderItem) => void,
): void => {
  const unavailable = items.flatMap((item) => {
    const taken = draft.taken(item);
    if (taken.length === 0) claim(item);
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

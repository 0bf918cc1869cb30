import type { Context } from '../../platform/context.ts';
import { retryOnConflict, type Write } from '../../platform/table/index.ts';
import { type BookedOrder, findOrder, type FoundOrder } from '../booking/index.ts';
import { bookCharged, releaseCharging, releaseDeclined, rereadWhenTaken } from './book-charged.ts';

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

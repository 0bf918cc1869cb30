import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { absent, equals, put, readOf, type Write } from '../../platform/table/index.ts';
import { type Order, OrderEntity } from '../booking/model.ts';
import { type CallerCheckouts, CallerCheckoutsEntity } from './checkout.store.ts';
import { isLiveOrder } from './soft-lock.rules.ts';

/** The most live checkouts of a caller: of a customer (D44), and of a partner, who holds for many guests. */
const mostLive = { user: 5, partner: 50 };

/**
 * Returns the write that counts a new checkout, or throws RATE_LIMIT_EXCEEDED. The orders are read only if the count has
 * reached the limit: those confirmed or released meanwhile no longer count.
 */
export const countCheckout = async (
  ctx: Context,
  found: CallerCheckouts | undefined,
  order: Order,
  replaced: readonly Order[],
): Promise<Write> => {
  const now = ctx.clock.now();
  const most = ctx.caller.kind === 'partner' ? mostLive.partner : mostLive.user;
  const before = found ?? { holder: order.holder, version: 0, live: {} };
  const replacedIds = new Set(replaced.map(({ order_id }) => String(order_id)));
  let live = Object.entries(before.live).filter(([id, until]) => until > now && !replacedIds.has(id));
  if (live.length >= most) {
    const orders = await ctx.table.getAll(live.map(([id]) => readOf(OrderEntity, { order_id: Number(id) })));
    live = live.filter((_, position) => {
      const order = orders[position];
      return order !== undefined && isLiveOrder(order, now);
    });
    if (live.length >= most)
      throw tooMany(
        most,
        live.map(([, until]) => until),
        now,
      );
  }
  return put(
    CallerCheckoutsEntity,
    {
      holder: order.holder,
      version: before.version + 1,
      live: { ...Object.fromEntries(live), [order.order_id]: order.locked_until },
    },
    { when: before.version === 0 ? absent() : equals('version', before.version) },
  );
};

const tooMany = (most: number, until: number[], now: number): ServiceError =>
  new ServiceError(
    'RATE_LIMIT_EXCEEDED',
    `At most ${most} checkouts may be live at a time.`,
    {},
    {
      retryAfterSeconds: Math.max(1, Math.ceil((Math.min(...until) - now) / 1000)),
    },
  );

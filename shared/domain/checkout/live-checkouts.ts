import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { absent, equals, put, type Write } from '../../platform/table/index.ts';
import { type Order, OrderEntity } from '../booking/index.ts';
import { type CallerCheckouts, CallerCheckoutsEntity } from './caller-checkouts.entity.ts';
import { isLive } from './soft-lock.ts';

/** Live checkouts a caller may have (D44). */
export const mostLiveCheckouts = 5;

/**
 * The write that counts a new checkout, or RATE_LIMIT_EXCEEDED. Only when the count looks full are the orders themselves
 * read: those confirmed or released meanwhile no longer count.
 */
export const countCheckout = async (
  ctx: Context,
  found: object | undefined,
  order: Order,
  replaced: readonly Order[],
): Promise<Write> => {
  const now = ctx.clock.now();
  const before = (found as CallerCheckouts | undefined) ?? { holder: order.holder, version: 0, live: {} };
  const gone = new Set(replaced.map(({ order_id }) => String(order_id)));
  let live = Object.entries(before.live).filter(([id, until]) => until > now && !gone.has(id));
  if (live.length >= mostLiveCheckouts) {
    const orders = await ctx.table.getAll(
      live.map(([id]) => ({ key: OrderEntity.key({ order_id: Number(id) }) })),
    );
    live = live.filter((_, position) => isLive(orders[position] as unknown as Order, now));
    if (live.length >= mostLiveCheckouts)
      throw tooMany(
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

const tooMany = (until: number[], now: number): ServiceError =>
  new ServiceError(
    'RATE_LIMIT_EXCEEDED',
    `At most ${mostLiveCheckouts} checkouts may be live at a time.`,
    {},
    {
      retryAfterSeconds: Math.max(1, Math.ceil((Math.min(...until) - now) / 1000)),
    },
  );

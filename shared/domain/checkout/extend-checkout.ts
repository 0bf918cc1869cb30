import { instantText } from '../../platform/clock.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { all, change, equals, has, put, retryOnConflict } from '../../platform/table/index.ts';
import { AvailabilityEntryEntity, extendHolds } from '../calendar/index.ts';
import { type Order, OrderEntity } from '../booking/index.ts';
import { CallerCheckoutsEntity } from './caller-checkouts.entity.ts';
import type { Checkout } from './checkout.schema.ts';
import { presentHolds } from './create-checkout.ts';
import { heldPreview } from './held-quote.ts';
import { beingPaid, findCheckout } from './release-checkout.ts';
import { heldEntries, isLive, lockMs } from './soft-lock.ts';

/** Gives a live soft lock another 15 minutes, once (D44). CHECKOUT_EXPIRED when it has lapsed, INVALID_STATE_TRANSITION the second time. */
export const extendCheckout = (ctx: Context, checkoutId: number): Promise<Checkout> =>
  retryOnConflict(() => extend(ctx, checkoutId));

const extend = async (ctx: Context, checkoutId: number): Promise<Checkout> => {
  const now = ctx.clock.now();
  const { order } = await findCheckout(ctx, checkoutId);
  if (order.state === 'CHARGING') throw beingPaid();
  if (order.state === 'BOOKED') throw alreadyExtended();
  if (!isLive(order, now)) throw lapsed();
  if (order.extended) throw alreadyExtended();
  const extended: Order = { ...order, extended: true, locked_until: order.locked_until + lockMs() };
  const writes = [
    put(OrderEntity, extended, {
      when: all(equals('state', 'HELD'), equals('extended', false)),
      onConflict: alreadyExtended,
    }),
    ...extendHolds(extended.items, extended.locked_until, now, lapsed),
    ...heldEntries(extended).map((entry) => put(AvailabilityEntryEntity, entry)),
    change(
      CallerCheckoutsEntity,
      { holder: order.holder },
      { setAt: { [`live.${checkoutId}`]: extended.locked_until }, add: { version: 1 } },
      { when: has(`live.${checkoutId}`) },
    ),
  ];
  return ctx.commit(writes, {
    checkout_id: checkoutId,
    locked_until: instantText(extended.locked_until),
    items: presentHolds(extended),
    preview: heldPreview(extended),
  });
};

const lapsed = (): ServiceError =>
  new ServiceError('CHECKOUT_EXPIRED', 'The soft lock has expired; make a new checkout.');

const alreadyExtended = (): ServiceError =>
  new ServiceError('INVALID_STATE_TRANSITION', 'A checkout can be extended once, while it is held.');

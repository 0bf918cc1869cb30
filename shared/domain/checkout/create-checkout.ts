import { callerRef } from '../../platform/auth.ts';
import { instantText } from '../../platform/clock.ts';
import type { Context } from '../../platform/context.ts';
import { create, retryOnConflict } from '../../platform/table/index.ts';
import { AvailabilityEntryEntity } from '../calendar/index.ts';
import { type Order, OrderEntity } from '../booking/index.ts';
import type { PreviewRequest } from '../pricing/index.ts';
import { CallerCheckoutsEntity } from './caller-checkouts.entity.ts';
import type { Checkout } from './checkout.schema.ts';
import { draftOrder } from './draft-order.ts';
import { countCheckout } from './live-checkouts.ts';
import { loadOffers, type Offers } from './load-offers.ts';
import { holdAll, ordersInTheWay } from './claim-offers.ts';
import { presentWanted } from './preview-checkout.ts';
import { listingNotFound, requireFitting } from './refusals.ts';
import { releaseWrites } from './release-checkout.ts';
import { heldEntries, lockMs } from './soft-lock.ts';

/**
 * Soft-locks the stays of an order, all or nothing, at the price of this moment (D43, D44). The caller's own earlier lock on
 * the same listing and time is replaced. 409 LISTING_NOT_AVAILABLE names what is taken; nothing is locked then.
 */
export const createCheckout = (ctx: Context, request: PreviewRequest): Promise<Checkout> =>
  retryOnConflict(async () => {
    const holder = callerRef(ctx.caller);
    const loaded = await loadOffers(ctx, {
      ...request,
      missing: listingNotFound,
      extras: [CallerCheckoutsEntity.key({ holder })],
    });
    const replaced = await ordersInTheWay(ctx, loaded);
    const order = draftOrder(ctx, loaded, ctx.clock.now() + lockMs());
    const released = await releaseWrites(ctx, replaced, loaded.draft);
    holdAll(order, loaded.draft);
    const counted = await countCheckout(ctx, loaded.extras[0], order, replaced);
    const writes = [
      create(OrderEntity, order),
      ...loaded.draft.writes(),
      ...heldEntries(order).map((entry) => create(AvailabilityEntryEntity, entry)),
      counted,
      ...released,
    ];
    return ctx.commit(requireFitting(writes), presentCheckout(ctx, order, loaded));
  });

const presentCheckout = (ctx: Context, order: Order, loaded: Offers): Checkout => ({
  checkout_id: order.order_id,
  locked_until: instantText(order.locked_until),
  items: presentHolds(order),
  preview: presentWanted(ctx, loaded),
});

export const presentHolds = (order: Order): Checkout['items'] =>
  order.items.map(({ listing_id, availability_id, start_at, end_at }) => ({
    listing_id,
    availability_id,
    start_at,
    end_at,
    state: 'SOFT_LOCK',
  }));

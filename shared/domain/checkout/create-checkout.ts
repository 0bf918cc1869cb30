import { callerRef } from '../../platform/auth.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import {
  all,
  change,
  create,
  equals,
  has,
  put,
  readOf,
  retryOnConflict,
} from '../../platform/table/index.ts';
import { type Order, OrderEntity } from '../booking/model.ts';
import { extendHolds } from '../calendar/index.ts';
import { AvailabilityEntryEntity } from '../calendar/model.ts';
import type { Preview, PreviewRequest } from '../pricing/model.ts';
import type { Checkout } from './checkout.schema.ts';
import { heldEntries, isLiveOrder, softLockMs } from './soft-lock.rules.ts';
import { countCheckout } from './count-checkouts.ts';
import { CallerCheckoutsEntity } from './checkout.store.ts';
import { draftOrder } from './draft-order.ts';
import { heldPreview } from './held-stays.ts';
import { holdAll, ownOrdersOnTime } from './reserve-stays.ts';
import { presentAvailable } from './preview-checkout.ts';
import { listingNotFound, requireFitting } from './refusals.ts';
import { paymentInProgress, findCheckout, releaseWrites } from './release-checkout.ts';
import { loadAllowedOffers } from './require-stay-rules.ts';

/**
 * Soft-locks the stays of an order, all or nothing, at the present price (D43, D44). The caller's own earlier locks on
 * the same time are replaced. Throws LISTING_NOT_AVAILABLE with the taken times and locks nothing then.
 */
export const createCheckout = (ctx: Context, request: PreviewRequest): Promise<Checkout> =>
  retryOnConflict(async () => {
    const holder = callerRef(ctx.caller);
    const loaded = await loadAllowedOffers(ctx, {
      ...request,
      missing: listingNotFound,
      extras: [readOf(CallerCheckoutsEntity, { holder })],
    });
    const replaced = await ownOrdersOnTime(ctx, loaded);
    const order = draftOrder(ctx, loaded, ctx.clock.now() + softLockMs());
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
    return ctx.commit(requireFitting(writes), {
      checkout_id: order.order_id,
      ...presentLock(order, presentAvailable(ctx, loaded)),
    });
  });

/** A soft lock without its id, which customers and partners know by different names. */
type SoftLock = Omit<Checkout, 'checkout_id'>;

export const presentLock = (order: Order, preview: Preview): SoftLock => ({
  locked_until: instantText(order.locked_until),
  items: order.items.map(({ listing_id, availability_id, start_at, end_at }) => ({
    listing_id,
    availability_id,
    start_at,
    end_at,
    state: 'SOFT_LOCK',
  })),
  preview,
});

/**
 * Extends a live soft lock by 15 minutes, once (D44). Throws CHECKOUT_EXPIRED after it has expired,
 * INVALID_STATE_TRANSITION the second time.
 */
export const extendCheckout = (ctx: Context, checkoutId: number): Promise<Checkout> =>
  extendLock(ctx, checkoutId, (lock) => ({ checkout_id: checkoutId, ...lock }));

/** The same, with an answer that is made of the extended lock. */
export const extendLock = <Answer>(
  ctx: Context,
  orderId: number,
  present: (lock: SoftLock) => Answer,
): Promise<Answer> => retryOnConflict(() => extend(ctx, orderId, present));

const extend = async <Answer>(
  ctx: Context,
  checkoutId: number,
  present: (lock: SoftLock) => Answer,
): Promise<Answer> => {
  const now = ctx.clock.now();
  const { order } = await findCheckout(ctx, checkoutId);
  if (order.state === 'CHARGING') throw paymentInProgress();
  if (order.state === 'BOOKED') throw alreadyExtended();
  if (!isLiveOrder(order, now)) throw checkoutExpired();
  if (order.extended) throw alreadyExtended();
  const extended: Order = { ...order, extended: true, locked_until: order.locked_until + softLockMs() };
  const writes = [
    put(OrderEntity, extended, {
      when: all(equals('state', 'HELD'), equals('extended', false)),
      onConflict: alreadyExtended,
    }),
    ...extendHolds(ctx.table, order, { now, until: extended.locked_until }, checkoutExpired),
    ...heldEntries(extended).map((entry) => put(AvailabilityEntryEntity, entry)),
    change(
      CallerCheckoutsEntity,
      { holder: order.holder },
      { setAt: { [`live.${checkoutId}`]: extended.locked_until }, add: { version: 1 } },
      { when: has(`live.${checkoutId}`) },
    ),
  ];
  return ctx.commit(writes, present(presentLock(extended, heldPreview(extended))));
};

const checkoutExpired = (): ServiceError =>
  new ServiceError('CHECKOUT_EXPIRED', 'The soft lock has expired; hold the time anew.');

const alreadyExtended = (): ServiceError =>
  new ServiceError('INVALID_STATE_TRANSITION', 'A checkout can be extended once, while it is held.');

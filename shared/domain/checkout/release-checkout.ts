import { callerRef } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import {
  equals,
  put,
  type Read,
  readOf,
  remove,
  retryOnConflict,
  type Write,
} from '../../platform/table/index.ts';
import { type Order, OrderEntity } from '../booking/model.ts';
import { AvailabilityEntryEntity, CalendarDraft } from '../calendar/model.ts';
import { checkoutNotFound } from './refusals.ts';

/** Releases a soft lock before it expires (D44); idempotent. */
export const releaseCheckout = async (
  ctx: Context,
  checkoutId: number,
): Promise<{ message: string; checkout_id: number }> => {
  await releaseLock(ctx, checkoutId);
  return { message: 'Checkout released', checkout_id: checkoutId };
};

/** Releases a soft lock; no answer is kept for a repetition, which finds it released. */
export const releaseLock = (ctx: Context, checkoutId: number): Promise<void> =>
  retryOnConflict(async () => {
    const { order } = await findCheckout(ctx, checkoutId);
    if (order.state === 'BOOKED')
      throw new ServiceError(
        'INVALID_STATE_TRANSITION',
        'The checkout is confirmed; cancel the booking instead.',
      );
    if (order.state === 'CHARGING') throw paymentInProgress();
    if (order.state === 'RELEASED') return;
    const draft = new CalendarDraft(ctx.clock.now());
    const writes = await releaseWrites(ctx, [order], draft);
    await ctx.table.transact([...writes, ...draft.writes()]);
  });

/** Returns the caller's own checkout, with further items read in the same request; not found for other callers (D74). */
export const findCheckout = async <Extra extends object>(
  ctx: Context,
  checkoutId: number,
  further: readonly Read<Extra>[] = [],
): Promise<{ order: Order; extras: (Extra | undefined)[] }> => {
  const [[order], extras] = await ctx.table.getGroups([
    [readOf(OrderEntity, { order_id: checkoutId })],
    further,
  ]);
  if (order?.holder !== callerRef(ctx.caller)) throw checkoutNotFound(ctx.caller);
  return { order, extras };
};

/** Returns the error for a checkout that is being paid, which only the payment ends. */
export const paymentInProgress = (): ServiceError =>
  new ServiceError('INVALID_STATE_TRANSITION', 'The checkout is being paid; its outcome is not known yet.');

/** Removes the holds of orders from a draft, except of those that are being paid. */
export const releaseHolds = async (
  ctx: Context,
  orders: readonly Order[],
  draft: CalendarDraft,
): Promise<Order[]> => {
  const dropped = orders.filter(({ state }) => state !== 'CHARGING');
  const items = dropped.flatMap((order) => order.items);
  await draft.complete(ctx.table, items);
  for (const item of items) draft.releaseHold(item);
  return dropped;
};

/** Returns the writes that release held orders, and removes their holds from the draft, which the caller writes. */
export const releaseWrites = async (
  ctx: Context,
  orders: readonly Order[],
  draft: CalendarDraft,
): Promise<Write[]> => {
  const released = await releaseHolds(ctx, orders, draft);
  return [
    ...released.map((order) =>
      put(OrderEntity, { ...order, state: 'RELEASED' }, { when: equals('state', 'HELD') }),
    ),
    ...released.flatMap(({ items }) => items.map((item) => remove(AvailabilityEntryEntity, item))),
  ];
};

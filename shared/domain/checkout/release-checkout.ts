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

/** Releases a soft lock before it expires (D44); releasing it twice changes nothing. */
export const releaseCheckout = (
  ctx: Context,
  checkoutId: number,
): Promise<{ message: string; checkout_id: number }> =>
  retryOnConflict(async () => {
    const { order } = await findCheckout(ctx, checkoutId);
    if (order.state === 'BOOKED')
      throw new ServiceError(
        'INVALID_STATE_TRANSITION',
        'The checkout is confirmed; cancel the booking instead.',
      );
    if (order.state === 'CHARGING') throw beingPaid();
    const answer = { message: 'Checkout released', checkout_id: checkoutId };
    if (order.state === 'RELEASED') return answer;
    const draft = new CalendarDraft(ctx.clock.now());
    const writes = await releaseWrites(ctx, [order], draft);
    return ctx.commit([...writes, ...draft.writes()], answer);
  });

/** The caller's own checkout, with further items that are read along; another caller's does not exist for them (D74). */
export const findCheckout = async <Extra extends object>(
  ctx: Context,
  checkoutId: number,
  along: readonly Read<Extra>[] = [],
): Promise<{ order: Order; extras: (Extra | undefined)[] }> => {
  const [[order], extras] = await ctx.table.getGroups([
    [readOf(OrderEntity, { order_id: checkoutId })],
    along,
  ]);
  if (order?.holder !== callerRef(ctx.caller)) throw checkoutNotFound();
  return { order, extras };
};

/** What is answered while a checkout is being paid: nobody but the payment ends it. */
export const beingPaid = (): ServiceError =>
  new ServiceError('INVALID_STATE_TRANSITION', 'The checkout is being paid; its outcome is not known yet.');

/** Drops the claims of held orders in a draft, but of none that is being paid: what that holds stays taken. */
export const dropHolds = async (
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

/** The writes that release held orders; their claims are dropped in the draft, which the caller writes. */
export const releaseWrites = async (
  ctx: Context,
  orders: readonly Order[],
  draft: CalendarDraft,
): Promise<Write[]> => {
  const released = await dropHolds(ctx, orders, draft);
  return [
    ...released.map((order) =>
      put(OrderEntity, { ...order, state: 'RELEASED' }, { when: equals('state', 'HELD') }),
    ),
    ...released.flatMap(({ items }) => items.map((item) => remove(AvailabilityEntryEntity, item))),
  ];
};

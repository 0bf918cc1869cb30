import { isDeepStrictEqual } from 'node:util';
import { callerRef } from '../../platform/auth.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Context } from '../../platform/context.ts';
import { newId, newOrderId } from '../../platform/ids.ts';
import type { Due } from '../../platform/payment/index.ts';
import { all, change, create, type Write } from '../../platform/table/index.ts';
import { toInstant } from '../../platform/time/time.ts';
import { awaitedStay } from '../booking/index.ts';
import {
  type Order,
  OrderEntity,
  type OrderItem,
  type PendingChange,
  ReservationEntity,
  samePending,
  thawQuote,
  unchangedSince,
} from '../booking/model.ts';
import { AvailabilityEntryEntity } from '../calendar/model.ts';
import { heldEntries, softLockMs } from './soft-lock.rules.ts';
import { releasedWrites } from '../payment/index.ts';
import { createPayment, type Payment, paymentWindowEnd, scheduleReconciliation } from '../payment/model.ts';
import { hoursBeyond } from './change.rules.ts';
import { isByHost } from './find-changeable.ts';
import { changedItem, type PlannedChange } from './planned-change.ts';

/** An order that holds a change until it is paid. */
interface HeldChange extends Order {
  change: PendingChange;
}

/**
 * Returns the order of a change that is to be paid first. It holds the hours that the stay does not have: 15 minutes for a
 * guest or partner, for a host until the payment window ends, which is not after the new time begins. Writes nothing.
 */
export const heldChange = (
  ctx: Context,
  planned: PlannedChange,
  due: number,
  state: 'HELD' | 'CHARGING',
): HeldChange => {
  const { before, quote, time, difference } = planned;
  const now = ctx.clock.now();
  const beyond = hoursBeyond(before, time);
  const begins = toInstant(beyond[0]?.start_at ?? quote.end_at, planned.home.timezone);
  const isWindow = state === 'HELD' && isByHost(ctx, before);
  return {
    order_id: newOrderId(ctx.clock),
    state,
    holder: `change:${before.reservation_id}`,
    locked_until: isWindow ? paymentWindowEnd(now, [begins]) : now + softLockMs(),
    extended: false,
    items: [changedItem(planned)],
    currency: before.currency,
    estimated_total: quote.total,
    guest: null,
    change: {
      reservation_id: before.reservation_id,
      changes: before.changes ?? 0,
      difference,
      due,
      by: callerRef(ctx.caller),
      holds: beyond.map((part) => ({ availability_id: newId(ctx.clock), ...part })),
    },
    created_at: instantText(now),
  };
};

/**
 * Returns the page of the change that waits, if the same caller asks for the same at the same price again and it can still be
 * paid.
 */
export const samePage = (ctx: Context, planned: PlannedChange, due: number): Payment | undefined => {
  const { before, pending, pendingPayment: page } = planned;
  const awaited = awaitedStay(pending, [before]);
  if (!awaited || page?.state !== 'OPEN' || ctx.clock.now() >= page.ends_at) return undefined;
  const { by, due: asked } = awaited.held.change;
  const isSame = by === callerRef(ctx.caller) && asked === due;
  return isSame && isDeepStrictEqual(plain(awaited.item), plain(changedItem(planned))) ? page : undefined;
};

/** As it is after it was stored. */
const plain = (item: OrderItem): unknown =>
  JSON.parse(JSON.stringify({ ...item, quote: thawQuote(item.quote) }));

/** Returns what the gateway is to take for a held change. */
export const dueOfChange = ({ order_id, change: { due }, currency }: HeldChange): Due => ({
  payment_id: order_id,
  amount: due,
  currency,
});

/** Returns the writes that hold a change with its payment; an earlier change that waits is given up. */
export const holdWrites = (
  ctx: Context,
  planned: PlannedChange,
  held: HeldChange,
  payment: Payment,
): Write[] => {
  const { before, draft } = planned;
  const { order_id, holder, locked_until: until } = held;
  for (const time of held.change.holds) draft.hold({ ...time, order_id, holder, until });
  return [
    create(OrderEntity, held),
    ...heldEntries(held).map((entry) => create(AvailabilityEntryEntity, entry)),
    ...createPayment(ctx, { ...payment, change_of: before.reservation_id }),
    change(
      ReservationEntity,
      before,
      { set: { pending_change: order_id } },
      { when: all(unchangedSince(before), samePending(before)) },
    ),
    ...giveUpPending(ctx, planned),
    ...draft.writes(),
  ];
};

/** Returns the writes that give up an earlier change which waits for its payment; its page is closed at once. */
export const giveUpPending = ({ clock }: Context, { pending }: Pick<PlannedChange, 'pending'>): Write[] =>
  pending ? [...releasedWrites(pending), scheduleReconciliation(pending.order_id, clock.now())] : [];

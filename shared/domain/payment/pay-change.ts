import type { Context } from '../../platform/context.ts';
import { money } from '../../platform/money.ts';
import { change, equals, type Write } from '../../platform/table/index.ts';
import {
  changedReservation,
  type ChangedStay,
  changeReservation,
  chargesOf,
  movesHours,
  paidFor,
} from '../booking/index.ts';
import {
  changeableStates,
  type Charge,
  emitBookingEvent,
  findPaid,
  type FoundOrder,
  heldTimes,
  type Order,
  type OrderItem,
  type PendingChange,
  type Reservation,
  ReservationEntity,
  thawQuote,
} from '../booking/model.ts';
import { CalendarDraft } from '../calendar/model.ts';
import { releasedWrites, releaseOrder, takeIfCurrent, withGatewayCaller } from './book-charged.ts';
import type { Payment } from './payment.entity.ts';
import { ignoreConflict } from './refunds.ts';

/** An order whose change is not made yet. */
type HeldOrder = Order & { change: PendingChange };

/** A change that waits for its payment. */
interface AwaitedChange {
  held: HeldOrder;
  /** The order of the stay, with its payments. */
  changed: FoundOrder & { order: Order };
  before: Reservation;
  item: OrderItem;
}

const heldOrder = ({ order }: FoundOrder): HeldOrder | undefined =>
  order?.change && (order.state === 'HELD' || order.state === 'CHARGING')
    ? { ...order, change: order.change }
    : undefined;

const stayOf = ({ changed }: FoundOrder, { change: { reservation_id } }: HeldOrder) =>
  changed?.reservations.find((stay) => stay.reservation_id === reservation_id);

/**
 * Returns the change that a payment is for while the stay still waits for it: it was not changed otherwise, costs what it
 * cost, and its state allows the change (D84).
 */
export const awaitedChange = (found: FoundOrder): AwaitedChange | undefined => {
  const held = heldOrder(found);
  const order = found.changed?.order;
  const before = held && stayOf(found, held);
  const item = held?.items[0];
  if (!held || !order || !found.changed || !before || !item) return undefined;
  const { changes, due } = held.change;
  // A change that this one does not know of leaves `pending_change` as it is.
  const isSame = (before.changes ?? 0) === changes;
  const isDue = money(thawQuote(item.quote).total).minus(paidFor(before)).eq(due);
  return isSame && isDue && allows(before, item)
    ? { held, changed: { ...found.changed, order }, before, item }
    : undefined;
};

/** After check-in only the check-out may change. */
const allows = (before: Reservation, { listing_id, start_at, request }: OrderItem): boolean =>
  before.state === 'CHECKED_IN'
    ? listing_id === before.listing_id &&
      start_at === before.start_at &&
      request.guest_number === before.guest_number
    : (changeableStates as readonly string[]).includes(before.state);

/**
 * Returns the writes that make a change with the charge that pays it, under its soft lock or, after that has expired, while
 * its time is free. Returns undefined if the stay no longer waits for it or the time is taken.
 */
export const changeCharged = async (
  ctx: Context,
  found: FoundOrder,
  charge: Charge,
): Promise<{ stay: ChangedStay; writes: Write[] } | undefined> => {
  const awaited = awaitedChange(found);
  if (!awaited) return undefined;
  const { held, changed, before } = awaited;
  const isMoved = movesHours(before, awaited.item);
  // The listing may have moved to another calendar meanwhile; hours that stay have moved with it.
  const item = isMoved ? awaited.item : { ...awaited.item, calendar_id: before.calendar_id };
  const draft = await CalendarDraft.load(ctx.table, [before, item, ...heldTimes(held)], ctx.clock.now());
  for (const time of heldTimes(held)) draft.releaseHold(time);
  if (isMoved) {
    draft.free(before);
    if (draft.taken(item).length > 0 || !takeIfCurrent(draft, item)) return undefined;
  }
  const stay = changedReservation(ctx, {
    order: changed.order,
    before,
    item,
    payment: {
      payment_status: 'PAID',
      paid_before: undefined,
      charges: [...(chargesOf(changed, before, paidFor(before)) ?? []), charge],
      pay_until: undefined,
      payment_transaction_id: before.payment_transaction_id ?? charge.transaction_id,
    },
  });
  const paid = { amount: charge.amount, charge: charge.transaction_id };
  return {
    stay,
    writes: [
      ...releasedWrites(held),
      ...changeReservation(ctx, stay, held.change.by),
      emitBookingEvent(withGatewayCaller(ctx), stay.after, 'payment.paid', paid),
      ...draft.writes(),
    ],
  };
};

/**
 * Returns the writes that give up a change which waits for its payment, and free the hours that it holds. With a reason, an
 * event says that the payment failed, if the stay still waits for it. The order may have been deleted since it expired.
 */
export const releaseChange = async (ctx: Context, found: FoundOrder, reason?: string): Promise<Write[]> => {
  const { payment, changed } = found;
  const held = heldOrder(found);
  const stay = changed?.reservations.find(
    ({ reservation_id, pending_change }) =>
      reservation_id === payment?.change_of && pending_change === payment.payment_id,
  );
  const isAwaited = !held || awaitedChange(found) !== undefined;
  return [
    ...(held ? await releaseOrder(ctx, held) : []),
    ...(payment && stay ? withoutChange(ctx, payment, stay, isAwaited ? reason : undefined) : []),
  ];
};

const withoutChange = (
  ctx: Context,
  { payment_id, amount }: Payment,
  stay: Reservation,
  reason: string | undefined,
): Write[] => [
  change(
    ReservationEntity,
    stay,
    { set: { pending_change: undefined } },
    { when: equals('pending_change', payment_id) },
  ),
  ...(reason === undefined
    ? []
    : [emitBookingEvent(ctx, stay, 'payment.failed', { reason, amount, charge: null })]),
];

/**
 * Frees the hours of a change that its stay no longer waits for, before the gateway is asked, which may not respond or not
 * close its page. Returns the order as it is then.
 */
export const withoutVainHold = async (ctx: Context, found: FoundOrder): Promise<FoundOrder> => {
  const held = heldOrder(found);
  if (!held || awaitedChange(found)) return found;
  await ignoreConflict(async () => ctx.table.transact(await releaseChange(ctx, found)));
  return findPaid(ctx.table, held.order_id);
};

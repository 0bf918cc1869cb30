import type { Context } from '../../platform/context.ts';
import { change, equals, type Write } from '../../platform/table/index.ts';
import {
  type AwaitedStay,
  awaitedStay,
  changedReservation,
  type ChangedStay,
  changeReservation,
  heldOrder,
  movesHours,
} from '../booking/index.ts';
import {
  emitBookingEvent,
  findPaid,
  type FoundOrder,
  heldTimes,
  type Order,
  postedBy,
  type Reservation,
  ReservationEntity,
  totalOf,
} from '../booking/model.ts';
import { CalendarDraft } from '../calendar/model.ts';
import { chargePosting, type GatewayCharge, post, unpaidFor } from '../folio/model.ts';
import { releasedWrites, releaseOrder, takeIfCurrent, withGatewayCaller } from './book-charged.ts';
import type { Payment } from './payment.entity.ts';
import { ignoreConflict } from './refunds.ts';

/** A change that waits for its payment, with the order of its stay and the payments of that. */
interface AwaitedChange extends AwaitedStay {
  changed: FoundOrder & { order: Order };
}

/** Returns the change that a payment is for while its stay still waits for it (D84). */
export const awaitedChange = ({ order, changed }: FoundOrder): AwaitedChange | undefined => {
  const stay = awaitedStay(order, changed?.reservations ?? []);
  return stay && changed?.order ? { ...stay, changed: { ...changed, order: changed.order } } : undefined;
};

/**
 * Returns the writes that make a change with the charge that pays it, under its soft lock or, after that has expired, while
 * its time is free. Returns undefined if the stay no longer waits for it or the time is taken.
 */
export const changeCharged = async (
  ctx: Context,
  found: FoundOrder,
  charge: GatewayCharge & { amount: number },
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
  const { difference } = held.change;
  const postings = [
    { kind: 'change' as const, amount: difference, ...postedBy(ctx), actor: held.change.by },
    chargePosting(charge, charge.amount, ctx.clock.now()),
  ];
  // Something may have been charged beside the price since the page was opened.
  const isPaid =
    unpaidFor({ ...before, total: totalOf([before.total, difference]), ...post(before, postings) }) === 0;
  const stay = changedReservation(ctx, {
    order: changed.order,
    before,
    item,
    payment: { payment_status: isPaid ? 'PAID' : 'PENDING', pay_until: undefined, postings },
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
  const held = heldOrder(found.order);
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
  const held = heldOrder(found.order);
  if (!held || awaitedChange(found)) return found;
  await ignoreConflict(async () => ctx.table.transact(await releaseChange(ctx, found)));
  return findPaid(ctx.table, held.order_id);
};

import { callerRef } from '../../platform/auth.ts';
import { instantText } from '../../platform/clock.ts';
import type { Context } from '../../platform/context.ts';
import { orderPartition } from '../../platform/ids.ts';
import { all, change, equals, put, remove, type Write } from '../../platform/table/index.ts';
import { recordEvent } from '../../record-event.ts';
import { cancellationDeadline, entryOf } from '../booking/index.ts';
import {
  bookingEventData,
  emitBookingEvent,
  freezeQuote,
  type Order,
  OrderEntity,
  type OrderItem,
  type Reservation,
  ReservationEntity,
  reschedule,
  thawQuote,
  totalOf,
  unchangedPrice,
  unchangedSince,
} from '../booking/model.ts';
import { AvailabilityEntryEntity, preparationOf, wholeHours } from '../calendar/model.ts';
import { listingPartition, refundNoticeHours } from '../listing/model.ts';
import { changeReason as reason, type ChangedMoney, refundElsewhere } from './change-money.ts';
import { isMoved, type PlannedChange } from './load-change.ts';

/** A change with its records as they will be. */
interface DraftedChange extends PlannedChange {
  money: ChangedMoney;
  after: Reservation;
  orderAfter: Order;
}

/** The terms of another home apply to it; the deadline is never later than before (D84). */
const termsOf = ({
  before,
  listing,
}: PlannedChange): Pick<Reservation, 'refund_notice_hours' | 'refund_until'> => {
  const hours =
    listing.id === before.listing_id ? before.refund_notice_hours : refundNoticeHours(listing.refund_rule);
  const deadline = cancellationDeadline(before);
  return deadline === null || hours === null
    ? { refund_notice_hours: null }
    : { refund_notice_hours: hours, refund_until: Date.parse(deadline) };
};

/** Returns the fields of the stay that the change sets; `undefined` removes one. */
const changedFields = (
  ctx: Context,
  planned: PlannedChange,
  { payment_status, paid_before, charges, pay_until }: ChangedMoney,
) => {
  const { before, listing, quote, time } = planned;
  return {
    listing_id: listing.id,
    listing_name: listing.name,
    calendar_id: time.calendar_id,
    timezone: listing.timezone,
    check_in_date: quote.check_in_date,
    check_out_date: quote.check_out_date,
    start_at: quote.start_at,
    end_at: quote.end_at,
    preparation_hours: time.preparation_hours,
    nights: quote.nights,
    guest_number: quote.guest_number,
    total: quote.total,
    ...termsOf(planned),
    payment_status,
    paid_before,
    charges,
    pay_until,
    changes: (before.changes ?? 0) + 1,
    updated_at: instantText(ctx.clock.now()),
  };
};

const withoutUnset = <Fields extends object>(fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;

/** Returns the records of a stay and its order after a change. Writes nothing. */
export const draftChange = (ctx: Context, planned: PlannedChange, money: ChangedMoney): DraftedChange => {
  const { before, item, listing, quote, request, found } = planned;
  const fields = changedFields(ctx, planned, money);
  const after = withoutUnset({ ...before, ...fields }) as Reservation;
  const { preparation_hours: _, ...unprepared } = item;
  const changedItem: OrderItem = {
    ...unprepared,
    ...preparationOf(planned.time),
    listing_id: listing.id,
    listing_name: listing.name,
    calendar_id: after.calendar_id,
    timezone: after.timezone,
    start_at: after.start_at,
    end_at: after.end_at,
    refund_notice_hours: after.refund_notice_hours,
    request,
    quote: freezeQuote(quote),
  };
  const items = found.order.items.map((one) => (one === item ? changedItem : one));
  const orderAfter: Order = {
    ...found.order,
    items,
    estimated_total: totalOf(items.map((one) => thawQuote(one.quote).total)),
    changes: (found.order.changes ?? 0) + 1,
  };
  return { ...planned, money, after, orderAfter };
};

/** Returns the writes of the stay and its order, of its time, and their events; those of the months are in the draft. */
export const changeWrites = (ctx: Context, drafted: DraftedChange): Write[] => {
  const { before, after, found, orderAfter, money, draft } = drafted;
  const elsewhere = refundElsewhere(drafted, money);
  return [
    change(
      ReservationEntity,
      before,
      { set: changedFields(ctx, drafted, money) },
      { when: all(unchangedSince(before), equals('calendar_id', before.calendar_id)) },
    ),
    change(
      OrderEntity,
      orderAfter,
      {
        set: {
          items: orderAfter.items,
          estimated_total: orderAfter.estimated_total,
          changes: orderAfter.changes,
        },
      },
      { when: all(equals('state', 'BOOKED'), unchangedPrice(found.order)) },
    ),
    ...reschedule(before, after),
    ...(isMoved(drafted) ? [...entryWrites(before, after), ...draft.writes(), freedEvent(ctx, before)] : []),
    changedEvent(ctx, drafted),
    ...(elsewhere > 0
      ? [emitBookingEvent(ctx, after, 'payment.refunded', { reason, refund: elsewhere })]
      : []),
  ];
};

/** The condition on the stay's calendar holds for its entry too: a listing that moves takes both along. */
const entryWrites = (before: Reservation, after: Reservation): Write[] => {
  const [was, is] = [entryOf(before), entryOf(after)];
  const [keyBefore, key] = [AvailabilityEntryEntity.key(was), AvailabilityEntryEntity.key(is)];
  return keyBefore.pk === key.pk && keyBefore.sk === key.sk
    ? [put(AvailabilityEntryEntity, is)]
    : [remove(AvailabilityEntryEntity, was), put(AvailabilityEntryEntity, is)];
};

const freedEvent = (ctx: Context, before: Reservation): Write =>
  recordEvent(ctx, {
    subject: listingPartition(before.listing_id),
    event_type: 'availability.changed',
    team_id: before.team_id,
    data: { id: before.listing_id, ...wholeHours(before), by: callerRef(ctx.caller) },
  });

const stayData = ({
  listing_id,
  check_in_date,
  check_out_date,
  start_at,
  end_at,
  guest_number,
  total,
}: Reservation) => ({
  listing_id,
  check_in_date,
  check_out_date,
  start_at,
  end_at,
  guest_number,
  total_price: total,
});

const changedEvent = (ctx: Context, { before, after }: DraftedChange): Write =>
  recordEvent(ctx, {
    subject: orderPartition(after.order_id),
    event_type: 'booking.changed',
    team_id: after.team_id,
    data: { ...bookingEventData(after), was: stayData(before), now: stayData(after) },
  });

import { instantText } from '../../platform/time/clock.ts';
import type { Context } from '../../platform/context.ts';
import { orderPartition } from '../../platform/ids.ts';
import { all, change, equals, put, remove, type Write } from '../../platform/table/index.ts';
import { recordEvent } from '../../record-event.ts';
import { type AvailabilityEntry, AvailabilityEntryEntity, wholeHours } from '../calendar/model.ts';
import { post, type Posting } from '../folio/model.ts';
import { listingPartition } from '../listing/model.ts';
import { adjustmentsChanged } from './adjustment-reason.rules.ts';
import { entryOf } from './book-order.ts';
import { thawQuote } from './frozen-quote.rules.ts';
import { type Order, OrderEntity, type OrderItem } from './order.entity.ts';
import { type Reservation, ReservationEntity } from './reservation.entity.ts';
import {
  isOfPlatform,
  samePending,
  totalOf,
  unchangedPrice,
  unchangedSince,
  withoutUnset,
} from './booking.rules.ts';
import { bookingEventData } from './booking.store.ts';
import { reschedule } from './due-booking.store.ts';
import { endingTerms } from './terms.rules.ts';

type Deps = Pick<Context, 'clock' | 'caller'>;

/** What a change does to the payment of its stay. */
export interface ChangedPayment extends Pick<Reservation, 'payment_status'> {
  /** Undefined: there is no window afterwards. */
  pay_until: number | undefined;
  /** Undefined: no change is unpaid afterwards. */
  unpaid_change?: Reservation['unpaid_change'] | undefined;
  postings: readonly Posting[];
}

/** A stay and its order as they are, and the stay as it will be. */
interface StayChange {
  order: Order;
  before: Reservation;
  item: OrderItem;
  payment: ChangedPayment;
  /** Why, for the history. */
  reason?: string;
}

/** A change with its records as they will be. */
export interface ChangedStay extends StayChange {
  after: Reservation;
  orderAfter: Order;
}

/** Whether a change moves the hours of the stay. */
export const movesHours = (
  before: Pick<Reservation, 'listing_id' | 'start_at' | 'end_at'>,
  after: Pick<Reservation, 'listing_id' | 'start_at' | 'end_at'>,
): boolean =>
  before.listing_id !== after.listing_id ||
  before.start_at !== after.start_at ||
  before.end_at !== after.end_at;

/** Returns the fields of the stay that the change sets; `undefined` removes one. */
const changedFields = (
  ctx: Pick<Context, 'clock'>,
  { before, item, payment: { postings, unpaid_change, ...paid } }: StayChange,
) => {
  const quote = thawQuote(item.quote);
  return {
    listing_id: item.listing_id,
    listing_name: item.listing_name,
    calendar_id: item.calendar_id,
    timezone: item.timezone,
    check_in_date: quote.check_in_date,
    check_out_date: quote.check_out_date,
    start_at: item.start_at,
    end_at: item.end_at,
    preparation_hours: item.preparation_hours,
    nights: quote.nights,
    guest_number: quote.guest_number,
    total: quote.total,
    // What is below the deposit went back; what a later change adds is due later.
    plan: before.plan && { ...before.plan, deposit: Math.min(before.plan.deposit, quote.total) },
    refund_notice_hours: item.refund_notice_hours,
    cancellation_terms: item.cancellation_terms,
    refund_until: endingTerms(before)[0]?.end,
    ...paid,
    unpaid_change,
    ...post(before, postings),
    pending_change: undefined as number | undefined,
    // The host released the access to this home for this time.
    access_released_at: movesHours(before, item) ? undefined : before.access_released_at,
    changes: (before.changes ?? 0) + 1,
    updated_at: instantText(ctx.clock.now()),
  };
};

/** Returns the records of a stay and its order after a change. Writes nothing. */
export const changedReservation = (ctx: Pick<Context, 'clock'>, stay: StayChange): ChangedStay => {
  const { order, before, item } = stay;
  const after = withoutUnset({ ...before, ...changedFields(ctx, stay) }) as Reservation;
  const items = order.items.map((one) => (one.reservation_id === item.reservation_id ? item : one));
  const orderAfter: Order = {
    ...order,
    items,
    estimated_total: totalOf(items.map((one) => thawQuote(one.quote).total)),
    changes: (order.changes ?? 0) + 1,
  };
  return { ...stay, after, orderAfter };
};

/**
 * Returns the writes of a changed stay and its order, of its entry, and their events, by `actor`; the caller adds those of
 * the calendar's months. They conflict if the stay was moved, paid or changed since it was read. `led` is what the entry of an
 * adopted stay has beside it (D120).
 */
export const changeReservation = (
  ctx: Deps,
  changed: ChangedStay,
  actor: string,
  led: Pick<AvailabilityEntry, 'event_key' | 'by_text'> = {},
): Write[] => {
  const { order, before, after, orderAfter } = changed;
  return [
    change(
      ReservationEntity,
      before,
      { set: changedFields(ctx, changed) },
      {
        when: all(unchangedSince(before), samePending(before), equals('calendar_id', before.calendar_id)),
      },
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
      { when: unchangedPrice(order) },
    ),
    ...reschedule(before, after),
    ...(movesHours(before, after)
      ? [
          ...entryWrites(before, after, led),
          timeEvent(ctx, before, actor),
          // Partners have no event of the stay itself.
          ...(isOfPlatform(after) ? [timeEvent(ctx, after, actor)] : []),
        ]
      : []),
    changedEvent(ctx, changed, actor),
  ];
};

/** The condition on the stay's calendar holds for its entry too: a listing that moves takes both along. */
const entryWrites = (
  before: Reservation,
  after: Reservation,
  led: Pick<AvailabilityEntry, 'event_key' | 'by_text'>,
): Write[] => {
  const [was, is] = [entryOf(before), { ...entryOf(after), ...led }];
  const [keyBefore, key] = [AvailabilityEntryEntity.key(was), AvailabilityEntryEntity.key(is)];
  return keyBefore.pk === key.pk && keyBefore.sk === key.sk
    ? [put(AvailabilityEntryEntity, is)]
    : [remove(AvailabilityEntryEntity, was), put(AvailabilityEntryEntity, is)];
};

/** Returns the event of the time that a stay takes now, or does not any more. */
export const timeEvent = (ctx: Deps, stay: Reservation, by: string): Write =>
  recordEvent(ctx, {
    subject: listingPartition(stay.listing_id),
    event_type: 'availability.changed',
    team_id: stay.team_id,
    data: { id: stay.listing_id, ...wholeHours(stay), by },
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

/** Returns what became of the adjustments of a price, for the history; none where they stay. */
const adjustedBy = ({ order, item }: ChangedStay): { reason?: string } => {
  const before = order.items.find(({ reservation_id }) => reservation_id === item.reservation_id);
  const { added, takenOut } = adjustmentsChanged(before, item);
  const text = ({ reason, label, amount, percent }: (typeof added)[number]): string =>
    `${reason} ${amount ?? `${percent} %`} (${label})`;
  const changes = [...added.map(text), ...takenOut.map((one) => `without ${text(one)}`)];
  return changes.length === 0 ? {} : { reason: changes.join('; ') };
};

const changedEvent = (ctx: Deps, changed: ChangedStay, actor: string): Write => {
  const { before, after } = changed;
  return recordEvent(ctx, {
    actor,
    subject: orderPartition(after.order_id),
    event_type: 'booking.changed',
    team_id: after.team_id,
    data: {
      ...bookingEventData(after),
      ...adjustedBy(changed),
      ...(changed.reason === undefined ? {} : { reason: changed.reason }),
      was: stayData(before),
      now: stayData(after),
    },
  });
};

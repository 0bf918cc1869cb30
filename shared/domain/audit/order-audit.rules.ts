import {
  type BookingEvent,
  fellThrough,
  type FoundOrder,
  type Reservation,
  thawQuote,
  totalOf,
} from '../booking/model.ts';
import { isByPartner, isPaidToPartner, isUnused, type Posting } from '../folio/model.ts';
import type { AuditRule, Figures } from './audit-rule.rules.ts';

/** All records of one order, with its events. */
export interface AuditedOrder extends FoundOrder {
  order_id: number;
  events: readonly BookingEvent[];
  /** The orders of changes of its stays: that paid one, or hold one until it is paid. */
  change_orders: readonly AuditedOrder[];
  /** Epoch milliseconds. */
  now: number;
}

export const stayFigures = ({ reservation_id, order_id, state, payment_status }: Reservation): Figures => ({
  reservation_id,
  order_id,
  state,
  payment_status,
});

type EventType = BookingEvent['event_type'];

/** Returns the events of a stay of some type. */
export const eventsOf = (
  { events }: AuditedOrder,
  { reservation_id }: Reservation,
  type: EventType,
): BookingEvent[] =>
  events.filter(({ event_type, data }) => event_type === type && data.id === reservation_id);

const arrived = ['CHECKED_IN', 'CHECKED_OUT', 'COMPLETED'];
const left = ['CHECKED_OUT', 'COMPLETED'];

/** Whether the guest came: not in a stay that the schedule completed without a check-in. */
const hasArrived = ({ state, unattended }: Reservation): boolean =>
  arrived.includes(state) && unattended !== true;
const hasLeft = (stay: Reservation): boolean => hasArrived(stay) && left.includes(stay.state);

/** What each event says of its stay from then on. */
const meaningOf: Partial<Record<EventType, (stay: Reservation) => boolean>> = {
  'booking.confirmed': ({ state }) => state !== 'PENDING',
  'booking.cancelled': ({ state }) => state === 'CANCELLED',
  'booking.checked_in': hasArrived,
  'booking.checked_out': hasLeft,
  'booking.completed': ({ state, unattended }) =>
    state === 'COMPLETED' || (state === 'NO_SHOW' && unattended === true),
  'booking.no_show': ({ state }) => state === 'NO_SHOW',
  'payment.paid': (stay) => stay.payment_status !== 'PENDING' || paymentsTo(stay).length > 0,
};

/** Returns the payments for a stay, without those that came when nothing was due. */
export const usedPayments = ({ postings = [] }: Reservation): Posting[] => {
  const unused = postings.filter(isUnused).map(({ of = 0 }) => postings[of - 1]);
  return postings.filter((posting) => posting.kind === 'payment' && !unused.includes(posting));
};

/** Returns those that were reported to us, or that the host has taken. */
const paymentsTo = (stay: Reservation): Posting[] =>
  usedPayments(stay).filter((payment) => !isByPartner(payment));

/** Whether the stay was paid while it was booked: not one that a partner who collects the price booked as paid, nor a free one. */
const wasPaid = (stay: Reservation): boolean =>
  (stay.payment_status === 'PAID' && !isPaidToPartner(stay) && stay.total > 0) || paymentsTo(stay).length > 0;

/**
 * Returns how often a move has happened by the events of a stay: a check-in that was undone has not, nor a cancellation after which
 * the stay was restored; a stay is cancelled also by being declined.
 */
const countOf = (audited: AuditedOrder, stay: Reservation, type: EventType): number => {
  const of = (one: EventType): number => eventsOf(audited, stay, one).length;
  if (type === 'booking.checked_in') return of(type) - of('booking.check_in_undone');
  if (type === 'booking.cancelled') return of(type) + of('booking.declined') - of('booking.restored');
  // Each is of a cancellation of its own: one more of them than there were is a repeated one.
  if (type === 'booking.restored') return of(type) - of('booking.cancelled') + 1;
  return of(type);
};

/** Returns the events that the states of a stay require. */
const requiredEvents = (stay: Reservation, instantBook: boolean): EventType[] => {
  const { state, payment_status, unattended } = stay;
  const isAccepted = !instantBook && state !== 'PENDING' && state !== 'CANCELLED';
  return [
    'booking.created',
    ...(isAccepted ? (['booking.confirmed'] as const) : []),
    ...(state === 'CANCELLED' ? (['booking.cancelled'] as const) : []),
    ...(hasArrived(stay) ? (['booking.checked_in'] as const) : []),
    ...(hasLeft(stay) ? (['booking.checked_out'] as const) : []),
    ...(state === 'COMPLETED' || unattended ? (['booking.completed'] as const) : []),
    ...(state === 'NO_SHOW' ? (['booking.no_show'] as const) : []),
    ...(wasPaid(stay) ? (['payment.paid'] as const) : []),
    ...(payment_status === 'REFUNDED' ? (['payment.refunded'] as const) : []),
  ];
};

const instantBookOf = ({ order }: AuditedOrder, { reservation_id }: Reservation): boolean =>
  order?.items.find((item) => item.reservation_id === reservation_id)?.instant_book ?? true;

/** Whether a stay waits for the payment of a change which nothing holds. */
const waitsInVain = ({ change_orders }: AuditedOrder, { state, pending_change }: Reservation): boolean => {
  if (pending_change === undefined || fellThrough(state)) return false;
  const held = change_orders.find(({ order_id }) => order_id === pending_change)?.order;
  return held?.state !== 'HELD' && held?.state !== 'CHARGING';
};

/** A move happens once; refunds may come in parts. */
const single: readonly EventType[] = [
  'booking.created',
  'booking.confirmed',
  'booking.cancelled',
  'booking.restored',
  'booking.checked_in',
  'booking.checked_out',
  'booking.completed',
  'booking.no_show',
  'payment.paid',
];

/** Rules of an order: its stays, prices and events. */
export const orderRules: readonly AuditRule<AuditedOrder>[] = [
  {
    name: 'order-stays',
    holds:
      'A booked order has one reservation for each of its stays, with the same listing and time; no other order has any.',
    violations: ({ order_id, order, reservations }) => {
      const items = order?.state === 'BOOKED' ? order.items : [];
      const byId = new Map(reservations.map((stay) => [stay.reservation_id, stay]));
      const missing = items.filter((item) => {
        const stay = byId.get(item.reservation_id);
        return !(
          stay?.listing_id === item.listing_id &&
          stay.team_id === item.team_id &&
          stay.availability_id === item.availability_id &&
          stay.start_at === item.start_at &&
          stay.end_at === item.end_at &&
          stay.preparation_hours === item.preparation_hours
        );
      });
      const ids = new Set(items.map(({ reservation_id }) => reservation_id));
      const foreign = reservations.filter(({ reservation_id }) => !ids.has(reservation_id));
      return [...missing, ...foreign].map(({ reservation_id }) => ({ order_id, reservation_id }));
    },
  },
  {
    name: 'order-total',
    holds: 'The total of an order is the sum of the prices of its stays.',
    violations: ({ order_id, order }) => {
      if (!order) return [];
      const sum = totalOf(order.items.map(({ quote }) => thawQuote(quote).total));
      return sum === order.estimated_total ? [] : [{ order_id, total: order.estimated_total, sum }];
    },
  },
  {
    name: 'stay-price',
    holds:
      'The total and currency of a stay are those of the price that was frozen when it was held or booked.',
    violations: ({ order, reservations }) =>
      reservations.flatMap((stay) => {
        const item = order?.items.find(({ reservation_id }) => reservation_id === stay.reservation_id);
        if (!order || !item) return [];
        const { total } = thawQuote(item.quote);
        return stay.total === total && stay.currency === order.currency
          ? []
          : [{ ...stayFigures(stay), total: stay.total, frozen: total }];
      }),
  },
  {
    name: 'change-not-held',
    holds: 'A change that a stay waits for is held until it is paid or given up.',
    violations: (audited) =>
      audited.reservations
        .filter((stay) => waitsInVain(audited, stay))
        .map((stay) => ({ ...stayFigures(stay), pending_change: stay.pending_change ?? null })),
  },
  {
    name: 'state-without-event',
    holds: 'Each state that a stay has reached, of the booking and of its payment, has an event.',
    violations: (audited) =>
      audited.reservations.flatMap((stay) =>
        requiredEvents(stay, instantBookOf(audited, stay))
          .filter((type) => countOf(audited, stay, type) < 1)
          .map((eventType) => ({ ...stayFigures(stay), event_type: eventType })),
      ),
  },
  {
    name: 'event-without-state',
    holds: 'What an event says has happened to a stay shows in its state.',
    violations: (audited) =>
      audited.reservations.flatMap((stay) =>
        (Object.keys(meaningOf) as EventType[])
          .filter((type) => !meaningOf[type]?.(stay) && countOf(audited, stay, type) > 0)
          .map((eventType) => ({ ...stayFigures(stay), event_type: eventType })),
      ),
  },
  {
    name: 'event-repeated',
    holds:
      'A stay has at most one event of each move, and one of each payment and of each change that cost more.',
    violations: (audited) =>
      audited.reservations.flatMap((stay) =>
        single
          .map((eventType) => ({ event_type: eventType, events: countOf(audited, stay, eventType) }))
          .filter(
            ({ event_type, events }) =>
              events >
              (event_type === 'payment.paid'
                ? Math.max(1 + countOf(audited, stay, 'booking.changed'), paymentsTo(stay).length)
                : 1),
          )
          .map((repeated) => ({ ...stayFigures(stay), ...repeated })),
      ),
  },
];

import type { EventDataOf, EventOf } from '../../events.ts';
import type { Context } from '../../platform/context.ts';
import { invalid } from '../../platform/errors.ts';
import { isOrderId, orderIdOf, orderPartition } from '../../platform/ids.ts';
import { maxWrites, type Table, type Write } from '../../platform/table/index.ts';
import { recordEvent } from '../../record-event.ts';
import type { Payment, PaymentRefund } from '../payment/model.ts';
import type { Order, Reservation } from './booking.entity.ts';
import type { BookingEventType } from './booking.events.ts';

/**
 * Refuses, before anything is written, what is done to an order of so many stays and months that one transaction does not hold
 * it beside the request's idempotency record. Each of its stays by itself always fits.
 */
export const requireOneTransaction = (writes: readonly Write[], verb: string): readonly Write[] => {
  if (writes.length < maxWrites) return writes;
  throw invalid({
    path: 'booking_id',
    message: `names too large an order to ${verb} at once; ${verb} its stays one by one`,
  });
};

type PaymentEventType = Extract<BookingEventType, `payment.${string}`>;
type BookingData = EventDataOf<Exclude<BookingEventType, PaymentEventType>>;

/** What an event says of a booking (D92), as it was then; consumers read the rest from the records. */
const bookingEventData = (reservation: Reservation) => ({
  id: reservation.reservation_id,
  master_reservation_id: reservation.order_id,
  listing_id: reservation.listing_id,
  state: reservation.state,
  payment_status: reservation.payment_status,
  check_in_date: reservation.check_in_date,
  check_out_date: reservation.check_out_date,
  guest_number: reservation.guest_number,
  total_price: reservation.total,
  currency: reservation.currency,
  external_system: reservation.external_system,
  external_booking_id: reservation.external_booking_id,
});

/** What only some events say. */
interface Told extends Pick<BookingData, 'reason' | 'refund'> {
  /** The charge that it is about, where the stay was not paid by it. */
  charge?: string;
}

/** What an event of a payment says besides: the amount that was paid, asked for or given back, and the gateway's id of the charge. */
const paymentData = (stay: Reservation, event_type: PaymentEventType, { refund, charge }: Told) => ({
  amount: event_type === 'payment.refunded' ? (refund ?? stay.total) : stay.total,
  payment_transaction_id: charge ?? stay.payment_transaction_id ?? null,
});

const isOfPayment = (type: BookingEventType): type is PaymentEventType => type.startsWith('payment.');

/** An event of a booking as it is kept: the booking's history is made of them (D62b). */
export type BookingEvent = Omit<EventOf<BookingEventType>, 'data'> & { data: BookingData };

/** The event of a booking's change, by the caller unless it says by whom, beside the booking, where it stays as its history. */
export const emitBookingEvent = (
  ctx: Pick<Context, 'clock' | 'caller'>,
  stay: Reservation,
  event_type: BookingEventType,
  { charge, ...told }: Told = {},
  actor?: string,
): Write => {
  const place = {
    ...(actor === undefined ? {} : { actor }),
    subject: orderPartition(stay.order_id),
    team_id: stay.team_id,
  };
  const data = { ...bookingEventData(stay), ...told };
  return isOfPayment(event_type)
    ? recordEvent(ctx, {
        ...place,
        event_type,
        data: {
          ...data,
          ...paymentData(stay, event_type, { ...told, ...(charge === undefined ? {} : { charge }) }),
        },
      })
    : recordEvent(ctx, { ...place, event_type, data });
};

/** An order with those of its reservations that a booking id names: one, or all of a master (D49). */
export interface FoundBooking {
  order: Order;
  reservations: Reservation[];
  /** Of the whole order. */
  payment?: Payment | undefined;
  /** Of its stays that are paid apart (D86). */
  apart: Payment[];
}

/** Everything that is known of an order, whatever became of it. */
export interface FoundOrder {
  order: Order | undefined;
  reservations: Reservation[];
  payment: Payment | undefined;
  /** Of its stays that are paid apart (D86). */
  apart: Payment[];
  refunds: PaymentRefund[];
}

/** One Query. History events sort before and are not read. */
export const findOrder = async (table: Table, orderId: number): Promise<FoundOrder> => {
  const { items, kinds } = await table.queryAll({
    pk: orderPartition(orderId),
    from: 'ORDER',
    to: 'RESERVATION$',
  });
  const ofKind = <Item>(kind: string): Item[] =>
    items.filter((_, position) => kinds[position] === kind) as unknown as Item[];
  const payments = ofKind<Payment>('Payment');
  return {
    order: ofKind<Order>('Order')[0],
    reservations: ofKind<Reservation>('Reservation'),
    payment: payments.find(({ payment_id }) => payment_id === orderId),
    apart: payments.filter(({ payment_id }) => payment_id !== orderId),
    refunds: ofKind<PaymentRefund>('PaymentRefund'),
  };
};

/** The payment that a stay is paid by, if there is one yet. */
export const paymentOf = (
  { payment, apart }: Pick<FoundBooking, 'payment' | 'apart'>,
  { pays_apart, reservation_id }: Reservation,
): Payment | undefined =>
  pays_apart ? apart.find(({ payment_id }) => payment_id === reservation_id) : payment;

/** A payment with what is known of the stays that it is for, as if nothing else had been ordered with them. */
export const findPaid = async (table: Table, paymentId: number): Promise<FoundOrder> => {
  const found = await findOrder(table, orderIdOf(paymentId));
  const isWhole = isOrderId(paymentId);
  return {
    ...found,
    reservations: found.reservations.filter(({ pays_apart, reservation_id }) =>
      isWhole ? !pays_apart : reservation_id === paymentId,
    ),
    payment: isWhole ? found.payment : found.apart.find(({ payment_id }) => payment_id === paymentId),
    refunds: found.refunds.filter(({ payment_id }) => payment_id === paymentId),
  };
};

/** A booking by its own or its master's id. */
export const findBooking = async (table: Table, bookingId: number): Promise<FoundBooking | undefined> => {
  const { order, payment, apart, ...found } = await findOrder(table, orderIdOf(bookingId));
  if (order?.state !== 'BOOKED') return undefined;
  const reservations = found.reservations.filter(
    ({ reservation_id }) => isOrderId(bookingId) || reservation_id === bookingId,
  );
  return reservations.length > 0 ? { order, reservations, payment, apart } : undefined;
};

/** The events of an order's stays, oldest first: they are kept as long as the order is (D62b). */
export const findHistory = async (table: Table, bookingId: number): Promise<BookingEvent[]> => {
  const { items } = await table.queryAll({ pk: orderPartition(orderIdOf(bookingId)), prefix: 'EVENT#' });
  return items as unknown as BookingEvent[];
};

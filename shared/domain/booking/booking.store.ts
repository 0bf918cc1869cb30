import { isOrderId, orderIdOf, orderPartition } from '../../platform/ids.ts';
import type { Table } from '../../platform/table/index.ts';
import type { Payment, PaymentRefund } from '../payment/index.ts';
import type { Order, Reservation } from './booking.entity.ts';
import type { BookingEvent } from './booking-event.ts';

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

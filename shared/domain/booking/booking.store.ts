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
}

/** Everything that is known of an order, whatever became of it. */
export interface FoundOrder {
  order: Order | undefined;
  reservations: Reservation[];
  payment: Payment | undefined;
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
  return {
    order: ofKind<Order>('Order')[0],
    reservations: ofKind<Reservation>('Reservation'),
    payment: ofKind<Payment>('Payment')[0],
    refunds: ofKind<PaymentRefund>('PaymentRefund'),
  };
};

/** A booking by its own or its master's id. */
export const findBooking = async (table: Table, bookingId: number): Promise<FoundBooking | undefined> => {
  const { order, payment, ...found } = await findOrder(table, orderIdOf(bookingId));
  if (order?.state !== 'BOOKED') return undefined;
  const reservations = found.reservations.filter(
    ({ reservation_id }) => isOrderId(bookingId) || reservation_id === bookingId,
  );
  return reservations.length > 0 ? { order, reservations, payment } : undefined;
};

/** The events of an order's stays, oldest first: they are kept as long as the order is (D62b). */
export const findHistory = async (table: Table, bookingId: number): Promise<BookingEvent[]> => {
  const { items } = await table.queryAll({ pk: orderPartition(orderIdOf(bookingId)), prefix: 'EVENT#' });
  return items as unknown as BookingEvent[];
};

import { isOrderId, orderIdOf } from '../../platform/ids.ts';
import type { Table } from '../../platform/table/index.ts';
import { type Order, orderPartition, type Reservation } from './booking.entity.ts';
import type { BookingEvent } from './booking-event.ts';

/** An order with those of its reservations that a booking id names: one, or all of a master (D49). */
export interface FoundBooking {
  order: Order;
  reservations: Reservation[];
}

/** One Query, whichever of the two ids is given. History events sort before and are not read. */
export const findBooking = async (table: Table, bookingId: number): Promise<FoundBooking | undefined> => {
  const { items, kinds } = await table.queryAll({
    pk: orderPartition(orderIdOf(bookingId)),
    from: 'ORDER',
    to: 'RESERVATION$',
  });
  const order = items[kinds.indexOf('Order')] as unknown as Order | undefined;
  if (order?.state !== 'BOOKED') return undefined;
  const all = items.filter((_, position) => kinds[position] === 'Reservation') as unknown as Reservation[];
  const reservations = all.filter((found) => isOrderId(bookingId) || found.reservation_id === bookingId);
  return reservations.length > 0 ? { order, reservations } : undefined;
};

/** The events of an order's stays, oldest first: they are kept as long as the order is (D62b). */
export const findHistory = async (table: Table, bookingId: number): Promise<BookingEvent[]> => {
  const { items } = await table.queryAll({ pk: orderPartition(orderIdOf(bookingId)), prefix: 'EVENT#' });
  return items as unknown as BookingEvent[];
};

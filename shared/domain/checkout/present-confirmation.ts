import type { Order, Reservation } from '../booking/index.ts';
import type { Confirmation } from './checkout.schema.ts';

/** The answer of a confirm (spec 2.14). */
export const presentConfirmation = (
  order: Order,
  reservations: readonly Reservation[],
  payUrl: string | null = null,
): Confirmation => ({
  master_reservation_id: order.order_id,
  reservations: reservations.map((reservation) => ({
    id: reservation.reservation_id,
    listing_id: reservation.listing_id,
    status: reservation.state,
    check_in_date: reservation.check_in_date,
    check_out_date: reservation.check_out_date,
    total_price: reservation.total,
  })),
  payment_status: reservations[0]?.payment_status ?? 'PENDING',
  ...(payUrl === null ? {} : { payment_url: payUrl }),
  ...transactionOf(reservations),
  estimated_total: order.estimated_total,
  currency: order.currency,
});

const transactionOf = ([first]: readonly Reservation[]): Pick<Confirmation, 'payment_transaction_id'> =>
  first?.payment_transaction_id === undefined ? {} : { payment_transaction_id: first.payment_transaction_id };

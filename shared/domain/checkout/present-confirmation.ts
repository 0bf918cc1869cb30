import {
  type Order,
  paymentExpiry,
  presentStay,
  type Reservation,
  waitsForPayment,
} from '../booking/index.ts';
import type { Confirmation } from './checkout.schema.ts';

/** The answer of a confirm. */
export const presentConfirmation = (
  order: Order,
  reservations: readonly Reservation[],
  payUrl: string | null = null,
): Confirmation => {
  const expiresAt = paymentExpiry(reservations);
  return {
    master_reservation_id: order.order_id,
    reservations: reservations.map(presentStay),
    payment_status: (reservations.find(waitsForPayment) ?? reservations[0])?.payment_status ?? 'PENDING',
    ...(payUrl === null ? {} : { payment_url: payUrl }),
    ...(expiresAt === null && !reservations.some(isToBePaidOnline) ? {} : { payment_expires_at: expiresAt }),
    ...transactionOf(reservations),
    estimated_total: order.estimated_total,
    currency: order.currency,
  };
};

/** Also one whose page is opened only when its host accepts it. */
const isToBePaidOnline = (stay: Reservation): boolean =>
  stay.payment_method === 'ONLINE_GATEWAY' && waitsForPayment(stay) && stay.authorised !== true;

const transactionOf = (
  reservations: readonly Reservation[],
): Pick<Confirmation, 'payment_transaction_id'> => {
  const paid = reservations.find((stay) => stay.payment_transaction_id !== undefined);
  return paid?.payment_transaction_id === undefined
    ? {}
    : { payment_transaction_id: paid.payment_transaction_id };
};

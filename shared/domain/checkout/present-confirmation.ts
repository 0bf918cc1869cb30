import { type Order, paymentExpiry, presentStay, type Reservation } from '../booking/index.ts';
import type { Confirmation } from './checkout.schema.ts';

/** The answer of a confirm (spec 2.14). */
export const presentConfirmation = (
  order: Order,
  reservations: readonly Reservation[],
  payUrl: string | null = null,
): Confirmation => {
  const expiresAt = paymentExpiry(reservations);
  return {
    master_reservation_id: order.order_id,
    reservations: reservations.map(presentStay),
    payment_status: reservations[0]?.payment_status ?? 'PENDING',
    ...(payUrl === null ? {} : { payment_url: payUrl }),
    ...(expiresAt === null ? {} : { payment_expires_at: expiresAt }),
    ...transactionOf(reservations),
    estimated_total: order.estimated_total,
    currency: order.currency,
  };
};

const transactionOf = ([first]: readonly Reservation[]): Pick<Confirmation, 'payment_transaction_id'> =>
  first?.payment_transaction_id === undefined ? {} : { payment_transaction_id: first.payment_transaction_id };

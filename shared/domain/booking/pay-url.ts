import type { Clock } from '../../platform/clock.ts';
import type { Payment } from '../payment/index.ts';
import type { Reservation } from './booking.entity.ts';
import { waitsForPayment } from './pay-reservation.ts';

/** Where an order can be paid now: while a stay of it waits for the payment and the window is open (D51); null otherwise. */
export const payUrlOf = (
  clock: Clock,
  payment: Payment | undefined,
  reservations: readonly Reservation[],
): string | null => {
  return reservations.some(waitsForPayment) && payment?.state === 'OPEN' && clock.now() < payment.ends_at
    ? payment.url
    : null;
};

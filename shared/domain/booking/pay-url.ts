import type { Clock } from '../../platform/clock.ts';
import type { Reservation } from './booking.entity.ts';
import { type FoundBooking, paymentOf } from './booking.store.ts';
import { waitsForPayment } from './pay-reservation.ts';

/** Where the first stay that waits for its payment can be paid now, while the window is open (D51); null: nowhere. */
export const payUrlOf = (
  clock: Clock,
  found: Pick<FoundBooking, 'payment' | 'apart'>,
  reservations: readonly Reservation[],
): string | null => {
  const payments = reservations.filter(waitsForPayment).map((stay) => paymentOf(found, stay));
  const open = payments.find((payment) => payment?.state === 'OPEN' && clock.now() < payment.ends_at);
  return open?.url ?? null;
};

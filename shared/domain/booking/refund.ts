import { instantText } from '../../platform/clock.ts';
import { money, sum, toNumber } from '../../platform/money.ts';
import { toInstant } from '../../platform/time.ts';
import type { Reservation } from './booking.entity.ts';
import type { Refund } from './booking.schema.ts';

const hourMs = 3_600_000;

/** Until when a cancellation refunds in full, that millisecond included, from the terms frozen with the price (D48, D48b). */
export const cancellationDeadline = (reservation: Reservation): string | null => {
  if (reservation.refund_notice_hours === null) return null;
  const checkIn = toInstant(reservation.start_at, reservation.timezone);
  // A notice of more hours than there are since 1970 is a slip of the host: the day it never was.
  return instantText(Math.max(0, checkIn - reservation.refund_notice_hours * hourMs));
};

/** What a cancellation at an instant gives back of a stay: to its guest by the frozen terms; by anybody else's, all that was paid (D48). */
export const refundAt = (reservation: Reservation, instant: number, byGuest: boolean): number => {
  const deadline = cancellationDeadline(reservation);
  const inTime = deadline !== null && instant <= Date.parse(deadline);
  return inTime || !byGuest ? paidFor(reservation) : 0;
};

export const paidFor = ({ payment_status, total }: Reservation): number =>
  payment_status === 'PAID' ? total : 0;

export const totalOf = (amounts: readonly number[]): number => toNumber(sum(amounts.map(money)));

/** Whether what is given back of a stay goes through the gateway, which takes its time. */
export const isPaidOnline = ({ payment_transaction_id }: Reservation): boolean =>
  payment_transaction_id !== undefined;

/** What goes back of one stay. */
export interface StayRefund {
  before: Reservation;
  refund: number;
}

export const refundOf = (refunds: readonly StayRefund[]): Refund => {
  const amount = totalOf(refunds.map(({ refund }) => refund));
  const waits = refunds.some(({ before, refund }) => refund > 0 && isPaidOnline(before));
  return { amount, status: amount === 0 ? 'NONE' : waits ? 'PENDING' : 'REFUNDED' };
};

import { instantText } from '../../platform/clock.ts';
import { money, toNumber } from '../../platform/money.ts';
import { toInstant } from '../../platform/time.ts';
import type { Payment, RefundRequest } from '../payment/model.ts';
import type { Reservation } from './booking.entity.ts';
import { totalOf } from './booking.rules.ts';
import type { Refund } from './booking.schema.ts';

const hourMs = 3_600_000;

/** Returns the last millisecond at which a cancellation refunds in full, by the terms frozen with the price (D48, D48b). */
export const cancellationDeadline = (reservation: Reservation): string | null => {
  if (reservation.refund_notice_hours === null) return null;
  const checkIn = toInstant(reservation.start_at, reservation.timezone);
  // A notice that reaches before 1970 is a mistake of the host; the deadline is then in 1970.
  return instantText(Math.max(0, checkIn - reservation.refund_notice_hours * hourMs));
};

/**
 * Returns the refund of a cancellation at an instant: by the frozen terms if the guest cancels, otherwise all that was
 * paid (D48).
 */
export const refundAt = (reservation: Reservation, instant: number, byGuest: boolean): number => {
  const deadline = cancellationDeadline(reservation);
  const inTime = deadline !== null && instant <= Date.parse(deadline);
  return inTime || !byGuest ? paidFor(reservation) : 0;
};

/** Returns what was paid for a stay and does not go back. */
export const paidFor = ({ payment_status, total, part_refunded = 0 }: Reservation): number =>
  payment_status === 'PAID' ? toNumber(money(total).minus(part_refunded)) : 0;

/** Whether a refund of the stay goes through the gateway, which takes time. */
export const isPaidOnline = ({ payment_transaction_id }: Reservation): boolean =>
  payment_transaction_id !== undefined;

/** The refund of one stay. */
export interface StayRefund {
  before: Reservation;
  refund: number;
}

export const refundOf = (refunds: readonly StayRefund[]): Refund => {
  const amount = totalOf(refunds.map(({ refund }) => refund));
  const waits = refunds.some(({ before, refund }) => refund > 0 && isPaidOnline(before));
  return { amount, status: amount === 0 ? 'NONE' : waits ? 'PENDING' : 'REFUNDED' };
};

/** Returns the refund of stays, at least one, by the payment that paid them; the first of them gives it its id. */
export const refundRequest = (
  kind: 'cancel' | 'no-show',
  { payment_id, reference, opened_at, amount: paid, currency }: Payment,
  stays: readonly StayRefund[],
  reason: string | null = null,
): RefundRequest => ({
  payment_id,
  refund_id: `${kind}-${stays[0]?.before.reservation_id}`,
  transaction_id: stays[0]?.before.payment_transaction_id ?? '',
  reference,
  opened_at,
  amount: totalOf(stays.map(({ refund }) => refund)),
  paid,
  currency,
  reservation_ids: stays.map(({ before }) => before.reservation_id),
  reason,
});

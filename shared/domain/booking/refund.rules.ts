import { instantText } from '../../platform/time/clock.ts';
import { money, smaller, toNumber } from '../../platform/money.ts';
import { hourMs, toInstant } from '../../platform/time/time.ts';
import type { RefundRequest } from '../payment/model.ts';
import type { Charge, Reservation } from './reservation.entity.ts';
import { totalOf } from './booking.rules.ts';
import type { Refund } from './booking.schema.ts';
import { type FoundBooking, paymentOf } from './booking.store.ts';

/**
 * Returns the last millisecond at which a cancellation refunds in full, by the terms frozen with the price (D48, D48b); after
 * a change not later than before (D84).
 */
export const cancellationDeadline = (reservation: Reservation): string | null => {
  if (reservation.refund_notice_hours === null) return null;
  const checkIn = toInstant(reservation.start_at, reservation.timezone);
  const byTerms = checkIn - reservation.refund_notice_hours * hourMs;
  // A notice that reaches before 1970 is a mistake of the host; the deadline is then in 1970.
  return instantText(Math.max(0, Math.min(byTerms, reservation.refund_until ?? Infinity)));
};

/** Returns the whole hours before check-in at which full refunds end; null: there are none. */
export const noticeHours = (reservation: Reservation): number | null => {
  const deadline = cancellationDeadline(reservation);
  if (deadline === null || reservation.refund_until === undefined) return reservation.refund_notice_hours;
  const checkIn = toInstant(reservation.start_at, reservation.timezone);
  return Math.ceil((checkIn - Date.parse(deadline)) / hourMs);
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
export const paidFor = ({
  payment_status,
  total,
  paid_before = 0,
  part_refunded = 0,
}: Reservation): number => {
  if (payment_status === 'REFUNDED') return 0;
  return toNumber(money(payment_status === 'PENDING' ? paid_before : total).minus(part_refunded));
};

/** Returns what is still to be paid for an unpaid stay. */
export const dueFor = ({ total, paid_before = 0 }: Reservation): number =>
  toNumber(money(total).minus(paid_before));

/** Whether a refund of the stay goes through the gateway, which takes time. */
export const isPaidOnline = ({ payment_transaction_id, charges }: Reservation): boolean =>
  payment_transaction_id !== undefined && charges?.length !== 0;

/** Returns what of a refund the host or the partner makes, who took the money. */
export const refundedElsewhere = ({ before, refund }: StayRefund): number => {
  if (!isPaidOnline(before)) return refund;
  return before.charges ? splitRefund(before.charges, refund).elsewhere : 0;
};

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

type RefundKind = 'cancel' | 'no-show' | 'change';
type Paid = Pick<FoundBooking, 'payment' | 'separatePayments'>;

/**
 * Returns the refunds through the gateway: one of all stays that the same charge paid, if they are cancelled together, and
 * one of each charge of a stay that several have paid.
 */
export const refundRequests = (
  kind: RefundKind,
  found: Paid,
  refunds: readonly StayRefund[],
  reason: string | null = null,
): RefundRequest[] => {
  const online = refunds.filter(({ before, refund }) => refund > 0 && isPaidOnline(before));
  const byOneCharge = online.filter(({ before }) => before.charges === undefined);
  const groups = Map.groupBy(byOneCharge, ({ before }) =>
    kind === 'cancel' ? paymentOf(found, before)?.payment_id : before.reservation_id,
  );
  return [
    ...[...groups.values()].flatMap((stays) => wholeRequest(kind, found, stays, reason)),
    ...online.flatMap((stay) => (stay.before.charges ? chargeRequests(kind, stay, reason) : [])),
  ];
};

/** The first of the stays gives the refund its id; a stay may be changed several times. */
const refundIdOf = (kind: RefundKind, stay: Reservation | undefined): string =>
  [kind, stay?.reservation_id, ...(kind === 'change' ? [(stay?.changes ?? 0) + 1] : [])].join('-');

const wholeRequest = (
  kind: RefundKind,
  found: Paid,
  stays: readonly StayRefund[],
  reason: string | null,
): RefundRequest[] => {
  const first = stays[0]?.before;
  const payment = first && paymentOf(found, first);
  if (!payment) return [];
  const { payment_id, reference, opened_at, amount: paid, currency } = payment;
  const request = {
    payment_id,
    refund_id: refundIdOf(kind, first),
    transaction_id: first.payment_transaction_id ?? '',
    reference,
    opened_at,
    amount: totalOf(stays.map(({ refund }) => refund)),
    paid,
    currency,
    reservation_ids: stays.map(({ before }) => before.reservation_id),
    reason,
  };
  return [request];
};

const chargeRequests = (
  kind: RefundKind,
  { before, refund }: StayRefund,
  reason: string | null,
): RefundRequest[] =>
  splitRefund(before.charges ?? [], refund).parts.map(({ amount, back, ...charge }, at) => ({
    payment_id: charge.payment_id,
    transaction_id: charge.transaction_id,
    reference: charge.reference,
    opened_at: charge.opened_at,
    paid: charge.paid,
    refund_id: refundIdOf(kind, before) + (at === 0 ? '' : `-${at + 1}`),
    amount: back,
    currency: before.currency,
    reservation_ids: [before.reservation_id],
    reason,
    ...(at === 0 ? { ends_stay: true as const } : {}),
  }));

interface SplitRefund {
  /** What goes back of each charge, the newest first. */
  parts: (Charge & { back: number })[];
  /** What is left of the charges, in their order. */
  left: Charge[];
  /** What was not paid through the gateway. */
  elsewhere: number;
}

/** Splits a refund among charges: the newest goes back first. */
export const splitRefund = (charges: readonly Charge[], refund: number): SplitRefund => {
  let rest = money(refund);
  const parts: SplitRefund['parts'] = [];
  const left: Charge[] = [];
  for (const charge of charges.toReversed()) {
    const back = smaller(rest, money(charge.amount));
    rest = rest.minus(back);
    if (back.gt(0)) parts.push({ ...charge, back: toNumber(back) });
    if (back.lt(charge.amount))
      left.unshift({ ...charge, amount: toNumber(money(charge.amount).minus(back)) });
  }
  return { parts, left, elsewhere: toNumber(rest) };
};

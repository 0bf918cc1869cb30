import { hourMs } from '../../platform/time/time.ts';
import { dueMove, fellThrough, isAtEnd, type Reservation } from '../booking/model.ts';
import type { Payment } from '../payment/model.ts';
import type { AuditRule, Figures } from './audit-rule.rules.ts';
import { type AuditedOrder, stayFigures } from './order-audit.rules.ts';
import { paymentFigures, paymentsOf } from './payment-audit.rules.ts';

/** An order with what the due lists have of it. */
export interface AuditedDues {
  audited: AuditedOrder;
  /** The reservations and payments that are in a due list. */
  dueBookings: ReadonlySet<number>;
  duePayments: ReadonlySet<number>;
}

/** Returns the payments that the schedule has to continue. */
export const unfinishedPayments = (audited: AuditedOrder): Payment[] =>
  paymentsOf(audited).filter((payment) => {
    const { state, payment_id } = payment;
    if (state === 'OPEN' || state === 'CHARGING' || state === 'CAPTURING') return true;
    if (audited.refunds.some((refund) => refund.payment_id === payment_id && refund.state === 'DUE'))
      return true;
    // An authorisation waits for the host and is released with its stay.
    return state === 'AUTHORISED' && !isAwaited(audited, payment);
  });

const isAwaited = ({ reservations }: AuditedOrder, { payment_id }: Payment): boolean =>
  reservations.some(
    ({ reservation_id, state, payment_status }) =>
      reservation_id === payment_id && !fellThrough(state) && payment_status === 'PENDING',
  );

/** How long the consumer of a new or changed booking may take to list its end; a message that fails is repeated meanwhile. */
const listedWithinMs = hourMs;

/** A change may give a stay another end. */
const listedFrom = ({ changes, created_at, updated_at }: Reservation): number =>
  Date.parse(changes === undefined ? created_at : updated_at);

/** Whether a booking must be in the due list by now. */
export const isListed = (stay: Reservation, now: number): boolean => {
  const next = dueMove(stay);
  return next !== undefined && !(isAtEnd(next) && now < listedFrom(stay) + listedWithinMs);
};

/** Longer than a gateway that does not answer delays the cancellation of an unpaid stay. */
const latestMs = 7 * hourMs;

/** A write may bring a time that has passed: a change adds to a balance, an undone check-in opens the payment's end again. */
const dueSince = (stay: Reservation): number | undefined => {
  const next = dueMove(stay);
  return next && Math.max(next.due_at, Date.parse(stay.updated_at));
};

const lateWork = ({ now, order_id, order, reservations, refunds }: AuditedOrder): Figures[] => {
  const isLate = (since: number): boolean => since + latestMs < now;
  const stays = reservations.filter((stay) => isLate(dueSince(stay) ?? now));
  const waiting = refunds.filter(
    ({ state, created_at }) => state === 'DUE' && isLate(Date.parse(created_at)),
  );
  return [
    ...(order?.state === 'CHARGING' && isLate(order.locked_until) ? [{ order_id, state: order.state }] : []),
    ...stays.map(stayFigures),
    ...waiting.map(({ payment_id, refund_id, state }) => ({ order_id, payment_id, refund_id, state })),
  ];
};

/** Rules of the due lists: what has to happen by itself is in a list and happens. */
export const dueRules: readonly AuditRule<AuditedDues>[] = [
  {
    name: 'due-booking-missing',
    holds: 'A booking that is to be moved at a time is in the due list.',
    violations: ({ audited, dueBookings }) =>
      audited.reservations
        .filter((stay) => isListed(stay, audited.now) && !dueBookings.has(stay.reservation_id))
        .map((stay) => ({ ...stayFigures(stay), due_at: dueMove(stay)?.due_at ?? null })),
  },
  {
    name: 'due-payment-missing',
    holds: 'A payment that is open or has a refund to be made, and a deposit on a card, is in the due list.',
    violations: ({ audited, duePayments }) =>
      unfinishedPayments(audited)
        .filter(({ payment_id }) => !duePayments.has(payment_id))
        .map(paymentFigures),
  },
  {
    name: 'work-late',
    holds: 'Nothing that has to happen by itself is more than 7 hours late.',
    violations: ({ audited }) => lateWork(audited),
  },
];

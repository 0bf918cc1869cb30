import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { larger, money, smaller, toNumber, zero } from '../../platform/money.ts';
import type { Write } from '../../platform/table/index.ts';
import {
  type ChangedPayment,
  emitRefundElsewhere,
  postRefunds,
  refundOf,
  type StayRefund,
  waitsForPayment,
} from '../booking/index.ts';
import {
  adjustmentReason,
  adjustmentsChanged,
  type FoundOrder,
  isAuthorised,
  paymentOf,
  postedBy,
  type Reservation,
  totalOf,
} from '../booking/model.ts';
import {
  balanceOf,
  creditOf,
  dueFor,
  dueLaterFor,
  isByPartner,
  isPaidToPartner,
  partnerOf,
  paidFor,
  post,
  type Posted,
  type Posting,
  splitRefund,
  takenPosting,
} from '../folio/model.ts';
import { openNextPage, replaceBy } from '../payment/index.ts';
import {
  callGateway,
  changePayment,
  type Payment,
  type RefundRequest,
  requirePayableLater,
  scheduleRefunds,
} from '../payment/model.ts';
import type { ChangedBooking } from './change.schema.ts';
import type { PlannedChange } from './planned-change.ts';
import { timeToPay } from './time-to-pay.ts';

/** Why money goes back. */
const reasonOf = ({ item, request }: Pick<PlannedChange, 'item' | 'request'>): string =>
  adjustmentReason(adjustmentsChanged(item, { request })) ?? 'The booking was changed.';

/** What a change does to the payment of its stay. */
export interface ChangedMoney {
  payment: ChangedPayment;
  /** What goes back now. */
  refund: number;
  /** The part of it that goes back through the gateway. */
  requests: readonly RefundRequest[];
  /** What is to be paid afterwards. */
  due: number;
}

/**
 * Returns what a change does to the payment. An unpaid stay has another price; what was paid above it is refunded, but what
 * was credit before stays credit, `asCredit` all of it; what is missing is due; a partner that has collected the price collects or refunds the
 * difference. Throws INVALID_STATE_TRANSITION while an authorisation of the old price awaits the host.
 */
export const moneyOf = (ctx: Context, planned: PlannedChange, asCredit = false): ChangedMoney => {
  const { before, difference, quote } = planned;
  const isUnpaid = before.payment_status === 'PENDING';
  const now = { ...before, total: quote.total };
  if (isAuthorised(before) && difference !== 0)
    throw new ServiceError(
      'INVALID_STATE_TRANSITION',
      'Another price cannot be charged to the payment that is authorised; the host accepts or declines the booking first.',
      { state: before.state },
    );
  const posted = postedBy(ctx);
  const changed = difference === 0 ? [] : [{ kind: 'change' as const, amount: difference, ...posted }];
  const balance = balanceOf(now);
  if (isPaidToPartner(before)) return moneyOfPartner(planned, changed, posted);
  if (balance > 0 || (isUnpaid && paidFor(before) === 0 && quote.total > 0)) {
    const payment = { payment_status: 'PENDING', ...timeToPay(ctx, planned), postings: changed } as const;
    return { payment, refund: 0, requests: [], due: dueFor(now) };
  }
  const refund = asCredit ? 0 : toNumber(larger(zero, money(-balance).minus(creditOf(before))));
  const back = postRefunds([{ before, refund }], {
    kind: 'change',
    reason: reasonOf(planned),
    posted,
    first: changed,
  });
  // What costs nothing still waits for its host.
  const status = before.state === 'PENDING' ? before.payment_status : 'PAID';
  return {
    payment: {
      ...{ payment_status: status, pay_until: undefined },
      postings: back.posted.flatMap(({ postings }) => postings),
    },
    refund,
    requests: back.requests,
    due: 0,
  };
};

/** The partner collects and refunds what the price differs by; what is charged beside it is the host's. */
const moneyOfPartner = (planned: PlannedChange, changed: Posting[], posted: Posted): ChangedMoney => {
  const { before, difference, quote } = planned;
  const now = { ...before, total: quote.total };
  const collected = toNumber(smaller(money(Math.max(0, difference)), money(dueFor(now))));
  const most = totalOf(
    splitRefund(before, Math.max(0, -difference), isByPartner).map(({ amount }) => amount),
  );
  const back = postRefunds([{ before, refund: most, isFrom: isByPartner }], {
    ...{ kind: 'change', reason: reasonOf(planned), posted },
    first: [
      ...changed,
      ...(collected > 0 ? [takenPosting(before, collected, partnerOf(before), posted)] : []),
    ],
  });
  const postings = back.posted.flatMap((one) => one.postings);
  const due = dueFor({ ...now, ...post(before, postings) });
  const status = due > 0 ? ('PENDING' as const) : ('PAID' as const);
  return {
    payment: { payment_status: status, pay_until: undefined, postings },
    ...{ refund: most, requests: back.requests, due },
  };
};

/**
 * Whether a change takes effect only when it is paid: it costs more, and the stay was paid online, in part or in full; unless
 * a host charges it later, it is added to a balance that is not due yet (D129), or a partner collects the price.
 */
export const isPaidFirst = (
  { before, difference, quote }: PlannedChange,
  { due }: ChangedMoney,
  chargeLater: boolean | undefined,
): boolean => {
  if (dueLaterFor({ ...before, total: quote.total }) > 0 || isPaidToPartner(before)) return false;
  const isPaid = before.payment_status === 'PAID' || paidFor(before) > 0;
  return due > 0 && difference > 0 && isPaid && before.payment_method === 'ONLINE_GATEWAY' && !chargeLater;
};

/** Of a stay that a partner has collected, what the price is lower by is the partner's to refund. */
const refundOfChange = (before: Reservation, refund: number): StayRefund => ({
  ...{ before, refund },
  ...(isPaidToPartner(before) ? { isFrom: isByPartner } : {}),
});

/** Returns how the answer shows the money of a change. */
export const changeOf = (
  { before, difference }: PlannedChange,
  { refund, due }: ChangedMoney,
): ChangedBooking['change'] => ({
  difference,
  refund: refundOf([refundOfChange(before, refund)]),
  amount_due: due,
});

/** Returns the refunds of a change through the gateway. */
export const changeRefunds = (ctx: Context, { requests }: ChangedMoney): Write[] =>
  scheduleRefunds(ctx, requests);

/** Returns the event of what the host or the partner refunds for a change. */
export const refundsElsewhere = (
  ctx: Context,
  planned: PlannedChange,
  after: Reservation,
  { refund }: ChangedMoney,
): Write[] => emitRefundElsewhere(ctx, refundOfChange(planned.before, refund), after, reasonOf(planned));

/** An open page for the price before the change is replaced; its address is not published before the change is written. */
export const replacePage = async (
  ctx: Context,
  { found, before }: PlannedChange,
  after: Reservation,
): Promise<{ writes: Write[]; payments: Pick<FoundOrder, 'payment' | 'separatePayments'> }> => {
  const payment = paymentOf(found, before);
  if (payment?.state !== 'OPEN') return { writes: [], payments: found };
  const isOfIt = (stay: Reservation): boolean => paymentOf(found, stay)?.payment_id === payment.payment_id;
  const waiting = found.reservations
    .map((stay) => (stay.reservation_id === after.reservation_id ? after : stay))
    .filter((stay) => waitsForPayment(stay) && isOfIt(stay));
  // Nothing is left to be paid by it: the reconciliation closes it.
  if (waiting.length === 0) return { writes: [changePayment(ctx, payment, {})], payments: found };
  const endsAt = Math.max(...waiting.map(({ pay_until }) => pay_until ?? payment.ends_at));
  const amount = totalOf(waiting.map(dueFor));
  // A run that replaces the page at the same moment, for what was due before, conflicts and reads again.
  if (amount === payment.amount && endsAt === payment.ends_at)
    return { writes: [changePayment(ctx, payment, {})], payments: found };
  requirePayableLater(ctx, { ...payment, amount }, '');
  const page = await callGateway(() => openNextPage(ctx, payment, waiting, endsAt), '');
  const { write, opened } = replaceBy(ctx, payment, page, { may_be_paid: true });
  const shown = (one: Payment): Payment => (one.payment_id === opened.payment_id ? opened : one);
  return {
    writes: [write],
    payments: {
      payment: found.payment && shown(found.payment),
      separatePayments: found.separatePayments.map(shown),
    },
  };
};

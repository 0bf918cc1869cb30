import { instantText } from '../../platform/time/clock.ts';
import { type Context, type Dependencies, systemContext } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { recordMetric } from '../../platform/metrics/index.ts';
import { money, smaller, toNumber } from '../../platform/money.ts';
import {
  type FailedRefund,
  type NotificationOutcome,
  RefundOutcomeUnknown,
} from '../../platform/payment/index.ts';
import { change, ConflictError, equals, retryOnConflict, type Write } from '../../platform/table/index.ts';
import {
  emitBookingEvent,
  fellThrough,
  findPaid,
  type FoundOrder,
  type Order,
  type Reservation,
  ReservationEntity,
  totalOf,
} from '../booking/model.ts';
import { endedStatus } from '../booking/index.ts';
import { decisionOf, postRefundMade, sameFolio } from '../folio/model.ts';
import { emitPaymentEvent } from './book-charged.ts';
import { type Payment, type PaymentRefund, PaymentRefundEntity } from './payment.entity.ts';
import { paymentMoves } from './payment.rules.ts';
import { changePayment, scheduleReconciliation } from './payment.store.ts';

/** Runs a write and ignores a conflict: another writer has done the same. Returns whether it was written. */
export const ignoreConflict = async (write: () => Promise<void>): Promise<boolean> => {
  try {
    await write();
    return true;
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    return false;
  }
};

/**
 * Executes a scheduled refund (D48): calls the gateway, which makes each refund once, then records the result with its
 * event. If the gateway does not respond, the refund stays due; if it does not report whether the refund was made, a
 * person must check, and it is not repeated.
 */
export const executeRefund = async (
  ctx: Context,
  payment: Payment,
  refund: PaymentRefund,
  isOnly: boolean,
): Promise<void> => {
  const { reference, opened_at, amount: paid } = payment;
  try {
    await ctx
      .payments()
      .refund({ reference, opened_at, paid, ...refund, is_only: isOnly, now: ctx.clock.now() });
  } catch (error) {
    if (!(error instanceof RefundOutcomeUnknown)) throw error;
    const isMoved = await ignoreConflict(() =>
      ctx.table.transact([moveRefund(ctx, refund, 'DUE', 'UNSURE')]),
    );
    // Another run knows its outcome, or has asked for a person already.
    if (!isMoved) return;
    callPerson(ctx, 'refund_unsure', refund, error.message);
    return;
  }
  // A run beside this one may have got an unknown outcome; this answer says that the refund is made.
  await completeRefund(ctx, refund, 'DUE', 'UNSURE');
};

const needs = {
  refund_unsure: 'A person has to check whether a refund was made.',
  refund_failed: 'A person has to send a refund that has not reached the customer.',
};

const callPerson = (
  { log }: Pick<Context, 'log'>,
  what: keyof typeof needs,
  { payment_id, refund_id, amount, currency }: PaymentRefund,
  cause: string,
): void => {
  recordMetric('payment_attention', 1, { what });
  log.error(needs[what], { payment_id, refund_id, amount, currency, cause });
};

/**
 * Records that a refund which was made has not reached the customer (D48): it is not repeated, since the gateway cannot send it
 * to that account. Throws SERVICE_UNAVAILABLE while it is not recorded as made, so that the gateway reports it again.
 */
export const failRefund = async (
  ctx: Context,
  { payment_id, refund_id, reason }: FailedRefund,
): Promise<NotificationOutcome> => {
  const { refunds } = await findPaid(ctx.table, payment_id);
  const refund = refunds.find((one) => one.refund_id === refund_id);
  if (!refund) return 'unknown';
  if (refund.state === 'DUE')
    throw new ServiceError('SERVICE_UNAVAILABLE', undefined, {}, { retryAfterSeconds: 60 });
  const isMoved = await ignoreConflict(() => ctx.table.transact([moveRefund(ctx, refund, 'DONE', 'FAILED')]));
  if (!isMoved) return 'repeated';
  callPerson(ctx, 'refund_failed', refund, reason);
  return 'taken';
};

/** Records that a refund was made, if it is in one of the given states; returns whether it was. */
const completeRefund = (
  ctx: Context,
  { payment_id, refund_id }: Pick<PaymentRefund, 'payment_id' | 'refund_id'>,
  ...from: PaymentRefund['state'][]
): Promise<boolean> =>
  retryOnConflict(async () => {
    const found = await findPaid(ctx.table, payment_id);
    const due = found.refunds.find((refund) => refund.refund_id === refund_id);
    if (!due || !from.includes(due.state) || !found.payment) return false;
    await ctx.table.transact(refundDoneWrites(ctx, found, found.payment, due));
    return true;
  });

const moveRefund = (
  { clock }: Pick<Context, 'clock'>,
  refund: Pick<PaymentRefund, 'payment_id' | 'refund_id'>,
  from: PaymentRefund['state'],
  state: PaymentRefund['state'],
): Write =>
  change(
    PaymentRefundEntity,
    refund,
    { set: { state, updated_at: instantText(clock.now()) } },
    { when: equals('state', from) },
  );

const refundDoneWrites = (
  ctx: Context,
  found: FoundOrder,
  payment: Payment,
  refund: PaymentRefund,
): Write[] => {
  const { reservations, changed } = found;
  const stays = [...reservations, ...(changed?.reservations ?? [])].filter(({ reservation_id }) =>
    refund.reservation_ids.includes(reservation_id),
  );
  const unchanged = changed?.reservations.find(({ reservation_id }) => reservation_id === payment.change_of);
  return [
    moveRefund(ctx, refund, refund.state, 'DONE'),
    ...countRefund(ctx, payment, refund),
    ...refundShares(stays, refund).flatMap(([stay, amount]) => refundStay(ctx, stay, refund, amount)),
    ...(stays.length > 0 ? [] : refundedEvents(ctx, found.order, unchanged, refund)),
  ];
};

/** Returns the events of a refund that is of no stay's price; `unchanged`: the stay whose change was not made. */
const refundedEvents = (
  ctx: Context,
  order: Order | undefined,
  unchanged: Reservation | undefined,
  refund: PaymentRefund,
): Write[] => {
  const { reason, amount, transaction_id: charge } = refund;
  return unchanged
    ? [emitBookingEvent(ctx, unchanged, 'payment.refunded', { reason, refund: amount, charge })]
    : emitPaymentEvent(ctx, order, 'payment.refunded', refund);
};

/** Adds the refund to the payment, unless it is for a second charge, which is not part of it. */
const countRefund = (ctx: Context, payment: Payment, { transaction_id, amount }: PaymentRefund): Write[] => {
  if (transaction_id !== payment.transaction_id) return [];
  const refunded = toNumber(money(payment.refunded).plus(amount));
  const isWhole = payment.state === 'PAID' && money(refunded).gte(payment.amount);
  return [changePayment(ctx, payment, { refunded, ...(isWhole ? { state: paymentMoves.refund.to } : {}) })];
};

/**
 * Returns what of a refund is of which stay: what its folio has, else its price; the last stay without a folio of it gets the rest,
 * since prices may have changed after a page was opened that was paid when nothing was due.
 */
const refundShares = (stays: readonly Reservation[], { refund_id, amount }: PaymentRefund) => {
  const postedOf = ({ postings = [] }: Reservation) =>
    postings.filter((posting) => posting.refund_id === refund_id);
  const unposted = stays.filter((stay) => postedOf(stay).length === 0);
  let rest = money(amount).minus(totalOf(stays.flatMap(postedOf).map((posting) => posting.amount)));
  return stays.map((stay): [Reservation, number] => {
    const posted = postedOf(stay);
    if (posted.length > 0) return [stay, totalOf(posted.map((posting) => posting.amount))];
    const share = stay === unposted.at(-1) ? rest : smaller(rest, money(stay.total));
    rest = rest.minus(share);
    return [stay, toNumber(share)];
  });
};

/** Returns the writes for a refunded stay: one that has fallen through becomes REFUNDED when all that was paid has gone back. */
const refundStay = (ctx: Context, stay: Reservation, refund: PaymentRefund, amount: number): Write[] => {
  const { refund_id, reason, transaction_id: charge } = refund;
  const posted = (stay.postings ?? []).filter((posting) => posting.refund_id === refund_id);
  const eventData = { reason, refund: amount, charge };
  if (amount === 0) return [];
  // The stay is paid otherwise, or its folio was opened with the price after the change.
  const isOfFolio = fellThrough(stay.state) && !refund_id.startsWith('change-');
  if (posted.length === 0 && !isOfFolio) return [emitBookingEvent(ctx, stay, 'payment.refunded', eventData)];
  const fields = postRefundMade(stay, { ...refund, amount }, ctx.clock.now());
  const set = {
    ...fields,
    ...(fellThrough(stay.state) ? { payment_status: endedStatus({ ...stay, ...fields }) } : {}),
    updated_at: instantText(ctx.clock.now()),
  };
  return [
    change(ReservationEntity, stay, { set }, { when: sameFolio(stay) }),
    emitBookingEvent(ctx, { ...stay, ...set }, 'payment.refunded', {
      ...eventData,
      decision: decisionOf(set, (posting) => posting.refund_id === refund_id),
    }),
  ];
};

type Refund = Pick<PaymentRefund, 'payment_id' | 'refund_id'>;

const actor = 'operator';

const notIn = ({ payment_id, refund_id }: Refund, states: string): ServiceError =>
  new ServiceError(
    'INVALID_STATE_TRANSITION',
    `The payment ${payment_id} has no refund ${refund_id} in state ${states}.`,
  );

/**
 * Marks an UNSURE refund as made, after a person has seen it at the gateway, and a FAILED one, after a person has sent the money.
 * Throws INVALID_STATE_TRANSITION for other states.
 */
export const confirmRefund = async (
  deps: Dependencies,
  refund: Refund,
): Promise<Refund & { state: 'DONE' }> => {
  const ctx = systemContext(deps, actor);
  const isDone =
    (await completeRefund(ctx, refund, 'UNSURE')) ||
    // It was counted when it was made.
    (await ignoreConflict(() => ctx.table.transact([moveRefund(ctx, refund, 'FAILED', 'DONE')])));
  if (!isDone) throw notIn(refund, 'UNSURE or FAILED');
  return { ...refund, state: 'DONE' };
};

/**
 * Schedules an UNSURE refund again, after a person has seen that it was not made. Throws INVALID_STATE_TRANSITION for
 * other states.
 */
export const repeatRefund = async (
  deps: Dependencies,
  refund: Refund,
): Promise<Refund & { state: 'DUE' }> => {
  const moved = moveRefund(deps, refund, 'UNSURE', 'DUE');
  await deps.table.transact([
    { ...moved, onConflict: () => notIn(refund, 'UNSURE') },
    scheduleReconciliation(refund.payment_id, deps.clock.now()),
  ]);
  return { ...refund, state: 'DUE' };
};

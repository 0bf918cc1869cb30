import { instantText } from '../../platform/clock.ts';
import { type Context, type Dependencies, systemContext } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { recordMetric } from '../../platform/metrics/index.ts';
import { money, toNumber } from '../../platform/money.ts';
import { RefundUnsure } from '../../platform/payment/index.ts';
import { change, ConflictError, equals, retryOnConflict, type Write } from '../../platform/table/index.ts';
import {
  emitBookingEvent,
  findPaid,
  type FoundOrder,
  type Reservation,
  ReservationEntity,
} from '../booking/model.ts';
import { emitPaymentEvent } from './book-charged.ts';
import {
  changePayment,
  type Payment,
  paymentMoves,
  type PaymentRefund,
  PaymentRefundEntity,
  scheduleReconciliation,
} from './payment.store.ts';

/** Writes, unless another writer was faster and has done it. */
export const ignoreConflict = async (write: () => Promise<void>): Promise<void> => {
  try {
    await write();
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
  }
};

/**
 * Refunds what is owed of a payment (D48): the gateway is asked first, which does each refund once, then it is written
 * down and told. A gateway that does not answer leaves it owed; one that does not say whether it was made leaves it to a
 * person, and is not asked again.
 */
export const executeRefund = async (
  ctx: Context,
  payment: Payment,
  refund: PaymentRefund,
  is_only: boolean,
): Promise<void> => {
  const { payment_id } = payment;
  const { opened_at = payment.opened_at } = refund;
  try {
    await ctx.payments().refund({ ...refund, is_only, opened_at, now: ctx.clock.now() });
  } catch (error) {
    if (!(error instanceof RefundUnsure)) throw error;
    await ignoreConflict(() => ctx.table.transact([moveRefund(ctx, refund, 'DUE', 'UNSURE')]));
    recordMetric('refund_unsure', 1);
    const { refund_id, amount, currency } = refund;
    ctx.log.error('A person has to find out whether a refund was made.', {
      payment_id,
      refund_id,
      amount,
      currency,
      cause: error.message,
    });
    return;
  }
  await concludeRefund(ctx, refund, 'DUE');
};

/** Writes down that a refund was made, unless that was done before; answers whether it stood in that state. */
const concludeRefund = (
  ctx: Context,
  { payment_id, refund_id }: Pick<PaymentRefund, 'payment_id' | 'refund_id'>,
  from: PaymentRefund['state'],
): Promise<boolean> =>
  retryOnConflict(async () => {
    const found = await findPaid(ctx.table, payment_id);
    const owed = found.refunds.find((refund) => refund.refund_id === refund_id);
    if (owed?.state !== from || !found.payment) return false;
    await ctx.table.transact(doneWrites(ctx, found, found.payment, owed));
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

const doneWrites = (ctx: Context, found: FoundOrder, payment: Payment, refund: PaymentRefund): Write[] => {
  const stays = found.reservations.filter(({ reservation_id }) =>
    refund.reservation_ids.includes(reservation_id),
  );
  return [
    moveRefund(ctx, refund, refund.state, 'DONE'),
    ...countRefund(ctx, payment, refund),
    ...stays.flatMap((stay) => refundStay(ctx, stay, refund)),
    ...(stays.length > 0 ? [] : emitPaymentEvent(ctx, found.order, 'payment.refunded', refund)),
  ];
};

/** A second charge that nothing was due for is no part of the payment. */
const countRefund = (ctx: Context, payment: Payment, { transaction_id, amount }: PaymentRefund): Write[] => {
  if (transaction_id !== payment.transaction_id) return [];
  const refunded = toNumber(money(payment.refunded).plus(amount));
  const isWhole = payment.state === 'PAID' && money(refunded).gte(payment.amount);
  return [changePayment(ctx, payment, { refunded, ...(isWhole ? { state: paymentMoves.refund.to } : {}) })];
};

/** A stay that was cancelled is REFUNDED from now on; one that is paid otherwise stays so. */
const refundStay = (ctx: Context, stay: Reservation, { reason, transaction_id }: PaymentRefund): Write[] => {
  const set = { payment_status: 'REFUNDED' as const, updated_at: instantText(ctx.clock.now()) };
  const told = { reason, refund: stay.total, charge: transaction_id };
  if (stay.state !== 'CANCELLED') return [emitBookingEvent(ctx, stay, 'payment.refunded', told)];
  return [
    change(ReservationEntity, stay, { set }, { when: equals('payment_status', stay.payment_status) }),
    emitBookingEvent(ctx, { ...stay, ...set }, 'payment.refunded', told),
  ];
};

type Refund = Pick<PaymentRefund, 'payment_id' | 'refund_id'>;

const actor = 'operator';

const notUnsure = ({ payment_id, refund_id }: Refund): ServiceError =>
  new ServiceError(
    'INVALID_STATE_TRANSITION',
    `The payment ${payment_id} has no refund ${refund_id} that is UNSURE.`,
  );

/** A person has seen in the gateway's console that an UNSURE refund was made. INVALID_STATE_TRANSITION for any other. */
export const settleRefund = async (
  deps: Dependencies,
  refund: Refund,
): Promise<Refund & { state: 'DONE' }> => {
  if (!(await concludeRefund(systemContext(deps, actor), refund, 'UNSURE'))) throw notUnsure(refund);
  return { ...refund, state: 'DONE' };
};

/** A person has seen that an UNSURE refund was not made: it is asked for again. INVALID_STATE_TRANSITION for any other. */
export const repeatRefund = async (
  deps: Dependencies,
  refund: Refund,
): Promise<Refund & { state: 'DUE' }> => {
  const again = moveRefund(deps, refund, 'UNSURE', 'DUE');
  await deps.table.transact([
    { ...again, onConflict: () => notUnsure(refund) },
    scheduleReconciliation(refund.payment_id, deps.clock.now()),
  ]);
  return { ...refund, state: 'DUE' };
};

import { instantText } from '../../platform/clock.ts';
import type { Context } from '../../platform/context.ts';
import { money, toNumber } from '../../platform/money.ts';
import { change, equals, untilWon, type Write } from '../../platform/table/index.ts';
import {
  findOrder,
  type FoundOrder,
  type Reservation,
  ReservationEntity,
  tellBooking,
} from '../booking/index.ts';
import {
  changePayment,
  type Payment,
  paymentMoves,
  type PaymentRefund,
  PaymentRefundEntity,
} from '../payment/index.ts';
import { tellPayment } from './tell-payment.ts';

/**
 * Gives back what is owed of a payment (D48): the gateway is asked first, which does each refund once, then it is written
 * down and told. A gateway that does not answer leaves it owed.
 */
export const giveBack = async (ctx: Context, payment: Payment, refund: PaymentRefund): Promise<void> => {
  const { opened_at } = payment;
  await ctx.payments().refund({ ...refund, opened_at, now: ctx.clock.now() });
  await untilWon(async () => {
    const found = await findOrder(ctx.table, payment.payment_id);
    const owed = found.refunds.find(({ refund_id }) => refund_id === refund.refund_id);
    if (owed?.state === 'DUE' && found.payment)
      await ctx.table.transact(doneWrites(ctx, found, found.payment, owed));
  });
};

const doneWrites = (ctx: Context, found: FoundOrder, payment: Payment, refund: PaymentRefund): Write[] => {
  const state = 'DONE';
  const stays = found.reservations.filter(({ reservation_id }) =>
    refund.reservation_ids.includes(reservation_id),
  );
  return [
    change(
      PaymentRefundEntity,
      refund,
      { set: { state, updated_at: instantText(ctx.clock.now()) } },
      { when: equals('state', 'DUE') },
    ),
    ...countRefund(ctx, payment, refund),
    ...stays.flatMap((stay) => refundStay(ctx, stay, refund)),
    ...(stays.length > 0 ? [] : tellPayment(ctx, found.order, 'payment.refunded', refund)),
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
const refundStay = (ctx: Context, stay: Reservation, { reason }: PaymentRefund): Write[] => {
  const set = { payment_status: 'REFUNDED' as const, updated_at: instantText(ctx.clock.now()) };
  const told = { reason, refund: stay.total };
  if (stay.state !== 'CANCELLED') return [tellBooking(ctx, stay, 'payment.refunded', told)];
  return [
    change(ReservationEntity, stay, { set }, { when: equals('payment_status', stay.payment_status) }),
    tellBooking(ctx, { ...stay, ...set }, 'payment.refunded', told),
  ];
};

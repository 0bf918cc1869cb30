import { instantText } from '../../platform/clock.ts';
import type { Context } from '../../platform/context.ts';
import { change, create, equals, put, type Write } from '../../platform/table/index.ts';
import {
  DuePaymentEntity,
  type Payment,
  PaymentEntity,
  type PaymentRefund,
  PaymentRefundEntity,
} from './payment.entity.ts';
import { mayMovePayment, type PaymentMove, paymentMoves } from './payment-moves.ts';

type Clocked = Pick<Context, 'clock'>;

const minuteMs = 60_000;
/** How often the gateway is asked about a payment that is open (D47). */
export const reconciliationIntervalMs = 5 * minuteMs;

/** Has the payment looked at from an instant on; twice at one instant is once. */
export const scheduleReconciliation = (payment_id: number, due_at: number): Write =>
  put(DuePaymentEntity, { payment_id, due_at });

/** A new payment, and the first look at it. */
export const createPayment = ({ clock }: Clocked, payment: Payment): Write[] => [
  create(PaymentEntity, payment),
  scheduleReconciliation(payment.payment_id, clock.now() + reconciliationIntervalMs),
];

type Changes = Partial<Omit<Payment, 'payment_id' | 'version' | 'state'>>;

/** Changes a payment as it was read; anybody's write in between is a lost race. */
export const changePayment = (
  { clock }: Clocked,
  payment: Payment,
  set: Changes & { state?: Payment['state'] },
): Write =>
  change(
    PaymentEntity,
    payment,
    { set: { ...set, updated_at: instantText(clock.now()) }, add: { version: 1 } },
    { when: equals('version', payment.version) },
  );

/** Moves a payment; the caller has seen that it may. */
export const movePayment = (ctx: Clocked, payment: Payment, move: PaymentMove, set: Changes = {}): Write => {
  if (!mayMovePayment(payment.state, move))
    throw new Error(`a payment that is ${payment.state} cannot ${move}`);
  return changePayment(ctx, payment, { ...set, state: paymentMoves[move].to });
};

type Asked = Omit<PaymentRefund, 'state' | 'created_at' | 'updated_at'>;

/** Owes money back, and has it looked after at once. The one who finds it owed already has lost a race. */
export const scheduleRefund = ({ clock }: Clocked, refund: Asked): Write[] => {
  const now = instantText(clock.now());
  return [
    create(PaymentRefundEntity, { ...refund, state: 'DUE', created_at: now, updated_at: now }),
    scheduleReconciliation(refund.payment_id, clock.now()),
  ];
};

import { instantText } from '../../platform/time/clock.ts';
import type { Context } from '../../platform/context.ts';
import { change, create, equals, put, type Write } from '../../platform/table/index.ts';
import { minuteMs } from '../../platform/time/time.ts';
import {
  type Attempt,
  DuePaymentEntity,
  type Payment,
  PaymentEntity,
  type PaymentRefund,
  PaymentRefundEntity,
} from './payment.entity.ts';
import { mayMovePayment, type PaymentMove, paymentMoves } from './payment.rules.ts';

type Clocked = Pick<Context, 'clock'>;

/** How often the gateway is asked about an open payment (D47). */
export const reconciliationIntervalMs = 5 * minuteMs;

/** Returns the write that has a payment reconciled from an instant on; idempotent. */
export const scheduleReconciliation = (paymentId: number, dueAt: number): Write =>
  put(DuePaymentEntity, { payment_id: paymentId, due_at: dueAt });

/** Returns the writes of a new payment and its first reconciliation. */
export const createPayment = ({ clock }: Clocked, payment: Payment): Write[] => [
  create(PaymentEntity, payment),
  scheduleReconciliation(payment.payment_id, clock.now() + reconciliationIntervalMs),
];

type Changes = Partial<Omit<Payment, 'payment_id' | 'version' | 'state'>>;

/** Returns the write that changes a payment if its version is unchanged. */
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

/** Returns the write of a transition; the caller has checked that it is allowed. */
export const movePayment = (ctx: Clocked, payment: Payment, move: PaymentMove, set: Changes = {}): Write => {
  if (!mayMovePayment(payment.state, move))
    throw new Error(`a payment that is ${payment.state} does not allow ${move}`);
  return changePayment(ctx, payment, { ...set, state: paymentMoves[move].to });
};

export type RefundRequest = Omit<PaymentRefund, 'state' | 'created_at' | 'updated_at'>;

/**
 * Returns the writes that schedule refunds and the immediate reconciliation of their payments, once each: a transaction
 * takes one write of an item. They conflict if a refund exists.
 */
export const scheduleRefunds = ({ clock }: Clocked, refunds: readonly RefundRequest[]): Write[] => {
  const now = clock.now();
  const at = instantText(now);
  const payments = new Set(refunds.map(({ payment_id }) => payment_id));
  return [
    ...refunds.map((refund) =>
      create(PaymentRefundEntity, { ...refund, state: 'DUE', created_at: at, updated_at: at }),
    ),
    ...Array.from(payments, (paymentId) => scheduleReconciliation(paymentId, now)),
  ];
};

/** The most attempts kept; a payment by an older one is matched with the current one. */
const maxEarlierAttempts = 50;

/**
 * Returns the attempt of a charge, which may have had another amount and time. A gateway may report the charge under
 * another id (Stripe's intent of a session); then the amount decides.
 */
export const attemptOf = (payment: Payment, charge: Pick<Attempt, 'reference' | 'amount'>): Attempt => {
  const attempts = [presentAttempt(payment), ...(payment.earlier ?? [])];
  return (
    attempts.find(({ reference }) => reference === charge.reference) ??
    attempts.find(({ amount }) => amount === charge.amount) ??
    presentAttempt(payment)
  );
};

/** Whether several attempts had the amount of a charge that none of them names. */
export const isAmbiguous = (payment: Payment, charge: Pick<Attempt, 'reference' | 'amount'>): boolean => {
  const attempts = [presentAttempt(payment), ...(payment.earlier ?? [])];
  return (
    !attempts.some(({ reference }) => reference === charge.reference) &&
    attempts.filter(({ amount }) => amount === charge.amount).length > 1
  );
};

const presentAttempt = ({ reference, amount, opened_at, ends_at, stays }: Payment): Attempt => ({
  reference,
  amount,
  opened_at,
  ends_at,
  ...(stays ? { stays } : {}),
});

/**
 * Returns the earlier attempts with the current one added; `may_be_paid`: its page has too high an amount and may still
 * be paid.
 */
export const earlierAttempts = (
  payment: Payment,
  { may_be_paid }: { may_be_paid: boolean },
): Pick<Payment, 'earlier'> => ({
  earlier: [
    ...(payment.earlier ?? []),
    { ...presentAttempt(payment), ...(may_be_paid ? { may_be_paid: true as const } : {}) },
  ].slice(-maxEarlierAttempts),
});

/** Returns the earlier attempts where some pages can be paid no more, or are known to be paid. */
export const endedAttempts = (
  { earlier = [] }: Payment,
  references: ReadonlySet<string>,
): Pick<Payment, 'earlier'> => ({
  earlier: earlier.map(({ may_be_paid: asked, ...attempt }) =>
    asked && !references.has(attempt.reference) ? { ...attempt, may_be_paid: asked } : attempt,
  ),
});

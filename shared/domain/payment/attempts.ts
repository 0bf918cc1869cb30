import type { Attempt, Payment } from './payment.entity.ts';

/** As many attempts as are remembered; money that comes by one before them is judged as if it came by the one at hand. */
const mostEarlier = 50;

/**
 * The attempt that a charge came by: an earlier one may have been opened for more, and at another time. A gateway may report
 * the charge by its own name (Stripe's intent of a session): then the amount says which it was.
 */
export const attemptOf = (payment: Payment, charge: Pick<Attempt, 'reference' | 'amount'>): Attempt => {
  const attempts = [presentAttempt(payment), ...(payment.earlier ?? [])];
  return (
    attempts.find(({ reference }) => reference === charge.reference) ??
    attempts.find(({ amount }) => amount === charge.amount) ??
    presentAttempt(payment)
  );
};

const presentAttempt = ({ reference, amount, opened_at, stays }: Payment): Attempt => ({
  reference,
  amount,
  opened_at,
  ...(stays ? { stays } : {}),
});

/** The attempts before one that follows the one at hand; `may_be_paid`: its page asks for too much, and may still take money. */
export const earlierOf = (
  payment: Payment,
  { may_be_paid }: { may_be_paid: boolean },
): Pick<Payment, 'earlier'> => ({
  earlier: [
    ...(payment.earlier ?? []),
    { ...presentAttempt(payment), ...(may_be_paid ? { may_be_paid: true as const } : {}) },
  ].slice(-mostEarlier),
});

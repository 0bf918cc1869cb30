import type { Charge } from '../bank.ts';

/** The parameters of a call, nested names as Stripe writes them. */
export type Form = Record<string, string>;

/** The PaymentIntent of a Checkout Session. */
export const intentOf = (session: string): string => session.replace(/^cs_/, 'pi_of_cs_');

const intentStatus: Record<Charge['state'], string> = {
  open: 'requires_payment_method',
  processing: 'processing',
  authorised: 'requires_capture',
  paid: 'succeeded',
  declined: 'canceled',
  closed: 'canceled',
};

export const intentObject = ({
  kind,
  state,
  transaction_id,
  payment_id,
  amount,
  isHold,
  captured,
}: Charge) => ({
  id: transaction_id,
  object: 'payment_intent',
  // After a debit that failed another method could be tried, if the page were still open.
  status: kind === 'page' && state === 'declined' ? 'requires_payment_method' : intentStatus[state],
  amount,
  amount_received: state === 'paid' ? (captured ?? amount) : 0,
  capture_method: isHold ? 'manual' : 'automatic',
  currency: 'vnd',
  metadata: { payment_id: String(payment_id) },
  last_payment_error: null,
});

/** A session that was completed stays complete, also if its debit fails days later. */
export const sessionObject = ({
  reference,
  state,
  transaction_id,
  payment_id,
  amount,
  authorisedAt,
}: Charge) => ({
  id: reference,
  object: 'checkout.session',
  status:
    state === 'open' ? 'open' : state === 'closed' && authorisedAt === undefined ? 'expired' : 'complete',
  payment_status: state === 'paid' ? 'paid' : 'unpaid',
  payment_intent: transaction_id,
  amount_total: amount,
  currency: 'vnd',
  metadata: { payment_id: String(payment_id) },
});

export const refundObject = ([refund_id, amount]: [string, number]) => ({
  id: `re_${refund_id}`,
  object: 'refund',
  amount,
  status: 'succeeded',
  metadata: { refund_id },
});

import type { Stripe as StripeClient } from 'stripe';
import { minorDigits, money, toNumber } from '../money.ts';
import type {
  Due,
  FailedRefund,
  FinalOutcome,
  Outcome,
  PaymentNotification,
  Unpaid,
} from './payment-gateway.ts';

/** Currencies whose minor unit at Stripe differs from ISO 4217. */
const stripeDigits: Readonly<Record<string, number>> = { MGA: 0, ISK: 2, UGX: 2 };
const digitsOf = (currency: string): number => stripeDigits[currency] ?? minorDigits(currency);

/** Returns an amount in Stripe's minor units. */
export const unitsOf = ({ amount, currency }: Pick<Due, 'amount' | 'currency'>): number =>
  toNumber(money(amount).times(money(10).pow(digitsOf(currency))));

const paid = (transaction_id: string, units: number, currency: string): FinalOutcome => ({
  state: 'paid',
  transaction_id,
  amount: toNumber(money(units).div(money(10).pow(digitsOf(currency.toUpperCase())))),
  currency: currency.toUpperCase(),
});

export const unpaid = (reason: string, final: boolean): Unpaid => ({ state: 'unpaid', final, reason });

export const idOf = (intent: string | { id: string } | null): string =>
  typeof intent === 'string' ? intent : (intent?.id ?? '');

/** Returns the outcome of a session; what of an authorisation was captured, its intent says alone. */
export const sessionOutcome = (session: StripeClient.Checkout.Session): Outcome => {
  const { payment_intent: intent } = session;
  if (session.status === 'complete' && typeof intent === 'object' && intent?.capture_method === 'manual')
    return intentOutcome(intent);
  if (session.payment_status === 'paid')
    return paid(idOf(session.payment_intent), session.amount_total ?? 0, session.currency ?? '');
  const reason = `the session is ${session.status ?? 'gone'}`;
  return session.status === 'expired'
    ? { ...unpaid(reason, true), closed: true }
    : unpaid(reason, hasFailed(session));
};

/** A session stays complete when its debit fails later; its intent, where it was read too, says so. */
const hasFailed = ({ status, payment_intent }: StripeClient.Checkout.Session): boolean =>
  status === 'complete' &&
  typeof payment_intent === 'object' &&
  ['requires_payment_method', 'canceled'].includes(payment_intent?.status ?? '');

export const intentOutcome = (intent: StripeClient.PaymentIntent): Outcome => {
  if (intent.status === 'requires_capture') return { state: 'authorised' };
  if (intent.status === 'succeeded') return paid(intent.id, intent.amount_received, intent.currency);
  return unpaid(intent.last_payment_error?.message ?? intent.status, intent.status === 'canceled');
};

/** What is written on the objects of a payment at Stripe: several stages may share an account. */
export const metadataOf = (stage: string, { payment_id }: Pick<Due, 'payment_id'>) => ({
  payment_id: String(payment_id),
  stage,
});

/**
 * Returns the payment that an object at Stripe belongs to; undefined if it is of another stage or of another use of the account.
 * Objects from before stages were written on them belong to any.
 */
export const paymentIdIn = (
  metadata: StripeClient.Metadata | null | undefined,
  stage: string,
): number | undefined => {
  const id = metadata?.['payment_id'] ?? '';
  const isOfStage = (metadata?.['stage'] ?? stage) === stage;
  return isOfStage && /^[1-9]\d{0,15}$/.test(id) ? Number(id) : undefined;
};

/** Returns the notification of a Stripe event; undefined unless it is about a payment of the stage. */
export const notificationOf = (
  event: StripeClient.Event,
  stage: string,
): PaymentNotification | FailedRefund | undefined => {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return notification(event.data.object, stage, sessionOutcome(event.data.object));
    case 'checkout.session.async_payment_failed':
      return notification(event.data.object, stage, unpaid('the payment failed', true));
    case 'payment_intent.succeeded':
      return notification(event.data.object, stage, intentOutcome(event.data.object));
    case 'refund.failed':
    case 'refund.updated':
      return failedRefund(event.data.object, stage);
    default:
      return undefined;
  }
};

const notification = (
  { id, metadata }: { id: string; metadata: StripeClient.Metadata | null },
  stage: string,
  outcome: Outcome,
): PaymentNotification | undefined => {
  const payment_id = paymentIdIn(metadata, stage);
  return payment_id === undefined ? undefined : { payment_id, reference: id, outcome };
};

/** Refunds that were made in Stripe's console have no id of the service. */
const failedRefund = (refund: StripeClient.Refund, stage: string): FailedRefund | undefined => {
  const payment_id = paymentIdIn(refund.metadata, stage);
  const refund_id = refund.metadata?.['refund_id'];
  if (payment_id === undefined || refund_id === undefined || !hasRefundFailed(refund)) return undefined;
  return { payment_id, refund_id, reason: refund.failure_reason ?? refund.status ?? 'failed' };
};

/** Whether a refund reaches the customer only if a person does something. */
export const hasRefundFailed = ({ status }: Pick<StripeClient.Refund, 'status'>): boolean =>
  ['failed', 'canceled', 'requires_action'].includes(status ?? '');

import type { Stripe as StripeClient } from 'stripe';
import { minorDigits, money, toNumber } from '../money.ts';
import type { Due, Outcome, PaymentNotification, FinalOutcome } from './payment-gateway.ts';

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

export const unpaid = (reason: string, final: boolean): FinalOutcome => ({ state: 'unpaid', final, reason });

export const idOf = (intent: string | { id: string } | null): string =>
  typeof intent === 'string' ? intent : (intent?.id ?? '');

export const sessionOutcome = (session: StripeClient.Checkout.Session): FinalOutcome => {
  if (session.payment_status === 'paid')
    return paid(idOf(session.payment_intent), session.amount_total ?? 0, session.currency ?? '');
  return unpaid(
    `the session is ${session.status ?? 'gone'}`,
    session.status === 'expired' || hasFailed(session),
  );
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

/**
 * Returns the notification of a Stripe event; undefined unless it has a payment id of the service: an account may have other
 * uses.
 */
export const notificationOf = (event: StripeClient.Event): PaymentNotification | undefined => {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return notification(event.data.object, event.data.object.id, sessionOutcome(event.data.object));
    case 'checkout.session.async_payment_failed':
      return notification(event.data.object, event.data.object.id, unpaid('the payment failed', true));
    case 'payment_intent.succeeded':
      return notification(event.data.object, event.data.object.id, intentOutcome(event.data.object));
    default:
      return undefined;
  }
};

const notification = (
  { metadata }: { metadata: StripeClient.Metadata | null },
  reference: string,
  outcome: Outcome,
): PaymentNotification | undefined => {
  const id = metadata?.['payment_id'] ?? '';
  return /^[1-9]\d{0,15}$/.test(id) ? { payment_id: Number(id), reference, outcome } : undefined;
};

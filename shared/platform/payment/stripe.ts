import { createHash } from 'node:crypto';
import type { Stripe as StripeClient } from 'stripe';
import { orderIdOf } from '../ids.ts';
import { minuteMs } from '../time/time.ts';
import {
  bankAsksForCustomer,
  type Due,
  type DueCharge,
  type DueRefund,
  type DueSession,
  GatewayRefused,
  GatewayUnavailable,
  type OpenedPayment,
  type Outcome,
  type PaymentGateway,
  type FinalOutcome,
  RefundOutcomeUnknown,
} from './payment-gateway.ts';
import { clientOf, type StripeCall, stripeCaller, type StripeConnection } from './stripe-client.ts';
import {
  hasRefundFailed,
  idOf,
  intentOutcome,
  metadataOf,
  notificationOf,
  sessionOutcome,
  unitsOf,
  unpaid,
} from './stripe-outcome.ts';
import { signedEvent } from './stripe-secrets.ts';

interface StripeSettings extends StripeConnection {
  /** Written on each object, since several stages may share an account. */
  stage: string;
  /** Where the browser returns to; never proof of payment. */
  returnUrl: string;
}

/** Stripe's limits of a session's lifetime, with some seconds for clock differences. */
const shortest = 30 * minuteMs + 30_000;
const longest = 24 * 60 * minuteMs - 30_000;

const expiresAt = ({ ends_at, now }: DueSession): number =>
  Math.ceil(Math.min(Math.max(ends_at, now + shortest), now + longest) / 1000);

const isSession = (reference: string): boolean => reference.startsWith('cs_');

type Method = Pick<
  StripeClient.PaymentIntentConfirmParams & StripeClient.SetupIntentCreateParams,
  'confirmation_token' | 'payment_method'
>;

/** Returns how a card token, payment method or confirmation token is passed to Stripe. */
const methodOf = (token: string): Method => {
  if (token.startsWith('ctoken_')) return { confirmation_token: token };
  return token.startsWith('tok_')
    ? ({ payment_method_data: { type: 'card', card: { token } } } as Method)
    : { payment_method: token };
};

const find = (ask: StripeCall, { reference }: Pick<OpenedPayment, 'reference'>): Promise<Outcome> =>
  ask('find', async (stripe) =>
    isSession(reference)
      ? sessionOutcome(await stripe.checkout.sessions.retrieve(reference, { expand: ['payment_intent'] }))
      : intentOutcome(await stripe.paymentIntents.retrieve(reference)),
  );

const close = async (ask: StripeCall, opened: OpenedPayment): Promise<FinalOutcome> => {
  try {
    return await ask('close', async (stripe) =>
      settled(
        isSession(opened.reference)
          ? sessionOutcome(await stripe.checkout.sessions.expire(opened.reference))
          : intentOutcome(await stripe.paymentIntents.cancel(opened.reference)),
      ),
    );
  } catch (error) {
    // A payment that is already closed cannot be cancelled: its state is read instead.
    if (!(error instanceof GatewayRefused)) throw error;
    const found = await find(ask, opened);
    // What was authorised on a page is voided by its intent.
    if (isSession(opened.reference) && found.state === 'authorised')
      return close(ask, { ...opened, reference: await intentOf(ask, opened) });
    const outcome = settled(found);
    // A bank debit that is being processed may still be paid, so nothing is cancelled yet.
    if (isSession(opened.reference) && outcome.state === 'unpaid' && !outcome.final)
      throw new GatewayUnavailable('stripe: still processing');
    return outcome;
  }
};

const settled = (outcome: Outcome): FinalOutcome => {
  if (outcome.state === 'authorised') throw new GatewayUnavailable('stripe: still authorised');
  return outcome;
};

/** Returns the intent of a payment, of a page too. */
const intentOf = async (ask: StripeCall, { reference }: OpenedPayment): Promise<string> =>
  isSession(reference)
    ? ask('intent', async (stripe) =>
        idOf((await stripe.checkout.sessions.retrieve(reference)).payment_intent),
      )
    : reference;

/** An authorisation that has expired or was captured cannot be captured: its state is read instead. */
const capture = async (ask: StripeCall, opened: OpenedPayment): Promise<FinalOutcome> => {
  try {
    const idempotencyKey = `capture-${opened.payment_id}`;
    const { captures, currency } = opened;
    const part = captures === undefined ? {} : { amount_to_capture: unitsOf({ amount: captures, currency }) };
    const intent = await intentOf(ask, opened);
    const captured = await ask('capture', (stripe) =>
      stripe.paymentIntents.capture(intent, part, { idempotencyKey }),
    );
    return settled(intentOutcome(captured));
  } catch (error) {
    if (!(error instanceof GatewayRefused)) throw error;
    const outcome = await find(ask, opened);
    return outcome.state === 'paid' ? outcome : unpaid(error.message, true);
  }
};

/**
 * Returns the payment method for a token that pays several intents: attached to a customer made for the order. Stripe accepts
 * a method without a customer for a single intent only.
 */
const sharedMethod = (ask: StripeCall, opened: OpenedPayment, token: string): Promise<string> =>
  ask('setup', async (stripe) => {
    const { payment_method, status } = await stripe.setupIntents.create(
      {
        ...methodOf(token),
        customer: await customerOf(stripe, opened),
        confirm: true,
        usage: 'on_session',
        automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
      },
      { idempotencyKey: `setup-${orderIdOf(opened.payment_id)}-${hashOf(token)}` },
    );
    if (status !== 'succeeded' || payment_method === null) throw new GatewayRefused(bankAsksForCustomer);
    return idOf(payment_method);
  });

/** Returns the customer of the order, created once by idempotency key. */
const customerOf = async (stripe: StripeClient, { payment_id }: Due): Promise<string> => {
  const order_id = String(orderIdOf(payment_id));
  const { id } = await stripe.customers.create(
    { metadata: { order_id } },
    { idempotencyKey: `customer-${order_id}` },
  );
  return id;
};

const charge = async (ask: StripeCall, opened: OpenedPayment, token: string): Promise<Outcome> => {
  /** Cancels the intent, unless it was paid after all. */
  const declined = async (reason: string): Promise<Outcome> => {
    // An intent that is captured later stays open until its order is released: another confirm may be using it.
    const outcome = await (opened.captured_later ? find(ask, opened) : close(ask, opened));
    return outcome.state === 'unpaid' ? unpaid(reason, true) : outcome;
  };
  try {
    const idempotencyKey = `confirm-${opened.payment_id}-${hashOf(token)}`;
    const method = opened.shares_token
      ? { payment_method: await sharedMethod(ask, opened, token) }
      : methodOf(token);
    const confirmed = await ask('confirm', (stripe) =>
      stripe.paymentIntents.confirm(opened.reference, method, { idempotencyKey }),
    );
    if (confirmed.status === 'requires_action') return await declined(bankAsksForCustomer);
    const outcome = intentOutcome(confirmed);
    if (outcome.state === 'unpaid' && !outcome.final) throw new GatewayUnavailable('still processing');
    return outcome;
  } catch (error) {
    if (error instanceof GatewayRefused) return declined(error.message);
    throw error;
  }
};

/** Stripe keeps idempotency keys for about a day, so existing refunds are looked up first. */
const refund = (ask: StripeCall, due: DueRefund, stage: string): Promise<void> =>
  ask('refund', async (stripe) => {
    const payment_intent = due.transaction_id;
    const before = await stripe.refunds.list({ payment_intent, limit: 100 });
    const known = before.data.find(({ metadata }) => metadata?.['refund_id'] === due.refund_id);
    const metadata = { ...metadataOf(stage, due), refund_id: due.refund_id };
    requireMade(
      known ??
        (await stripe.refunds.create(
          { payment_intent, amount: unitsOf(due), metadata },
          { idempotencyKey: `refund-${due.payment_id}-${due.refund_id}` },
        )),
    );
  });

/** A refund that has failed, to a closed card for instance, is not repeated: a person sends the money another way. */
const requireMade = (refund: StripeClient.Refund): void => {
  if (hasRefundFailed(refund)) throw new RefundOutcomeUnknown(`the refund is ${refund.status ?? ''}`);
};

/** Returns the Stripe gateway (D47): Checkout Sessions for the page, PaymentIntents for tokens. */
export const createStripe = (settings: StripeSettings): PaymentGateway => {
  const client = clientOf(settings);
  const ask = stripeCaller(client);
  return {
    provider: 'stripe',
    notifiesBy: 'POST',
    refusal: () => undefined,
    openSession: (due) => ask('session', (stripe) => openSession(stripe, due, settings)),
    openCharge: (due) => ask('intent', (stripe) => openIntent(stripe, due, settings)),
    charge: (opened, token) => charge(ask, opened, token),
    capture: (opened) => capture(ask, opened),
    find: (opened) => find(ask, opened),
    close: (opened) => close(ask, opened),
    refund: (due) => refund(ask, due, settings.stage),
    readNotification: async (request, now) => {
      const { stripe_webhook_secrets } = await settings.secrets.read();
      const event = signedEvent(await client(), request, stripe_webhook_secrets, now);
      return notificationOf(event, settings.stage);
    },
  };
};

const openSession = async (
  stripe: StripeClient,
  due: DueSession,
  { stage, returnUrl }: Pick<StripeSettings, 'stage' | 'returnUrl'>,
): Promise<{ reference: string; url: string }> => {
  const metadata = metadataOf(stage, due);
  const expires_at = expiresAt(due);
  const session = await stripe.checkout.sessions.create(
    {
      mode: 'payment',
      client_reference_id: metadata.payment_id,
      metadata,
      payment_intent_data: {
        metadata,
        ...(due.captured_later ? { capture_method: 'manual' as const } : {}),
      },
      expires_at,
      success_url: returnUrl,
      cancel_url: returnUrl,
      line_items: [
        {
          quantity: 1,
          price_data: {
            currency: due.currency.toLowerCase(),
            unit_amount: unitsOf(due),
            product_data: { name: `Booking ${due.payment_id}` },
          },
        },
      ],
    },
    // Two runs may open the same attempt for different stays; a key with other parameters is refused.
    { idempotencyKey: `session-${due.payment_id}-${due.attempt}-${unitsOf(due)}-${expires_at}` },
  );
  if (!session.url) throw new GatewayUnavailable('a session without an address');
  return { reference: session.id, url: session.url };
};

const openIntent = async (
  stripe: StripeClient,
  due: DueCharge,
  { stage }: Pick<StripeSettings, 'stage'>,
): Promise<{ reference: string }> => {
  const { id } = await stripe.paymentIntents.create(
    {
      amount: unitsOf(due),
      currency: due.currency.toLowerCase(),
      metadata: metadataOf(stage, due),
      automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
      ...(due.captured_later ? { capture_method: 'manual' as const } : {}),
      ...(due.shares_token ? { customer: await customerOf(stripe, due) } : {}),
    },
    { idempotencyKey: `intent-${due.payment_id}` },
  );
  return { reference: id };
};

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

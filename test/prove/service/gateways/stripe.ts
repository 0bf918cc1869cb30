import { createHmac } from 'node:crypto';
import 'stripe';
import { fixedSecret } from '../../../../shared/platform/secrets/index.ts';
import { createStripe } from '../../../../shared/platform/payment/stripe.ts';
import type { PaymentGateway } from '../../../../shared/platform/payment/index.ts';
import type { Bank, Charge, Network, Report, SimulatedGateway } from '../bank.ts';
import { type Form, intentObject, intentOf, refundObject, sessionObject } from './stripe-objects.ts';

const webhookSecret = 'whsec_of_the_simulated_account';

type Answer = [status: number, body: object];
interface Call {
  method: string;
  path: string;
  form: Form;
  key: string | undefined;
}

const refusal = (type: string, message: string): Answer => [
  type === 'card_error' ? 402 : 400,
  { error: { type, message } },
];
const unexpected = ({ reference, state }: Charge): Answer =>
  refusal('invalid_request_error', `${reference} is ${state}`);

/**
 * Stripe's API as the adapter calls it: Checkout Sessions, PaymentIntents, SetupIntents, customers and refunds with
 * idempotency keys; signed events.
 */
export class StripeGateway implements SimulatedGateway {
  readonly takesTokens = true;
  readonly #bank: Bank;
  /** First answers by idempotency key, with the request that they belong to. */
  readonly #kept = new Map<string, { request: string; answer: Answer }>();
  readonly #processed = new Set<string>();
  #ids = 0;

  constructor(bank: Bank) {
    this.#bank = bank;
  }

  client(network: Network): PaymentGateway {
    return createStripe({
      stage: 'test',
      secrets: fixedSecret({
        stripe_secret_key: 'sk_of_the_simulated_account',
        stripe_webhook_secrets: [webhookSecret],
      }),
      returnUrl: 'https://stay.example.com/paid',
      fetch: async (input, init) => {
        const url = new URL(input);
        const form = Object.fromEntries(
          new URLSearchParams(typeof init?.body === 'string' ? init.body : url.search),
        );
        const key = new Headers(init?.headers).get('Idempotency-Key') ?? undefined;
        const call = { method: init?.method ?? 'GET', path: url.pathname.slice('/v1/'.length), form, key };
        const [status, body] = await network(call.path, () => this.#answer(call));
        return new Response(JSON.stringify(body), {
          status,
          headers: { 'Content-Type': 'application/json' },
        });
      },
    });
  }

  visit(url: string): Charge | undefined {
    return this.#bank.find(new URL(url).pathname.split('/').at(-1) ?? '');
  }

  /** The customer may try another card on the same page. */
  decline({ reference }: Charge): void {
    this.#bank.sim.note(`bank ${reference}: a card is declined`);
  }

  reports(charge: Charge): (() => Report)[] {
    const isPage = charge.kind === 'page';
    if (charge.state === 'processing') {
      this.#processed.add(charge.reference);
      return [this.#event('checkout.session.completed', sessionObject(charge))];
    }
    if (charge.state === 'authorised')
      return charge.isHold ? [this.#event('checkout.session.completed', sessionObject(charge))] : [];
    if (charge.state === 'paid') {
      const type = this.#processed.has(charge.reference)
        ? 'checkout.session.async_payment_succeeded'
        : 'checkout.session.completed';
      const page = isPage && !charge.isHold ? [this.#event(type, sessionObject(charge))] : [];
      const intent = intentObject(charge);
      return [...page, this.#event('payment_intent.succeeded', intent), this.#event('charge.succeeded', {})];
    }
    return isPage && charge.state === 'declined'
      ? [this.#event('checkout.session.async_payment_failed', sessionObject(charge))]
      : [];
  }

  isTaken({ status }: { status: number }): boolean {
    return status < 300;
  }

  #event(type: string, object: object): () => Report {
    const body = JSON.stringify({ id: `evt_${++this.#ids}`, object: 'event', type, data: { object } });
    return () => {
      const time = Math.floor(this.#bank.sim.now() / 1000);
      const signature = createHmac('sha256', webhookSecret).update(`${time}.${body}`).digest('hex');
      return {
        method: 'POST',
        url: '/api/v1/payments/webhook/stripe',
        headers: { 'Content-Type': 'application/json', 'Stripe-Signature': `t=${time},v1=${signature}` },
        body,
      };
    };
  }

  /** A key is answered as it was first; with another request it is refused. */
  #answer(call: Call): Answer {
    const { weather } = this.#bank;
    if (weather.happens('Stripe answers 429', 0.005))
      return [429, { error: { type: 'rate_limit_error', message: 'slow down' } }];
    const request = `${call.path} ${JSON.stringify(call.form)}`;
    const kept = call.method === 'POST' && call.key !== undefined ? this.#kept.get(call.key) : undefined;
    if (kept && kept.request !== request)
      return refusal('idempotency_error', `${call.key} was used with other parameters`);
    const answer = kept?.answer ?? this.#route(call);
    if (call.key !== undefined) this.#kept.set(call.key, { request, answer });
    return weather.happens('Stripe answers 500', 0.005)
      ? [500, { error: { type: 'api_error', message: 'unknown' } }]
      : answer;
  }

  #route({ method, path, form, key }: Call): Answer {
    const [resource = '', id = '', action = ''] = path.replace(/^checkout\//, '').split('/');
    if (resource === 'customers') return [200, { id: `cus_${key}` }];
    if (resource === 'setup_intents') return this.#setUp(form);
    if (resource === 'refunds') return method === 'GET' ? this.#listRefunds(form) : this.#refund(form);
    if (id === '') return resource === 'sessions' ? this.#openSession(form) : this.#openIntent(form);
    const charge = this.#bank.find(id) ?? this.#bank.byTransaction(id);
    if (!charge) return [404, { error: { type: 'invalid_request_error', message: `no such ${id}` } }];
    if (resource === 'sessions') return this.#session(charge, action, form);
    return this.#intent(charge, action, form);
  }

  #openSession(form: Form): Answer {
    const reference = `cs_${++this.#ids}`;
    const charge = this.#bank.open({
      reference,
      transaction_id: intentOf(reference),
      payment_id: Number(form['metadata[payment_id]']),
      kind: 'page',
      amount: Number(form['line_items[0][price_data][unit_amount]']),
      currency: 'VND',
      ends_at: Number(form['expires_at']) * 1000,
      isHold: form['payment_intent_data[capture_method]'] === 'manual',
    });
    return [200, { ...this.#sessionOf(charge), url: `https://checkout.stripe.com/c/pay/${reference}` }];
  }

  #openIntent(form: Form): Answer {
    const reference = `pi_${++this.#ids}`;
    const charge = this.#bank.open({
      reference,
      transaction_id: reference,
      payment_id: Number(form['metadata[payment_id]']),
      kind: form['capture_method'] === 'manual' ? 'authorisation' : 'token',
      amount: Number(form['amount']),
      currency: 'VND',
      ends_at: Infinity,
    });
    return [200, intentObject(charge)];
  }

  #session(charge: Charge, action: string, form: Form): Answer {
    if (action === 'expire') {
      if (!this.#bank.isOpen(charge)) return unexpected(charge);
      this.#bank.turn(charge, 'closed');
    }
    this.#bank.asked(charge);
    const session = this.#sessionOf(charge);
    return [200, form['expand[0]'] ? { ...session, payment_intent: intentObject(charge) } : session];
  }

  #sessionOf(charge: Charge): object {
    const isOver = charge.state === 'open' && !this.#bank.isOpen(charge);
    return { ...sessionObject(charge), ...(isOver ? { status: 'expired' } : {}) };
  }

  #intent(charge: Charge, action: string, form: Form): Answer {
    const { state } = charge;
    if (action === 'confirm') return state === 'open' ? this.#confirm(charge, form) : unexpected(charge);
    if (action === 'capture') {
      if (state !== 'authorised') return unexpected(charge);
      const part = form['amount_to_capture'];
      this.#bank.capture(charge, part === undefined ? charge.amount : Number(part));
      if (charge.isUncapturable) return refusal('card_error', 'The authorisation is void.');
    }
    if (action === 'cancel') {
      if (state !== 'open' && state !== 'authorised') return unexpected(charge);
      this.#bank.turn(charge, 'closed');
    }
    return [200, intentObject(charge)];
  }

  #confirm(charge: Charge, form: Form): Answer {
    const token = form['payment_method_data[card][token]'] ?? form['payment_method']?.slice('pm_'.length);
    return this.#bank.payByToken(charge, token ?? '') === 'declined'
      ? refusal('card_error', 'Your card was declined.')
      : [200, intentObject(charge)];
  }

  #setUp(form: Form): Answer {
    const token = form['payment_method_data[card][token]'] ?? '';
    return token === 'tok_declined'
      ? refusal('card_error', 'Your card was declined.')
      : [200, { id: `seti_${++this.#ids}`, status: 'succeeded', payment_method: `pm_${token}` }];
  }

  #listRefunds({ payment_intent = '' }: Form): Answer {
    const refunds = this.#bank.byTransaction(payment_intent)?.refunds ?? new Map<string, number>();
    return [200, { object: 'list', has_more: false, data: [...refunds].map(refundObject) }];
  }

  #refund(form: Form): Answer {
    const charge = this.#bank.byTransaction(form['payment_intent'] ?? '');
    const id = form['metadata[refund_id]'] ?? '';
    const amount = Number(form['amount']);
    this.#bank.refund(charge, charge?.refunds.has(id) ? `${id} again` : id, amount);
    return [200, refundObject([id, amount])];
  }
}

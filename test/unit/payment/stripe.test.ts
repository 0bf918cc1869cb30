import { Stripe } from 'stripe';
import { beforeEach, describe, expect, it } from 'vitest';
import { GatewayUnavailable, RefundOutcomeUnknown } from '../../../shared/platform/payment/index.ts';
import { createStripe } from '../../../shared/platform/payment/stripe.ts';

const payment_id = 369_435_906_932_736;
const now = Date.parse('2027-01-15T03:00:00.000Z');
const due = { payment_id, amount: 5_650_000, currency: 'VND' };
const webhookSecret = 'whsec_of_this_test';

interface Sent {
  method: string;
  path: string;
  form: Record<string, string>;
  key: string | undefined;
  bearer?: string | undefined;
}
type Reply = [status: number, body: object] | Error;

let sent: Sent[];
let replies: Reply[];
beforeEach(() => {
  sent = [];
  replies = [];
});

/** In the place of the network: what was sent, and the answers in their order. */
const wire: typeof fetch = async (input, init) => {
  const url = new URL(typeof input === 'string' ? input : (input as URL).toString());
  const headers = new Headers(init?.headers);
  sent.push({
    method: init?.method ?? 'GET',
    path: url.pathname,
    form: Object.fromEntries(new URLSearchParams(typeof init?.body === 'string' ? init.body : url.search)),
    key: headers.get('Idempotency-Key') ?? undefined,
    bearer: headers.get('Authorization') ?? undefined,
  });
  const reply = replies.shift();
  if (!reply) throw new Error('nothing more was expected');
  if (reply instanceof Error) throw reply;
  return new Response(JSON.stringify(reply[1]), {
    status: reply[0],
    headers: { 'Content-Type': 'application/json', 'Stripe-Should-Retry': 'false' },
  });
};

const stripe_webhook_secrets = [webhookSecret];
const secrets = { stripe_secret_key: 'sk_test_x', stripe_webhook_secrets };
const gateway = createStripe({
  stage: 'test',
  secrets: { read: () => Promise.resolve({ ...secrets }) },
  returnUrl: 'https://stay.example.com/paid',
  fetch: wire,
});
const opened = { ...due, reference: 'pi_1', opened_at: now, now };
const intent = (status: string, given: object = {}) => ({
  id: 'pi_1',
  object: 'payment_intent',
  status,
  amount_received: 5_650_000,
  currency: 'vnd',
  last_payment_error: null,
  ...given,
});
const declined: Reply = [
  402,
  { error: { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' } },
];

it('calls Stripe with the rotated key, without being made again', async () => {
  const bearers = async () => {
    replies.push([200, intent('succeeded')]);
    await gateway.find(opened);
    return sent.at(-1)?.bearer;
  };
  expect(await bearers()).toBe('Bearer sk_test_x');
  secrets.stripe_secret_key = 'sk_test_y';
  expect(await bearers()).toBe('Bearer sk_test_y');
});

describe('a page at Stripe', () => {
  it('is a Checkout Session in minor units that ends with the window', async () => {
    replies.push([200, { id: 'cs_1', url: 'https://checkout.stripe.com/c/pay/cs_1' }]);
    const session = { ...due, attempt: 1, ends_at: now + 5 * 3_600_000, now };
    expect(await gateway.openSession(session)).toEqual({
      reference: 'cs_1',
      url: 'https://checkout.stripe.com/c/pay/cs_1',
    });
    expect(sent[0]).toMatchObject({
      method: 'POST',
      path: '/v1/checkout/sessions',
      form: {
        mode: 'payment',
        expires_at: String((now + 5 * 3_600_000) / 1000),
        'line_items[0][price_data][unit_amount]': '5650000',
        'line_items[0][price_data][currency]': 'vnd',
        'metadata[payment_id]': String(payment_id),
        'metadata[stage]': 'test',
        'payment_intent_data[metadata][payment_id]': String(payment_id),
        'payment_intent_data[metadata][stage]': 'test',
      },
    });
    expect(sent[0]?.key).toContain(`session-${payment_id}-1`);
  });

  it.each([
    ['USD', 12.34, '1234'],
    ['JPY', 500, '500'],
    ['KWD', 1.25, '1250'],
    ['UGX', 500, '50000'],
    ['MGA', 500, '500'],
  ])('counts %s as Stripe does', async (currency, amount, units) => {
    replies.push([200, { id: 'pi_1' }]);
    await gateway.openCharge({ payment_id, amount, currency });
    expect(sent[0]?.form).toMatchObject({ amount: units, currency: currency.toLowerCase() });
  });

  it('has another key for another amount: the same attempt may be opened for fewer stays', async () => {
    replies.push([200, { id: 'cs_1', url: 'u' }], [200, { id: 'cs_2', url: 'u' }]);
    const session = { ...due, attempt: 2, ends_at: now + 5 * 3_600_000, now };
    await gateway.openSession(session);
    await gateway.openSession({ ...session, amount: due.amount / 2 });
    expect(sent[0]?.key).not.toBe(sent[1]?.key);
  });

  it('lives 30 minutes to 24 hours, whatever the window', async () => {
    replies.push([200, { id: 'cs_1', url: 'u' }], [200, { id: 'cs_2', url: 'u' }]);
    await gateway.openSession({ ...due, attempt: 1, ends_at: now, now });
    await gateway.openSession({ ...due, attempt: 2, ends_at: now + 24 * 3_600_000, now });
    const seconds = sent.map(({ form }) => Number(form['expires_at']) - now / 1000);
    expect(seconds).toEqual([1830, 86_370]);
  });
});

describe('a charge at Stripe', () => {
  it('is announced, then made, each with a key that makes it once', async () => {
    replies.push([200, intent('requires_payment_method')], [200, intent('succeeded')]);
    expect(await gateway.openCharge(due)).toEqual({ reference: 'pi_1' });
    expect(await gateway.charge(opened, 'pm_card_visa')).toEqual({
      state: 'paid',
      transaction_id: 'pi_1',
      amount: 5_650_000,
      currency: 'VND',
    });
    expect(sent.map(({ path, key }) => [path, key])).toEqual([
      ['/v1/payment_intents', `intent-${payment_id}`],
      ['/v1/payment_intents/pi_1/confirm', expect.stringContaining(`confirm-${payment_id}-`)],
    ]);
    expect(sent[1]?.form).toMatchObject({ payment_method: 'pm_card_visa' });
  });

  it.each([
    ['tok_visa', { 'payment_method_data[type]': 'card', 'payment_method_data[card][token]': 'tok_visa' }],
    ['ctoken_1', { confirmation_token: 'ctoken_1' }],
  ])('takes %s', async (token, form) => {
    replies.push([200, intent('succeeded')]);
    await gateway.charge(opened, token);
    expect(sent[0]?.form).toMatchObject(form);
  });

  it('that is declined ends the intent: nothing can come of it any more', async () => {
    replies.push(declined, [200, intent('canceled')]);
    expect(await gateway.charge(opened, 'pm_x')).toEqual({
      state: 'unpaid',
      final: true,
      reason: 'Your card was declined.',
    });
    expect(sent[1]?.path).toBe('/v1/payment_intents/pi_1/cancel');
  });

  it('whose bank asks for the customer is declined, with the way that works', async () => {
    replies.push([200, intent('requires_action')], [200, intent('canceled')]);
    expect(await gateway.charge(opened, 'pm_x')).toMatchObject({
      final: true,
      reason: expect.stringContaining('payment_url') as string,
    });
  });

  it('that was made before after all is paid, not declined', async () => {
    const already: Reply = [400, { error: { type: 'invalid_request_error', message: 'already succeeded' } }];
    replies.push(already, already, [200, intent('succeeded')]);
    expect(await gateway.charge(opened, 'pm_x')).toMatchObject({ state: 'paid', transaction_id: 'pi_1' });
  });

  it('without an answer leaves the outcome unknown', async () => {
    replies.push(new Error('reset'), new Error('reset'));
    await expect(gateway.charge(opened, 'pm_x')).rejects.toThrow('did not answer');
    replies.push([200, intent('processing')]);
    await expect(gateway.charge(opened, 'pm_x')).rejects.toThrow('processing');
    replies.push([429, { error: { type: 'rate_limit_error', message: 'slow down' } }]);
    await expect(gateway.find(opened)).rejects.toThrow('did not answer');
  });
});

describe('an authorisation at Stripe', () => {
  const later = { captured_later: true as const };

  it('is an intent with manual capture, confirmed like a charge and not paid by it', async () => {
    replies.push([200, intent('requires_payment_method')], [200, intent('requires_capture')]);
    await gateway.openCharge({ ...due, ...later });
    expect(await gateway.charge({ ...opened, ...later }, 'pm_1')).toEqual({ state: 'authorised' });
    expect(sent[0]?.form).toMatchObject({
      ...{ capture_method: 'manual', amount: '5650000' },
      ...{ 'metadata[payment_id]': String(payment_id), 'metadata[stage]': 'test' },
    });
    expect(sent[0]?.form).not.toHaveProperty('customer');
    expect(sent[1]).toMatchObject({
      path: '/v1/payment_intents/pi_1/confirm',
      form: { payment_method: 'pm_1' },
    });
    replies.push([200, intent('requires_capture')]);
    expect(await gateway.find(opened)).toEqual({ state: 'authorised' });
  });

  it('that is declined is left open: it is closed when its order is released', async () => {
    replies.push(declined, [200, intent('requires_payment_method')]);
    expect(await gateway.charge({ ...opened, ...later }, 'pm_1')).toMatchObject({
      state: 'unpaid',
      final: true,
      reason: 'Your card was declined.',
    });
    expect(sent.map(({ method, path }) => [method, path])[1]).toEqual(['GET', '/v1/payment_intents/pi_1']);
  });

  it('that another try has made is not declined by this one', async () => {
    replies.push(
      [400, { error: { type: 'invalid_request_error', message: 'already authorised' } }],
      [200, intent('requires_capture')],
    );
    expect(await gateway.charge({ ...opened, ...later }, 'pm_1')).toEqual({ state: 'authorised' });
  });

  it('is captured once', async () => {
    replies.push([200, intent('succeeded')]);
    expect(await gateway.capture(opened)).toEqual({
      state: 'paid',
      transaction_id: 'pi_1',
      amount: 5_650_000,
      currency: 'VND',
    });
    expect(sent[0]).toMatchObject({
      path: '/v1/payment_intents/pi_1/capture',
      key: `capture-${payment_id}`,
    });
    replies.push(
      [400, { error: { type: 'invalid_request_error', message: 'already captured' } }],
      [200, intent('succeeded')],
    );
    expect(await gateway.capture(opened)).toMatchObject({ state: 'paid' });
  });

  it('is made on a page, and captured in part by its intent', async () => {
    const session = { id: 'cs_1', url: 'https://checkout.stripe.com/c/pay/cs_1' };
    replies.push([200, session]);
    await gateway.openSession({ ...due, ...later, attempt: 1, ends_at: now + 5 * 3_600_000, now });
    expect(sent[0]?.form).toMatchObject({ 'payment_intent_data[capture_method]': 'manual' });
    const held = (status: string) =>
      [
        200,
        {
          ...{ id: 'cs_1', status: 'complete', payment_status: 'unpaid', amount_total: 5_650_000 },
          payment_intent: intent(status, { capture_method: 'manual', amount_received: 200_000 }),
        },
      ] as Reply;
    const page = { ...opened, reference: 'cs_1' };
    replies.push(held('requires_capture'));
    expect(await gateway.find(page)).toEqual({ state: 'authorised' });
    replies.push([200, { payment_intent: 'pi_1' }], [200, intent('succeeded', { amount_received: 200_000 })]);
    expect(await gateway.capture({ ...page, captures: 200_000 })).toMatchObject({
      state: 'paid',
      amount: 200_000,
    });
    expect(sent.at(-1)).toMatchObject({
      path: '/v1/payment_intents/pi_1/capture',
      form: { amount_to_capture: '200000' },
    });
    replies.push(held('succeeded'));
    expect(await gateway.find(page)).toMatchObject({ state: 'paid', amount: 200_000 });
    replies.push(held('canceled'));
    expect(await gateway.find(page)).toMatchObject({ state: 'unpaid', final: true });
  });

  it('that was made on a page is voided by its intent', async () => {
    replies.push(
      [400, { error: { type: 'invalid_request_error', message: 'it is complete' } }],
      [
        200,
        {
          id: 'cs_1',
          status: 'complete',
          payment_intent: intent('requires_capture', { capture_method: 'manual' }),
        },
      ],
      [200, { payment_intent: 'pi_1' }],
      [200, intent('canceled')],
    );
    expect(await gateway.close({ ...opened, reference: 'cs_1' })).toMatchObject({
      state: 'unpaid',
      final: true,
    });
    expect(sent.at(-1)?.path).toBe('/v1/payment_intents/pi_1/cancel');
  });

  it.each(['canceled', 'requires_capture'])('that cannot be captured (%s) says why', async (status) => {
    replies.push(
      [400, { error: { type: 'invalid_request_error', message: 'it has expired' } }],
      [200, intent(status)],
    );
    expect(await gateway.capture(opened)).toEqual({
      state: 'unpaid',
      final: true,
      reason: 'it has expired',
    });
  });

  it('without an answer to its capture leaves the outcome unknown', async () => {
    replies.push(new Error('reset'), new Error('reset'));
    await expect(gateway.capture(opened)).rejects.toThrow('did not answer');
  });

  it('is void by cancelling the intent; one that was captured meanwhile is paid', async () => {
    replies.push([200, intent('canceled')]);
    expect(await gateway.close(opened)).toMatchObject({ state: 'unpaid', final: true });
    expect(sent[0]?.path).toBe('/v1/payment_intents/pi_1/cancel');
    const already: Reply = [400, { error: { type: 'invalid_request_error', message: 'captured' } }];
    replies.push(already, [200, intent('succeeded')]);
    expect(await gateway.close(opened)).toMatchObject({ state: 'paid' });
    replies.push(already, [200, intent('requires_capture')]);
    await expect(gateway.close(opened)).rejects.toThrow('still authorised');
  });
});

describe('several payments by one token at Stripe', () => {
  const shared = { shares_token: true as const };
  const customer: Reply = [200, { id: 'cus_1' }];

  it.each([
    ['pm_1', { payment_method: 'pm_1' }],
    ['tok_visa', { 'payment_method_data[type]': 'card', 'payment_method_data[card][token]': 'tok_visa' }],
    ['ctoken_1', { confirmation_token: 'ctoken_1' }],
  ])('keep %s with a customer of the order, once, and use that', async (token, form) => {
    replies.push(customer, [200, intent('requires_payment_method')]);
    await gateway.openCharge({ ...due, ...shared });
    expect(sent[0]).toMatchObject({ path: '/v1/customers', key: `customer-${payment_id}` });
    expect(sent[1]?.form).toMatchObject({ customer: 'cus_1' });
    sent = [];
    const setUp: Reply = [200, { id: 'seti_1', status: 'succeeded', payment_method: 'pm_kept' }];
    for (const id of [payment_id, payment_id + 1]) {
      replies.push(customer, setUp, [200, intent('succeeded')]);
      expect(await gateway.charge({ ...opened, payment_id: id, ...shared }, token)).toMatchObject({
        state: 'paid',
      });
    }
    const paths = ['/v1/customers', '/v1/setup_intents', '/v1/payment_intents/pi_1/confirm'];
    expect(sent.map(({ path }) => path)).toEqual([...paths, ...paths]);
    expect(sent[1]?.form).toMatchObject({ ...form, customer: 'cus_1', confirm: 'true', usage: 'on_session' });
    expect(sent[2]?.form).toEqual({ payment_method: 'pm_kept' });
    expect([sent[0]?.key, sent[1]?.key]).toEqual([sent[3]?.key, sent[4]?.key]);
  });

  it('are declined where the token cannot be kept', async () => {
    for (const answer of [declined, [200, { id: 'seti_1', status: 'requires_action' }] as Reply]) {
      replies.push(customer, answer, [200, intent('canceled')]);
      expect(await gateway.charge({ ...opened, ...shared }, 'pm_1')).toMatchObject({
        state: 'unpaid',
        final: true,
      });
    }
  });
});

describe('what Stripe is asked', () => {
  const session = (given: object) => ({
    id: 'cs_1',
    object: 'checkout.session',
    currency: 'vnd',
    amount_total: 5_650_000,
    ...given,
  });
  const page = { ...opened, reference: 'cs_1' };

  it('is how a page or a charge stands', async () => {
    replies.push(
      [200, session({ payment_status: 'paid', status: 'complete', payment_intent: 'pi_1' })],
      [200, session({ payment_status: 'unpaid', status: 'open', payment_intent: null })],
      [200, intent('requires_payment_method')],
    );
    expect(await gateway.find(page)).toMatchObject({ state: 'paid', transaction_id: 'pi_1' });
    expect(await gateway.find(page)).toMatchObject({ state: 'unpaid', final: false });
    expect(await gateway.find(opened)).toMatchObject({ state: 'unpaid', final: false });
  });

  it('is to close a page; one that was paid meanwhile says so', async () => {
    replies.push([200, session({ payment_status: 'unpaid', status: 'expired', payment_intent: null })]);
    expect(await gateway.close(page)).toMatchObject({ state: 'unpaid', final: true });
    replies.push(
      [400, { error: { type: 'invalid_request_error', message: 'not open' } }],
      [200, session({ payment_status: 'paid', status: 'complete', payment_intent: 'pi_1' })],
    );
    expect(await gateway.close(page)).toMatchObject({ state: 'paid' });
  });

  it('is not closed while a bank debit is being settled: it may be paid yet', async () => {
    replies.push(
      [400, { error: { type: 'invalid_request_error', message: 'not open' } }],
      [200, session({ payment_status: 'unpaid', status: 'complete', payment_intent: 'pi_1' })],
    );
    await expect(gateway.close(page)).rejects.toThrow(GatewayUnavailable);
  });

  it.each(['requires_payment_method', 'canceled'])(
    'is closed when the debit of a completed page has failed: its intent is %s',
    async (status) => {
      const failed = session({
        payment_status: 'unpaid',
        status: 'complete',
        payment_intent: intent(status),
      });
      replies.push(
        [200, failed],
        [400, { error: { type: 'invalid_request_error', message: 'not open' } }],
        [200, failed],
      );
      expect(await gateway.find(page)).toMatchObject({ state: 'unpaid', final: true });
      expect(await gateway.close(page)).toMatchObject({ state: 'unpaid', final: true });
      expect(sent[0]?.form).toEqual({ 'expand[0]': 'payment_intent' });
      const open = session({ payment_status: 'unpaid', status: 'open', payment_intent: intent(status) });
      replies.push([200, open]);
      expect(await gateway.find(page)).toMatchObject({ state: 'unpaid', final: false });
    },
  );

  it('is a refund, once for each refund_id, also after its keys are forgotten', async () => {
    const refund = {
      ...due,
      refund_id: 'cancel-1',
      transaction_id: 'pi_1',
      reference: 'cs_1',
      is_only: true,
      paid: 5_650_000,
      opened_at: now,
      now,
    };
    replies.push([200, { object: 'list', data: [] }], [200, { id: 're_1' }]);
    await gateway.refund({ ...refund, amount: 1_000_000 });
    expect(sent[1]).toMatchObject({
      path: '/v1/refunds',
      form: {
        ...{ payment_intent: 'pi_1', amount: '1000000' },
        ...{ 'metadata[refund_id]': 'cancel-1', 'metadata[stage]': 'test' },
      },
      key: `refund-${payment_id}-cancel-1`,
    });
    replies.push([200, { object: 'list', data: [{ metadata: { refund_id: 'cancel-1' } }] }]);
    await gateway.refund(refund);
    expect(sent).toHaveLength(3);
  });

  it.each(['failed', 'canceled', 'requires_action'])(
    'is a refund that is %s, which a person checks',
    async (status) => {
      const refund = {
        ...{ ...due, refund_id: 'cancel-1', transaction_id: 'pi_1', reference: 'cs_1' },
        ...{ is_only: true, paid: 5_650_000, opened_at: now, now },
      };
      const made = { id: 're_1', status, metadata: { refund_id: 'cancel-1' } };
      replies.push([200, { object: 'list', data: [] }], [200, made]);
      await expect(gateway.refund(refund)).rejects.toThrow(RefundOutcomeUnknown);
      replies.push([200, { object: 'list', data: [made] }]);
      await expect(gateway.refund(refund)).rejects.toThrow(RefundOutcomeUnknown);
      expect(sent).toHaveLength(3);
    },
  );
});

describe('what Stripe reports', () => {
  const { webhooks } = new Stripe('sk_test_x');
  const read = (event: object, given: { secret?: string; timestamp?: number; body?: string } = {}) => {
    const payload = JSON.stringify({ id: 'evt_1', object: 'event', ...event });
    const signature = webhooks.generateTestHeaderString({
      payload,
      secret: given.secret ?? webhookSecret,
      timestamp: given.timestamp ?? now / 1000,
    });
    return gateway.readNotification(
      { body: given.body ?? payload, headers: { 'stripe-signature': signature }, query: {} },
      now,
    );
  };
  const metadata = { payment_id: String(payment_id) };
  const completed = {
    type: 'checkout.session.completed',
    data: {
      object: {
        id: 'cs_1',
        object: 'checkout.session',
        payment_status: 'paid',
        status: 'complete',
        payment_intent: 'pi_1',
        amount_total: 5_650_000,
        currency: 'vnd',
        metadata,
      },
    },
  };

  it('is read when it is signed', async () => {
    expect(await read(completed)).toEqual({
      payment_id,
      reference: 'cs_1',
      outcome: { state: 'paid', transaction_id: 'pi_1', amount: 5_650_000, currency: 'VND' },
    });
    const succeeded = {
      type: 'payment_intent.succeeded',
      data: { object: intent('succeeded', { metadata }) },
    };
    expect(await read(succeeded)).toMatchObject({ reference: 'pi_1', outcome: { transaction_id: 'pi_1' } });
    const failed = { ...completed, type: 'checkout.session.async_payment_failed' };
    expect(await read(failed)).toMatchObject({ outcome: { state: 'unpaid', final: true } });
  });

  it('is a refund that failed after it was made', async () => {
    const failed = { id: 're_1', object: 'refund', status: 'failed', failure_reason: 'lost_or_stolen_card' };
    const of = { ...metadata, refund_id: 'cancel-1' };
    const report = (type: string, given: object) =>
      read({ type, data: { object: { ...failed, metadata: of, ...given } } });
    const read_as = { payment_id, refund_id: 'cancel-1', reason: 'lost_or_stolen_card' };
    expect(await report('refund.failed', {})).toEqual(read_as);
    expect(await report('refund.updated', {})).toEqual(read_as);
    for (const status of ['canceled', 'requires_action'])
      expect(await report('refund.updated', { status, failure_reason: undefined })).toMatchObject({
        reason: status,
      });
    for (const status of ['succeeded', 'pending'])
      expect(await report('refund.updated', { status })).toBeUndefined();
    expect(await report('refund.failed', { metadata })).toBeUndefined();
    expect(await report('refund.failed', { metadata: { ...of, stage: 'production' } })).toBeUndefined();
  });

  it('is of its own stage, or of a version that wrote no stage', async () => {
    const of = (stage: string) =>
      read({
        ...completed,
        data: { object: { ...completed.data.object, metadata: { ...metadata, stage } } },
      });
    expect(await of('test')).toMatchObject({ payment_id });
    expect(await of('production')).toBeUndefined();
  });

  it('is refused with another secret, another body, or an old time', async () => {
    await expect(read(completed, { secret: 'whsec_other' })).rejects.toThrow('signature');
    await expect(read(completed, { body: '{"id":"evt_2"}' })).rejects.toThrow('signature');
    await expect(read(completed, { timestamp: now / 1000 - 301 })).rejects.toThrow('signature');
    await expect(gateway.readNotification({ body: '{}', headers: {}, query: {} }, now)).rejects.toThrow(
      'signature',
    );
  });

  it('is taken with either secret while one is rotated', async () => {
    stripe_webhook_secrets.unshift('whsec_new');
    expect(await read(completed)).toMatchObject({ payment_id });
    expect(await read(completed, { secret: 'whsec_new' })).toMatchObject({ payment_id });
    stripe_webhook_secrets.splice(0, 2, 'whsec_new');
    await expect(read(completed)).rejects.toThrow('signature');
    stripe_webhook_secrets.splice(0, 1, webhookSecret);
  });

  it('is of no concern when it carries no payment of ours', async () => {
    expect(
      await read({ ...completed, data: { object: { ...completed.data.object, metadata: {} } } }),
    ).toBeUndefined();
    expect(await read({ type: 'customer.created', data: { object: {} } })).toBeUndefined();
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import { checkout } from '../../functions/checkout/index.ts';
import { checkoutRoutes } from '../../functions/checkout/routes.ts';
import { payments } from '../../functions/payments/index.ts';
import { paymentsRoutes } from '../../functions/payments/routes.ts';
import { reconcilePayments } from '../../shared/domain/payment/reconcile-payments.ts';
import { GatewayUnavailable, type PaymentGateway } from '../../shared/platform/payment/index.ts';
import { vnpayHash, vnpayText } from '../../shared/platform/payment/vnpay-signature.ts';
import { fixedSecret } from '../../shared/platform/secrets/index.ts';
import { createVnpay } from '../../shared/platform/payment/vnpay.ts';
import { groupCalls } from '../support/group-calls.ts';
import { advanceMinutes, ok, refusal, stay, useOrderScene } from '../support/order-scene.ts';
import { testUser } from '../support/table.ts';

const s = useOrderScene();
beforeEach(() => {
  s.deps.sandbox.fault = undefined;
  s.deps.sandbox.asked.length = 0;
});

const online = (items: object[], given: object = {}) => ({
  items,
  payment_method: 'ONLINE_GATEWAY',
  ...given,
});
const withToken = (items: object[], token = 'tok_ok') => online(items, { payment_gateway_token: token });
const key = (text: string) => ({ 'Idempotency-Key': text });
const charges = () => s.deps.sandbox.asked.filter((path) => path === '/charge').length;
const webhook = (provider = 'sandbox') => `/api/v1/payments/webhook/${provider}`;

describe('a token for a stay that its host accepts by hand', () => {
  const accept = (id: number, text: string) =>
    s.call('POST', `/api/v1/bookings/${id}/confirm`, { token: s.host.token, headers: key(text) });
  const waiting = async (text: string, token = 'tok_ok') => {
    const body = withToken([stay(await s.listing({ instant_book_enabled: false }))], token);
    const booked = ok(await s.confirm(s.guest, body, key(text)), 201);
    expect(booked).toMatchObject({ payment_status: 'PENDING', reservations: [{ status: 'PENDING' }] });
    return { id: booked.reservations[0]!.id };
  };

  it('is authorised and booked once for each key, also after a 502', async () => {
    const body = withToken([stay(await s.listing({ instant_book_enabled: false }))]);
    s.deps.sandbox.fault = (path) => (path === '/charge' ? 'after' : undefined);
    expect(refusal(await s.confirm(s.guest, body, key('hold-1'))).code).toBe('PAYMENT_GATEWAY_UNAVAILABLE');
    s.deps.sandbox.fault = undefined;
    const first = await s.confirm(s.guest, body, key('hold-1'));
    const again = await s.confirm(s.guest, body, key('hold-1'));
    expect([first.status, again.text]).toEqual([201, first.text]);
    expect(charges()).toBe(1);
  });

  it('is charged by the acceptance, 502 first, then 200, and again byte for byte', async () => {
    const { id } = await waiting('hold-2');
    s.deps.sandbox.fault = (path) => (path === '/capture' ? 'after' : undefined);
    expect((await accept(id, 'accept-2')).status).toBe(502);
    s.deps.sandbox.fault = undefined;
    const first = await accept(id, 'accept-2');
    expect(first).toMatchObject({ status: 200, body: { status: 'CONFIRMED', payment_status: 'PAID' } });
    expect((await accept(id, 'accept-2')).text).toBe(first.text);
  });

  it('that the bank does not pay by then: 402, once and again, and the booking is CANCELLED', async () => {
    const { id } = await waiting('hold-3', 'tok_uncapturable');
    for (let time = 0; time < 2; time++)
      expect(await accept(id, 'accept-3')).toMatchObject({ status: 402, body: { code: 'PAYMENT_DECLINED' } });
    expect(ok(await s.booking(s.guest, id))).toMatchObject({ status: 'CANCELLED' });
  });
});

describe('a confirm with a token and an Idempotency-Key', () => {
  it('answers its repetition byte for byte, and charges once', async () => {
    const body = withToken([stay(await s.listing())]);
    const first = await s.confirm(s.guest, body, key('pay-1'));
    const again = await s.confirm(s.guest, body, key('pay-1'));
    expect(ok(first, 201).payment_status).toBe('PAID');
    expect(again.text).toBe(first.text);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(charges()).toBe(1);
  });

  it('continues where a gateway did not answer: 502 first, then the booking, one charge', async () => {
    const body = withToken([stay(await s.listing())]);
    s.deps.sandbox.fault = (path) => (path === '/charge' ? 'after' : undefined);
    expect(refusal(await s.confirm(s.guest, body, key('pay-2'))).code).toBe('PAYMENT_GATEWAY_UNAVAILABLE');
    s.deps.sandbox.fault = undefined;
    const answer = ok(await s.confirm(s.guest, body, key('pay-2')), 201);
    expect(answer.payment_status).toBe('PAID');
    expect(charges()).toBe(1);
    expect((await s.confirm(s.guest, body, key('pay-2'))).headers['idempotent-replayed']).toBe('true');
  });

  it('answers the booking that the schedule has made of it meanwhile', async () => {
    const body = withToken([stay(await s.listing())]);
    s.deps.sandbox.fault = (path) => (path === '/charge' ? 'after' : undefined);
    await s.confirm(s.guest, body, key('pay-3'));
    s.deps.sandbox.fault = undefined;
    advanceMinutes(6);
    await reconcilePayments(s.deps).catch(() => undefined);
    const answer = ok(await s.confirm(s.guest, body, key('pay-3')), 201);
    expect(answer).toMatchObject({
      payment_status: 'PAID',
      payment_transaction_id: expect.any(String) as string,
    });
    expect(charges()).toBe(1);
  });

  it('many times at once is charged and booked once', async () => {
    const body = withToken([stay(await s.listing())]);
    const all = await Promise.all(Array.from({ length: 5 }, () => s.confirm(s.guest, body, key('pay-4'))));
    expect(all.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    expect(new Set(all.map(({ text }) => text)).size).toBe(1);
    const id = ok(all[0]!, 201).master_reservation_id;
    expect(s.deps.sandbox.server.find(id)).toMatchObject({ state: 'paid', refunds: {} });
  });

  it('charges nothing when the key was answered before, also when the time is free again', async () => {
    const body = withToken([stay(await s.listing())]);
    const first = await s.confirm(s.guest, body, key('pay-5'));
    ok(await s.cancel(s.guest, ok(first, 201).master_reservation_id));
    const again = await s.confirm(s.guest, body, key('pay-5'));
    expect(again.text).toBe(first.text);
    expect(charges()).toBe(1);
  });

  it('charges nothing when the key is of another request', async () => {
    const [one, two] = [await s.listing(), await s.listing()];
    ok(await s.confirm(s.guest, { items: [stay(one)], payment_method: 'CASH' }, key('pay-6')), 201);
    const reused = await s.confirm(s.guest, withToken([stay(two)]), key('pay-6'));
    expect(refusal(reused).code).toBe('IDEMPOTENCY_KEY_REUSED');
    s.deps.sandbox.fault = (path) => (path === '/charge' ? 'before' : undefined);
    await s.confirm(s.guest, withToken([stay(two)]), key('pay-7'));
    s.deps.sandbox.fault = undefined;
    const confirmed = await s.confirm(s.guest, withToken([stay(one)]), key('pay-7'));
    expect(refusal(confirmed).code).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(charges()).toBe(1);
  });

  it('keeps a decline', async () => {
    const body = withToken([stay(await s.listing())], 'tok_declined');
    const first = await s.confirm(s.guest, body, key('pay-8'));
    expect(refusal(first).code).toBe('PAYMENT_DECLINED');
    expect((await s.confirm(s.guest, body, key('pay-8'))).headers['idempotent-replayed']).toBe('true');
    expect(charges()).toBe(1);
  });
});

describe('the body of a confirm', () => {
  it('takes a token with ONLINE_GATEWAY alone', async () => {
    const listing = await s.listing();
    const cash = { items: [stay(listing)], payment_method: 'CASH', payment_gateway_token: 'tok_ok' };
    expect(refusal(await s.confirm(s.guest, cash)).paths).toEqual(['payment_gateway_token']);
    expect(refusal(await s.confirm(s.guest, withToken([stay(listing)], ''))).paths).toEqual([
      'payment_gateway_token',
    ]);
    expect(refusal(await s.confirm(s.guest, { ...cash, payment_method: 'CHEQUE' })).paths).toContain(
      'payment_method',
    );
  });

  it('is refused where nothing is to be paid, before the gateway is asked', async () => {
    const free = await s.listing({
      last_minute_hour: 8760,
      last_minute_discount: 100,
      minimum_rate: 0,
      cleaning_fee: 0,
    });
    expect(refusal(await s.confirm(s.guest, online([stay(free)]))).paths).toEqual(['payment_method']);
    expect(s.deps.sandbox.asked).toEqual([]);
  });
});

describe('the history of a booking that was paid online', () => {
  it('names the gateway', async () => {
    const confirmed = ok(await s.confirm(s.guest, withToken([stay(await s.listing())])), 201);
    const path = `/api/v1/bookings/${confirmed.master_reservation_id}/history`;
    const { body } = await s.get<{ items: { event_type: string; who: { kind: string } }[] }>(s.host, path);
    expect(body.items.map(({ event_type, who }) => [event_type, who.kind])).toEqual([
      ['booking.created', 'guest'],
      ['payment.paid', 'payment'],
    ]);
  });
});

describe('POST /payments/webhook/{provider}', () => {
  const reported = async () => {
    const { master_reservation_id: id } = ok(
      await s.confirm(s.guest, online([stay(await s.listing())])),
      201,
    );
    const { server, notificationOf } = s.deps.sandbox;
    server.decide(server.find(id)!, 'success');
    return { id, ...notificationOf(server.find(id)!) };
  };

  it('takes what is signed over the very bytes of the body', async () => {
    const { id, headers, body } = await reported();
    const spaced = await s.call('POST', webhook(), { headers, body: `${body} ` });
    expect(refusal(spaced).code).toBe('UNAUTHORIZED');
    expect(ok(await s.booking(s.guest, id)).payment_status).toBe('PENDING');
    expect(ok(await s.call('POST', webhook(), { headers, body }))).toEqual({ received: true });
    expect(ok(await s.booking(s.guest, id)).payment_status).toBe('PAID');
  });

  it('needs no JSON content type, and reads nothing that is not signed', async () => {
    const { headers, body } = await reported();
    const plain = { ...headers, 'Content-Type': 'text/plain' };
    expect(ok(await s.call('POST', webhook(), { headers: plain, body }))).toEqual({ received: true });
    for (const forged of ['', '{}', 'not json', body])
      expect(refusal(await s.call('POST', webhook(), { body: forged })).code).toBe('UNAUTHORIZED');
  });

  it('knows no other gateway than its own', async () => {
    const { headers, body } = await reported();
    for (const other of ['stripe', 'vnpay', 'paypal'])
      expect(refusal(await s.call('POST', webhook(other), { headers, body })).code).toBe('NOT_FOUND');
    expect(refusal(await s.call('GET', webhook())).code).toBe('NOT_FOUND');
  });
});

describe('GET /payments/webhook/vnpay', () => {
  const secret = 'RAOEXHYVSDDIIENYWSLDIIZTANXUXZFJ';
  const refunds: object[] = [];
  const vnpay: PaymentGateway = createVnpay({
    tmnCode: 'NIGHTL01',
    secrets: fixedSecret({ vnpay_hash_secret: secret }),
    payUrl: 'https://vnpay.example.com/pay',
    apiUrl: 'https://vnpay.example.com/api',
    returnUrl: 'https://stay.example.com/paid',
    ask: async (_, body) => {
      refunds.push(body);
      return { vnp_ResponseCode: '00' };
    },
  });
  const withVnpay = () => ({ ...s.deps, payments: () => vnpay });
  const ipn = async (fields: Record<string, string>, signedBy = secret) => {
    const all = { vnp_ResponseCode: '00', vnp_TransactionStatus: '00', vnp_TransactionNo: '142', ...fields };
    const { ok: callOk } = groupCalls(payments(withVnpay), paymentsRoutes);
    const query = { ...all, vnp_SecureHash: vnpayHash(signedBy, vnpayText(all)) };
    return (await callOk(undefined, 'handlePaymentIpn', { params: { provider: 'vnpay' }, query })).RspCode;
  };
  const booked = async () => {
    const { caller } = await testUser(s.deps);
    const { ok: callOk } = groupCalls(checkout(withVnpay), checkoutRoutes);
    const body = online([stay(await s.listing())]);
    const confirmed = await callOk(caller, 'confirmCheckout', { body });
    return {
      token: caller.subject,
      id: confirmed.master_reservation_id,
      url: confirmed.payment_url ?? '',
      vnp_Amount: String(confirmed.estimated_total * 100),
    };
  };

  it('takes a payment once: 00, then 02', async () => {
    const { id, url, vnp_Amount, token } = await booked();
    expect(url).toContain(`vnp_TxnRef=${id}-1&`);
    expect(url).toContain(`vnp_Amount=${vnp_Amount}&`);
    const good = { vnp_TxnRef: `${id}-1`, vnp_Amount };
    expect(await ipn(good)).toBe('00');
    expect(await ipn(good)).toBe('02');
    expect(ok(await s.booking({ token }, id))).toMatchObject({
      payment_status: 'PAID',
      payment_transaction_id: '142',
    });
  });

  it('answers 97 to a wrong signature, 04 to a wrong amount, 01 to what it does not know', async () => {
    const { id, vnp_Amount, token } = await booked();
    const good = { vnp_TxnRef: `${id}-1`, vnp_Amount };
    expect(await ipn(good, 'other')).toBe('97');
    expect(await ipn({ ...good, vnp_Amount: '100' })).toBe('04');
    expect(await ipn({ ...good, vnp_TxnRef: 'x' })).toBe('01');
    expect(await ipn({ ...good, vnp_TxnRef: '16-1', vnp_ResponseCode: '24' })).toBe('01');
    expect(ok(await s.booking({ token }, id)).payment_status).toBe('PENDING');
  });

  it('gives the guest another page after a failure, and emits nothing twice for a late report', async () => {
    const { id, vnp_Amount, token } = await booked();
    const failed = { vnp_TxnRef: `${id}-1`, vnp_Amount, vnp_ResponseCode: '24', vnp_TransactionStatus: '02' };
    expect(await ipn(failed)).toBe('00');
    expect(await ipn(failed)).toBe('02');
    expect(ok(await s.booking({ token }, id)).payment_url).toContain(`vnp_TxnRef=${id}-2&`);
    expect(await ipn({ vnp_TxnRef: `${id}-2`, vnp_Amount })).toBe('00');
    expect(ok(await s.booking({ token }, id)).payment_status).toBe('PAID');
  });

  it('refunds a payment for a cancelled booking', async () => {
    const { id, vnp_Amount, token } = await booked();
    ok(await s.cancel({ token }, id));
    refunds.length = 0;
    expect(await ipn({ vnp_TxnRef: `${id}-1`, vnp_Amount })).toBe('00');
    expect(refunds).toMatchObject([{ vnp_Command: 'refund', vnp_TransactionType: '02', vnp_Amount }]);
    expect(ok(await s.booking({ token }, id))).toMatchObject({
      state: 'CANCELLED',
      payment_status: 'REFUNDED',
    });
  });

  it('answers 99, and opens no payment, while the secret cannot be read', async () => {
    const lost = createVnpay({
      tmnCode: 'NIGHTL01',
      secrets: { read: () => Promise.reject(new GatewayUnavailable('its secret could not be read')) },
      payUrl: 'https://vnpay.example.com/pay',
      apiUrl: 'https://vnpay.example.com/api',
      returnUrl: 'https://stay.example.com/paid',
    });
    const deps = () => ({ ...s.deps, payments: () => lost });
    const { ok: ipnOk } = groupCalls(payments(deps), paymentsRoutes);
    const query = { vnp_TxnRef: '16-1', vnp_SecureHash: '0' };
    const answer = await ipnOk(undefined, 'handlePaymentIpn', { params: { provider: 'vnpay' }, query });
    expect(answer.RspCode).toBe('99');
    const { caller } = await testUser(s.deps);
    const body = online([stay(await s.listing())]);
    const confirmed = await groupCalls(checkout(deps), checkoutRoutes).call(caller, 'confirmCheckout', {
      body,
    });
    expect(confirmed).toMatchObject({
      status: 502,
      text: expect.stringContaining('PAYMENT_GATEWAY_UNAVAILABLE') as string,
    });
  });

  it('answers 99 when the table does not, so that VNPay calls again', async () => {
    const { id, vnp_Amount } = await booked();
    const queryAllMixed = async () => {
      throw new Error('no table');
    };
    const table = { waitingFor: () => ({ queryAllMixed }) } as unknown as typeof s.deps.table;
    const fields = { vnp_TxnRef: `${id}-1`, vnp_Amount, vnp_ResponseCode: '00' };
    const query = { ...fields, vnp_SecureHash: vnpayHash(secret, vnpayText(fields)) };
    const { ok: callOk } = groupCalls(
      payments(() => ({ ...withVnpay(), table })),
      paymentsRoutes,
    );
    const { RspCode } = await callOk(undefined, 'handlePaymentIpn', {
      params: { provider: 'vnpay' },
      query,
    });
    expect(RspCode).toBe('99');
  });

  it('takes no tokens', async () => {
    const { caller } = await testUser(s.deps);
    const { refusal: refused } = groupCalls(checkout(withVnpay), checkoutRoutes);
    const body = withToken([stay(await s.listing())]);
    const { code, paths } = await refused(caller, 'confirmCheckout', { body });
    expect({ code, paths }).toEqual({ code: 'VALIDATION_ERROR', paths: ['payment_gateway_token'] });
  });
});

describe('the tokens of the sandbox', () => {
  it('that the bank wants confirmed is declined with the way to pay, and its time is free', async () => {
    const listing = await s.listing();
    const declined = refusal(await s.confirm(s.guest, withToken([stay(listing)], 'tok_3ds'), key('token-1')));
    expect(declined).toMatchObject({
      code: 'PAYMENT_DECLINED',
      details: { reason: expect.stringContaining('payment_url') as string },
    });
    const booked = ok(await s.confirm(s.guest, online([stay(listing)]), key('token-2')), 201);
    expect(booked.payment_url).toContain('/_local/payments/');
  });

  it.each([true, false])('that is slow is accepted after 3 seconds (instant: %s)', async (instant) => {
    s.deps.sandbox.waits.length = 0;
    const listing = await s.listing({ instant_book_enabled: instant });
    const booked = ok(
      await s.confirm(s.guest, withToken([stay(listing)], 'tok_slow'), key(`slow-${instant}`)),
      201,
    );
    expect(s.deps.sandbox.waits).toEqual([3000]);
    expect(booked.payment_status).toBe(instant ? 'PAID' : 'PENDING');
  });

  it.each([true, false])(
    'whose answer is lost is charged once: 502, then 201 (instant: %s)',
    async (instant) => {
      const body = withToken([stay(await s.listing({ instant_book_enabled: instant }))], 'tok_lost_answer');
      const text = `lost-${instant}`;
      expect(refusal(await s.confirm(s.guest, body, key(text))).code).toBe('PAYMENT_GATEWAY_UNAVAILABLE');
      const first = await s.confirm(s.guest, body, key(text));
      expect([first.status, (await s.confirm(s.guest, body, key(text))).text]).toEqual([201, first.text]);
      expect(charges()).toBe(1);
    },
  );
});

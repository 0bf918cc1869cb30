import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { openSession } from '../../../shared/domain/payment/payment-session.store.ts';
import type { Context } from '../../../shared/platform/context.ts';
import {
  GatewayRefused,
  GatewayUnavailable,
  RefundOutcomeUnknown,
} from '../../../shared/platform/payment/index.ts';
import { fixedSecret } from '../../../shared/platform/secrets/index.ts';
import { createVnpay, type VnpaySettings } from '../../../shared/platform/payment/vnpay.ts';
import { isSignedByVnpay, vnpayHash, vnpayText } from '../../../shared/platform/payment/vnpay-signature.ts';

const secret = 'RAOEXHYVSDDIIENYWSLDIIZTANXUXZFJ';
const payment_id = 369_435_906_932_736;
const now = Date.parse('2027-01-15T03:00:00.000Z');

/** By hand, as VNPay's documents say: sorted by name, `name=value` joined by `&`, values encoded with `+` for a space. */
const byHand =
  'vnp_Amount=565000000&vnp_Command=pay&vnp_CreateDate=20270115100000&vnp_CurrCode=VND' +
  '&vnp_ExpireDate=20270116100000&vnp_IpAddr=127.0.0.1&vnp_Locale=vn' +
  '&vnp_OrderInfo=Nightlatch+369435906932736&vnp_OrderType=other' +
  '&vnp_ReturnUrl=https%3A%2F%2Fstay.example.com%2Fpaid&vnp_TmnCode=NIGHTL01' +
  '&vnp_TxnRef=369435906932736-1&vnp_Version=2.1.0';
const hmac = (text: string) => createHmac('sha512', secret).update(text, 'utf8').digest('hex');

const settings = (given: Partial<VnpaySettings> = {}): VnpaySettings => ({
  tmnCode: 'NIGHTL01',
  secrets: fixedSecret({ vnpay_hash_secret: secret }),
  payUrl: 'https://sandbox.vnpayment.vn/paymentv2/vpcpay.html',
  apiUrl: 'https://sandbox.vnpayment.vn/merchant_webapi/api/transaction',
  returnUrl: 'https://stay.example.com/paid',
  ask: async () => {
    throw new Error('no network here');
  },
  ...given,
});
const due = { payment_id, amount: 5_650_000, currency: 'VND' };
const opened = { ...due, reference: `${payment_id}-1`, opened_at: now, now };

describe("VNPay's signature", () => {
  it('is HMAC-SHA512 of the sorted fields', () => {
    expect(vnpayText({ b: 'x y', a: 'Hồ Tây', c: '' })).toBe('a=H%E1%BB%93+T%C3%A2y&b=x+y');
    // Of "a=1" with the key "k", made with OpenSSL: printf a=1 | openssl dgst -sha512 -hmac k
    expect(vnpayHash('k', 'a=1')).toBe(
      'cc8024bcb5b6a3a82e84f937dcc73957e31448995845b2cf2d70964062608409b32cc459a78e050424709065b665723992c4d561d0a3279bc272fdfda1affcd7',
    );
  });

  it('is over every vnp_ field but itself, in any case of its letters', () => {
    const fields = { vnp_TxnRef: '1-1', vnp_Amount: '100' };
    const vnp_SecureHash = hmac('vnp_Amount=100&vnp_TxnRef=1-1');
    expect(isSignedByVnpay(secret, { ...fields, vnp_SecureHash })).toBe(true);
    expect(isSignedByVnpay(secret, { ...fields, vnp_SecureHash: vnp_SecureHash.toUpperCase() })).toBe(true);
    expect(isSignedByVnpay(secret, { ...fields, vnp_SecureHash, vnp_SecureHashType: 'SHA512' })).toBe(true);
    expect(isSignedByVnpay(secret, { ...fields, vnp_SecureHash, utm: 'x' })).toBe(true);
    expect(isSignedByVnpay(secret, { ...fields, vnp_Amount: '1', vnp_SecureHash })).toBe(false);
    expect(isSignedByVnpay(secret, { ...fields, vnp_Extra: '1', vnp_SecureHash })).toBe(false);
    expect(isSignedByVnpay('other', { ...fields, vnp_SecureHash })).toBe(false);
    expect(isSignedByVnpay(secret, fields)).toBe(false);
  });
});

describe("VNPay's page", () => {
  it('carries what is to be paid in hundredths, in Vietnamese time, signed', async () => {
    const gateway = createVnpay(settings());
    const session = { ...due, attempt: 1, ends_at: now + 86_400_000, now };
    const { reference, url } = await gateway.openSession(session);
    expect(reference).toBe(`${payment_id}-1`);
    expect(url).toBe(
      `https://sandbox.vnpayment.vn/paymentv2/vpcpay.html?${byHand}&vnp_SecureHash=${hmac(byHand)}`,
    );
    expect((await gateway.openSession({ ...session, attempt: 2 })).reference).toBe(`${payment_id}-2`);
  });

  it('is remembered with the time that it carries, by which VNPay finds the payment', async () => {
    let reads = 0;
    const clock = { now: () => now + 999 * reads++ };
    const ctx = { clock, payments: () => createVnpay(settings()) } as unknown as Context;
    const { opened_at, url } = await openSession(ctx, due, now + 86_400_000);
    expect(opened_at).toBe(now);
    expect(new URL(url ?? '').searchParams.get('vnp_CreateDate')).toBe('20270115100000');
  });

  it('takes dong alone, and no tokens', () => {
    const gateway = createVnpay(settings());
    expect(gateway.refusal(due, false)).toBeUndefined();
    expect(gateway.refusal({ ...due, currency: 'USD' }, false)).toContain('VND');
    expect(gateway.refusal(due, true)).toContain('payment_gateway_token');
    expect(gateway.refusal({ ...due, captured_later: true }, false)).toContain('authorises nothing');
  });
});

describe("VNPay's report", () => {
  const report = (given: Record<string, string> = {}) => {
    const fields = {
      vnp_Amount: '565000000',
      vnp_ResponseCode: '00',
      vnp_TransactionNo: '14226112',
      vnp_TransactionStatus: '00',
      vnp_TxnRef: `${payment_id}-1`,
      ...given,
    };
    const text = Object.entries(fields)
      .sort()
      .map(([name, value]) => `${name}=${value}`)
      .join('&');
    const query = { ...fields, vnp_SecureHash: hmac(text) };
    return createVnpay(settings()).readNotification({ body: '', headers: {}, query }, now);
  };

  it('of a payment says what was paid', async () => {
    expect(await report()).toEqual({
      payment_id,
      reference: `${payment_id}-1`,
      outcome: { state: 'paid', transaction_id: '14226112', amount: 5_650_000, currency: 'VND' },
    });
  });

  it.each([{ vnp_ResponseCode: '24', vnp_TransactionStatus: '02' }, { vnp_TransactionStatus: '02' }])(
    'of %j is a failure',
    async (given) => {
      expect(await report(given)).toMatchObject({ outcome: { state: 'unpaid', final: true } });
    },
  );

  it.each([
    { vnp_ResponseCode: '07' },
    { vnp_ResponseCode: '07', vnp_TransactionStatus: '07' },
    { vnp_TransactionStatus: '01' },
    { vnp_ResponseCode: '99', vnp_TransactionStatus: '04' },
    { vnp_TransactionStatus: '05' },
  ])('of %j is none yet: VNPay decides later', async (given) => {
    expect(await report(given)).toMatchObject({ outcome: { state: 'unpaid', final: false } });
  });

  it.each(['abc', '1', '0-1', '-1', `${payment_id}-x`])('of "%s" is none of ours', async (vnp_TxnRef) => {
    expect(await report({ vnp_TxnRef })).toBeUndefined();
  });

  it('without a signature is refused before anything is read', async () => {
    const query = { vnp_TxnRef: `${payment_id}-1`, vnp_ResponseCode: '00', vnp_Amount: '565000000' };
    const read = createVnpay(settings()).readNotification({ body: '', headers: {}, query }, now);
    await expect(read).rejects.toThrow('signature');
  });
});

describe("VNPay's API", () => {
  const asked: Record<string, string>[] = [];
  const answering = (reply: object) =>
    createVnpay(
      settings({
        ask: async (_, body) => {
          asked.push(body as Record<string, string>);
          return reply;
        },
      }),
    );

  it('is asked with the checksum of its documents', async () => {
    const paid = {
      vnp_ResponseCode: '00',
      vnp_TransactionStatus: '00',
      vnp_TransactionNo: 142,
      vnp_Amount: 565_000_000,
    };
    expect(await answering(paid).find(opened)).toEqual({
      state: 'paid',
      transaction_id: '142',
      amount: 5_650_000,
      currency: 'VND',
    });
    const { vnp_SecureHash, ...sent } = asked.at(-1)!;
    const inOrder = `${sent['vnp_RequestId']}|2.1.0|querydr|NIGHTL01|${payment_id}-1|20270115100000|20270115100000|127.0.0.1|Nightlatch ${payment_id}`;
    expect(vnp_SecureHash).toBe(hmac(inOrder));
  });

  it.each([
    [
      { vnp_ResponseCode: '00', vnp_TransactionStatus: '01' },
      { state: 'unpaid', final: false },
    ],
    [
      { vnp_ResponseCode: '00', vnp_TransactionStatus: '02' },
      { state: 'unpaid', final: true },
    ],
    [{ vnp_ResponseCode: '91' }, { state: 'unpaid', final: false }],
  ])('that answers %j says %j', async (reply, outcome) => {
    expect(await answering(reply).find(opened)).toMatchObject(outcome);
  });

  it('that fails leaves the outcome unknown', async () => {
    await expect(answering({ vnp_ResponseCode: '99' }).find(opened)).rejects.toThrow('99');
    await expect(createVnpay(settings()).close(opened)).rejects.toThrow('did not answer');
  });

  const refund = {
    ...due,
    refund_id: 'cancel-1',
    transaction_id: '142',
    reference: `${payment_id}-1`,
    is_only: true,
    paid: 5_650_000,
    opened_at: now,
    now,
  };

  it('gives all back, or a part, under one request id for each refund', async () => {
    await answering({ vnp_ResponseCode: '00' }).refund(refund);
    const { vnp_SecureHash, ...sent } = asked.at(-1)!;
    expect(sent).toMatchObject({ vnp_TransactionType: '02', vnp_Amount: '565000000' });
    const inOrder = `${sent['vnp_RequestId']}|2.1.0|refund|NIGHTL01|02|${payment_id}-1|565000000|142|20270115100000|nightlatch|20270115100000|127.0.0.1|Nightlatch ${payment_id}`;
    expect(vnp_SecureHash).toBe(hmac(inOrder));
    await answering({ vnp_ResponseCode: '00' }).refund({ ...refund, amount: 1_000_000 });
    expect(asked.at(-1)).toMatchObject({
      vnp_TransactionType: '03',
      vnp_Amount: '100000000',
      vnp_RequestId: sent['vnp_RequestId'],
    });
    await expect(answering({ vnp_ResponseCode: '95' }).refund(refund)).rejects.toThrow('95');
  });

  describe('that answers a refund with 94, a repeated request, is asked by querydr', () => {
    const repeated = (type: string | undefined, status: string, code = '00') => {
      const commands: string[] = [];
      const gateway = createVnpay(
        settings({
          ask: async (_, body) => {
            const { vnp_Command } = body as { vnp_Command: string };
            commands.push(vnp_Command);
            return vnp_Command === 'refund'
              ? { vnp_ResponseCode: '94' }
              : { vnp_ResponseCode: code, vnp_TransactionType: type, vnp_TransactionStatus: status };
          },
        }),
      );
      return { commands, gateway };
    };
    const part = { ...refund, amount: 1_000_000 };

    it.each([
      ['the whole', refund, '02', '00'],
      ['the whole', refund, '02', '05'],
      ['the whole', refund, '02', '06'],
      ['the only part', part, '03', '00'],
      ['the only part', part, '03', '05'],
    ])('%s is made when it says so (%j type %s, status %s)', async (_, asked, type, status) => {
      const { gateway, commands } = repeated(type, status);
      await gateway.refund(asked);
      expect(commands).toEqual(['refund', 'querydr']);
    });

    it('was not made when only the payment is known: it is asked for again', async () => {
      await expect(repeated('01', '00').gateway.refund(refund)).rejects.toBeInstanceOf(GatewayUnavailable);
    });

    it('is unknown when querydr does not answer with 00', async () => {
      await expect(repeated('02', '00', '94').gateway.refund(refund)).rejects.toBeInstanceOf(
        GatewayUnavailable,
      );
    });

    it('was rejected when it says 09', async () => {
      await expect(repeated('02', '09').gateway.refund(refund)).rejects.toBeInstanceOf(GatewayRefused);
      await expect(repeated('03', '09').gateway.refund(part)).rejects.toBeInstanceOf(GatewayRefused);
    });

    it.each([
      ['one of several parts', { ...part, is_only: false }, '03', '00'],
      ['the rest after a part', { ...refund, is_only: false }, '03', '05'],
      ['the whole where a part went', refund, '03', '00'],
      ['a part where the whole went', part, '02', '00'],
      ['a state that is not documented for refunds', refund, '02', '07'],
      ['no type at all', refund, undefined, '00'],
    ])('is for a person to find out: %s', async (_, asked, type, status) => {
      await expect(repeated(type, status).gateway.refund(asked)).rejects.toBeInstanceOf(RefundOutcomeUnknown);
    });
  });
});

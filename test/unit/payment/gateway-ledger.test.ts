import { Stripe } from 'stripe';
import type { Payment } from '../../../shared/domain/payment/model.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { askingLedger, stripeLedger } from '../../../infra/operator/restore/gateway-ledger.ts';

const from = Date.parse('2027-01-15T03:00:00.000Z');
const created = from / 1000 + 60;

let asked: URL[];
let pages: Record<string, object[][]>;
beforeEach(() => {
  asked = [];
});

/** In the place of Stripe's API: its lists, page by page. */
const wire: typeof fetch = async (input) => {
  const url = new URL(typeof input === 'string' ? input : (input as URL).toString());
  asked.push(url);
  const [data = [], ...left] = pages[url.pathname] ?? [];
  pages = { ...pages, [url.pathname]: left };
  return new Response(
    JSON.stringify({ object: 'list', data, has_more: left.length > 0, url: url.pathname }),
    {
      headers: { 'Content-Type': 'application/json' },
    },
  );
};

const ledger = stripeLedger('test', () =>
  Promise.resolve(new Stripe('sk_test_x', { httpClient: Stripe.createFetchHttpClient(wire) })),
);

const charge = (id: number, given: object = {}) => ({
  ...{ id: `ch_${id}`, object: 'charge', status: 'succeeded', captured: true, created, currency: 'vnd' },
  ...{ amount: 5_650_000, amount_captured: 5_650_000, payment_intent: `pi_${id}` },
  metadata: { payment_id: String(id * 16) },
  ...given,
});
const refund = (id: number, given: object = {}) => ({
  ...{ id: `re_${id}`, object: 'refund', status: 'succeeded', created, currency: 'usd', amount: 1050 },
  payment_intent: { id: `pi_${id}`, metadata: { payment_id: String(id * 16) } },
  metadata: { payment_id: String(id * 16), refund_id: 'cancel-17' },
  ...given,
});

const movements = () => ledger.movementsSince(from, [], from);

describe('what has moved at Stripe', () => {
  it('is each charge and refund of the service, over all pages, in the currency’s unit', async () => {
    pages = { '/v1/charges': [[charge(1)], [charge(2)]], '/v1/refunds': [[refund(1)], [refund(2)]] };
    const at = '2027-01-15T03:01:00.000Z';
    const paid = { kind: 'charge', refund_id: null, amount: 5_650_000, currency: 'VND', at };
    const back = { kind: 'refund', refund_id: 'cancel-17', amount: 10.5, currency: 'USD', at };
    expect(await movements()).toEqual([
      { ...paid, payment_id: 16, transaction_id: 'pi_1' },
      { ...paid, payment_id: 32, transaction_id: 'pi_2' },
      { ...back, payment_id: 16, transaction_id: 'pi_1' },
      { ...back, payment_id: 32, transaction_id: 'pi_2' },
    ]);
    expect(asked.map(({ pathname }) => pathname)).toEqual([
      ...['/v1/charges', '/v1/charges', '/v1/refunds', '/v1/refunds'],
    ]);
    expect(asked[1]?.searchParams.get('starting_after')).toBe('ch_1');
  });

  it('is asked from the instant on; charges also from before, as an authorisation may be captured later', async () => {
    pages = {};
    await movements();
    const since = asked.map(({ searchParams }) => Number(searchParams.get('created[gte]')));
    expect(since).toEqual([from / 1000 - 8 * 86_400, from / 1000]);
  });

  it('is nothing where no money has moved, or not by the service', async () => {
    pages = {
      '/v1/charges': [
        [
          charge(1, { status: 'failed' }),
          charge(2, { captured: false }),
          charge(3, { metadata: {} }),
          charge(4, { metadata: { payment_id: 'x' } }),
          charge(5, { metadata: { payment_id: '80', stage: 'production' } }),
        ],
      ],
      '/v1/refunds': [
        [
          refund(1, { status: 'failed' }),
          refund(2, { status: 'canceled' }),
          refund(3, { metadata: {}, payment_intent: 'pi_3' }),
          refund(4, { status: 'requires_action' }),
          refund(5, {
            metadata: {},
            payment_intent: { id: 'pi_5', metadata: { payment_id: '80', stage: 'a' } },
          }),
        ],
      ],
    };
    expect(await movements()).toEqual([]);
  });

  it('includes refunds that were made in the console, by the payment of their charge', async () => {
    pages = { '/v1/refunds': [[refund(1, { metadata: null })]] };
    expect(await movements()).toMatchObject([{ kind: 'refund', payment_id: 16, refund_id: null }]);
  });
});

describe('a gateway without a list', () => {
  it('is asked about the payments that are known, and says of each whether it was made', async () => {
    const asked: number[] = [];
    const vnpay = askingLedger({
      provider: 'vnpay',
      find: async ({ payment_id }) => {
        asked.push(payment_id);
        return payment_id === 16
          ? { state: 'paid', transaction_id: '14422574', amount: 5_650_000, currency: 'VND' }
          : { state: 'unpaid', final: false, reason: 'open' };
      },
    });
    expect(vnpay.lists).toBe(false);
    const known = [16, 32].map((payment_id) => ({ payment_id }) as Payment);
    expect(await vnpay.movementsSince(from, known, from)).toEqual([
      {
        ...{ kind: 'charge', payment_id: 16, transaction_id: '14422574', refund_id: null },
        ...{ amount: 5_650_000, currency: 'VND', at: null },
      },
    ]);
    expect(asked).toEqual([16, 32]);
  });
});

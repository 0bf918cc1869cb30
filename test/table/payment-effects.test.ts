import { beforeEach, describe, expect, it, vi } from 'vitest';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import { updateListing } from '../../shared/domain/listing/update-listing.ts';
import { acceptBooking } from '../../shared/domain/payment/accept-booking.ts';
import { settlePayment } from '../../shared/domain/payment/settle-payment.ts';
import { listPriceParts } from '../../shared/domain/pricing/price-parts.ts';
import { systemContext } from '../../shared/platform/context.ts';
import { minute, type PaymentScene, paymentScene } from '../support/payment-scene.ts';
import { freshId } from '../support/table.ts';

let s: PaymentScene;
beforeEach(async () => {
  s = await paymentScene();
  await s.clear();
});

const byHand = { instant_book_enabled: false };
const pageOf = async () => {
  const { master_reservation_id: id, estimated_total: total } = await s.confirm([await s.listing()]);
  return { id, total };
};
const charged = (payment_id: number, amount: number, reference = `sbx_${payment_id}_1`) =>
  settlePayment(systemContext(s.deps, 'test'), {
    payment_id,
    reference,
    outcome: { state: 'paid', transaction_id: 'sbt_other', amount, currency: 'VND' },
  });

describe('a charge is logged', () => {
  it.each([
    ['not at all when it is what was due', async (id: number, due: number) => charged(id, due), []],
    [
      'as an error when it is a dong too little',
      async (id: number, due: number) => charged(id, due - 1),
      ['error'],
    ],
    [
      'as an error when it is a dong too much',
      async (id: number, due: number) => charged(id, due + 1),
      ['error'],
    ],
    [
      'as an error when it is the second one',
      async (id: number, due: number) => {
        await s.decide(id, 'success');
        await charged(id, due);
      },
      ['error'],
    ],
    [
      'as a warning when its booking was cancelled',
      async (id: number, due: number) => {
        await s.cancel(id);
        await charged(id, due);
      },
      ['warn'],
    ],
    ['as a warning when it is of no booking', async () => charged(freshId() * 16, 1), ['warn']],
  ] as const)('%s', async (_, report, levels) => {
    const { id, total } = await pageOf();
    const logged: string[] = [];
    for (const level of ['error', 'warn'] as const)
      vi.spyOn(s.deps.log, level).mockImplementation((...[message]: unknown[]) => {
        if (typeof message === 'string' && message.startsWith('A payment differs')) logged.push(level);
      });
    await report(id, total);
    vi.restoreAllMocks();
    expect(logged).toEqual(levels);
  });
});

it('a payment by its only page has no earlier one', async () => {
  const { id } = await pageOf();
  await s.decide(id, 'success');
  expect((await s.order(id)).payment).not.toHaveProperty('earlier');
});

describe('a token', () => {
  it('is shared only by the payments of an order that has several', async () => {
    const one = await s.confirm([await s.listing()], 'tok_ok');
    expect((await s.order(one.master_reservation_id)).payment).not.toHaveProperty('shares_token');
    const alone = await s.confirm([await s.listing(byHand)], 'tok_ok');
    const { separatePayments } = await s.order(alone.master_reservation_id);
    expect(separatePayments.map((payment) => payment.shares_token)).toEqual([undefined]);
    const both = await s.confirm([await s.listing(), await s.listing(byHand)], 'tok_ok');
    const found = await s.order(both.master_reservation_id);
    expect([found.payment, ...found.separatePayments].map((payment) => payment?.shares_token)).toEqual([
      true,
      true,
    ]);
  });

  it('whose charge booked nothing has its refund announced with the amount; a declined one has none', async () => {
    const listing = await s.listing();
    s.wire.meanwhile = async (path) => {
      if (path !== '/charge') return;
      s.wire.meanwhile = undefined;
      s.clock.advance(16 * minute);
      await confirmCheckout(s.other, { items: s.items(listing), payment_method: 'CASH' });
    };
    await expect(s.confirm([listing], 'tok_ok')).rejects.toMatchObject({
      code: 'CHECKOUT_CREATE_BOOKING_FAILED',
    });
    const refunded = s.wire.opened.at(-1)!;
    const { amount } = s.server.find(refunded)!;
    expect((await s.events(refunded)).map(({ event_type, data }) => [event_type, data['refund']])).toEqual([
      ['payment.refunded', amount],
    ]);
    await expect(s.confirm([await s.listing()], 'tok_declined')).rejects.toMatchObject({
      code: 'PAYMENT_DECLINED',
    });
    const declined = s.wire.opened.at(-1)!;
    expect((await s.events(declined)).map(({ event_type, data }) => [event_type, data['refund']])).toEqual([
      ['payment.failed', undefined],
    ]);
  });
});

it('an acceptance is answered in the transaction that confirms the stay', async () => {
  const { reservations } = await s.confirm([await s.listing(byHand)], 'tok_ok');
  const sizes: number[] = [];
  const commit: typeof s.owner.commit = (writes, answer) => {
    sizes.push(writes.length);
    return s.owner.commit(writes, answer);
  };
  await acceptBooking({ ...s.owner, commit }, reservations[0]!.id);
  expect(sizes).toHaveLength(1);
  expect(sizes[0]).toBeGreaterThan(1);
});

describe('a refund says to the gateway whether it is the only one of its charge', () => {
  const refunds = () => {
    const only: [string, boolean][] = [];
    const refund = s.wire.gateway.refund.bind(s.wire.gateway);
    s.wire.gateway.refund = async (due) => {
      only.push([due.refund_id.split('-')[0] ?? '', due.is_only]);
      await refund(due);
    };
    return only;
  };

  it('where it is', async () => {
    const { id } = await pageOf();
    await s.decide(id, 'success');
    const only = refunds();
    await s.cancel(id);
    await s.reconcile();
    expect(only).toEqual([['cancel', true]]);
  });

  it('where there is one of each of two charges', async () => {
    const { id, total } = await pageOf();
    await s.decide(id, 'success');
    await charged(id, total);
    await s.cancel(id);
    const only = refunds();
    await s.reconcile();
    expect(only.sort()).toEqual([
      ['cancel', true],
      ['charge', true],
    ]);
  });

  it('where there are two of one charge', async () => {
    const { master_reservation_id: id, reservations } = await s.confirm([
      await s.listing(),
      await s.listing(),
    ]);
    await s.decide(id, 'success');
    for (const stay of reservations) await s.cancel(stay.id);
    const only = refunds();
    await s.reconcile();
    expect(only).toEqual([
      ['cancel', false],
      ['cancel', false],
    ]);
  });
});

it('a guest of a paused listing sees the services of the stay, not the prices of other stays', async () => {
  const { id } = await s.listing();
  await s.confirm([{ id }]);
  await updateListing(s.owner, id, { state: 'INACTIVE' });
  expect(await listPriceParts(s.guest, 'services', id)).toEqual([]);
  for (const kind of ['rules', 'combos'] as const)
    await expect(listPriceParts(s.guest, kind, id)).rejects.toMatchObject({ code: 'LISTING_NOT_FOUND' });
  await expect(listPriceParts(s.other, 'services', id)).rejects.toMatchObject({ code: 'LISTING_NOT_FOUND' });
});

import { describe, expect, it } from 'vitest';
import { cancelBooking } from '../../shared/domain/booking/cancel-booking.ts';
import { addCharge, refundBooking, returnRefund } from '../../shared/domain/booking/index.ts';
import { findOrder, readReservation } from '../../shared/domain/booking/model.ts';
import { takePayment } from '../../shared/domain/booking/take-payment.ts';
import { addAdjustment, removeAdjustment } from '../../shared/domain/checkout/adjust-booking.ts';
import { openDuePage } from '../../shared/domain/payment/index.ts';
import { reconcilePayment } from '../../shared/domain/payment/reconcile-payments.ts';
import { systemContext } from '../../shared/platform/context.ts';
import { EventEntity } from '../../shared/platform/events/event.entity.ts';
import { orderIdOf } from '../../shared/platform/ids.ts';
import { queueEvent } from '../support/events.ts';
import { type MailScene, mailScene, plain } from '../support/mail-scene.ts';

const english = { guest: 'en', host: 'en', account: true } as const;

/** Settles what the gateway knows of a payment: what was paid, and refunds. */
const settle = (s: MailScene, paymentId: number) =>
  reconcilePayment(systemContext(s.deps, 'reconcile-payments'), paymentId);

/** A stay of 3,200,000 of which the deposit was paid on one page, and the rest on another. */
const paidTwice = async () => {
  const s = await mailScene(english, { deposit_percent: 30 });
  const id = await s.book('ONLINE_GATEWAY');
  await s.pay(id);
  await addCharge(s.asOwner, id, { label: 'Breakfast', amount: 100_000, quantity: 1 });
  await openDuePage(s.asOwner, id);
  const { due_page: page = 0 } = (await readReservation(s.deps.table, id))!;
  s.deps.sandbox.server.decide(s.deps.sandbox.server.find(page)!, 'success');
  s.deps.clock.advance(6 * 60_000);
  await settle(s, page);
  await takePayment(s.asOwner, id, { amount: 2_240_000, method: 'CASH' });
  s.deps.clock.advance(60_000);
  return { s, id, payments: [page, orderIdOf(id)] };
};

const refunds = async (s: MailScene, id: number) =>
  (await s.deps.table.queryAll(EventEntity, { pk: `ORDER#${orderIdOf(id)}`, prefix: 'EVENT#' })).filter(
    ({ event_type }) => event_type === 'payment.refunded',
  );
const deliver = async (s: MailScene, id: number) => {
  for (const event of await refunds(s, id)) await s.worker(queueEvent(event));
};

const shares = (isUnderWay: boolean) => {
  const how = `(through the payment gateway, the way it was paid${isUnderWay ? ', not made yet' : ''})`;
  return [
    'Refund:',
    '3,300,000',
    '2,240,000 (the host will return it: Cash on site)',
    `100,000 ${how}`,
    `960,000 ${how}`,
  ];
};

it('a cancellation that refunds three payments is one mail, with the sum and each share, when all are made', async () => {
  const { s, id, payments } = await paidTwice();
  await cancelBooking(s.asOwner, id, 'Sold');
  for (const payment of payments) await settle(s, payment);
  expect(await refunds(s, id)).toHaveLength(3);
  await Promise.all((await refunds(s, id)).map((event) => s.worker(queueEvent(event))));
  await deliver(s, id);
  expect(s.sent).toHaveLength(2);
  for (const side of ['guest', 'host'] as const) {
    const text = plain(s.mailTo(side).text);
    for (const part of shares(false)) expect(text).toContain(part);
    expect(text).toContain('Reason: Sold');
    expect(text.match(/^ {2}sbt_\w+$/gm)).toHaveLength(2);
  }
});

it('and when the gateway makes its part later, which then is no second mail', async () => {
  const { s, id, payments } = await paidTwice();
  await cancelBooking(s.asOwner, id);
  await deliver(s, id);
  const text = plain(s.mailTo('guest').text);
  for (const part of shares(true)) expect(text).toContain(part);
  for (const payment of payments.toReversed()) {
    await settle(s, payment);
    await deliver(s, id);
  }
  expect(s.sent).toHaveLength(2);
});

it('two refunds that the host decides one after the other are two mails', async () => {
  const s = await mailScene(english);
  const id = await s.book();
  await takePayment(s.asOwner, id, { amount: 3_700_000, method: 'CASH', overpaid: true });
  for (const amount of [200_000, 300_000]) {
    s.deps.clock.advance(1000);
    await refundBooking(s.asOwner, id, { amount, reason: 'Too much' });
    await deliver(s, id);
  }
  const mails = s.sent.filter(({ to }) => to === s.guest.user.email).map(({ text }) => plain(text));
  expect(mails).toHaveLength(2);
  expect(mails[0]).toContain('Refund: ₫200,000 (the host will return it: Cash on site)');
  expect(mails[1]).toContain('Refund: ₫300,000 (the host will return it: Cash on site)');
});

describe('what the host returns is said to be returned when that is recorded', () => {
  const paid = async () => {
    const s = await mailScene(english);
    const id = await s.book();
    await takePayment(s.asOwner, id, { amount: 3_200_000, method: 'BANK_TRANSFER' });
    s.deps.clock.advance(60_000);
    await cancelBooking(s.asOwner, id);
    return { s, id };
  };

  it.each(['booking.cancelled', 'payment.refunded'] as const)('not before: %s', async (type) => {
    const { s, id } = await paid();
    await s.deliver(id, type);
    for (const side of ['guest', 'host'] as const) {
      const text = plain(s.mailTo(side).text);
      expect(text).toContain('Refund: ₫3,200,000 (the host will return it: Bank transfer)');
      expect(text).not.toMatch(/(?<!to be )refunded/);
      if (type === 'booking.cancelled') expect(text).toContain('Payment: Cash on site, to be refunded');
    }
  });

  it.each(['booking.cancelled', 'payment.refunded'] as const)('in a later mail: %s', async (type) => {
    const { s, id } = await paid();
    await returnRefund(s.asOwner, id, 3, { method: 'CASH' });
    await s.deliver(id, type);
    const text = plain(s.mailTo('guest').text);
    expect(text).toContain('Refund: ₫3,200,000 (returned by the host: Cash on site)');
    if (type === 'booking.cancelled') expect(text).toContain('Payment: Cash on site, refunded');
  });

  it('of what came online and the host refunds otherwise', async () => {
    const s = await mailScene(english);
    const id = await s.book('ONLINE_GATEWAY');
    await s.pay(id);
    await takePayment(s.asOwner, id, { amount: 100_000, method: 'CASH', overpaid: true });
    await refundBooking(s.asOwner, id, { amount: 100_000, reason: 'Twice', posting_id: 1, method: 'OTHER' });
    await s.deliver(id, 'payment.refunded');
    expect(plain(s.mailTo('guest').text)).toContain('(the host will return it)');
  });
});

describe.each([
  ['en', 'Reason: Cold <b>shower</b> visit evil example', '(adjusted by the host)', 'without “Late party”'],
  ['vi', 'Lý do: Cold <b>shower</b> visit evil example', '(chủ nhà điều chỉnh giá)', 'bỏ khoản “Late party”'],
] as const)('the reason of what an adjustment refunds, in %s', (language, label, by, takenOut) => {
  const scene = async (method: 'CASH' | 'ONLINE_GATEWAY', account: boolean) => {
    const s = await mailScene({ guest: language, host: language, account });
    const id = await s.book(method);
    if (method === 'CASH') await takePayment(s.asOwner, id, { amount: 3_200_000, method });
    else await s.pay(id);
    s.deps.clock.advance(60_000);
    return { s, id };
  };
  const shower = 'Cold <b>shower</b> visit evil.example';

  it.each([
    ['by hand', 'CASH', true],
    ['by the gateway, to an address that is not verified', 'ONLINE_GATEWAY', false],
  ] as const)('is its label, without links and escaped: %s', async (_, method, account) => {
    const { s, id } = await scene(method, account);
    await addAdjustment(s.asOwner, id, { label: shower, amount: -200_000, reason: 'GOODWILL' });
    if (method === 'ONLINE_GATEWAY') await settle(s, orderIdOf(id));
    await deliver(s, id);
    for (const side of ['guest', 'host'] as const) {
      const { text, html } = s.mailTo(side);
      expect(plain(text)).toContain(`${label} ${by}`);
      expect(html).toContain('Cold &lt;b&gt;shower&lt;/b&gt;');
    }
  });

  it('is cut to 60 characters', async () => {
    const { s, id } = await scene('CASH', true);
    await addAdjustment(s.asOwner, id, { label: 'x'.repeat(100), amount: -200_000, reason: 'DISCOUNT' });
    await deliver(s, id);
    expect(s.mailTo('guest').text).toContain(`${'x'.repeat(59)}… ${by}`);
  });

  it('names what was taken out', async () => {
    const { s, id } = await scene('CASH', true);
    await addAdjustment(s.asOwner, id, { label: 'Late party', amount: 200_000, reason: 'SURCHARGE' });
    await takePayment(s.asOwner, id, { amount: 200_000, method: 'CASH' });
    const [found] = (await findOrder(s.deps.table, orderIdOf(id))).order!.items;
    await removeAdjustment(s.asOwner, id, found!.request.adjustments![0]!.id);
    await deliver(s, id);
    expect(s.mailTo('guest').text).toContain(takenOut);
  });
});

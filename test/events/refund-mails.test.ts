import { expect, it } from 'vitest';
import { cancelBooking } from '../../shared/domain/booking/cancel-booking.ts';
import { addCharge, refundBooking } from '../../shared/domain/booking/index.ts';
import { readReservation } from '../../shared/domain/booking/model.ts';
import { takePayment } from '../../shared/domain/booking/take-payment.ts';
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
  return ['Refund:', '3,300,000', '2,240,000 (refunded by the host)', `100,000 ${how}`, `960,000 ${how}`];
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
  expect(mails[0]).toContain('Refund: ₫200,000 (refunded by the host)');
  expect(mails[1]).toContain('Refund: ₫300,000 (refunded by the host)');
});

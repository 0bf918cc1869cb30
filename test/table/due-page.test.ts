import { beforeEach, describe, expect, it } from 'vitest';
import { auditBooking } from '../../shared/domain/audit/index.ts';
import {
  addCharge,
  cancelBooking,
  getBooking,
  getFolio,
  markPaid,
  moveBooking,
  takePayment,
} from '../../shared/domain/booking/index.ts';
import { findOrderWithEvents } from '../../shared/domain/booking/booking.store.ts';
import { ReservationEntity } from '../../shared/domain/booking/reservation.entity.ts';
import { confirmCheckout } from '../../shared/domain/checkout/index.ts';
import { openDuePage, reconcilePayments } from '../../shared/domain/payment/index.ts';
import { PaymentEntity } from '../../shared/domain/payment/payment.entity.ts';
import type { Context } from '../../shared/platform/context.ts';
import { settlePayment } from '../../shared/domain/payment/settle-payment.ts';
import { GatewayUnavailable } from '../../shared/platform/payment/index.ts';
import { orderIdOf } from '../../shared/platform/ids.ts';
import { interrupted } from '../support/interrupted.ts';
import { crashingTable, hour, minute, paymentScene, type PaymentScene } from '../support/payment-scene.ts';

let s: PaymentScene;
beforeEach(async () => {
  s = await paymentScene();
  await s.clear();
});

const price = 2_200_000;
const minibar = { label: 'Minibar', amount: 60_000 };

const bookPaid = async (): Promise<number> => {
  const home = await s.listing({ refund_rule: 'Full refund until check-in' });
  return (await s.confirm([home], 'tok_ok')).reservations[0]!.id;
};
const bookInCash = async (given: object = {}): Promise<number> => {
  const { id } = await s.listing(given);
  const items = [
    { listing_id: id, check_in_date: '2027-02-04', check_out_date: '2027-02-06', guest_number: 2 },
  ];
  return (await confirmCheckout(s.guest, { items, payment_method: 'CASH' })).reservations[0]!.id;
};
const shown = (id: number) => getBooking(s.guest, id);
const requireSound = async (id: number): Promise<void> =>
  expect((await auditBooking(s.deps, id)).findings).toEqual([]);
const stateOf = async (payment_id: number) => (await s.deps.table.get(PaymentEntity, { payment_id }))!.state;

describe('a page for what is due', () => {
  it('takes what was charged of a booking that is paid online', async () => {
    const id = await bookPaid();
    await addCharge(s.owner, id, minibar);
    const page = await openDuePage(s.owner, id);
    expect(page).toMatchObject({ amount: 60_000, currency: 'VND' });
    expect(await shown(id)).toMatchObject({
      payment_status: 'PENDING',
      payment_url: page.payment_url,
      payment_expires_at: page.payment_expires_at,
    });
    expect(Date.parse(page.payment_expires_at)).toBe(s.clock.now() + 24 * hour);
    await s.decide(page.payment_id, 'success');
    expect(await shown(id)).toMatchObject({
      ...{ payment_status: 'PAID', amount_due: 0, amount_paid: price + 60_000, payment_url: null },
    });
    expect((await getFolio(s.owner, id)).postings.at(-1)).toMatchObject({
      ...{ kind: 'payment', amount: 60_000, payment_id: page.payment_id, collected_by: 'GATEWAY' },
    });
    await requireSound(id);
  });

  it('takes the price of a booking in cash, and is refunded by a cancellation', async () => {
    const id = await bookInCash({ refund_rule: 'Full refund until check-in' });
    const page = await openDuePage(s.owner, id);
    await s.decide(page.payment_id, 'success');
    expect(await shown(id)).toMatchObject({ payment_status: 'PAID', secured: true });
    await cancelBooking(s.guest, id);
    await reconcilePayments(s.deps);
    expect(s.money(page.payment_id)).toMatchObject({ charged: price, back: price });
    expect(await shown(id)).toMatchObject({ payment_status: 'REFUNDED' });
    await requireSound(id);
  });

  it('of a guest in house is open for the payment window, although the time for a transfer has ended', async () => {
    s.clock.set('2027-02-04T06:00:00Z');
    const { id: listing } = await s.listing();
    const { reservations } = await confirmCheckout(s.guest, {
      items: s.items({ id: listing }),
      payment_method: 'BANK_TRANSFER',
    });
    const { id } = reservations[0]!;
    await moveBooking(s.owner, id, 'check_in');
    s.clock.advance(12 * hour);
    const { payment_expires_at } = await openDuePage(s.owner, id);
    expect(payment_expires_at).toBe('2027-02-05T18:00:00.000Z');
  });

  it('is the same one while the amount is the same, and replaced when it is another', async () => {
    const id = await bookPaid();
    await addCharge(s.owner, id, minibar);
    const first = await openDuePage(s.owner, id);
    expect(await openDuePage(s.owner, id)).toEqual(first);
    await addCharge(s.owner, id, minibar);
    const second = await openDuePage(s.owner, id);
    expect(second).toMatchObject({ payment_id: first.payment_id, amount: 120_000 });
    expect(second.payment_url).not.toBe(first.payment_url);
    await s.decide(second.payment_id, 'success');
    expect(await shown(id)).toMatchObject({ payment_status: 'PAID', amount_paid: price + 120_000 });
    await requireSound(id);
  });

  it.each(['before', 'after'] as const)(
    'and an earlier one of it, paid %s a cancellation, go back each by its own charge',
    async (when) => {
      const id = await bookPaid();
      await addCharge(s.owner, id, minibar);
      const { payment_id } = await openDuePage(s.owner, id);
      const first = s.server.find(payment_id)!;
      await addCharge(s.owner, id, minibar);
      await openDuePage(s.owner, id);
      const second = s.server.find(payment_id)!;
      const pay = async (page: typeof first) => {
        s.server.decide(page, 'success');
        await s.report(page.reference);
      };
      if (when === 'before') await pay(first);
      await cancelBooking(s.owner, id);
      if (when === 'after') s.server.decide(first, 'success');
      await pay(second);
      await reconcilePayments(s.deps);
      expect(s.money(payment_id)).toEqual({ charged: 180_000, back: 180_000 });
      const { amount_paid, amount_refunded, postings } = await getFolio(s.owner, id);
      expect([amount_paid, amount_refunded]).toEqual([price + 180_000, price + 180_000]);
      const paid = postings.filter(({ payment_id: by }) => by === payment_id);
      expect(paid.map(({ amount }) => amount).sort()).toEqual([120_000, 60_000]);
      for (const { id: of, amount } of paid)
        expect(postings).toContainEqual(expect.objectContaining({ kind: 'refund', amount, of }));
      expect((await shown(id)).payment_status).toBe('REFUNDED');
      await requireSound(id);
    },
  );

  it('pays what is left, and the rest goes back after a cancellation, apart from what that refunds', async () => {
    const id = await bookPaid();
    await addCharge(s.owner, id, minibar);
    const { payment_id } = await openDuePage(s.owner, id);
    await takePayment(s.owner, id, { amount: 40_000, method: 'CASH' });
    const refund = s.wire.gateway.refund.bind(s.wire.gateway);
    s.wire.gateway.refund = async () => {
      throw new GatewayUnavailable('down');
    };
    await s.decide(payment_id, 'success');
    await cancelBooking(s.owner, id);
    s.wire.gateway.refund = refund;
    s.clock.advance(6 * minute);
    await reconcilePayments(s.deps);
    expect(s.money(payment_id)).toEqual({ charged: 60_000, back: 60_000 });
    const { amount_paid, amount_refunded, balance } = await getFolio(s.owner, id);
    expect([amount_paid, amount_refunded, balance]).toEqual([price + 100_000, price + 100_000, 0]);
    await requireSound(id);
  });

  it('pays a part where more has come to be due', async () => {
    const id = await bookPaid();
    await addCharge(s.owner, id, minibar);
    const page = await openDuePage(s.owner, id);
    await addCharge(s.owner, id, { label: 'Laundry', amount: 40_000 });
    await s.decide(page.payment_id, 'success');
    expect(await shown(id)).toMatchObject({ payment_status: 'PENDING', amount_due: 40_000 });
    await requireSound(id);
  });

  it('refunds what the host has taken meanwhile', async () => {
    const id = await bookPaid();
    await addCharge(s.owner, id, minibar);
    const page = await openDuePage(s.owner, id);
    await takePayment(s.owner, id, { amount: 40_000, method: 'CASH' });
    await s.decide(page.payment_id, 'success');
    expect(await shown(id)).toMatchObject({ payment_status: 'PAID', amount_paid: price + 60_000 });
    await reconcilePayments(s.deps);
    expect(s.money(page.payment_id)).toMatchObject({ charged: 60_000, back: 40_000 });
    const { events } = await findOrderWithEvents(s.deps.table, orderIdOf(id), { consistent: true });
    expect(events.at(-1)).toMatchObject({ event_type: 'payment.refunded', data: { id, amount: 40_000 } });
    await requireSound(id);
  });

  it('is closed by the schedule once nothing is due, and of less once less is', async () => {
    const id = await bookPaid();
    await addCharge(s.owner, id, minibar);
    const page = await openDuePage(s.owner, id);
    await takePayment(s.owner, id, { amount: 40_000, method: 'CASH' });
    s.clock.advance(hour);
    await reconcilePayments(s.deps);
    expect(await openDuePage(s.owner, id)).toMatchObject({ payment_id: page.payment_id, amount: 20_000 });
    await takePayment(s.owner, id, { amount: 20_000, method: 'CASH' });
    s.clock.advance(hour);
    await reconcilePayments(s.deps);
    expect(await stateOf(page.payment_id)).toBe('EXPIRED');
    expect(await shown(id)).toMatchObject({ payment_url: null, payment_status: 'PAID' });
  });

  it('that was paid too late, of a booking that fell through, is refunded whole', async () => {
    const id = await bookInCash();
    const page = await openDuePage(s.owner, id);
    await cancelBooking(s.owner, id);
    await s.decide(page.payment_id, 'success');
    await reconcilePayments(s.deps);
    expect(s.money(page.payment_id)).toMatchObject({ charged: price, back: price });
    expect(await shown(id)).toMatchObject({ state: 'CANCELLED', amount_due: 0 });
    await requireSound(id);
  });

  it('can be opened again when it has ended', async () => {
    const id = await bookInCash();
    const page = await openDuePage(s.owner, id);
    s.clock.advance(26 * hour);
    await reconcilePayments(s.deps);
    expect(await stateOf(page.payment_id)).toBe('EXPIRED');
    expect(await shown(id)).toMatchObject({ payment_url: null, state: 'CONFIRMED' });
    const next = await openDuePage(s.owner, id);
    expect(next.payment_id).not.toBe(page.payment_id);
    await s.decide(next.payment_id, 'success');
    expect(await shown(id)).toMatchObject({ payment_status: 'PAID' });
  });

  it('is another from its last moment on', async () => {
    const id = await bookInCash();
    const page = await openDuePage(s.owner, id);
    s.clock.advance(Date.parse(page.payment_expires_at) - 1 - s.clock.now());
    expect(await openDuePage(s.owner, id)).toEqual(page);
    s.clock.advance(1);
    const next = await openDuePage(s.owner, id);
    expect(Date.parse(next.payment_expires_at)).toBeGreaterThan(s.clock.now());
    expect(next.payment_url).not.toBe(page.payment_url);
  });

  it('is not opened for a stay that is cancelled, or paid, between its reads and its write', async () => {
    const refused = { code: 'INVALID_STATE_TRANSITION' };
    const cancelled = await bookInCash();
    const late = interrupted(s.owner, () => cancelBooking(s.owner, cancelled));
    await expect(openDuePage(late, cancelled)).rejects.toMatchObject(refused);
    const paid = await bookInCash();
    const later = interrupted(s.owner, () => markPaid(s.owner, paid));
    await expect(openDuePage(later, paid)).rejects.toMatchObject(refused);
    expect(await shown(paid)).toMatchObject({ payment_url: null, payment_status: 'PAID' });
  });

  it('is opened once by two clerks, where the one before has ended too', async () => {
    const id = await bookInCash();
    await openDuePage(s.owner, id);
    s.clock.advance(26 * hour);
    await reconcilePayments(s.deps);
    let other: { payment_id: number } | undefined;
    const late = interrupted(s.owner, async () => (other = await openDuePage(s.owner, id)));
    expect(await openDuePage(late, id)).toEqual(other);
  });

  it('is opened once by two clerks at once', async () => {
    const id = await bookInCash();
    const pages = await Promise.all([openDuePage(s.owner, id), openDuePage(s.owner, id)]);
    expect(pages[0]).toEqual(pages[1]);
  });

  it.each(['before', 'after'] as const)(
    'is opened again where the process died %s its write',
    async (when) => {
      const id = await bookInCash();
      const table = crashingTable(s.deps.table, 0, when);
      const dying: Context = {
        ...s.owner,
        table,
        commit: async (writes, body) => {
          await table.transact(writes);
          return body;
        },
      };
      await expect(openDuePage(dying, id)).rejects.toThrow('died');
      const { payment_url } = await shown(id);
      const page = await openDuePage(s.owner, id);
      expect(payment_url).toBe(when === 'before' ? null : page.payment_url);
      await s.decide(page.payment_id, 'success');
      expect(await shown(id)).toMatchObject({ payment_status: 'PAID', amount_paid: price });
      await requireSound(id);
    },
  );

  it('pays once, however often and late the gateway reports it', async () => {
    const id = await bookInCash();
    const page = await openDuePage(s.owner, id);
    await s.decide(page.payment_id, 'success');
    const payment = (await s.deps.table.get(PaymentEntity, { payment_id: page.payment_id }))!;
    const paid = { amount: price, currency: 'VND', transaction_id: payment.transaction_id! };
    const report = { ...payment, outcome: { state: 'paid' as const, ...paid } };
    expect(await settlePayment(s.owner, report)).toBe('repeated');
    s.clock.advance(hour);
    await reconcilePayments(s.deps);
    expect(await shown(id)).toMatchObject({ payment_status: 'PAID', amount_paid: price });
    expect(s.money(page.payment_id)).toMatchObject({ charged: price, back: 0 });
  });

  it('ends a transfer’s time only when it is paid', async () => {
    const { id: listing_id } = await s.listing();
    const items = [
      { listing_id, check_in_date: '2027-02-04', check_out_date: '2027-02-06', guest_number: 2 },
    ];
    const { reservations } = await confirmCheckout(s.guest, { items, payment_method: 'BANK_TRANSFER' });
    const { id } = reservations[0]!;
    const page = await openDuePage(s.owner, id);
    const stay = await s.deps.table.get(ReservationEntity, { order_id: orderIdOf(id), reservation_id: id });
    expect(stay?.pay_until).toEqual(expect.any(Number));
    await s.decide(page.payment_id, 'success');
    expect(await shown(id)).toMatchObject({ payment_status: 'PAID', payment_expires_at: null });
  });

  it('is refused where nothing is due, before the acceptance, and while the booking has a page', async () => {
    const refused = { code: 'INVALID_STATE_TRANSITION' };
    await expect(openDuePage(s.owner, await bookPaid())).rejects.toMatchObject(refused);
    await expect(
      openDuePage(s.owner, await bookInCash({ instant_book_enabled: false })),
    ).rejects.toMatchObject({ ...refused, details: { state: 'PENDING' } });
    const { id } = (await s.confirm([await s.listing()])).reservations[0]!;
    await expect(openDuePage(s.owner, id)).rejects.toMatchObject({
      ...refused,
      details: { payment_window_ends_at: expect.any(String) as string },
    });
    await expect(openDuePage(s.owner, 5)).rejects.toMatchObject({ code: 'BOOKING_NOT_FOUND' });
  });

  it('writes nothing where the gateway does not respond', async () => {
    const id = await bookInCash();
    s.wire.gateway.openSession = () => Promise.reject(new GatewayUnavailable('down'));
    await expect(openDuePage(s.owner, id)).rejects.toMatchObject({ code: 'PAYMENT_GATEWAY_UNAVAILABLE' });
    expect(await shown(id)).toMatchObject({ payment_url: null });
  });
});

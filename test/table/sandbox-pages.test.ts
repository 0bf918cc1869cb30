import { beforeEach, describe, expect, it, vi } from 'vitest';
import { changeBooking } from '../../shared/domain/checkout/index.ts';
import { orderIdOf } from '../../shared/platform/ids.ts';
import { minute, paymentScene, type PaymentScene } from '../support/payment-scene.ts';

let s: PaymentScene;
beforeEach(async () => {
  s = await paymentScene();
  await s.clear();
});

const booked = async () => {
  const listing = await s.listing({
    refund_rule: 'Full refund until check-in',
    full_rate: 1_000_000,
    cleaning_fee: 0,
  });
  const { id } = (await s.confirm([listing])).reservations[0]!;
  return { id, order: orderIdOf(id), page: s.server.find(orderIdOf(id))! };
};
const longer = { check_out_date: '2027-02-07' };
const later = async () => {
  s.clock.advance(6 * minute);
  await s.reconcile();
};

describe('an attempt at the sandbox gateway', () => {
  const session = (attempt: number, amount: number) => ({
    ...{ payment_id: 32, attempt, amount, currency: 'VND' },
    ...{ ends_at: s.clock.now() + minute, now: s.clock.now() },
  });
  const open = (attempt: number, amount: number) => s.wire.gateway.openSession(session(attempt, amount));

  it('has one page for each amount, and an address of its own', async () => {
    const first = await open(1, 500);
    expect(await open(1, 500)).toEqual(first);
    const others = [await open(1, 700), await open(2, 500), await open(2, 700)];
    expect(others[0]).toEqual(await open(1, 700));
    expect(new Set([first, ...others].flatMap(({ reference, url }) => [reference, url])).size).toBe(8);
    expect(s.server.find(others[0]!.reference)).toMatchObject({ amount: 700, state: 'open' });
  });

  it('is found, paid and closed by its reference; by the id of its payment it is the newest', async () => {
    const [first, second] = [await open(1, 500), await open(2, 700)];
    const of = ({ reference }: { reference: string }) => ({ ...session(1, 500), reference, opened_at: 0 });
    expect(s.server.find(32)?.reference).toBe(second.reference);
    s.server.decide(s.server.find(first.reference)!, 'success');
    expect(await s.wire.gateway.find(of(first))).toMatchObject({ state: 'paid', amount: 500 });
    expect(await s.wire.gateway.find(of(second))).toMatchObject({ state: 'unpaid', final: false });
    expect(await s.wire.gateway.close(of(second))).toMatchObject({ state: 'unpaid', final: true });
    expect(s.server.find(first.reference)?.state).toBe('paid');
  });
});

describe('an unpaid booking that was changed', () => {
  it('and then paid on its old page gets that money back, whether the gateway reports it or is asked', async () => {
    for (const isReported of [true, false]) {
      const { id, order, page } = await booked();
      s.server.decide(page, 'success');
      await changeBooking(s.guest, id, longer);
      if (isReported) await s.report(page.reference);
      await later();
      expect(s.money(order)).toEqual({ charged: page.amount, back: page.amount });
      expect(Object.values(s.server.find(page.reference)!.refunds)).toEqual([page.amount]);
      expect(await s.booking(id)).toMatchObject({ payment_status: 'PENDING', total_price: 3_000_000 });
      await s.decide(order, 'success');
      expect(await s.booking(id)).toMatchObject({ payment_status: 'PAID' });
    }
  });

  it('and paid on its new page is PAID, and no mismatch is reported', async () => {
    const error = vi.spyOn(s.deps.log, 'error');
    const { id, order } = await booked();
    await changeBooking(s.guest, id, longer);
    await later();
    s.server.decide(s.server.find(order)!, 'success');
    await later();
    await later();
    expect(await s.booking(id)).toMatchObject({ payment_status: 'PAID' });
    expect(s.money(order)).toEqual({ charged: 3_000_000, back: 0 });
    expect(error).not.toHaveBeenCalled();
  });
});

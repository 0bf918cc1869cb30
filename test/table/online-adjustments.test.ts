import { beforeEach, describe, expect, it } from 'vitest';
import { auditBooking } from '../../shared/domain/audit/index.ts';
import {
  addCharge,
  getBooking,
  getFolio,
  moveBooking,
  refundBooking,
  takePayment,
} from '../../shared/domain/booking/index.ts';
import {
  addAdjustment,
  changeBooking,
  confirmCheckout,
  removeAdjustment,
} from '../../shared/domain/checkout/index.ts';
import { reconcilePayments } from '../../shared/domain/payment/index.ts';
import { orderIdOf } from '../../shared/platform/ids.ts';
import type { Context } from '../../shared/platform/context.ts';
import { crashingTable, paymentScene, type PaymentScene } from '../support/payment-scene.ts';

let s: PaymentScene;
beforeEach(async () => {
  s = await paymentScene();
  await s.clear();
});

const price = 2_200_000;
const night = 1_000_000;
const dog = { label: 'A dog', amount: 300_000, reason: 'SURCHARGE' } as const;
const minibar = { label: 'Minibar', amount: 60_000 };
const goodwill = { label: 'Cold shower', amount: -200_000, reason: 'GOODWILL' } as const;

const bookPaid = async (): Promise<number> => {
  const home = await s.listing({ refund_rule: 'Full refund until check-in' });
  return (await s.confirm([home], 'tok_ok')).reservations[0]!.id;
};
const pendingOf = async (id: number): Promise<number> =>
  (await s.order(orderIdOf(id))).reservations.find(({ reservation_id }) => reservation_id === id)!
    .pending_change!;
const shown = (id: number) => getBooking(s.guest, id);
const requireSound = async (id: number): Promise<void> =>
  expect((await auditBooking(s.deps, id)).findings).toEqual([]);

describe('what a booking that is paid online costs more by an adjustment', () => {
  it('is paid on a page first: the price stands until then', async () => {
    const id = await bookPaid();
    const { change } = await addAdjustment(s.owner, id, dog);
    expect(change).toMatchObject({ difference: 300_000, amount_due: 300_000 });
    expect(change.payment_url).toEqual(expect.any(String));
    expect(await shown(id)).toMatchObject({ total_price: price, payment_status: 'PAID' });
    expect(await addAdjustment(s.owner, id, dog)).toMatchObject({ change });
    await s.decide(await pendingOf(id), 'success');
    expect(await shown(id)).toMatchObject({
      total_price: price + 300_000,
      payment_status: 'PAID',
      amount_paid: price + 300_000,
      pending_change: null,
    });
    await requireSound(id);
  });

  it('is due at once with charge_later, and taken at the desk', async () => {
    const id = await bookPaid();
    await addAdjustment(s.owner, id, { ...dog, charge_later: true });
    expect(await shown(id)).toMatchObject({ amount_due: 300_000, payment_status: 'PENDING', secured: false });
    await takePayment(s.owner, id, { amount: 300_000, method: 'CASH' });
    expect(await shown(id)).toMatchObject({ amount_due: 0, payment_status: 'PAID' });
    await requireSound(id);
  });

  it('less goes back through the gateway, and what is taken out again is paid on a page', async () => {
    const id = await bookPaid();
    const adjusted = await addAdjustment(s.owner, id, goodwill);
    const adjustmentId = Number(adjusted.lines.at(-1)!.source!.split(':')[1]);
    expect(adjusted.change.refund).toEqual({
      amount: 200_000,
      status: 'PENDING',
    });
    await reconcilePayments(s.deps);
    expect(s.money(orderIdOf(id)).back).toBe(200_000);
    const { change } = await removeAdjustment(s.owner, id, adjustmentId);
    expect(change).toMatchObject({ difference: 200_000, payment_url: expect.any(String) as string });
    await requireSound(id);
  });

  it.each(['guest', 'owner'] as const)(
    'gives up a change of the %s that waits, and frees its nights',
    async (by) => {
      const home = await s.listing({ refund_rule: 'Full refund until check-in' });
      const { id } = (await s.confirm([home], 'tok_ok')).reservations[0]!;
      await changeBooking(s[by], id, { check_out_date: '2027-02-08' });
      await addAdjustment(s.owner, id, goodwill);
      await requireSound(id);
      const nights = { check_in_date: '2027-02-06', check_out_date: '2027-02-08' };
      const items = [{ listing_id: home.id, ...nights, guest_number: 1 }];
      expect(await confirmCheckout(s.other, { items, payment_method: 'CASH' })).toMatchObject({
        payment_status: 'PENDING',
      });
    },
  );

  it('after the check-out is paid on a page too', async () => {
    const id = await bookPaid();
    s.clock.set('2027-02-04T08:00:00Z');
    await moveBooking(s.owner, id, 'check_in');
    await moveBooking(s.owner, id, 'check_out');
    await addAdjustment(s.owner, id, dog);
    await s.decide(await pendingOf(id), 'success');
    expect(await shown(id)).toMatchObject({ state: 'CHECKED_OUT', total_price: price + 300_000 });
    await requireSound(id);
  });

  it('waits for a change that is being charged', async () => {
    const id = await bookPaid();
    s.wire.gateway.charge = () => Promise.reject(new Error('the process died'));
    const asked = { check_out_date: '2027-02-07', payment_gateway_token: 'tok_ok' };
    await expect(changeBooking(s.guest, id, asked)).rejects.toThrow();
    await expect(addAdjustment(s.owner, id, goodwill)).rejects.toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
    });
  });
});

describe('a charge of a booking that is paid online', () => {
  it('is due after a change whose page was open before it', async () => {
    const id = await bookPaid();
    await changeBooking(s.guest, id, { check_out_date: '2027-02-07' });
    const pending = await pendingOf(id);
    await addCharge(s.owner, id, minibar);
    await s.decide(pending, 'success');
    expect(await shown(id)).toMatchObject({
      ...{ nights: 3, total_price: price + night, payment_status: 'PENDING', amount_due: 60_000 },
    });
    await takePayment(s.owner, id, { amount: 60_000, method: 'CASH' });
    expect(await shown(id)).toMatchObject({ payment_status: 'PAID', amount_due: 0, secured: true });
    await requireSound(id);
  });

  it('cannot be made while its page is open', async () => {
    const home = await s.listing();
    const { id } = (await s.confirm([home])).reservations[0]!;
    await expect(addCharge(s.owner, id, minibar)).rejects.toMatchObject({ code: 'INVALID_STATE_TRANSITION' });
  });
});

describe('a refund by hand of a booking that is paid online', () => {
  const credit = async (): Promise<number> => {
    const id = await bookPaid();
    await addAdjustment(s.owner, id, { ...goodwill, as_credit: true });
    return id;
  };

  it('goes back through the gateway, once', async () => {
    const id = await credit();
    const refund = { amount: 200_000, reason: 'As agreed' };
    const { amount_refunded, balance } = await refundBooking(s.owner, id, refund);
    expect([amount_refunded, balance]).toEqual([0, 0]);
    await expect(refundBooking(s.owner, id, refund)).rejects.toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
    });
    await reconcilePayments(s.deps);
    await reconcilePayments(s.deps);
    expect(s.money(orderIdOf(id)).back).toBe(200_000);
    expect(await getFolio(s.owner, id)).toMatchObject({ amount_refunded: 200_000, amount_to_return: 0 });
    expect(await shown(id)).toMatchObject({ payment_status: 'PAID' });
    await requireSound(id);
  });

  it('is made once where the process died after its write, or before it and the manager asked again', async () => {
    const refund = { amount: 200_000, reason: 'As agreed' };
    for (const when of ['before', 'after'] as const) {
      const id = await credit();
      const table = crashingTable(s.deps.table, 0, when);
      const commit: Context['commit'] = async (writes, body) => {
        await table.transact(writes);
        return body;
      };
      await expect(refundBooking({ ...s.owner, table, commit }, id, refund)).rejects.toThrow('died');
      const again = refundBooking(s.owner, id, refund);
      if (when === 'before') await again;
      else await expect(again).rejects.toMatchObject({ code: 'INVALID_STATE_TRANSITION' });
      await reconcilePayments(s.deps);
      expect(s.money(orderIdOf(id)).back).toBe(200_000);
      await requireSound(id);
    }
  });

  it('is handed over by the host where a method says so', async () => {
    const id = await credit();
    const refund = { amount: 150_000, reason: 'As agreed', method: 'CASH' } as const;
    const { postings } = await refundBooking(s.owner, id, refund);
    expect(postings.at(-1)).toMatchObject({ kind: 'refund', method: 'CASH', of: 1, to_return: true });
    await refundBooking(s.owner, id, { ...refund, amount: 50_000, returned: true });
    await reconcilePayments(s.deps);
    expect(s.money(orderIdOf(id)).back).toBe(0);
    expect(await getFolio(s.owner, id)).toMatchObject({
      amount_refunded: 200_000,
      amount_to_return: 150_000,
    });
    await requireSound(id);
  });
});

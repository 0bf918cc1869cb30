import { beforeAll, describe, expect, it } from 'vitest';
import { auditBooking } from '../../shared/domain/audit/index.ts';
import { ReservationEntity } from '../../shared/domain/booking/reservation.entity.ts';
import {
  addCharge,
  cancelBooking,
  changeDeposit,
  correctPayment,
  getBooking,
  getFolio,
  takePayment,
} from '../../shared/domain/booking/index.ts';
import { changeBooking } from '../../shared/domain/checkout/index.ts';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import { dueFor, paidFor } from '../../shared/domain/folio/model.ts';
import { acceptBooking } from '../../shared/domain/payment/index.ts';
import { reconcilePayments } from '../../shared/domain/payment/reconcile-payments.ts';
import { orderIdOf } from '../../shared/platform/ids.ts';
import { interrupted, interruptedTable, writing } from '../support/interrupted.ts';
import { paymentScene, type PaymentScene } from '../support/payment-scene.ts';

let s: PaymentScene;
beforeAll(async () => {
  s = await paymentScene();
});

const nights = { check_in_date: '2027-02-04', check_out_date: '2027-02-07' };
const book = async (given: object = {}): Promise<number> => {
  const { id } = await s.listing({ refund_rule: 'Full refund until check-in', ...given });
  const items = [{ listing_id: id, ...nights, guest_number: 2 }];
  const booked = await confirmCheckout(s.guest, { items, payment_method: 'CASH' });
  return booked.reservations[0]!.id;
};
const bookOnline = async (): Promise<number> => {
  const home = await s.listing({ refund_rule: 'Full refund until check-in' });
  return (await s.confirm([home], 'tok_ok')).reservations[0]!.id;
};
const take = (id: number, amount: number, more: object = {}) =>
  takePayment(s.owner, id, { amount, method: 'CASH', ...more });
const stayOf = async (id: number) =>
  (await s.deps.table.get(ReservationEntity, { order_id: orderIdOf(id), reservation_id: id }))!;
const kindsOf = async (id: number) => (await stayOf(id)).postings!.map(({ kind, amount }) => [kind, amount]);
const requireDue = async (id: number) => dueFor(await stayOf(id));
const requireSound = async (id: number) => expect((await auditBooking(s.deps, id)).findings).toEqual([]);

describe('what is posted to a folio between the reads and the write of another posting is not lost', () => {
  it('of a payment, for a folio that has one', async () => {
    const id = await book();
    await take(id, 100);
    const late = interrupted(s.owner, () => take(id, 200));
    await takePayment(late, id, { amount: 300, method: 'CASH' });
    expect(await kindsOf(id)).toEqual([
      ['payment', 100],
      ['payment', 200],
      ['payment', 300],
    ]);
    await requireSound(id);
  });

  it('of a correction', async () => {
    const id = await book();
    await take(id, 100);
    await correctPayment(
      interrupted(s.owner, () => take(id, 200)),
      id,
      1,
      'A slip',
    );
    expect(await kindsOf(id)).toEqual([
      ['payment', 100],
      ['payment', 200],
      ['correction', -100],
    ]);
    await requireSound(id);
  });

  it('of a cancellation, which refunds it too', async () => {
    const id = await book();
    await take(id, 100);
    const cancelled = await cancelBooking(
      interrupted(s.owner, () => take(id, 200)),
      id,
    );
    expect(cancelled.refund).toEqual({ amount: 300, status: 'REFUNDED' });
    expect(paidFor(await stayOf(id))).toBe(0);
    await requireSound(id);
  });

  it('of a security deposit, which a cancellation leaves as it is', async () => {
    const id = await book({ security_deposit: 500 });
    await take(id, 100);
    const deposit = (action: 'TAKE' | 'RETURN', ctx = s.owner) =>
      changeDeposit(ctx, id, { action, amount: 500, method: 'CASH' });
    const cancelled = await cancelBooking(
      interrupted(s.owner, () => deposit('TAKE')),
      id,
    );
    expect(cancelled.refund.amount).toBe(100);
    expect((await deposit('RETURN')).security_deposit).toMatchObject({ held: 0, returned: 500 });
    await requireSound(id);
  });

  it('of a cancellation, after which no security deposit is taken', async () => {
    const id = await book({ security_deposit: 500 });
    const late = interrupted(s.owner, () => cancelBooking(s.owner, id));
    const given = { action: 'TAKE', amount: 500, method: 'CASH' } as const;
    await expect(changeDeposit(late, id, given)).rejects.toMatchObject({ code: 'INVALID_STATE_TRANSITION' });
    expect((await stayOf(id)).postings).toBeUndefined();
  });

  it('nor is a payment posted beside a change that has come to wait for its payment', async () => {
    const id = await bookOnline();
    await addCharge(s.owner, id, { label: 'Minibar', amount: 70 });
    const late = interrupted(s.owner, () => changeBooking(s.guest, id, { check_out_date: '2027-02-08' }));
    await expect(takePayment(late, id, { amount: 70, method: 'CASH' })).rejects.toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
    });
    expect(await kindsOf(id)).not.toContainEqual(['payment', 70]);
    await requireSound(id);
  });

  it('of a refund that the gateway has made', async () => {
    const id = await bookOnline();
    await changeBooking(s.guest, id, { check_out_date: '2027-02-05' });
    const table = interruptedTable(s.deps.table, writing('PaymentRefund'), () =>
      take(id, 70, { overpaid: true }),
    );
    await reconcilePayments({ ...s.deps, table });
    const { postings = [] } = await stayOf(id);
    expect(postings.map(({ kind }) => kind)).toEqual(['payment', 'change', 'refund', 'payment']);
    expect(postings.some(({ is_due }) => is_due)).toBe(false);
    expect(paidFor(await stayOf(id))).toBe((await stayOf(id)).total + 70);
    await requireSound(id);
  });
});

describe('money from the gateway and from the desk', () => {
  it('go back each by its own way: the event of the host’s names no charge', async () => {
    const id = await bookOnline();
    const { total } = await stayOf(id);
    await take(id, 70, { overpaid: true });
    expect((await cancelBooking(s.owner, id)).refund).toEqual({ amount: total + 70, status: 'PENDING' });
    await s.reconcile();
    const back = (await s.events(orderIdOf(id))).filter(
      ({ event_type }) => event_type === 'payment.refunded',
    );
    expect(back.map(({ data }) => 'amount' in data && [data.amount, data.payment_transaction_id])).toEqual([
      [70, null],
      [total, (await stayOf(id)).postings![0]!.reference],
    ]);
    await requireSound(id);
  });

  it('is not taken while the guest may pay for a change', async () => {
    const id = await bookOnline();
    await changeBooking(s.guest, id, { check_out_date: '2027-02-08' });
    await expect(take(id, 5, { overpaid: true })).rejects.toMatchObject({ code: 'INVALID_STATE_TRANSITION' });
    expect(await kindsOf(id)).toHaveLength(1);
  });
});

describe('a change of a stay that was paid online', () => {
  it('is made at once where credit pays what it costs more', async () => {
    const id = await bookOnline();
    await take(id, 5_000_000, { overpaid: true });
    const { change } = await changeBooking(s.guest, id, { check_out_date: '2027-02-07' });
    expect([change.difference > 0, change.amount_due, change.payment_url]).toEqual([true, 0, undefined]);
    expect(await stayOf(id)).toMatchObject({ check_out_date: '2027-02-07', payment_status: 'PAID' });
  });

  it('is made at once where it costs the same, although an earlier one is still to be paid', async () => {
    const id = await bookOnline();
    await changeBooking(s.owner, id, { check_out_date: '2027-02-07', charge_later: true });
    const { change } = await changeBooking(s.guest, id, { guest_number: 1 });
    expect([change.difference, change.amount_due > 0, change.payment_url]).toEqual([0, true, undefined]);
    expect(await stayOf(id)).toMatchObject({ guest_number: 1, payment_status: 'PENDING' });
  });
});

describe('a stay whose authorised payment was captured, and that was changed to be paid later', () => {
  it('is not secured: the door code waits for the payment; its price may change again', async () => {
    const home = await s.listing({ instant_book_enabled: false, door_code: { gate: '4711' } });
    const { id } = (await s.confirm([home], 'tok_ok')).reservations[0]!;
    expect(await getBooking(s.guest, id)).toMatchObject({ state: 'PENDING', secured: true });
    await acceptBooking(s.owner, id);
    await changeBooking(s.owner, id, { check_out_date: '2027-02-08', charge_later: true });
    expect(await getBooking(s.guest, id)).toMatchObject({
      ...{ payment_status: 'PENDING', secured: false },
      access: { state: 'WAITS_FOR_PAYMENT' },
    });
    await changeBooking(s.owner, id, { check_out_date: '2027-02-07', charge_later: true });
    expect(await requireDue(id)).toBeGreaterThan(0);
  });
});

describe('the folio of a booking', () => {
  it('shows what a change added or took, beside what the stay cost first', async () => {
    const id = await bookOnline();
    const before = (await stayOf(id)).total;
    await changeBooking(s.guest, id, { check_out_date: '2027-02-05' });
    const due = await getFolio(s.owner, id);
    const { total } = await stayOf(id);
    const lines = ({ postings }: typeof due) => postings.map(({ kind, amount }) => [kind, amount]);
    const first = [
      ['stay', before],
      ['payment', before],
      ['change', total - before],
    ];
    expect(lines(due)).toEqual(first);
    await s.reconcile();
    const made = await getFolio(s.owner, id);
    expect(lines(made)).toEqual([...first, ['refund', before - total]]);
    expect(made).toMatchObject({ balance: 0, amount_paid: before, amount_refunded: before - total });
  });

  it('of a stay that fell through without a payment has nothing payable', async () => {
    const id = await book();
    const { total } = await stayOf(id);
    await cancelBooking(s.owner, id);
    const { postings, ...sums } = await getFolio(s.owner, id);
    expect(sums).toMatchObject({ balance: 0, amount_due: 0, amount_paid: 0 });
    expect(postings.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['stay', total],
      ['stay', -total],
    ]);
  });

  it('of one that keeps a fee shows it after the reversal', async () => {
    const id = await book({ refund_rule: 'Non-refundable' });
    const { total } = await stayOf(id);
    await take(id, 500);
    await cancelBooking(s.guest, id);
    const { postings, balance } = await getFolio(s.owner, id);
    expect([balance, ...postings.map(({ id: number, kind, amount }) => [number, kind, amount])]).toEqual([
      0,
      [0, 'stay', total],
      [1, 'payment', 500],
      [0, 'stay', -total],
      [2, 'fee', 500],
    ]);
  });

  it.each([
    ['as it was booked', false],
    ['after another price', true],
  ])(
    'of a stay that fell through unpaid, %s, has what came too late, and that it went back',
    async (_, isChanged) => {
      const { reservations } = await s.confirm([await s.listing()]);
      const { id, total_price: total } = reservations[0]!;
      if (isChanged) await changeBooking(s.owner, id, { check_out_date: '2027-02-05' });
      const { total: cost } = await stayOf(id);
      await cancelBooking(s.owner, id);
      await s.decide(orderIdOf(id), 'success');
      await s.reconcile();
      const { postings, ...sums } = await getFolio(s.owner, id);
      expect(sums).toMatchObject({
        ...{ payment_status: 'REFUNDED', balance: 0, amount_due: 0 },
        ...{ amount_paid: cost, amount_refunded: cost },
      });
      expect(postings.map(({ kind, amount }) => [kind, amount])).toEqual([
        ['stay', total],
        ...(isChanged ? [['change', cost - total]] : []),
        ['stay', -cost],
        ['payment', cost],
        ['refund', cost],
      ]);
    },
  );

  it('takes money that comes at this very moment', async () => {
    const id = await book();
    const received_at = new Date(s.clock.now()).toISOString();
    expect(await take(id, 5, { received_at })).toMatchObject({ amount_paid: 5 });
  });
});

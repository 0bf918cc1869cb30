import { beforeEach, describe, expect, it } from 'vitest';
import { auditBooking } from '../../shared/domain/audit/index.ts';
import {
  addCharge,
  cancelBooking,
  correctPayment,
  getBooking,
  getCancellation,
  getFolio,
  markPaid,
  moveBooking,
  extendPayment,
  takePayment,
} from '../../shared/domain/booking/index.ts';
import { findOrderWithEvents } from '../../shared/domain/booking/booking.store.ts';
import { scheduleEnds } from '../../shared/domain/booking/due-booking.store.ts';
import { addAdjustment, changeBooking, confirmCheckout } from '../../shared/domain/checkout/index.ts';
import {
  acceptBooking,
  moveDueBookings,
  openDuePage,
  reconcilePayments,
} from '../../shared/domain/payment/index.ts';
import { PaymentEntity } from '../../shared/domain/payment/payment.entity.ts';
import type { PaymentMethod } from '../../shared/domain/payment/model.ts';
import { orderIdOf } from '../../shared/platform/ids.ts';
import { GatewayUnavailable } from '../../shared/platform/payment/index.ts';
import {
  crashingTable,
  hour,
  nothingMoved,
  paymentScene,
  type PaymentScene,
} from '../support/payment-scene.ts';
import { interrupted, interruptedTable } from '../support/interrupted.ts';

let s: PaymentScene;
beforeEach(async () => {
  s = await paymentScene();
  await s.clear();
});

const price = 2_200_000;
const deposit = 660_000;
const balance = price - deposit;
const balanceDueAt = '2027-02-01T07:00:00.000Z';
const checkIn = '2027-02-04T07:00:00.000Z';

const plan = { deposit_percent: 30, refund_rule: 'Full refund until 7 days before check-in' };
type Given = NonNullable<Parameters<PaymentScene['listing']>[0]>;
const onArrival: Given = { ...plan, balance_due: 'ON_ARRIVAL' };

const book = async (method: PaymentMethod, given: Given = plan, token?: string) => {
  const { id } = await s.listing(given);
  const booked = await confirmCheckout(s.guest, {
    ...s.online([{ id }], token),
    payment_method: method,
  });
  const { id: bookingId } = booked.reservations[0]!;
  await scheduleEnds(s.deps, [bookingId]);
  return { ...booked, id: bookingId, order: booked.master_reservation_id };
};
/** Books and pays the deposit online. */
const bookOnline = async (given: Given = plan): Promise<number> => {
  const { id, order } = await book('ONLINE_GATEWAY', given);
  await s.decide(order, 'success');
  return id;
};
const bookByTransfer = async (given: Given = plan): Promise<number> => {
  const { id } = await book('BANK_TRANSFER', given);
  await markPaid(s.owner, id);
  return id;
};
/** The dependencies, but the gateway does something else. */
const withGateway = (over: Partial<ReturnType<typeof s.deps.payments>>): typeof s.deps => {
  const gateway = Object.create(s.deps.payments()) as ReturnType<typeof s.deps.payments>;
  return { ...s.deps, payments: () => Object.assign(gateway, over) };
};
const shown = (id: number) => getBooking(s.guest, id);
/** The feed is not filled here. */
const requireSound = async (id: number): Promise<void> =>
  expect(
    (await auditBooking(s.deps, id)).findings.filter(({ rule }) => rule !== 'event-not-in-feed'),
  ).toEqual([]);
const eventsOf = async (id: number) =>
  (await findOrderWithEvents(s.deps.table, orderIdOf(id), { consistent: true })).events;
const callBalance = async (): Promise<void> => {
  s.clock.set(balanceDueAt);
  expect(await moveDueBookings(s.deps)).toEqual({ ...nothingMoved, balance_due: 1 });
};
const payments = async (id: number) =>
  (await getFolio(s.owner, id)).postings
    .filter(({ kind }) => kind === 'payment' || kind === 'refund')
    .map(({ kind, amount }) => [kind, amount]);
const laterBalance = { amount_due: 0, amount_due_later: balance, balance_due_at: balanceDueAt };
const nothingLater = { amount_due_later: 0, balance_due_at: null };

describe('a payment plan', () => {
  it('has the deposit paid at booking and the balance at its time, each on a page of its own', async () => {
    const { id, order, payment_status, estimated_total } = await book('ONLINE_GATEWAY');
    expect({ payment_status, estimated_total }).toEqual({
      payment_status: 'PENDING',
      estimated_total: price,
    });
    expect(await shown(id)).toMatchObject({
      ...{ ...laterBalance, amount_due: deposit, amount_paid: 0, secured: false },
      payment_expires_at: '2027-01-16T03:00:00.000Z',
    });
    await s.decide(order, 'success');
    expect(s.money(order)).toEqual({ charged: deposit, back: 0 });
    expect(await shown(id)).toMatchObject({
      ...{ ...laterBalance, payment_status: 'PENDING', amount_paid: deposit, secured: true },
      ...{ payment_url: null, payment_expires_at: null },
    });
    await requireSound(id);
    s.clock.set('2027-02-01T06:59:59.999Z');
    expect(await moveDueBookings(s.deps)).toEqual(nothingMoved);
    await callBalance();
    const due = await shown(id);
    expect(due).toMatchObject({
      ...{ amount_due: balance, ...nothingLater, secured: true, state: 'CONFIRMED' },
      payment_expires_at: '2027-02-01T19:00:00.000Z',
    });
    expect(due.payment_url).not.toBeNull();
    expect((await eventsOf(id)).at(-1)).toMatchObject({
      ...{ event_type: 'payment.due', actor: 'system:move-due-bookings' },
      data: { id, amount: balance, payment_transaction_id: null },
    });
    const page = await openDuePage(s.owner, id);
    expect(page).toMatchObject({ payment_url: due.payment_url, amount: balance });
    await s.decide(page.payment_id, 'success');
    expect(await shown(id)).toMatchObject({
      ...{ payment_status: 'PAID', amount_due: 0, ...nothingLater, amount_paid: price },
    });
    expect(await payments(id)).toEqual([
      ['payment', deposit],
      ['payment', balance],
    ]);
    s.clock.set('2027-02-01T19:00:00.000Z');
    expect(await moveDueBookings(s.deps)).toEqual(nothingMoved);
    await requireSound(id);
  });

  it('that falls due 12 hours before check-in may be paid until check-in', async () => {
    const id = await bookByTransfer();
    s.clock.set('2027-02-03T19:00:00.000Z');
    expect(await moveDueBookings(s.deps)).toEqual({ ...nothingMoved, balance_due: 1 });
    expect(await shown(id)).toMatchObject({ amount_due: balance, payment_expires_at: checkIn });
  });

  it('without a deposit has no time to pay again when a payment before its time is taken out', async () => {
    const { id } = await book('BANK_TRANSFER', { ...plan, deposit_percent: 0 });
    await takePayment(s.owner, id, { amount: 500_000, method: 'CASH' });
    await correctPayment(s.owner, id, 1, 'A slip');
    await addCharge(s.owner, id, { label: 'Minibar', amount: 30_000 });
    expect(await shown(id)).toMatchObject({ amount_due: 30_000, payment_expires_at: null });
  });

  it('has a charge that is paid once, and the deposit with it in time', async () => {
    const { id } = await book('BANK_TRANSFER');
    await addCharge(s.owner, id, { label: 'Minibar', amount: 30_000 });
    await markPaid(s.owner, id);
    expect(await shown(id)).toMatchObject({ ...laterBalance, amount_due: 0, payment_expires_at: null });
    await expect(markPaid(s.owner, id)).rejects.toMatchObject({ code: 'INVALID_STATE_TRANSITION' });
    await addCharge(s.owner, id, { label: 'Bike', amount: 50_000 });
    expect(await shown(id)).toMatchObject({ ...laterBalance, amount_due: 50_000 });
    await takePayment(s.owner, id, { amount: 50_000, method: 'CASH' });
    expect(await shown(id)).toMatchObject({ ...laterBalance, amount_due: 0, payment_status: 'PENDING' });
    await requireSound(id);
    await callBalance();
    expect(await shown(id)).toMatchObject({ ...nothingLater, amount_due: balance });
  });

  it('has a balance again by a change after its time, which the schedule calls: no work is late before', async () => {
    const id = await bookByTransfer();
    await takePayment(s.owner, id, { amount: balance, method: 'BANK_TRANSFER' });
    s.clock.set('2027-02-03T07:00:00.000Z');
    expect(await moveDueBookings(s.deps)).toEqual(nothingMoved);
    await changeBooking(s.owner, id, { check_out_date: '2027-02-07' });
    expect(await shown(id)).toMatchObject({ amount_due: 0, amount_due_later: 1_000_000 });
    await requireSound(id);
    s.clock.set('2027-02-03T14:00:00.001Z');
    expect((await auditBooking(s.deps, id)).findings.map(({ rule }) => rule)).toContain('work-late');
    expect(await moveDueBookings(s.deps)).toEqual({ ...nothingMoved, balance_due: 1 });
    await requireSound(id);
  });

  it('is cancelled by the schedule after an undone check-in, which opens the end of its time to pay again: no work is late before', async () => {
    const { id } = await book('BANK_TRANSFER');
    s.clock.set('2027-02-04T01:00:00.000Z');
    await moveBooking(s.owner, id, 'check_in');
    expect(await moveDueBookings(s.deps)).toEqual(nothingMoved);
    await moveBooking(s.owner, id, 'undo_check_in');
    await requireSound(id);
    expect(await moveDueBookings(s.deps)).toEqual({ ...nothingMoved, cancelled: 1 });
    await requireSound(id);
  });

  it.each([
    ['on the page of the booking', {}, undefined],
    ['on a page after the acceptance', { instant_book_enabled: false }, undefined],
    ['that is authorised until the acceptance', { instant_book_enabled: false }, 'tok_ok'],
  ])('has an audit that finds the deposit right %s', async (_, given, token) => {
    const { id } = await book('ONLINE_GATEWAY', { ...plan, ...given }, token);
    await requireSound(id);
    if ('instant_book_enabled' in given) await acceptBooking(s.owner, id);
    await requireSound(id);
  });

  it('cancels the booking by its terms 12 hours after an unpaid balance has fallen due', async () => {
    const steps = { until_hours_before: 48, refund_percent: 80, keep_nights: 0 };
    const id = await bookOnline({ deposit_percent: 30, cancellation_terms: [steps] });
    await callBalance();
    s.clock.set('2027-02-01T18:59:59.999Z');
    expect(await moveDueBookings(s.deps)).toEqual(nothingMoved);
    expect((await getCancellation(s.guest, id)).refund_now).toMatchObject({ amount: 220_000 });
    s.clock.set('2027-02-01T19:00:00.000Z');
    expect(await moveDueBookings(s.deps)).toEqual({ ...nothingMoved, cancelled: 1 });
    // 20 percent of the price is kept of the deposit.
    await reconcilePayments(s.deps);
    expect(await shown(id)).toMatchObject({
      ...{ state: 'CANCELLED', cancel_reason: 'The payment was not made in time.' },
      ...{ amount_refunded: 220_000, amount_due: 0, ...nothingLater },
    });
    expect(s.money(orderIdOf(id))).toEqual({ charged: deposit, back: 220_000 });
    await requireSound(id);
  });

  it('asks the gateway about the page of the balance before it cancels', async () => {
    const id = await bookOnline();
    await callBalance();
    const { payment_id } = await openDuePage(s.owner, id);
    s.server.decide(s.server.find(payment_id)!, 'success');
    s.clock.set('2027-02-01T19:00:00.000Z');
    expect(await moveDueBookings(s.deps)).toEqual({ ...nothingMoved });
    expect(await shown(id)).toMatchObject({ state: 'CONFIRMED', payment_status: 'PAID' });
    await requireSound(id);
  });

  it('refunds a balance that is paid after the cancellation', async () => {
    const id = await bookOnline();
    await callBalance();
    const { payment_id } = await openDuePage(s.owner, id);
    s.clock.set('2027-02-01T19:00:00.000Z');
    await moveDueBookings(s.deps);
    await s.decide(payment_id, 'success');
    await reconcilePayments(s.deps);
    expect(s.money(payment_id)).toEqual({ charged: balance, back: balance });
    await requireSound(id);
  });

  it('by transfer has the deposit within the time to transfer, the balance within 12 hours', async () => {
    const { id } = await book('BANK_TRANSFER');
    expect(await shown(id)).toMatchObject({
      ...{ ...laterBalance, amount_due: deposit },
      payment_expires_at: '2027-01-18T03:00:00.000Z',
    });
    await markPaid(s.owner, id);
    expect(await shown(id)).toMatchObject({ ...laterBalance, amount_paid: deposit, secured: true });
    await expect(markPaid(s.owner, id)).rejects.toMatchObject({ code: 'INVALID_STATE_TRANSITION' });
    await callBalance();
    expect(await shown(id)).toMatchObject({
      ...{ amount_due: balance, payment_url: null, payment_expires_at: '2027-02-01T19:00:00.000Z' },
    });
    await markPaid(s.owner, id);
    expect(await shown(id)).toMatchObject({ payment_status: 'PAID', amount_paid: price });
    await requireSound(id);
  });

  it('is cancelled where the deposit does not come', async () => {
    const { id } = await book('BANK_TRANSFER');
    s.clock.set('2027-01-18T03:00:00.000Z');
    expect(await moveDueBookings(s.deps)).toEqual({ ...nothingMoved, cancelled: 1 });
    expect(await shown(id)).toMatchObject({ state: 'CANCELLED', amount_due: 0, ...nothingLater });
    await requireSound(id);
  });

  it('lets the host take the balance, or a part of it, before it is due', async () => {
    const id = await bookByTransfer();
    await takePayment(s.owner, id, { amount: 540_000, method: 'CASH' });
    expect(await shown(id)).toMatchObject({ ...laterBalance, amount_due_later: 1_000_000 });
    await expect(takePayment(s.owner, id, { amount: 1_000_001, method: 'CASH' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
    await takePayment(s.owner, id, { amount: 1_000_000, method: 'CASH' });
    expect(await shown(id)).toMatchObject({ payment_status: 'PAID', ...nothingLater });
    s.clock.set(balanceDueAt);
    expect(await moveDueBookings(s.deps)).toEqual(nothingMoved);
    await correctPayment(s.owner, id, 3, 'Counted twice');
    expect(await shown(id)).toMatchObject({ payment_status: 'PENDING', amount_due_later: 1_000_000 });
    expect(await moveDueBookings(s.deps)).toEqual({ ...nothingMoved, balance_due: 1 });
    await requireSound(id);
  });

  it('on arrival has its balance due at check-in, or when the guest arrives before, and cancels nothing', async () => {
    const [early, late] = [await bookOnline(onArrival), await bookOnline(onArrival)];
    expect(await shown(early)).toMatchObject({ ...laterBalance, balance_due_at: checkIn });
    s.clock.set('2027-02-04T03:00:00.000Z');
    expect(await moveDueBookings(s.deps)).toEqual(nothingMoved);
    await moveBooking(s.owner, early, 'check_in');
    expect(await shown(early)).toMatchObject({ amount_due: balance, ...nothingLater, secured: true });
    s.clock.set(checkIn);
    expect(await moveDueBookings(s.deps)).toEqual({ ...nothingMoved, balance_due: 1 });
    expect(await shown(late)).toMatchObject({
      amount_due: balance,
      payment_url: null,
      payment_expires_at: null,
    });
    s.clock.set('2027-02-05T07:00:00.000Z');
    expect(await moveDueBookings(s.deps)).toEqual(nothingMoved);
    await takePayment(s.owner, early, { amount: balance, method: 'CARD_ON_SITE' });
    expect(await shown(early)).toMatchObject({ payment_status: 'PAID' });
    for (const id of [early, late]) await requireSound(id);
  });

  it('is that of one charge by token, of the deposit', async () => {
    const { id, order } = await book('ONLINE_GATEWAY', plan, 'tok_ok');
    expect(s.money(order)).toEqual({ charged: deposit, back: 0 });
    expect(await shown(id)).toMatchObject({ ...laterBalance, payment_status: 'PENDING', secured: true });
    expect((await eventsOf(id)).find(({ event_type }) => event_type === 'payment.paid')).toMatchObject({
      data: { amount: deposit, payment_status: 'PENDING' },
    });
    await requireSound(id);
  });

  it('has its deposit authorised, and charged when the host accepts', async () => {
    const { id } = await book('ONLINE_GATEWAY', { ...plan, instant_book_enabled: false }, 'tok_ok');
    expect(await shown(id)).toMatchObject({ state: 'PENDING', secured: true });
    await acceptBooking(s.owner, id);
    expect(s.money(id)).toEqual({ charged: deposit, back: 0 });
    expect(await shown(id)).toMatchObject({ ...laterBalance, state: 'CONFIRMED', amount_paid: deposit });
    await requireSound(id);
  });

  it('has the page of its deposit opened by the acceptance', async () => {
    const { id } = await book('ONLINE_GATEWAY', { ...plan, instant_book_enabled: false });
    await acceptBooking(s.owner, id);
    expect(await shown(id)).toMatchObject({ ...laterBalance, amount_due: deposit });
    await s.decide(id, 'success');
    expect(s.money(id)).toEqual({ charged: deposit, back: 0 });
    await callBalance();
    await requireSound(id);
  });

  it('without a deposit has nothing due at booking, and is not secured', async () => {
    for (const method of ['ONLINE_GATEWAY', 'BANK_TRANSFER'] as const) {
      const { id, payment_url } = await book(method, { ...plan, deposit_percent: 0 });
      expect(payment_url).toBeUndefined();
      expect(await shown(id)).toMatchObject({
        ...{ amount_due: 0, amount_due_later: price, secured: false, payment_expires_at: null },
      });
    }
    await expect(book('ONLINE_GATEWAY', { ...plan, deposit_percent: 0 }, 'tok_ok')).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
    s.clock.set(balanceDueAt);
    expect(await moveDueBookings(s.deps)).toEqual({ ...nothingMoved, balance_due: 2 });
    s.clock.set('2027-02-01T19:00:00.000Z');
    expect(await moveDueBookings(s.deps)).toEqual({ ...nothingMoved, cancelled: 2 });
  });

  it('is of each stay of an order: one page takes what is due of all', async () => {
    const homes = [
      await s.listing(plan),
      await s.listing({ ...plan, deposit_percent: 0 }),
      await s.listing({ refund_rule: 'Flexible' }),
    ];
    const { master_reservation_id: order, reservations } = await s.confirm(homes);
    expect(await shown(order)).toMatchObject({
      ...{ amount_due: deposit + price, amount_due_later: balance + price, balance_due_at: balanceDueAt },
    });
    await s.decide(order, 'success');
    expect(s.money(order)).toEqual({ charged: deposit + price, back: 0 });
    const paid = await Promise.all(reservations.map(async ({ id }) => (await shown(id)).amount_paid));
    expect(paid).toEqual([deposit, 0, price]);
    for (const { id } of reservations) await requireSound(id);
  });

  it('is not that of cash, nor of a booking that is made after the balance is due', async () => {
    const cash = await book('CASH');
    expect(await shown(cash.id)).toMatchObject({ amount_due: price, ...nothingLater });
    s.clock.set(balanceDueAt);
    const late = await book('ONLINE_GATEWAY');
    expect(await shown(late.id)).toMatchObject({ amount_due: price, ...nothingLater });
  });
});

describe('a change of a stay with a payment plan', () => {
  const changed = (id: number, given: object) => changeBooking(s.guest, id, given);

  it('adds what it costs more to the balance, without a page', async () => {
    const id = await bookOnline();
    const { change } = await changed(id, { check_out_date: '2027-02-07' });
    expect(change).toMatchObject({ difference: 1_000_000, amount_due: 0 });
    expect(await shown(id)).toMatchObject({ ...laterBalance, amount_due_later: balance + 1_000_000 });
    await requireSound(id);
  });

  it('takes what it costs less off the balance, and refunds what is below the deposit', async () => {
    const id = await bookOnline();
    await changed(id, { check_out_date: '2027-02-05' });
    expect(await shown(id)).toMatchObject({ ...laterBalance, amount_due_later: balance - 1_000_000 });
    await takePayment(s.owner, id, { amount: 540_000, method: 'CASH' });
    expect(await shown(id)).toMatchObject({ payment_status: 'PAID', ...nothingLater });
    await changed(id, { check_out_date: '2027-02-06' });
    expect(await shown(id)).toMatchObject({ payment_status: 'PENDING', amount_due_later: 1_000_000 });
    await requireSound(id);
  });

  it('keeps no more as the deposit than it costs: what it costs more again is due later', async () => {
    const id = await bookOnline();
    const adjust = (amount: number) =>
      addAdjustment(s.owner, id, {
        label: 'Agreed',
        amount,
        reason: amount < 0 ? 'GOODWILL' : 'SURCHARGE',
      });
    await adjust(200_000 - price);
    await reconcilePayments(s.deps);
    expect(await shown(id)).toMatchObject({ amount_due: 0, amount_due_later: 0, payment_status: 'PAID' });
    await adjust(1_000_000);
    expect(await shown(id)).toMatchObject({ amount_due: 0, amount_due_later: 1_000_000, secured: true });
    await requireSound(id);
  });

  it('moves the time of the balance', async () => {
    const id = await bookOnline();
    await changed(id, { check_in_date: '2027-02-11', check_out_date: '2027-02-13' });
    expect(await shown(id)).toMatchObject({ ...laterBalance, balance_due_at: '2027-02-08T07:00:00.000Z' });
    s.clock.set(balanceDueAt);
    expect(await moveDueBookings(s.deps)).toEqual(nothingMoved);
    s.clock.set('2027-02-08T07:00:00.000Z');
    expect(await moveDueBookings(s.deps)).toEqual({ ...nothingMoved, balance_due: 1 });
    await requireSound(id);
  });
});

describe('the balance falls due', () => {
  it('with no time limit where the guest comes within 12 hours', async () => {
    const id = await bookOnline();
    s.clock.set('2027-02-03T19:00:00.001Z');
    expect(await moveDueBookings(s.deps)).toEqual({ ...nothingMoved, balance_due: 1 });
    expect(await shown(id)).toMatchObject({
      amount_due: balance,
      payment_url: null,
      payment_expires_at: null,
    });
    s.clock.set('2027-02-04T12:00:00.000Z');
    expect(await moveDueBookings(s.deps)).toEqual(nothingMoved);
  });

  it('once, also where the process dies before or after the write', async () => {
    for (const when of ['before', 'after'] as const) {
      const id = await bookOnline();
      s.clock.set(balanceDueAt);
      const dying = { ...s.deps, table: crashingTable(s.deps.table, 0, when) };
      await expect(moveDueBookings(dying)).rejects.toThrow('DUE_BOOKINGS');
      s.clock.advance(hour);
      await moveDueBookings(s.deps);
      const events = await eventsOf(id);
      expect(events.filter(({ event_type }) => event_type === 'payment.due')).toHaveLength(1);
      const { payment_id } = await openDuePage(s.owner, id);
      await s.decide(payment_id, 'success');
      expect(await shown(id)).toMatchObject({ payment_status: 'PAID', amount_paid: price });
      await requireSound(id);
      s.clock.set('2027-01-15T03:00:00.000Z');
    }
  });

  it('later while the gateway does not respond, with its 12 hours from then on', async () => {
    const id = await bookOnline();
    s.clock.set(balanceDueAt);
    let asked = 0;
    const openSession = () => {
      asked++;
      return Promise.reject(new GatewayUnavailable('down'));
    };
    const down = withGateway({ openSession });
    expect(await moveDueBookings(down)).toMatchObject({ balance_due: 0, failed: 1 });
    expect(asked).toBe(1);
    s.clock.advance(2 * hour);
    expect(await moveDueBookings(s.deps)).toMatchObject({ balance_due: 1 });
    expect(await shown(id)).toMatchObject({ payment_expires_at: '2027-02-01T21:00:00.000Z' });
  });

  it('and keeps its time where an older page pays a part', async () => {
    const id = await bookOnline();
    await addCharge(s.owner, id, { label: 'Minibar', amount: 60_000 });
    s.clock.set('2027-02-01T06:00:00.000Z');
    const { payment_id } = await openDuePage(s.owner, id);
    const small = s.server.find(payment_id)!;
    await callBalance();
    s.server.decide(small, 'success');
    await s.report(small.reference);
    expect(await shown(id)).toMatchObject({
      ...{ amount_due: balance, payment_expires_at: '2027-02-01T19:00:00.000Z' },
    });
  });

  it('with no page and no time limit where the gateway refuses the amount', async () => {
    const id = await bookOnline();
    s.clock.set(balanceDueAt);
    const refused = withGateway({ refusal: () => 'too little' });
    expect(await moveDueBookings(refused)).toEqual({ ...nothingMoved, balance_due: 1 });
    expect(await shown(id)).toMatchObject({
      amount_due: balance,
      payment_url: null,
      payment_expires_at: null,
    });
    s.clock.set('2027-02-02T12:00:00.000Z');
    expect(await moveDueBookings(s.deps)).toEqual(nothingMoved);
    await requireSound(id);
  });

  it('in place of a page that the host had opened for a charge', async () => {
    const id = await bookOnline();
    await addCharge(s.owner, id, { label: 'Minibar', amount: 60_000 });
    expect(await shown(id)).toMatchObject({ ...laterBalance, amount_due: 60_000 });
    s.clock.set('2027-02-01T06:00:00.000Z');
    const before = await openDuePage(s.owner, id);
    await callBalance();
    const after = await openDuePage(s.owner, id);
    expect(after).toMatchObject({ payment_id: before.payment_id, amount: balance + 60_000 });
    await s.decide(after.payment_id, 'success');
    expect(await shown(id)).toMatchObject({ payment_status: 'PAID', amount_paid: price + 60_000 });
    await requireSound(id);
  });

  it('against a host who opens a page at the same moment: one page is named', async () => {
    const id = await bookOnline();
    await addCharge(s.owner, id, { label: 'Minibar', amount: 60_000 });
    s.clock.set(balanceDueAt);
    await Promise.all([moveDueBookings(s.deps), openDuePage(s.owner, id)]);
    const page = await openDuePage(s.owner, id);
    expect(page).toMatchObject({ amount: balance + 60_000 });
    expect((await s.deps.table.get(PaymentEntity, { payment_id: page.payment_id }))!.state).toBe('OPEN');
    await requireSound(id);
  });

  it('and keeps the door code where the deposit is paid', async () => {
    const id = await bookOnline();
    await callBalance();
    expect((await shown(id)).access).toMatchObject({ state: 'AT' });
  });

  it('not for a stay that was cancelled before', async () => {
    const id = await bookOnline();
    await cancelBooking(s.guest, id);
    s.clock.set(balanceDueAt);
    expect(await moveDueBookings(s.deps)).toEqual(nothingMoved);
    await reconcilePayments(s.deps);
    expect(s.money(orderIdOf(id))).toEqual({ charged: deposit, back: deposit });
    await requireSound(id);
  });
});

describe('more time for a transfer', () => {
  it('stands when the schedule was about to cancel the booking', async () => {
    const { id } = await book('BANK_TRANSFER', {});
    s.clock.set((await shown(id)).payment_expires_at!);
    const table = interruptedTable(s.deps.table, 'transact', () => extendPayment(s.owner, id, 24));
    await moveDueBookings({ ...s.deps, table });
    expect(await shown(id)).toMatchObject({
      state: 'CONFIRMED',
      payment_expires_at: '2027-01-19T03:00:00.000Z',
    });
    await requireSound(id);
  });

  it('counts each time when two hosts give it at once', async () => {
    const { id } = await book('BANK_TRANSFER', {});
    await extendPayment(
      interrupted(s.owner, () => extendPayment(s.owner, id, 24)),
      id,
      24,
    );
    expect(await shown(id)).toMatchObject({ payment_expires_at: '2027-01-20T03:00:00.000Z' });
  });
});

describe('the page of an order with a stay of which nothing is due at booking', () => {
  const bookTwo = async () => {
    const homes = [await s.listing({ ...plan, deposit_percent: 0 }), await s.listing()];
    const { master_reservation_id: order, reservations } = await s.confirm(homes);
    await scheduleEnds(
      s.deps,
      reservations.map(({ id }) => id),
    );
    return { order, later: reservations[0]!.id, now: reservations[1]!.id };
  };
  const requirePaid = async ({ order, later, now }: Awaited<ReturnType<typeof bookTwo>>): Promise<void> => {
    await s.decide(order, 'success');
    await s.reconcile();
    expect(s.money(order)).toEqual({ charged: price, back: 0 });
    expect(await shown(now)).toMatchObject({ payment_status: 'PAID' });
    for (const id of [later, now]) await requireSound(id);
  };

  it('pays the others when that stay is charged meanwhile', async () => {
    const booked = await bookTwo();
    await addCharge(s.owner, booked.later, { label: 'Bike', amount: 50_000 });
    await requirePaid(booked);
    expect(await shown(booked.later)).toMatchObject({ amount_due: 50_000, amount_paid: 0 });
  });

  it('pays the others when the balance of that stay falls due meanwhile', async () => {
    s.clock.set('2027-02-01T06:00:00.000Z');
    const booked = await bookTwo();
    await callBalance();
    await requirePaid(booked);
    expect(await shown(booked.later)).toMatchObject({ amount_due: price, amount_paid: 0 });
  });
});

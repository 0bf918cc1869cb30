import { describe, expect, it } from 'vitest';
import { moveDueBookings } from '../../shared/domain/payment/index.ts';
import {
  type BookedDetail as Detail,
  type Folio,
  folioCalls,
  stayPrice as price,
} from '../support/folio-calls.ts';
import {
  ok,
  type ReplyOf,
  refusal,
  stay,
  stopClock,
  useOrderScene,
  type Who,
} from '../support/order-scene.ts';

const s = useOrderScene();
const { book, folio, bookingEvents, requireSound } = folioCalls(s);
const cash = (amount: number, more: object = {}) => ({ amount, method: 'CASH', ...more });

const take = (id: number, body: object, who: Who = s.staff, headers = {}): Promise<ReplyOf<Folio>> =>
  s.call('POST', `/api/v1/bookings/${id}/payments`, { ...who, body, headers });
const correct = (
  id: number,
  payment: number,
  who: Who = s.host,
  reason = 'A slip',
): Promise<ReplyOf<Detail>> =>
  s.call('DELETE', `/api/v1/bookings/${id}/payments/${payment}`, { ...who, query: { reason } });
const money = ({ payment_status, amount_due, amount_paid, amount_refunded, secured }: Detail | Folio) => [
  ...[payment_status, amount_due, amount_paid, amount_refunded, secured],
];
const eventsOfPayment = async (id: number) =>
  (await bookingEvents(id))
    .filter(({ event_type }) => event_type.startsWith('payment.'))
    .map(({ event_type, data }) => [event_type, 'amount' in data && data.amount]);
const post = (id: number, verb: string, body: object = {}): Promise<ReplyOf<Detail>> =>
  s.call('POST', `/api/v1/bookings/${id}/${verb}`, { ...s.host, body });

describe('money that a host has taken', () => {
  it('pays a booking in parts: each is an event of its own amount, and the last one makes it PAID', async () => {
    const id = await book();
    const part = ok(await take(id, cash(500_000, { reference: 'R 118' })), 201);
    expect(money(part)).toEqual(['PENDING', price - 500_000, 500_000, 0, false]);
    const received_at = '2027-01-14T09:30:00.000Z';
    const rest = { amount: price - 500_000, method: 'CARD_ON_SITE', received_at };
    expect(money(ok(await take(id, rest), 201))).toEqual(['PAID', 0, price, 0, true]);
    expect(await eventsOfPayment(id)).toEqual([
      ['payment.paid', 500_000],
      ['payment.paid', price - 500_000],
    ]);
    const { balance, postings } = await folio(id);
    expect(balance).toBe(0);
    expect(postings.map((one) => [one.id, one.kind, one.amount, one.method, one.reference])).toEqual([
      [0, 'stay', price, null, null],
      [1, 'payment', 500_000, 'CASH', 'R 118'],
      [2, 'payment', price - 500_000, 'CARD_ON_SITE', null],
    ]);
    expect(postings[2]).toMatchObject({ at: received_at, collected_by: 'HOST' });
    expect(refusal(await take(id, cash(1)))).toMatchObject({ code: 'INVALID_STATE_TRANSITION' });
    await requireSound(id);
  });

  it('is marked as paid for the rest after a part', async () => {
    const id = await book();
    ok(await take(id, cash(500_000)), 201);
    expect(money(ok(await post(id, 'mark-paid')))).toEqual(['PAID', 0, price, 0, true]);
    expect((await eventsOfPayment(id)).at(-1)).toEqual(['payment.paid', price - 500_000]);
    expect(refusal(await post(id, 'mark-paid', { amount: 500_000 })).code).toBe('VALIDATION_ERROR');
  });

  it('is not more than is due, unless it is said to be; what is too much is credit', async () => {
    const id = await book();
    expect(refusal(await take(id, cash(price + 1))).details).toEqual({
      issues: [
        { path: 'amount', message: `must be at most ${price} VND, which is unpaid; or send overpaid` },
      ],
    });
    expect(money(ok(await take(id, cash(price + 100, { overpaid: true })), 201))).toEqual([
      'PAID',
      0,
      price + 100,
      0,
      true,
    ]);
    expect((await folio(id)).balance).toBe(-100);
    expect(money(ok(await take(id, cash(50, { overpaid: true })), 201))[2]).toBe(price + 150);
    await requireSound(id);
  });

  it('as credit stays credit after a change that costs the same, and goes back by every cancellation', async () => {
    const id = await book({ refund_rule: 'Non-refundable' });
    ok(await take(id, cash(price + 300_000, { overpaid: true })), 201);
    const same = ok(await post(id, 'change', { check_out_date: '2027-02-12' })) as Detail & {
      change: unknown;
    };
    expect(same.change).toMatchObject({ difference: 0, refund: { amount: 0, status: 'NONE' } });
    expect((await folio(id)).balance).toBe(-300_000);
    const longer = ok(await post(id, 'change', { check_out_date: '2027-02-13' })) as Detail & {
      change: unknown;
    };
    expect(longer.change).toMatchObject({ difference: 1_000_000, amount_due: 700_000 });
    ok(await take(id, cash(800_000, { overpaid: true })), 201);
    const { refund } = ok(await s.cancel(s.guest, id));
    expect(refund).toEqual({ amount: 100_000, status: 'REFUNDED' });
    expect((await folio(id)).postings.find(({ kind }) => kind === 'fee')?.amount).toBe(price + 1_000_000);
    await requireSound(id);
  });

  it('in part ends the time to transfer: the booking is not cancelled for want of the rest', async () => {
    const id = await book({}, 'BANK_TRANSFER');
    expect(ok(await s.booking(s.guest, id)).payment_expires_at).not.toBeNull();
    ok(await take(id, { amount: 500_000, method: 'BANK_TRANSFER' }), 201);
    expect(ok(await s.booking(s.guest, id))).toMatchObject({ payment_expires_at: null, state: 'CONFIRMED' });
    stopClock('2027-02-01T00:00:00.000Z');
    await moveDueBookings(s.deps);
    expect(ok(await s.booking(s.guest, id))).toMatchObject({
      state: 'CONFIRMED',
      amount_due: price - 500_000,
    });
  });

  it('goes back by a cancellation of the host, and the folio says so', async () => {
    const id = await book();
    ok(await take(id, cash(500_000)), 201);
    expect(ok(await s.cancel(s.host, id))).toMatchObject({
      refund: { amount: 500_000, status: 'REFUNDED' },
      payment_status: 'REFUNDED',
    });
    const { postings, ...sums } = await folio(id);
    expect(money(sums as Folio)).toEqual(['REFUNDED', 0, 500_000, 500_000, true]);
    expect(postings.map((one) => [one.id, one.kind, one.amount, one.of])).toEqual([
      [0, 'stay', price, null],
      [1, 'payment', 500_000, null],
      [0, 'stay', -price, null],
      [3, 'refund', 500_000, 1],
    ]);
    await requireSound(id);
  });

  it('pays the stays of an order in their order, and what is too much is of the first', async () => {
    const items = [stay(await s.listing()), stay(await s.listing())];
    const order = ok(await s.confirm(s.guest, { items, payment_method: 'CASH' }), 201);
    const master = order.master_reservation_id;
    const [one, two] = order.reservations.map(({ id }) => id) as [number, number];
    expect(money(ok(await take(master, cash(price + 300_000)), 201))).toEqual([
      'PENDING',
      price - 300_000,
      price + 300_000,
      0,
      false,
    ]);
    expect([await folio(one), await folio(two)].map(({ amount_paid }) => amount_paid)).toEqual([
      price,
      300_000,
    ]);
    ok(await take(master, cash(price - 300_000 + 7, { overpaid: true })), 201);
    expect([await folio(one), await folio(two)].map(({ amount_paid }) => amount_paid)).toEqual([
      price,
      price + 7,
    ]);
    expect((await folio(master)).postings).toHaveLength(5);
    expect(refusal(await correct(master, 1)).details).toMatchObject({ issues: [{ path: 'booking_id' }] });
  });

  it('is taken once by two clerks at once, and once by a repeated key', async () => {
    const id = await book();
    const replies = await Promise.all([take(id, cash(1_500_000)), take(id, cash(1_500_000), s.host)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 400]);
    const key = { 'Idempotency-Key': `rest-${id}` };
    const first = ok(await take(id, cash(300_000), s.staff, key), 201);
    expect(ok(await take(id, cash(300_000), s.staff, key), 201)).toEqual(first);
    expect((await folio(id)).amount_paid).toBe(1_800_000);
  });

  it.each([
    ['a part of a đồng', cash(0.5), 'amount', 'has more decimals than VND'],
    ['nothing', cash(0), 'amount', expect.any(String) as string],
    [
      'money of tomorrow',
      cash(5, { received_at: '2027-01-16T00:00:00Z' }),
      'received_at',
      'must not be in the future',
    ],
    [
      'of a receipt with a name',
      cash(5, { reference: 'Nguyễn' }),
      'reference',
      'must be up to 40 letters without accents, digits and . _ / # -',
    ],
    ['an unknown way', { amount: 5, method: 'GOLD' }, 'method', expect.any(String) as string],
  ])('is not %s', async (_, body, path, message) => {
    const id = await book();
    expect(refusal(await take(id, body))).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { issues: [{ path, message }] },
    });
    expect((await folio(id)).postings).toHaveLength(1);
  });

  it('waits for the host’s acceptance, and is refused where nothing is due or nothing is known', async () => {
    const waiting = await book({ instant_book_enabled: false });
    expect(refusal(await take(waiting, cash(5)))).toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
      details: { state: 'PENDING' },
    });
    const id = await book();
    ok(await s.cancel(s.host, id));
    expect(refusal(await take(id, cash(5))).code).toBe('INVALID_STATE_TRANSITION');
    expect(refusal(await take(id, cash(5, { overpaid: true }))).code).toBe('INVALID_STATE_TRANSITION');
    expect(refusal(await take(5, cash(5))).code).toBe('BOOKING_NOT_FOUND');
    expect(refusal(await s.get(s.host, '/api/v1/bookings/5/folio')).code).toBe('BOOKING_NOT_FOUND');
  });
});

describe('a payment that was recorded by mistake', () => {
  it('is taken out: its amount is due again, and both stay in the folio and the history', async () => {
    const id = await book();
    ok(await take(id, cash(price)), 201);
    expect(refusal(await correct(id, 1, s.staff)).code).toBe('FORBIDDEN');
    expect(money(ok(await correct(id, 1, s.host, 'Of room 7')))).toEqual(['PENDING', price, 0, 0, false]);
    expect((await folio(id)).postings.slice(1).map((one) => [one.kind, one.amount, one.of])).toEqual([
      ['payment', price, null],
      ['correction', -price, 1],
    ]);
    expect((await eventsOfPayment(id)).at(-1)).toEqual(['payment.corrected', price]);
    const history = await bookingEvents(id);
    expect(history.at(-1)?.data).toMatchObject({ reason: 'Of room 7', payment_transaction_id: null });
    expect(refusal(await correct(id, 1))).toMatchObject({ code: 'INVALID_STATE_TRANSITION' });
    await requireSound(id);
    ok(await take(id, cash(price)), 201);
    expect(money(await folio(id))).toEqual(['PAID', 0, price, 0, true]);
    await requireSound(id);
  });

  it('of a transfer has its time again, from now on', async () => {
    const id = await book({}, 'BANK_TRANSFER');
    ok(await take(id, { amount: 500_000, method: 'BANK_TRANSFER' }), 201);
    ok(await take(id, cash(100_000)), 201);
    ok(await correct(id, 1));
    expect(ok(await s.booking(s.guest, id)).payment_expires_at).toBeNull();
    stopClock('2027-01-16T03:00:00.000Z');
    ok(await correct(id, 2));
    expect(ok(await s.booking(s.guest, id)).payment_expires_at).toBe('2027-01-19T03:00:00.000Z');
    stopClock('2027-01-19T03:00:00.000Z');
    await moveDueBookings(s.deps);
    expect(ok(await s.booking(s.guest, id)).state).toBe('CANCELLED');
  });

  it('of what was paid too much leaves the booking PAID', async () => {
    const id = await book();
    ok(await take(id, cash(price)), 201);
    ok(await take(id, cash(100, { overpaid: true })), 201);
    expect(money(ok(await correct(id, 2)))).toEqual(['PAID', 0, price, 0, true]);
  });

  it('must be one of a host, neither refunded nor of a booking that is over', async () => {
    const id = await book();
    expect(refusal(await correct(5, 1)).code).toBe('BOOKING_NOT_FOUND');
    expect(refusal(await correct(id, 1)).code).toBe('NOT_FOUND');
    ok(await take(id, cash(500_000)), 201);
    expect(refusal(await correct(id, 2)).code).toBe('NOT_FOUND');
    ok(await s.cancel(s.host, id));
    expect(refusal(await correct(id, 1)).code).toBe('INVALID_STATE_TRANSITION');
    const shortened = await book({ refund_rule: 'Free cancellation' });
    ok(await take(shortened, cash(price)), 201);
    ok(await post(shortened, 'change', { check_out_date: '2027-02-11' }));
    expect(refusal(await correct(shortened, 1)).code).toBe('INVALID_STATE_TRANSITION');
  });
});

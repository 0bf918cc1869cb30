import { describe, expect, it } from 'vitest';
import {
  type BookedDetail as Detail,
  type Folio,
  folioCalls,
  stayPrice as price,
} from '../support/folio-calls.ts';
import {
  guest_info,
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
const minibar = { label: 'Minibar', amount: 30_000, quantity: 2 };

const send = (path: string, body: object, who: Who = s.host): Promise<ReplyOf<Folio>> =>
  s.call('POST', path, { ...who, body });
const charge = (id: number, body: object, who?: Who) => send(`/api/v1/bookings/${id}/charges`, body, who);
const refund = (id: number, body: object, who?: Who) => send(`/api/v1/bookings/${id}/refunds`, body, who);
const take = (id: number, amount: number, more: object = {}) =>
  send(`/api/v1/bookings/${id}/payments`, { amount, method: 'CASH', ...more });
const returned = (id: number, posting: number, body = {}, who?: Who) =>
  send(`/api/v1/bookings/${id}/refunds/${posting}/returned`, body, who);
const takeOut = (id: number, posting: number, who: Who = s.host): Promise<ReplyOf<Folio>> =>
  s.call('DELETE', `/api/v1/bookings/${id}/charges/${posting}`, { ...who, query: { reason: 'Of room 7' } });
const detail = async (id: number, who: Who = s.guest): Promise<Detail> =>
  ok(await s.booking(who, id)) as unknown as Detail;
const shown = ({ payment_status, amount_due, secured }: Folio | Detail) => [
  payment_status,
  amount_due,
  secured,
];
const eventsOfBooking = async (id: number) =>
  (await bookingEvents(id)).map(({ event_type, data }) => [
    event_type,
    'amount' in data ? data.amount : null,
    'reason' in data ? data.reason : null,
  ]);
const paidBooking = async (given: object = {}): Promise<number> => {
  const id = await book(given);
  ok(await take(id, price), 201);
  return id;
};

describe('a charge beside the price', () => {
  it('is due at once, shown to the guest, and leaves price and door code as they were', async () => {
    const id = await paidBooking();
    const charged = ok(await charge(id, minibar, s.staff), 201);
    expect(shown(charged)).toEqual(['PENDING', 60_000, true]);
    expect(charged.postings.at(-1)).toMatchObject({
      ...{ id: 2, kind: 'charge', amount: 60_000, label: 'Minibar', quantity: 2, of: null },
    });
    expect(await detail(id)).toMatchObject({
      total_price: price,
      amount_due: 60_000,
      charges: [{ id: 2, booking_id: id, label: 'Minibar', quantity: 2, amount: 60_000 }],
    });
    expect((await eventsOfBooking(id)).at(-1)).toEqual(['booking.charged', 60_000, '2 × Minibar']);
    expect(shown(ok(await take(id, 60_000), 201))).toEqual(['PAID', 0, true]);
    await requireSound(id);
  });

  it('is taken once the guest has left, too', async () => {
    const id = await paidBooking();
    stopClock('2027-02-10T08:00:00.000Z');
    ok(await s.call('POST', `/api/v1/bookings/${id}/check-in`, s.host));
    ok(await s.call('POST', `/api/v1/bookings/${id}/check-out`, s.host));
    expect(shown(ok(await charge(id, { label: 'Broken glass', amount: 90_000 }), 201))).toEqual([
      'PENDING',
      90_000,
      true,
    ]);
    expect((await eventsOfBooking(id)).at(-1)).toEqual(['booking.charged', 90_000, 'Broken glass']);
  });

  it('is taken out by a manager, once; what was paid for it can then be refunded', async () => {
    const id = await paidBooking();
    ok(await charge(id, minibar), 201);
    ok(await take(id, 60_000), 201);
    expect(refusal(await takeOut(id, 2, s.staff)).code).toBe('FORBIDDEN');
    expect(ok(await takeOut(id, 2))).toMatchObject({ payment_status: 'PAID', balance: -60_000 });
    expect((await detail(id)).charges).toEqual([]);
    expect((await eventsOfBooking(id)).at(-1)).toEqual(['booking.charged', -60_000, 'Of room 7']);
    expect(refusal(await takeOut(id, 2)).code).toBe('INVALID_STATE_TRANSITION');
    expect([refusal(await takeOut(id, 1)).code, refusal(await takeOut(id, 4)).code]).toEqual([
      'NOT_FOUND',
      'NOT_FOUND',
    ]);
    expect(ok(await refund(id, { amount: 60_000, reason: 'Minibar' }), 201)).toMatchObject({
      ...{ balance: 0, amount_refunded: 60_000, amount_to_return: 60_000 },
    });
    await requireSound(id);
  });

  it('of an unpaid booking that is taken out leaves the price due', async () => {
    const id = await book();
    ok(await charge(id, minibar), 201);
    expect(shown(ok(await takeOut(id, 1)))).toEqual(['PENDING', price, false]);
  });

  it('ends with a cancellation: what was paid for it goes back, whatever the terms are', async () => {
    const id = await paidBooking({ refund_rule: 'Non-refundable' });
    ok(await charge(id, minibar), 201);
    ok(await take(id, 60_000), 201);
    expect(ok(await s.cancel(s.guest, id)).refund.amount).toBe(60_000);
    const { postings, balance } = await folio(id);
    expect(balance).toBe(0);
    expect(postings.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['stay', price],
      ['payment', price],
      ['charge', 60_000],
      ['payment', 60_000],
      ['stay', -price],
      ['charge', -60_000],
      ['fee', price],
      ['refund', 60_000],
    ]);
    await requireSound(id);
  });

  it('that was not paid is forgotten by a cancellation', async () => {
    const id = await paidBooking({ refund_rule: 'Non-refundable' });
    ok(await charge(id, minibar), 201);
    expect(ok(await s.cancel(s.guest, id)).refund.amount).toBe(0);
    expect(await folio(id)).toMatchObject({ balance: 0, amount_due: 0 });
    await requireSound(id);
  });

  it.each([
    ['amount', { ...minibar, amount: 0.5 }],
    ['amount', { ...minibar, amount: 0 }],
    ['amount', { ...minibar, amount: 900_000_000_000_000, quantity: 1000 }],
    ['quantity', { ...minibar, quantity: 0 }],
    ['label', { ...minibar, label: ' ' }],
    ['label', { ...minibar, label: 'x'.repeat(61) }],
  ])('with a wrong %s is refused', async (path, body) => {
    const id = await book();
    expect(refusal(await charge(id, body))).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { issues: [{ path }] },
    });
    expect((await folio(id)).postings).toHaveLength(1);
  });

  it('is refused where the sums of the folio would not be exact any more, as a payment is', async () => {
    const id = await book();
    ok(await charge(id, { label: 'A car', amount: 900_000_000_000_000 }), 201);
    expect(refusal(await charge(id, { label: 'A car', amount: 900_000_000_000_000 })).paths).toEqual([
      'amount',
    ]);
    expect(refusal(await take(id, 900_000_000_000_000)).paths).toEqual(['amount']);
  });

  it('of a free stay that is taken out leaves it without a payment', async () => {
    const id = await book();
    const gift = { label: 'A gift', percent: -100, reason: 'GOODWILL' };
    ok(await s.call('POST', `/api/v1/bookings/${id}/adjustments`, { ...s.host, body: gift }));
    ok(await charge(id, minibar), 201);
    ok(await takeOut(id, 2));
    expect(await detail(id)).toMatchObject({ amount_due: 0, payment_status: 'PAID' });
    await requireSound(id);
  });

  it('of an order of several stays names one, and a stay has fifty at most', async () => {
    const items = [stay(await s.listing()), stay(await s.listing())];
    const order = ok(await s.confirm(s.guest, { items, payment_method: 'CASH' }), 201);
    expect(refusal(await charge(order.master_reservation_id, minibar)).details).toMatchObject({
      issues: [{ path: 'booking_id' }],
    });
    const { id } = order.reservations[0]!;
    for (let count = 0; count < 50; count += 1) ok(await charge(id, { label: 'Tea', amount: 1 }), 201);
    expect(refusal(await charge(id, { label: 'Tea', amount: 1 })).code).toBe('VALIDATION_ERROR');
    expect((await detail(id)).amount_due).toBe(price + 50);
  });

  it('is refused before the acceptance, after the end of the booking, and of a booking that is unknown', async () => {
    const waiting = await book({ instant_book_enabled: false });
    expect(refusal(await charge(waiting, minibar))).toMatchObject({
      ...{ code: 'INVALID_STATE_TRANSITION', details: { state: 'PENDING' } },
    });
    const id = await book();
    ok(await charge(id, minibar), 201);
    ok(await s.cancel(s.host, id));
    expect(refusal(await charge(id, minibar)).code).toBe('INVALID_STATE_TRANSITION');
    expect(refusal(await takeOut(id, 1)).code).toBe('INVALID_STATE_TRANSITION');
    expect(refusal(await charge(5, minibar)).code).toBe('BOOKING_NOT_FOUND');
    expect(refusal(await takeOut(5, 1)).code).toBe('BOOKING_NOT_FOUND');
  });
});

describe('of a booking whose price a partner collects', () => {
  const partnerBooking = async (given: object = {}, payment_method = 'CASH') => {
    const who = await s.partner({ collects_payment: true });
    const rates = { guest_included_in_rate: 1, extra_adult_rate: 100_000 };
    const listing = await s.listing({ refund_rule: 'Full refund until check-in', ...rates, ...given });
    const { id } = ok(await s.bookOut(who, { ...stay(listing), nights: 2, guest_info, payment_method }), 201);
    return { who, id };
  };

  it('a charge is the host’s, and a lower price the partner’s to refund, whole', async () => {
    const { who, id } = await partnerBooking();
    ok(await charge(id, minibar), 201);
    const changed = ok(await s.changeOut(who, id, { guest_number: 1 }));
    expect(changed).toMatchObject({
      ...{ payment_status: 'PENDING', amount_due: 60_000 },
      change: { difference: -100_000, refund: { amount: 100_000, status: 'REFUNDED' }, amount_due: 60_000 },
    });
    ok(await take(id, 60_000), 201);
    expect(ok(await s.changeOut(who, id, { guest_number: 2 })).change).toMatchObject({ amount_due: 0 });
    const { postings } = await folio(id);
    expect(postings.map(({ kind, amount, collected_by, of }) => [kind, amount, collected_by, of])).toEqual([
      ['stay', 2_300_000, null, null],
      ['payment', 2_300_000, 'PARTNER', null],
      ['charge', 60_000, null, null],
      ['change', -100_000, null, null],
      ['refund', 100_000, null, 1],
      ['payment', 60_000, 'HOST', null],
      ['change', 100_000, null, null],
      ['payment', 100_000, 'PARTNER', null],
    ]);
    await requireSound(id);
  });

  it('a higher price is collected at once, also while a charge of a booking that is paid online is due', async () => {
    const { who, id } = await partnerBooking({}, 'ONLINE_GATEWAY');
    ok(await charge(id, minibar), 201);
    const { change, total_price } = ok(await s.changeOut(who, id, { guest_number: 3 }));
    expect(change).toEqual({
      ...{ difference: 100_000, refund: { amount: 0, status: 'NONE' }, amount_due: 60_000 },
    });
    expect(total_price).toBe(2_400_000);
    expect(await folio(id)).toMatchObject({ amount_paid: 2_400_000, amount_due: 60_000 });
    await requireSound(id);
  });

  it('a cancellation names what the partner refunds; the host returns the rest', async () => {
    const { who, id } = await partnerBooking();
    ok(await charge(id, minibar), 201);
    ok(await take(id, 60_000), 201);
    expect(refusal(await refund(id, { amount: 1, reason: 'None' })).code).toBe('INVALID_STATE_TRANSITION');
    const cancelled = ok(await s.cancelOut(who, id));
    expect(cancelled.refund).toEqual({ amount: 2_300_000, status: 'REFUNDED' });
    expect(await folio(id)).toMatchObject({
      balance: 0,
      amount_refunded: 2_360_000,
      amount_to_return: 60_000,
    });
    const refunds = (await eventsOfBooking(id)).filter(([type]) => type === 'payment.refunded');
    expect(refunds).toEqual([['payment.refunded', 2_300_000, null]]);
    await requireSound(id);
  });

  it('what the partner has kept is not the host’s to refund', async () => {
    const { who, id } = await partnerBooking({ refund_rule: 'Non-refundable' });
    ok(await s.cancelOut(who, id));
    expect(refusal(await refund(id, { amount: 1, reason: 'Kind' })).code).toBe('INVALID_STATE_TRANSITION');
    await requireSound(id);
  });
});

describe('a refund by hand', () => {
  it('is of what was paid too much, of the newest payment first, and no more', async () => {
    const id = await paidBooking();
    ok(await take(id, 50_000, { overpaid: true }), 201);
    const given = { amount: 50_000, reason: 'Paid twice' };
    expect(refusal(await refund(id, { ...given, amount: 50_001 })).details).toEqual({
      issues: [{ path: 'amount', message: 'must be at most 50000 VND' }],
    });
    expect(refusal(await refund(id, given, s.staff)).code).toBe('FORBIDDEN');
    const back = ok(await refund(id, given), 201);
    expect(back.postings.at(-1)).toMatchObject({ kind: 'refund', amount: 50_000, of: 2, to_return: true });
    expect(back).toMatchObject({ payment_status: 'PAID', balance: 0, amount_to_return: 50_000 });
    expect((await eventsOfBooking(id)).at(-1)).toEqual(['payment.refunded', 50_000, 'Paid twice']);
    expect(refusal(await refund(id, { ...given, amount: 1 }))).toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
      details: { state: 'CONFIRMED' },
    });
    await requireSound(id);
  });

  it('names a payment, of which no more than is left goes back', async () => {
    const id = await paidBooking();
    ok(await take(id, 50_000, { overpaid: true }), 201);
    const given = { reason: 'Paid twice', posting_id: 1 };
    const back = ok(await refund(id, { ...given, amount: 20_000 }), 201);
    expect(back.postings.at(-1)).toMatchObject({ amount: 20_000, of: 1 });
    ok(await refund(id, { ...given, amount: 29_000, posting_id: 2 }), 201);
    expect(refusal(await refund(id, { ...given, amount: 1001 })).code).toBe('VALIDATION_ERROR');
    expect(refusal(await refund(id, { ...given, amount: 1, posting_id: 3 })).code).toBe('NOT_FOUND');
    expect(ok(await refund(id, { ...given, amount: 1000, posting_id: 2 }), 201).balance).toBe(0);
    await requireSound(id);
  });

  it('of what was kept of a cancelled booking makes it REFUNDED when all has gone back', async () => {
    const id = await paidBooking({ refund_rule: 'Non-refundable' });
    expect(ok(await s.cancel(s.guest, id)).refund.amount).toBe(0);
    const half = { amount: price / 2, reason: 'The guest is ill', returned: true };
    expect(ok(await refund(id, half), 201)).toMatchObject({
      ...{ payment_status: 'PAID', balance: 0, amount_to_return: 0 },
    });
    await requireSound(id);
    expect(ok(await refund(id, half), 201)).toMatchObject({ payment_status: 'REFUNDED', balance: 0 });
    expect(refusal(await refund(id, { ...half, amount: 1 })).code).toBe('INVALID_STATE_TRANSITION');
    await requireSound(id);
  });

  it('is to be returned until a clerk says so, once, with the way it went', async () => {
    const id = await paidBooking();
    expect(ok(await s.cancel(s.host, id)).refund).toEqual({ amount: price, status: 'REFUNDED' });
    expect(await folio(id)).toMatchObject({ payment_status: 'REFUNDED', amount_to_return: price });
    const how = { method: 'BANK_TRANSFER', reference: 'FT 99' };
    expect(ok(await returned(id, 3, how, s.staff))).toMatchObject({ amount_to_return: 0 });
    expect((await folio(id)).postings.at(-1)).toMatchObject({ ...how, kind: 'refund', to_return: false });
    expect((await eventsOfBooking(id)).at(-1)).toEqual(['payment.returned', price, null]);
    expect(refusal(await returned(id, 3)).code).toBe('INVALID_STATE_TRANSITION');
    expect(refusal(await returned(id, 1)).code).toBe('NOT_FOUND');
    expect(refusal(await returned(5, 1)).code).toBe('BOOKING_NOT_FOUND');
    await requireSound(id);
  });

  it('is refused where nothing was paid', async () => {
    const id = await book();
    const given = { amount: 1, reason: 'None' };
    expect(refusal(await refund(id, given)).code).toBe('INVALID_STATE_TRANSITION');
    expect(refusal(await refund(5, given)).code).toBe('BOOKING_NOT_FOUND');
    ok(await take(id, price + 5, { overpaid: true }), 201);
    expect(refusal(await refund(id, { ...given, amount: 0.5 })).details).toMatchObject({
      issues: [{ path: 'amount', message: 'has more decimals than VND' }],
    });
  });

  it('is made once by two managers at once', async () => {
    const id = await paidBooking();
    ok(await take(id, 50_000, { overpaid: true }), 201);
    const given = { amount: 50_000, reason: 'Paid twice' };
    const replies = await Promise.all([refund(id, given), refund(id, given)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect((await folio(id)).amount_refunded).toBe(50_000);
  });
});

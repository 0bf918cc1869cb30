import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import type { bookingRoutes } from '../../functions/bookings/routes.ts';
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

type Routes = (typeof bookingRoutes)['routes'];
type History = z.output<Routes['listBookingHistory']['reply']>;

const s = useOrderScene();
const calls = folioCalls(s);
const { folio, bookingEvents, requireSound } = calls;
const deposit = 500_000;
const why = 'A broken lamp';
const noCard = { authorised: 0, payment_url: null, payment_expires_at: null };

const book = (given: object = {}): Promise<number> => calls.book({ security_deposit: deposit, ...given });
const send = (id: number, body: object, who: Who = s.host): Promise<ReplyOf<Folio>> =>
  s.call('POST', `/api/v1/bookings/${id}/security-deposit`, { ...who, body });
const take = (id: number, amount = deposit, who?: Who) =>
  send(id, { action: 'TAKE', amount, method: 'CASH' }, who);
const returnIt = (id: number, amount = deposit, who?: Who) =>
  send(id, { action: 'RETURN', amount, method: 'BANK_TRANSFER' }, who);
const keep = (id: number, amount = deposit, who?: Who) =>
  send(id, { action: 'KEEP', amount, note: why }, who);
const pay = async (id: number): Promise<void> => {
  const body = { amount: price, method: 'CASH' };
  ok(await s.call('POST', `/api/v1/bookings/${id}/payments`, { ...s.host, body }), 201);
};
const move = async (id: number, ...moves: string[]): Promise<void> => {
  for (const name of moves) ok(await s.call('POST', `/api/v1/bookings/${id}/${name}`, s.host));
};
const asked = (reason: string) => ({ ...s.host, query: { reason } });
const kindsOf = ({ postings }: Folio) => postings.map(({ kind, amount }) => [kind, amount]);
const typesOf = async (id: number) => (await bookingEvents(id)).map(({ event_type }) => event_type);

describe('a security deposit', () => {
  it('is taken and returned by staff, kept by a manager, and in no sum but its own', async () => {
    const id = await book();
    await pay(id);
    const before = await folio(id);
    expect(before.security_deposit).toEqual({ amount: deposit, held: 0, ...noCard, kept: 0, returned: 0 });
    const taken = ok(await take(id, deposit, s.staff), 201);
    expect(taken.security_deposit).toEqual({
      ...{ amount: deposit, held: deposit, ...noCard, kept: 0, returned: 0 },
    });
    expect(taken.postings.at(-1)).toMatchObject({ id: 2, kind: 'deposit_taken', method: 'CASH' });
    stopClock('2027-02-10T08:00:00.000Z');
    await move(id, 'check-in', 'check-out', 'complete');
    expect(refusal(await keep(id, 200_000, s.staff)).code).toBe('FORBIDDEN');
    ok(await keep(id, 200_000), 201);
    const done = ok(await returnIt(id, 300_000, s.staff), 201);
    expect(done).toEqual({
      ...before,
      security_deposit: { amount: deposit, held: 0, ...noCard, kept: 200_000, returned: 300_000 },
      postings: done.postings,
    });
    expect(kindsOf(done).slice(2)).toEqual([
      ['deposit_taken', deposit],
      ['deposit_kept', 200_000],
      ['deposit_returned', 300_000],
    ]);
    const detail = ok(await s.booking(s.guest, id)) as unknown as Detail;
    expect(detail).toMatchObject({
      ...{ amount_due: 0, amount_paid: price, payment_status: 'PAID', total_price: price },
      security_deposit: done.security_deposit,
    });
    await requireSound(id);
  });

  it('is in the history, with what was done, by whom and why', async () => {
    const id = await book();
    ok(await take(id, 300_000, s.staff), 201);
    ok(await keep(id, 100_000), 201);
    ok(await returnIt(id, 200_000), 201);
    const { items } = ok(await s.get<History>(s.host, `/api/v1/bookings/${id}/history`));
    const changes = items.filter(({ event_type }) => event_type === 'booking.deposit_changed');
    expect(changes.map((one) => [one.deposit_action, one.amount, one.why, one.who.kind])).toEqual([
      ['TAKE', 300_000, null, 'host'],
      ['KEEP', 100_000, why, 'host'],
      ['RETURN', 200_000, null, 'host'],
    ]);
    expect(new Set(changes.map(({ who }) => who.id)).size).toBe(2);
    expect(items[0]).toMatchObject({ event_type: 'booking.created', deposit_action: null });
  });

  it('of an unpaid booking pays nothing, and does not keep the price from being paid', async () => {
    const id = await book();
    expect(ok(await take(id), 201)).toMatchObject({
      ...{ payment_status: 'PENDING', amount_due: price, amount_paid: 0, secured: false },
    });
    expect(refusal(await s.call('DELETE', `/api/v1/bookings/${id}/payments/1`, asked(why))).code).toBe(
      'NOT_FOUND',
    );
    await pay(id);
    expect(await folio(id)).toMatchObject({ payment_status: 'PAID', balance: 0 });
    await requireSound(id);
  });

  it('is taken together to what was frozen at the booking, and again once it was returned', async () => {
    const id = await book();
    ok(await take(id, 400_000), 201);
    expect(refusal(await take(id, 100_001)).details).toEqual({
      issues: [
        { path: 'amount', message: 'must be at most 100000 VND, which is left of the security deposit' },
      ],
    });
    ok(await take(id, 100_000), 201);
    ok(await returnIt(id, 500_000), 201);
    ok(await take(id, 500_000), 201);
    ok(await keep(id, 1), 201);
    expect(refusal(await take(id, 1)).code).toBe('INVALID_STATE_TRANSITION');
    const none = await book({ security_deposit: 0 });
    const refused = await take(none, 1);
    expect(refusal(refused).code).toBe('INVALID_STATE_TRANSITION');
    expect(refused.body).toMatchObject({
      message: 'The stay was booked without a security deposit, as those of platforms are.',
    });
  });

  it('is returned and kept to what is held', async () => {
    const id = await book();
    const issue = (most: number) => ({
      issues: [{ path: 'amount', message: `must be at most ${most} VND, which is held` }],
    });
    expect(refusal(await returnIt(id, 1)).code).toBe('INVALID_STATE_TRANSITION');
    ok(await take(id, 300_000), 201);
    expect(refusal(await returnIt(id, 300_001)).details).toEqual(issue(300_000));
    ok(await returnIt(id, 100_000), 201);
    expect(refusal(await keep(id, 200_001)).details).toEqual(issue(200_000));
  });

  it('stays held through a cancellation, which refunds what was paid for the stay alone', async () => {
    const id = await book({ refund_rule: 'Full refund until check-in' });
    await pay(id);
    ok(await take(id), 201);
    expect(ok(await s.cancel(s.guest, id)).refund.amount).toBe(price);
    expect(await folio(id)).toMatchObject({
      ...{ payment_status: 'REFUNDED', balance: 0, amount_to_return: price },
      security_deposit: { held: deposit, returned: 0 },
    });
    expect(refusal(await take(id, 1))).toMatchObject({
      ...{ code: 'INVALID_STATE_TRANSITION', details: { state: 'CANCELLED' } },
    });
    const done = ok(await returnIt(id), 201);
    expect(done).toMatchObject({ amount_refunded: price, security_deposit: { held: 0, returned: deposit } });
    expect(kindsOf(done)).toEqual([
      ['stay', price],
      ['payment', price],
      ['deposit_taken', deposit],
      ['stay', -price],
      ['refund', price],
      ['deposit_returned', deposit],
    ]);
    await requireSound(id);
  });

  it('stays held where nothing was paid for a booking that is cancelled', async () => {
    const id = await book();
    ok(await take(id), 201);
    expect(ok(await s.cancel(s.guest, id)).refund).toEqual({ amount: 0, status: 'NONE' });
    expect(await folio(id)).toMatchObject({
      ...{ payment_status: 'PENDING', balance: 0, amount_due: 0, security_deposit: { held: deposit } },
    });
    ok(await keep(id), 201);
    expect(kindsOf(await folio(id))).toEqual([
      ['stay', price],
      ['deposit_taken', deposit],
      ['stay', -price],
      ['deposit_kept', deposit],
    ]);
    await requireSound(id);
  });

  it('is not refunded by hand, and keeps no change from being made', async () => {
    const id = await book();
    await pay(id);
    ok(await take(id), 201);
    const refund = { amount: 1, reason: why, posting_id: 2 };
    const asked = { ...s.host, body: refund };
    expect(refusal(await s.call('POST', `/api/v1/bookings/${id}/refunds`, asked)).code).toBe(
      'INVALID_STATE_TRANSITION',
    );
    const changed = ok(await s.change(s.host, id, { check_out_date: '2027-02-13', charge_later: true }));
    expect(changed).toMatchObject({ security_deposit: { amount: deposit, held: deposit } });
    await requireSound(id);
  });

  it.each([
    ['amount', { action: 'TAKE', amount: 0.5, method: 'CASH' }],
    ['amount', { action: 'TAKE', amount: 0, method: 'CASH' }],
    ['amount', { action: 'RETURN', amount: 9_007_199_254_740_991, method: 'CASH' }],
    ['method', { action: 'TAKE', amount: 1 }],
    ['method', { action: 'RETURN', amount: 1 }],
    ['method', { action: 'KEEP', amount: 1, method: 'CASH', note: why }],
    ['method', { action: 'TAKE', amount: 1, method: 'PLATFORM' }],
    ['note', { action: 'KEEP', amount: 1 }],
    ['note', { action: 'KEEP', amount: 1, note: ' ' }],
    ['note', { action: 'KEEP', amount: 1, method: 'ONLINE_GATEWAY' }],
    ['amount', { action: 'RETURN', amount: 1, method: 'ONLINE_GATEWAY' }],
    ['action', { action: 'LOSE', amount: 1, method: 'CASH' }],
  ])('with a wrong %s is refused', async (path, body) => {
    const id = await book();
    ok(await take(id, 1000), 201);
    expect(refusal(await send(id, body))).toMatchObject({
      ...{ code: 'VALIDATION_ERROR', details: { issues: [{ path }] } },
    });
    expect((await folio(id)).postings).toHaveLength(2);
  });

  it('of an order of several stays names one; the order shows the sum', async () => {
    const homes = [await s.listing({ security_deposit: deposit }), await s.listing({ security_deposit: 7 })];
    const items = homes.map((home) => stay(home));
    const order = ok(await s.confirm(s.guest, { items, payment_method: 'CASH' }), 201);
    expect(refusal(await take(order.master_reservation_id, 1)).details).toMatchObject({
      issues: [{ path: 'booking_id' }],
    });
    for (const { id } of order.reservations) ok(await take(id, 7), 201);
    expect((await folio(order.master_reservation_id)).security_deposit).toEqual({
      ...{ amount: deposit + 7, held: 14, ...noCard, kept: 0, returned: 0 },
    });
  });

  it('is refused before the acceptance, after the completion, and to others', async () => {
    const waiting = await book({ instant_book_enabled: false });
    expect(refusal(await take(waiting))).toMatchObject({
      ...{ code: 'INVALID_STATE_TRANSITION', details: { state: 'PENDING' } },
    });
    const id = await book();
    await pay(id);
    for (const who of [s.guest, s.other]) expect((await take(id, 1, who)).status).toBeGreaterThanOrEqual(403);
    expect(refusal(await take(5)).code).toBe('BOOKING_NOT_FOUND');
    stopClock('2027-02-10T08:00:00.000Z');
    await move(id, 'check-in', 'check-out');
    ok(await take(id, 1), 201);
    await move(id, 'complete');
    expect(refusal(await take(id, 1)).details).toEqual({ state: 'COMPLETED' });
    ok(await returnIt(id, 1), 201);
  });

  it('is taken once by two clerks at once, and posted once for a repeated request', async () => {
    const id = await book();
    const both = await Promise.all([take(id, 300_000), take(id, 300_000, s.staff)]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 400]);
    const ends = await Promise.all([returnIt(id, 200_000), keep(id, 200_000)]);
    expect(ends.map(({ status }) => status).sort()).toEqual([201, 400]);
    const { held, kept, returned } = (await folio(id)).security_deposit;
    expect([held, kept + returned]).toEqual([100_000, 200_000]);
    const body = { action: 'TAKE', amount: 1, method: 'CASH' };
    const headers = { 'Idempotency-Key': `deposit-${id}` };
    for (const _ of [1, 2])
      ok(await s.call('POST', `/api/v1/bookings/${id}/security-deposit`, { ...s.host, body, headers }), 201);
    expect((await folio(id)).security_deposit.held).toBe(100_001);
    expect((await typesOf(id)).filter((type) => type === 'booking.deposit_changed')).toHaveLength(3);
    await requireSound(id);
  });

  it('is authorised, captured and released on a card by changeSecurityDeposit', async () => {
    const card = { method: 'ONLINE_GATEWAY' };
    const id = await book();
    expect(refusal(await send(id, { action: 'TAKE', amount: deposit, ...card })).code).toBe(
      'INVALID_STATE_TRANSITION',
    );
    stopClock('2027-02-09T08:00:00.000Z');
    const { server, notificationOf } = s.deps.sandbox;
    const authorise = async () => {
      const asked = ok(await send(id, { action: 'TAKE', amount: deposit, ...card }, s.staff), 201);
      const { payment_url, payment_expires_at } = asked.security_deposit;
      expect(payment_expires_at).toBe('2027-02-10T08:00:00.000Z');
      const page = server.find(payment_url!.split('/').at(-1)!)!;
      server.decide(page, 'success');
      const { path, headers, body } = notificationOf(server.find(page.reference)!);
      ok(await s.call('POST', path, { headers, body: JSON.parse(body) as object }));
      return page.reference;
    };
    await authorise();
    expect((await folio(id)).security_deposit).toMatchObject({ held: deposit, authorised: deposit });
    const part = { action: 'KEEP', amount: 1, ...card, note: why };
    expect(refusal(await send(id, part, s.staff)).code).toBe('FORBIDDEN');
    expect(ok(await send(id, { action: 'RETURN', amount: deposit, ...card }, s.staff), 201)).toMatchObject({
      security_deposit: { held: 0, returned: deposit },
    });
    const reference = await authorise();
    s.deps.sandbox.fault = (path) => (path === '/capture' ? 'before' : undefined);
    expect(refusal(await send(id, part)).code).toBe('PAYMENT_GATEWAY_UNAVAILABLE');
    s.deps.sandbox.fault = undefined;
    // The bank has ended it.
    await server.answer('/close', { reference });
    expect(refusal(await send(id, part)).code).toBe('PAYMENT_DECLINED');
    expect((await folio(id)).security_deposit).toMatchObject({ held: 0, kept: 0, returned: 2 * deposit });
  });
});

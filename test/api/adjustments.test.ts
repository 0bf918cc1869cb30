import { beforeEach, describe, expect, it } from 'vitest';
import { folioCalls, stayPrice as price } from '../support/folio-calls.ts';
import { moveDueBookings } from '../../shared/domain/payment/index.ts';
import type { ChangedBooking, ChangePreview } from '../../shared/domain/checkout/change.schema.ts';
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

type Answer = ReplyOf<ChangedBooking>;

const s = useOrderScene();
const { book, requireSound } = folioCalls(s);
const goodwill = { label: 'Cold shower', amount: -200_000, reason: 'GOODWILL' };
const surcharge = { label: 'A dog', percent: 10, reason: 'SURCHARGE' };

const add = (id: number, body: object, who: Who = s.host): Promise<Answer> =>
  s.call('POST', `/api/v1/bookings/${id}/adjustments`, { ...who, body });
const remove = (id: number, position: number, who: Who = s.host): Promise<Answer> =>
  s.call('DELETE', `/api/v1/bookings/${id}/adjustments/${position}`, who);
const change = (id: number, body: object, who: Who = s.host): Promise<Answer> =>
  s.call('POST', `/api/v1/bookings/${id}/change`, { ...who, body });
const preview = (id: number, body: object): Promise<ReplyOf<ChangePreview>> =>
  s.call('POST', `/api/v1/bookings/${id}/change-preview`, { ...s.host, body });
const pay = async (id: number): Promise<unknown> =>
  ok(await s.call('POST', `/api/v1/bookings/${id}/mark-paid`, s.host));
const adjustmentsOf = ({ lines }: Pick<ChangedBooking, 'lines'>) =>
  lines
    .filter(({ kind }) => kind === 'adjustment')
    .map(({ label, amount, source }) => [label, amount, source?.split(':')[0]]);
const idOf = ({ lines }: Pick<ChangedBooking, 'lines'>): number =>
  Number(lines.find(({ kind }) => kind === 'adjustment')?.source?.split(':')[1]);

describe('an adjustment of a booked price', () => {
  it('is a line, lowers what is due, and the guest reads it', async () => {
    const id = await book();
    const booking = ok(await add(id, goodwill));
    expect(booking).toMatchObject({
      total_price: price - 200_000,
      amount_due: price - 200_000,
      change: { difference: -200_000, amount_due: price - 200_000 },
    });
    expect(adjustmentsOf(booking)).toEqual([['Cold shower', -200_000, 'GOODWILL']]);
    expect(ok(await s.booking(s.guest, id))).toMatchObject({ total_price: price - 200_000 });
    ok(await add(id, surcharge));
    expect(ok(await s.booking(s.guest, id)).total_price).toBe(price - 200_000 + 220_000);
    const first = idOf(booking);
    expect(adjustmentsOf(ok(await remove(id, first)))).toEqual([['A dog', 220_000, 'SURCHARGE']]);
    expect(refusal(await remove(id, first)).code).toBe('NOT_FOUND');
    const history = await s.get<{ items: { why: string | null }[] }>(
      s.host,
      `/api/v1/bookings/${id}/history`,
    );
    expect(
      ok(history)
        .items.slice(-3)
        .map(({ why }) => why),
    ).toEqual([
      'GOODWILL -200000 (Cold shower)',
      'SURCHARGE 10 % (A dog)',
      'without GOODWILL -200000 (Cold shower)',
    ]);
    await requireSound(id);
  });

  it('of a paid booking goes back, or stays as credit', async () => {
    const [one, two] = [await book(), await book()];
    await pay(one);
    await pay(two);
    expect(ok(await add(one, goodwill)).change.refund).toEqual({ amount: 200_000, status: 'REFUNDED' });
    const kept = ok(await add(two, { ...goodwill, as_credit: true }));
    expect(kept.change.refund).toEqual({ amount: 0, status: 'NONE' });
    expect(kept).toMatchObject({ payment_status: 'PAID', amount_refunded: 0 });
    expect(ok(await s.get<{ balance: number }>(s.host, `/api/v1/bookings/${two}/folio`)).balance).toBe(
      -200_000,
    );
    expect(ok(await s.cancel(s.guest, two)).refund.amount).toBeGreaterThanOrEqual(200_000);
    await requireSound(one);
    await requireSound(two);
  });

  it('raises what is due of a paid one', async () => {
    const id = await book();
    await pay(id);
    expect(ok(await add(id, surcharge))).toMatchObject({ payment_status: 'PENDING', amount_due: 220_000 });
    await requireSound(id);
  });

  it('is kept by a later change, its percentage of the new price', async () => {
    const id = await book();
    ok(await add(id, { label: 'Friend', percent: -10, reason: 'DISCOUNT' }));
    const longer = ok(await change(id, { check_out_date: '2027-02-13' }));
    expect(longer.total_price).toBe(3_200_000 - 320_000);
    expect(adjustmentsOf(longer)).toEqual([['Friend', -320_000, 'DISCOUNT']]);
    expect(ok(await change(id, { adjustments: [] })).total_price).toBe(3_200_000);
    await requireSound(id);
  });

  it('is possible when the guest has left, though nothing else can be changed', async () => {
    const id = await book();
    await pay(id);
    stopClock('2027-02-10T08:00:00.000Z');
    ok(await s.call('POST', `/api/v1/bookings/${id}/check-in`, s.host));
    ok(await add(id, goodwill));
    ok(await s.call('POST', `/api/v1/bookings/${id}/check-out`, s.host));
    ok(await add(id, goodwill));
    ok(await s.call('POST', `/api/v1/bookings/${id}/complete`, s.host));
    expect(ok(await add(id, goodwill))).toMatchObject({ state: 'COMPLETED', total_price: price - 600_000 });
    expect(refusal(await change(id, { guest_number: 1, adjustments: [] })).code).toBe(
      'INVALID_STATE_TRANSITION',
    );
    await requireSound(id);
  });

  it('that makes a stay free leaves nothing to be paid: it is not cancelled for want of payment', async () => {
    const items = [stay(await s.listing())];
    const booked = ok(await s.confirm(s.guest, { items, payment_method: 'BANK_TRANSFER' }), 201);
    const { id } = booked.reservations[0]!;
    ok(await add(id, { label: 'A gift', percent: -100, reason: 'GOODWILL' }));
    expect(ok(await s.booking(s.guest, id))).toMatchObject({
      payment_status: 'PAID',
      payment_expires_at: null,
    });
    stopClock('2027-01-25T03:00:00.000Z');
    await moveDueBookings(s.deps);
    expect(ok(await s.booking(s.guest, id)).state).toBe('CONFIRMED');
  });

  it('is refused of a booking that fell through or is unknown, and for all but owners and managers', async () => {
    const id = await book();
    expect(refusal(await add(id, goodwill, s.staff)).code).toBe('FORBIDDEN');
    expect(refusal(await add(id, goodwill, s.guest)).code).toBe('FORBIDDEN');
    ok(await s.cancel(s.host, id));
    expect(refusal(await add(id, goodwill)).code).toBe('INVALID_STATE_TRANSITION');
    expect(refusal(await remove(id, 1)).code).toBe('INVALID_STATE_TRANSITION');
    expect([refusal(await add(5, goodwill)).code, refusal(await remove(5, 1)).code]).toEqual([
      'BOOKING_NOT_FOUND',
      'BOOKING_NOT_FOUND',
    ]);
  });

  it('is refused below a price of 0, as an eleventh, and where it says the wrong sign', async () => {
    const id = await book();
    const paths = async (body: object) => refusal(await add(id, body)).paths;
    expect(await paths({ ...goodwill, amount: -price - 1 })).toEqual(['adjustments']);
    expect(await paths({ ...goodwill, amount: 1 })).toEqual(['amount']);
    expect(await paths({ ...goodwill, amount: -0.5 })).toEqual(['adjustments[0].amount']);
    expect(await paths({ ...goodwill, percent: 5 })).toEqual(['amount']);
    for (let count = 0; count < 10; count += 1) ok(await add(id, { ...goodwill, amount: -1 }));
    expect(await paths({ ...goodwill, amount: -1 })).toEqual(['adjustments']);
  });

  it('is added twice by two managers at once', async () => {
    const id = await book();
    const replies = await Promise.all([add(id, goodwill), add(id, goodwill)]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(ok(await s.booking(s.guest, id)).total_price).toBe(price - 400_000);
  });

  it('of a price that a partner has collected is refused', async () => {
    const who = await s.partner({ collects_payment: true });
    const listing = await s.listing();
    const { id } = ok(
      await s.bookOut(who, { ...stay(listing), nights: 2, guest_info, payment_method: 'CASH' }),
      201,
    );
    const refused = [await add(id, goodwill), await change(id, { price: 'KEEP', guest_number: 1 })];
    expect(refused.map((reply) => refusal(reply).code)).toEqual([
      'INVALID_STATE_TRANSITION',
      'INVALID_STATE_TRANSITION',
    ]);
  });
});

describe('a change by a host', () => {
  it('moves a guest to another home at the same price', async () => {
    const id = await book();
    await pay(id);
    const better = await s.listing({ full_rate: 1_500_000 });
    const asked = { listing_id: better.id, price: 'KEEP' };
    expect(ok(await preview(id, asked))).toMatchObject({ difference: 0, amount_due: 0 });
    const moved = ok(await change(id, asked));
    expect(moved).toMatchObject({ total_price: price, payment_status: 'PAID', listing_id: better.id });
    const [, amount] = adjustmentsOf(moved)[0]!;
    expect(adjustmentsOf(moved)).toEqual([['Price kept', amount, 'RELOCATION']]);
    expect(amount).toBeLessThan(0);
    const longer = ok(await change(id, { check_out_date: '2027-02-13', price: 'KEEP' }));
    expect(longer.total_price).toBe(price);
    expect(adjustmentsOf(longer)).toHaveLength(1);
    await requireSound(id);
  });

  it('that costs the same anyway needs no adjustment, and keeps those it has', async () => {
    const id = await book();
    ok(await add(id, goodwill));
    const same = ok(await change(id, { guest_number: 1, price: 'KEEP' }));
    expect(adjustmentsOf(same)).toEqual([['Cold shower', -200_000, 'GOODWILL']]);
    expect(same.total_price).toBe(price - 200_000);
  });

  it('keeps a price that is lower than the discounts on it', async () => {
    const id = await book();
    ok(await add(id, { ...goodwill, amount: -2_000_000 }));
    const cheaper = await s.listing({ full_rate: 100_000, cleaning_fee: 0 });
    const moved = ok(await change(id, { listing_id: cheaper.id, price: 'KEEP' }));
    expect(moved.total_price).toBe(price - 2_000_000);
    expect(adjustmentsOf(moved).map(([, amount]) => amount)).toEqual([-2_000_000, 2_000_000]);
    for (let count = 0; count < 8; count += 1) ok(await add(id, { ...goodwill, amount: -1 }));
    const back = ok(await change(id, { check_out_date: '2027-02-11', price: 'KEEP' }));
    expect(back.total_price).toBe(price - 2_000_008);
    expect(adjustmentsOf(back)).toHaveLength(10);
  });

  it('at the price of ten adjustments has one in their place', async () => {
    const id = await book();
    for (let count = 0; count < 10; count += 1) ok(await add(id, { ...goodwill, amount: -1 }));
    const longer = ok(await change(id, { check_out_date: '2027-02-13', price: 'KEEP' }));
    expect(longer.total_price).toBe(price - 10);
    expect(adjustmentsOf(longer)).toEqual([['Price kept', -1_000_010, 'RELOCATION']]);
  });

  it('cannot both keep and adjust a price, and a guest can do neither', async () => {
    const id = await book();
    expect(refusal(await change(id, { guest_number: 1, price: 'KEEP', adjustments: [] })).paths).toEqual([
      'price',
    ]);
    expect(refusal(await change(id, { price: 'KEEP' })).paths).toEqual(['body']);
    const byGuest = { guest_number: 1, price: 'KEEP', as_credit: true };
    expect(refusal(await change(id, byGuest, s.guest)).paths).toEqual(['price', 'as_credit']);
    expect(refusal(await change(id, { adjustments: [goodwill] }, s.guest)).paths).toEqual(['adjustments']);
  });

  it('to the adjustments that the stay has changes nothing', async () => {
    const id = await book();
    ok(await add(id, goodwill));
    const before = ok(await s.booking(s.guest, id)).updated_at;
    stopClock('2027-01-15T05:00:00.000Z');
    ok(await change(id, { adjustments: [goodwill] }));
    expect(ok(await s.booking(s.guest, id)).updated_at).toBe(before);
    ok(await change(id, { adjustments: [{ ...goodwill, label: 'No towels' }] }));
    expect(adjustmentsOf(ok(await s.booking(s.guest, id)))).toEqual([['No towels', -200_000, 'GOODWILL']]);
  });
});

describe('a booking by a host', () => {
  const bookFor = (items: object[], adjustments: object[]): Promise<ReplyOf<{ estimated_total: number }>> =>
    s.call('POST', '/api/v1/bookings', {
      ...s.host,
      body: { items, guest_info, payment_method: 'CASH', adjustments },
    });
  let items: object[];
  beforeEach(async () => {
    items = [stay(await s.listing()), stay(await s.listing())];
  });

  it('has the price that was agreed: percents of each stay, amounts of a single one', async () => {
    const percent = { label: 'Friend', percent: -10, reason: 'DISCOUNT' };
    expect(ok(await bookFor(items, [percent]), 201).estimated_total).toBe(2 * price * 0.9);
    const [one] = items
      .slice(0, 1)
      .map((item) => ({ ...item, check_in_date: '2027-03-10', check_out_date: '2027-03-12' }));
    expect(ok(await bookFor([one!], [goodwill]), 201).estimated_total).toBe(price - 200_000);
  });

  it('refuses amounts of several stays, and a price below 0', async () => {
    expect(refusal(await bookFor(items, [goodwill])).paths).toEqual(['adjustments[0].amount']);
    expect(refusal(await bookFor(items.slice(0, 1), [{ ...goodwill, amount: -price - 1 }])).paths).toEqual([
      'adjustments',
    ]);
  });
});

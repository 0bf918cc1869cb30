import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ReservationEntity } from '../../shared/domain/booking/reservation.entity.ts';
import { moveBooking } from '../../shared/domain/booking/move-booking.ts';
import { markPaid } from '../../shared/domain/booking/take-payment.ts';
import { changeBooking } from '../../shared/domain/checkout/index.ts';
import { bookExternally } from '../../shared/domain/checkout/book-externally.ts';
import { bookForGuest } from '../../shared/domain/checkout/book-for-guest.ts';
import { UnpaidStaysEntity } from '../../shared/domain/checkout/checkout.store.ts';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import { createCheckout } from '../../shared/domain/checkout/create-checkout.ts';
import type { Listing } from '../../shared/domain/listing/listing.entity.ts';
import { acceptBooking } from '../../shared/domain/payment/accept-booking.ts';
import { orderIdOf } from '../../shared/platform/ids.ts';
import { change, equals } from '../../shared/platform/table/index.ts';
import { addDays } from '../../shared/platform/time/time.ts';
import { hour, minute, type PaymentScene, paymentScene } from '../support/payment-scene.ts';
import { testContext, testKey, testUser } from '../support/table.ts';

let s: PaymentScene;
let listing: Listing;
beforeEach(async () => {
  process.env['UNPAID_STAY_LIMIT'] = '5';
  s = await paymentScene();
  await s.clear();
  listing = await s.listing();
});
afterEach(() => void (process.env['UNPAID_STAY_LIMIT'] = 'off'));

type Method = 'CASH' | 'BANK_TRANSFER' | 'ONLINE_GATEWAY';
const first = '2027-02-04';
const stayOn = (night: number, of: { id: number } = listing) => ({
  listing_id: of.id,
  check_in_date: addDays(first, night),
  check_out_date: addDays(first, night + 1),
  guest_number: 2,
});
const confirm = (night: number, payment_method: Method = 'CASH', who = s.guest, given: object = {}) =>
  confirmCheckout(who, { items: [stayOn(night)], payment_method, ...given });
const refused = { code: 'TOO_MANY_UNPAID_BOOKINGS', status: 409 };

const fill = async (count = 5) => {
  const booked: number[] = [];
  for (let night = 0; night < count; night++) booked.push((await confirm(night)).reservations[0]!.id);
  return booked;
};

describe('a customer with five future stays unpaid', () => {
  it('gets no sixth, by any method that leaves it unpaid, and the answer names them', async () => {
    const [cash, transfer, online] = [
      await confirm(0, 'CASH'),
      await confirm(1, 'BANK_TRANSFER'),
      await confirm(2, 'ONLINE_GATEWAY'),
    ];
    const rest = [await confirm(3), await confirm(4)];
    const bookings = [cash, transfer, online, ...rest].map(({ reservations }) => reservations[0]!.id);
    for (const method of ['CASH', 'BANK_TRANSFER', 'ONLINE_GATEWAY'] as const)
      await expect(confirm(5, method)).rejects.toMatchObject({
        ...refused,
        details: { limit: 5, count: 5, bookings },
      });
    expect(s.wire.asked.filter((path) => path === '/sessions')).toHaveLength(1);
    await expect(confirm(5, 'CASH', s.other)).resolves.toBeDefined();
  });

  it('may pay the sixth by token', async () => {
    await fill();
    const paid = await confirm(5, 'ONLINE_GATEWAY', s.guest, { payment_gateway_token: 'tok_ok' });
    expect(paid.payment_status).toBe('PAID');
  });

  it('is refused with a live lock too, and keeps the lock', async () => {
    await fill();
    const { checkout_id } = await createCheckout(s.guest, { items: [stayOn(5)] });
    await expect(confirmCheckout(s.guest, { checkout_id, payment_method: 'CASH' })).rejects.toMatchObject(
      refused,
    );
    const paid = { checkout_id, payment_method: 'ONLINE_GATEWAY', payment_gateway_token: 'tok_ok' } as const;
    expect((await confirmCheckout(s.guest, paid)).payment_status).toBe('PAID');
  });

  it('is refused with a lock that has lapsed', async () => {
    await fill();
    const { checkout_id } = await createCheckout(s.guest, { items: [stayOn(5)] });
    s.clock.advance(16 * minute);
    await expect(confirmCheckout(s.guest, { checkout_id, payment_method: 'CASH' })).rejects.toMatchObject(
      refused,
    );
  });

  it.each([
    ['paid', (id: number) => markPaid(s.owner, id)],
    ['cancelled by the guest', (id: number) => s.cancel(id)],
  ])('may book again once one of them is %s', async (_, settle) => {
    const [one] = await fill();
    await settle(one!);
    await confirm(5);
    await expect(confirm(6)).rejects.toMatchObject(refused);
  });

  it('may book again once one of them has started, whatever its state', async () => {
    const [one] = await fill();
    s.clock.advance(Date.parse(`${first}T14:00:00+07:00`) - s.clock.now());
    await confirm(5);
    await moveBooking(s.owner, one!, 'check_in');
    await expect(confirm(6)).rejects.toMatchObject(refused);
  });

  it('gets no sixth while one that was moved later has not started', async () => {
    const [one] = await fill();
    await changeBooking(s.owner, one!, { check_in_date: '2027-03-01', check_out_date: '2027-03-02' });
    const kept = await s.deps.table.get(UnpaidStaysEntity, s.guest.caller);
    s.clock.advance(Date.parse(`${first}T14:00:00+07:00`) - s.clock.now());
    await expect(confirm(5)).rejects.toMatchObject({ ...refused, details: { count: 5 } });
    const counted = Math.max(...Object.values(kept!.begins)) / 1000;
    expect(UnpaidStaysEntity.expiresAt?.(kept!)).toBeGreaterThan(counted + 730 * 86_400);
    s.clock.advance(Date.parse('2027-03-01T14:00:00+07:00') - s.clock.now());
    await expect(confirm(40)).resolves.toBeDefined();
  });

  it('may book again once one that was moved earlier has started', async () => {
    const booked = await fill();
    await changeBooking(s.owner, booked[4]!, { check_in_date: '2027-01-20', check_out_date: '2027-01-21' });
    s.clock.advance(Date.parse('2027-01-20T14:00:00+07:00') - s.clock.now());
    await confirm(5);
    await expect(confirm(6)).rejects.toMatchObject(refused);
  });

  it('counts every stay of an order, also one that would be too many alone', async () => {
    const rooms = [await s.listing(), await s.listing(), await s.listing()];
    const order = (homes: { id: number }[]) =>
      confirmCheckout(s.guest, { items: homes.map((home) => stayOn(9, home)), payment_method: 'CASH' });
    await fill(3);
    await expect(order(rooms)).rejects.toMatchObject({ ...refused, details: { limit: 5, count: 3 } });
    await order(rooms.slice(1));
    const many = [listing, ...rooms, await s.listing(), await s.listing()].map((home) => stayOn(12, home));
    await expect(confirmCheckout(s.other, { items: many, payment_method: 'CASH' })).rejects.toMatchObject({
      ...refused,
      details: { limit: 5, count: 0, bookings: [] },
    });
  });

  it('gets no sixth for tonight after its check-in hour either; one booked then counts until it ends', async () => {
    s.clock.advance(Date.parse('2027-01-15T20:00:00+07:00') - s.clock.now());
    const tonight = async () =>
      confirmCheckout(s.guest, {
        items: [
          {
            listing_id: (await s.listing()).id,
            check_in_date: '2027-01-15',
            check_out_date: '2027-01-16',
            guest_number: 2,
          },
        ],
        payment_method: 'CASH',
      });
    for (let stays = 0; stays < 5; stays++) await tonight();
    await expect(tonight()).rejects.toMatchObject(refused);
    await expect(confirm(0)).rejects.toMatchObject(refused);
    s.clock.advance(Date.parse('2027-01-16T12:00:00+07:00') - s.clock.now());
    await expect(confirm(0)).resolves.toBeDefined();
  });
});

describe('twenty confirms at once', () => {
  it.each([
    ['of a customer who has none', 0],
    ['of a customer who has three', 3],
  ])('%s: five stays are unpaid in the end, every other is refused', async (_, before) => {
    await fill(before);
    const all = await Promise.allSettled(Array.from({ length: 20 }, (_one, night) => confirm(10 + night)));
    const reasons = all.flatMap((one) => (one.status === 'rejected' ? [one.reason as { code: string }] : []));
    expect(reasons.map(({ code }) => code)).toEqual(Array(20 - (5 - before)).fill(refused.code));
    const kept = await s.deps.table.get(UnpaidStaysEntity, { user_id: s.guest.caller.user_id });
    expect(Object.keys(kept!.begins)).toHaveLength(5);
  });
});

describe('the limit', () => {
  it('is not for partners', async () => {
    const { caller } = await testKey(s.deps, { team_ids: [listing.team_id] });
    const partner = testContext(s.deps, caller);
    for (let night = 0; night < 6; night++)
      await bookExternally(partner, {
        ...stayOn(night),
        nights: 1,
        payment_method: 'CASH',
        guest_info: { full_name: 'An', phone: '+84901234567', email: 'an@example.com' },
      } as never);
  });

  it('is not for guests whom the host books for', async () => {
    const guest_info = { full_name: 'An', phone: '+84901234567', email: 'an@example.com' };
    for (let night = 0; night < 6; night++) {
      const asked = { items: [stayOn(night)], guest_info, payment_method: 'CASH' as const };
      await bookForGuest(s.owner, asked as never);
    }
  });

  it.each(['off', '7'])('is a setting: %s', async (limit) => {
    process.env['UNPAID_STAY_LIMIT'] = limit;
    await fill(7);
    if (limit !== 'off')
      await expect(confirm(7)).rejects.toMatchObject({ ...refused, details: { limit: 7 } });
  });

  it.each(['0', '-1', 'five', ''])('that is not one, “%s”, is refused', async (limit) => {
    process.env['UNPAID_STAY_LIMIT'] = limit;
    await expect(confirm(0)).rejects.toThrow('UNPAID_STAY_LIMIT');
  });

  it('is five where nothing is set', async () => {
    delete process.env['UNPAID_STAY_LIMIT'];
    await fill();
    await expect(confirm(5)).rejects.toMatchObject({ details: { limit: 5 } });
  });
});

describe('a stay by bank transfer', () => {
  const book = async (given: Partial<Listing> = {}, night = 0, who = s.guest) => {
    const home = await s.listing(given);
    const booked = await confirmCheckout(who, {
      items: [stayOn(night, home)],
      payment_method: 'BANK_TRANSFER',
    });
    return { home, booked, id: booked.reservations[0]!.id };
  };
  const state = async (id: number) => (await s.booking(id)).state;

  it.each([
    ['72 hours', {}, 72],
    ['the listing’s hours', { transfer_window_hours: 24 }, 24],
  ])(
    'that is not paid within %s is cancelled then, not before, and its time is free',
    async (_, given, hours) => {
      const { id, home, booked } = await book(given);
      const until = new Date(s.clock.now() + hours * hour).toISOString();
      expect(booked).toMatchObject({ payment_expires_at: until });
      expect(await s.booking(id)).toMatchObject({ payment_expires_at: until });
      s.clock.advance(hours * hour - 1);
      await s.moveDue();
      expect(await state(id)).toBe('CONFIRMED');
      s.clock.advance(1);
      await s.moveDue();
      expect(await s.booking(id)).toMatchObject({ state: 'CANCELLED', payment_expires_at: null });
      await expect(
        confirmCheckout(s.other, { items: [stayOn(0, home)], payment_method: 'CASH' }),
      ).resolves.toBeDefined();
    },
  );

  it('whose host accepts it by hand is to be paid within the window from the acceptance on', async () => {
    const { id, booked } = await book({ instant_book_enabled: false, transfer_window_hours: 4 });
    expect(booked).not.toHaveProperty('payment_expires_at');
    expect(await s.booking(id)).toMatchObject({ state: 'PENDING', payment_expires_at: null });
    s.clock.advance(20 * hour);
    await s.moveDue();
    const until = new Date(s.clock.now() + 4 * hour).toISOString();
    expect(await acceptBooking(s.owner, id)).toMatchObject({
      state: 'CONFIRMED',
      payment_expires_at: until,
    });
    s.clock.advance(4 * hour - 1);
    await s.moveDue();
    expect(await s.booking(id)).toMatchObject({ state: 'CONFIRMED', payment_expires_at: until });
    s.clock.advance(1);
    await s.moveDue();
    expect(await state(id)).toBe('CANCELLED');
  });

  it('whose host accepts it by hand after it was paid has no window', async () => {
    const { id } = await book({ instant_book_enabled: false });
    await s.deps.table.transact([
      change(
        ReservationEntity,
        { order_id: orderIdOf(id), reservation_id: id },
        { set: { payment_status: 'PAID' } },
        { when: equals('state', 'PENDING') },
      ),
    ]);
    expect(await acceptBooking(s.owner, id)).toMatchObject({ state: 'CONFIRMED', payment_expires_at: null });
    s.clock.advance(100 * hour);
    await s.moveDue();
    expect(await state(id)).toBe('CONFIRMED');
  });

  it('that is paid in time stays', async () => {
    const { id } = await book();
    s.clock.advance(71 * hour);
    await markPaid(s.owner, id);
    s.clock.advance(2 * hour);
    await s.moveDue();
    expect(await state(id)).toBe('CONFIRMED');
  });

  it('is never waited for beyond check-in, but at least 2 hours', async () => {
    s.clock.advance(Date.parse('2027-02-03T14:00:00+07:00') - s.clock.now());
    expect((await book()).booked).toMatchObject({ payment_expires_at: '2027-02-04T07:00:00.000Z' });
    s.clock.advance(23.5 * hour);
    expect((await book()).booked).toMatchObject({ payment_expires_at: '2027-02-04T08:30:00.000Z' });
  });

  it('whose guest has come is not cancelled', async () => {
    s.clock.advance(Date.parse('2027-02-04T13:30:00+07:00') - s.clock.now());
    const { id } = await book();
    await moveBooking(s.owner, id, 'check_in');
    s.clock.advance(3 * hour);
    await s.moveDue();
    expect(await state(id)).toBe('CHECKED_IN');
  });

  it('of a partner’s guest has the same end; of a partner that collects the money none', async () => {
    const external = async (collects_payment: boolean) => {
      const { caller } = await testKey(s.deps, { team_ids: [listing.team_id], collects_payment });
      const { booking } = await bookExternally(testContext(s.deps, caller), {
        ...stayOn(collects_payment ? 3 : 4),
        nights: 1,
        payment_method: 'BANK_TRANSFER',
        guest_info: { full_name: 'An', phone: '+84901234567', email: 'an@example.com' },
      } as never);
      return booking.payment_expires_at;
    };
    expect(await external(true)).toBeNull();
    expect(await external(false)).toBe('2027-01-18T03:00:00.000Z');
  });
});

describe('the payment methods of a listing', () => {
  const invalid = {
    code: 'VALIDATION_ERROR',
    details: { issues: [{ path: 'payment_method' }] },
  };

  it('are those that its stays may be paid by, for customers and partners, with and without a lock', async () => {
    const home = await s.listing({ payment_methods: ['BANK_TRANSFER'] });
    const { checkout_id } = await createCheckout(s.guest, { items: [stayOn(3, home)] });
    for (const payment_method of ['CASH', 'ONLINE_GATEWAY'] as const) {
      const token = payment_method === 'CASH' ? {} : { payment_gateway_token: 'tok_ok' };
      for (const asked of [
        { items: [stayOn(0, home)] },
        { items: [stayOn(0, home)], ...token },
        { checkout_id },
      ])
        await expect(confirmCheckout(s.guest, { ...asked, payment_method })).rejects.toMatchObject(invalid);
    }
    const { caller } = await testKey(s.deps, { team_ids: [home.team_id] });
    const guest_info = { full_name: 'An', phone: '+84901234567', email: 'an@example.com' };
    const asked = { ...stayOn(0, home), nights: 1, guest_info, payment_method: 'CASH' };
    await expect(bookExternally(testContext(s.deps, caller), asked as never)).rejects.toMatchObject(invalid);
    const forGuest = { items: [stayOn(0, home)], guest_info, payment_method: 'CASH' as const };
    await expect(bookForGuest(s.owner, forGuest as never)).rejects.toMatchObject(invalid);
    await confirmCheckout(s.guest, { items: [stayOn(0, home)], payment_method: 'BANK_TRANSFER' });
    expect(s.wire.asked).toEqual([]);
  });

  it('of every listing of an order count', async () => {
    const home = await s.listing({ payment_methods: ['CASH', 'BANK_TRANSFER'] });
    const items = [stayOn(0), stayOn(0, home)];
    const { caller } = await testUser(s.deps);
    const who = testContext(s.deps, caller);
    await expect(confirmCheckout(who, { items, payment_method: 'ONLINE_GATEWAY' })).rejects.toMatchObject(
      invalid,
    );
    await confirmCheckout(who, { items, payment_method: 'CASH' });
  });
});

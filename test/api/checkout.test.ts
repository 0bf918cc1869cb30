import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { testListing } from '../support/listings.ts';
import { writePaid } from '../support/mark-paid.ts';
import {
  advanceMinutes,
  nights,
  ok,
  type OrderScene,
  orderScene,
  refusal,
  stay,
  stopClock,
  tally,
  times,
} from '../support/order-scene.ts';

let s: OrderScene;
beforeAll(async () => {
  s = await orderScene();
});
beforeEach(() => s.renew());
afterAll(() => void vi.useRealTimers());

const cash = (items: object[], given: object = {}) => ({ items, payment_method: 'CASH', ...given });
const key = (text: string) => ({ 'Idempotency-Key': text });

describe('POST /checkout/preview', () => {
  it('answers every published field, and host figures to a host alone', async () => {
    const listing = await s.listing();
    const request = { items: [stay(listing, { guest_number: 4, adult_number: 3, children_number: 1 })] };
    const seen = ok(await s.preview(s.guest, { ...request, currency: 'VND' }));
    expect(seen).toMatchObject({
      total_nights: 2,
      total_earning: null,
      total_discount: 0,
      total_extra_guest_fee: 250_000,
      total_cleaning_fee: 200_000,
      total_extra_services: 0,
      total_deposit: 500_000,
      currency: 'VND',
      estimated_total: 2_450_000,
    });
    expect(seen.items).toHaveLength(1);
    expect(seen.items[0]).toMatchObject({
      ...request.items[0],
      listing_name: listing.name,
      nights: 2,
      pricing_type: 'nightly',
      base_price: 2_000_000,
      extra_adult_fee: 200_000,
      extra_child_fee: 50_000,
      earning: null,
      commission_rate: null,
      deposit: 500_000,
      total: 2_450_000,
      available: true,
    });
    const byHost = ok(await s.preview(s.host, request));
    expect(byHost.items[0]).toMatchObject({ earning: 2_082_500, commission_rate: 0.15 });
    expect(byHost.total_earning).toBe(2_082_500);
    const byOtherHost = await s.preview(s.otherHost, request);
    expect(ok(byOtherHost).items[0]).toMatchObject({ earning: null, commission_rate: null });
  });

  it('locks nothing and says which of the stays are taken, the order itself included', async () => {
    const [one, two] = [await s.listing(), await s.listing()];
    ok(await s.confirm(s.other, cash([stay(two)])), 201);
    const seen = ok(await s.preview(s.guest, { items: [stay(one), stay(two), stay(one)] }));
    expect(seen.items.map(({ available }) => available)).toEqual([true, false, false]);
    expect(ok(await s.range(s.guest, one))).toEqual([]);
  });

  it('hides the figures of one host from the host of the other team in a shared order', async () => {
    const [mine, theirs] = [await s.listing(), await s.listing({ team_id: s.b.team_id })];
    const { text } = await s.preview(s.host, { items: [stay(mine), stay(theirs)] });
    expect(JSON.parse(text)).toMatchObject({ total_earning: null });
    expect(text).not.toContain('"earning":1');
  });

  it('is LISTING_NOT_FOUND for a listing that is not open, also for its own host', async () => {
    for (const state of ['DRAFT', 'INACTIVE', 'ARCHIVED'] as const) {
      const closed = await s.listing({ state });
      for (const who of [s.guest, s.host])
        expect(refusal(await s.preview(who, { items: [stay(closed)] })).code).toBe('LISTING_NOT_FOUND');
    }
    expect(refusal(await s.preview(s.guest, { items: [stay({ id: 1 })] })).code).toBe('LISTING_NOT_FOUND');
  });

  it('takes one room an item: more are refused with what to send instead, and nothing is held or booked', async () => {
    const listing = await s.listing();
    const asked = { items: [stay(listing, { rooms: 5 })] };
    for (const reply of [
      await s.preview(s.guest, asked),
      await s.hold(s.guest, asked),
      await s.confirm(s.guest, { ...asked, payment_method: 'CASH' }),
    ]) {
      const { code, details } = refusal(reply);
      expect({ code, details }).toEqual({
        code: 'VALIDATION_ERROR',
        details: { issues: [{ path: 'items[0].rooms', message: expect.any(String) as string }] },
      });
      expect(reply.text).toContain('an item of its own');
    }
    expect(ok(await s.range(s.host, listing))).toEqual([]);
    expect(ok(await s.preview(s.guest, { items: [stay(listing, { rooms: 1 })] })).items).toMatchObject([
      { rooms: 1 },
    ]);
  });

  it('names every problem of every item at once', async () => {
    const listing = await s.listing();
    const wrong = await s.preview(s.guest, {
      items: [
        { ...stay(listing), check_in_date: '2027-02-30', guest_number: 0, colour: 'red' },
        { ...stay(listing), rooms: 0, extra_service_ids: ['x'] },
      ],
      currency: 'dong',
      coupon: 'TET',
    });
    expect(refusal(wrong)).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(refusal(wrong).paths.sort()).toEqual([
      'coupon',
      'currency',
      'items[0].check_in_date',
      'items[0].colour',
      'items[0].guest_number',
      'items[1].extra_service_ids[0]',
      'items[1].rooms',
    ]);
    const unbookable = await s.preview(s.guest, {
      items: [stay(listing, { guest_number: 7 }), stay(listing, nights('2027-01-14', '2027-01-16'))],
      currency: 'USD',
    });
    expect(refusal(unbookable).paths.sort()).toEqual([
      'currency',
      'items[0].guest_number',
      'items[1].check_in_date',
    ]);
  });

  it('takes 1 to 10 items of one currency', async () => {
    const listing = await s.listing();
    const dollars = await s.listing({ currency: 'USD', full_rate: 80.5, cleaning_fee: 0 });
    const items = (count: number) => Array.from({ length: count }, () => stay(listing));
    expect(refusal(await s.preview(s.guest, { items: [] })).paths).toEqual(['items']);
    expect(refusal(await s.preview(s.guest, { items: items(11) })).paths).toEqual(['items']);
    expect(ok(await s.preview(s.guest, { items: items(10) })).items).toHaveLength(10);
    expect(refusal(await s.preview(s.guest, { items: [stay(listing), stay(dollars)] })).paths).toEqual([
      'items[1].listing_id',
    ]);
    expect(ok(await s.preview(s.guest, { items: [stay(dollars)] }))).toMatchObject({ estimated_total: 161 });
  });

  it('answers dates at the end of the calendar at once', async () => {
    const listing = await s.listing();
    for (const date of ['9999-12-31', '9999-12-01', '2200-01-01', '0001-01-01', '0000-01-01']) {
      const far = stay(listing, nights(date, date));
      expect(refusal(await s.preview(s.guest, { items: [far] })).paths, date).toContain(
        'items[0].check_in_date',
      );
    }
  }, 10_000);

  it('refuses an order that no transaction could hold, before anything is read or written', async () => {
    const listings = await times(10, () => s.listing());
    const year = nights('2027-02-10', '2028-02-09');
    const items = listings.map((listing) => stay(listing, year));
    for (const verb of [s.preview, s.hold])
      expect(refusal(await verb(s.guest, { items })).paths).toEqual(['items']);
    expect(refusal(await s.confirm(s.guest, cash(items))).paths).toEqual(['items']);
    expect(ok(await s.range(s.guest, listings[0]!, { start_date: '2027-02-10' }))).toEqual([]);
    const booked = ok(await s.confirm(s.guest, cash(items.slice(0, 4))), 201);
    expect(booked.reservations).toHaveLength(4);
    expect(ok(await s.cancel(s.guest, booked.master_reservation_id)).state).toBe('CANCELLED');
  });
});

describe('the months of a family', () => {
  it('count for the house and for each room: ten rooms are booked together for five months, not for six', async () => {
    const parent = await s.listing();
    const rooms = await times(10, () => s.listing({ parent_listing_id: parent.id }));
    const until = (day: string) => rooms.map((room) => stay(room, nights('2027-02-10', day)));
    for (const verb of [s.preview, s.hold])
      expect(refusal(await verb(s.guest, { items: until('2027-07-01') })).paths).toEqual(['items']);
    const items = until('2027-06-30');
    expect(ok(await s.preview(s.guest, { items })).items.map(({ available }) => available)).toEqual(
      rooms.map(() => true),
    );
    expect(ok(await s.confirm(s.guest, cash(items)), 201).reservations).toHaveLength(10);
  });
});

describe('what a stay may be (D24)', () => {
  const issues = async (given: object, listing?: Parameters<OrderScene['listing']>[0]) => {
    const reply = await s.preview(s.guest, { items: [stay(await s.listing(listing), given)] });
    return reply.status === 200 ? [] : refusal(reply).paths.map((path) => path.replace('items[0].', ''));
  };

  it.each([
    ['yesterday', nights('2027-01-14', '2027-01-15'), ['check_in_date']],
    ['today', nights('2027-01-15', '2027-01-16'), []],
    ['730 days ahead', nights('2029-01-14', '2029-01-15'), []],
    ['731 days ahead', nights('2029-01-15', '2029-01-16'), ['check_in_date']],
    ['365 nights', nights('2027-02-10', '2028-02-10'), []],
    ['366 nights', nights('2027-02-10', '2028-02-11'), ['check_out_date']],
    ['out before in', nights('2027-02-10', '2027-02-09'), ['check_out_date']],
    ['a leap day', nights('2028-02-29', '2028-03-01'), []],
    ['a leap day of a common year', nights('2027-02-29', '2027-03-01'), ['check_in_date']],
    ['too many guests', { guest_number: 7 }, ['guest_number']],
    ['guests that do not add up', { guest_number: 3, adult_number: 1, children_number: 1 }, ['adult_number']],
    ['an unknown combo', { combo_id: 5 }, ['combo_id']],
    ['an unknown service', { extra_service_ids: [5] }, ['extra_service_ids[0]']],
  ])('%s', async (_, given, expected) => {
    expect(await issues(given)).toEqual(expected);
  });

  it('tonight can be booked after its check-in time, until it ends or the cut-off has passed', async () => {
    const tonight = nights('2027-01-15', '2027-01-16');
    const cutOff = { no_checkin_after_hour: '20:00:00' };
    try {
      stopClock('2027-01-15T13:00:00.000Z'); // 20:00 in Hà Nội
      expect(await issues(tonight)).toEqual([]);
      expect(await issues(tonight, cutOff)).toEqual([]);
      stopClock('2027-01-15T13:00:01.000Z');
      expect(await issues(tonight, cutOff)).not.toEqual([]);
      expect(await issues(tonight)).toEqual([]);
      stopClock('2027-01-15T17:00:00.000Z'); // midnight: today is the 16th
      expect(await issues(tonight)).toEqual(['check_in_date']);
    } finally {
      stopClock();
    }
  });

  it('day use runs from 09:00 to 18:00 unless the listing says otherwise, or within that the guest', async () => {
    const day = nights('2027-02-10', '2027-02-10');
    const times = async (listing: object, given: object = {}) => {
      const reply = await s.preview(s.guest, {
        items: [stay(await s.listing(listing), { ...day, ...given })],
      });
      const { start_at, end_at, pricing_type, nights: count, total } = ok(reply).items[0]!;
      return { start_at, end_at, pricing_type, nights: count, total };
    };
    expect(await times({ price_rate_in_day: 1.5 })).toEqual({
      start_at: '2027-02-10T09:00:00',
      end_at: '2027-02-10T18:00:00',
      pricing_type: 'daily',
      nights: 0,
      total: 1_700_000,
    });
    const flexible = { flexible_check_in_time: '10:00:00', flexible_check_out_time: '17:00:00' };
    expect(await times(flexible)).toMatchObject({
      start_at: '2027-02-10T10:00:00',
      end_at: '2027-02-10T17:00:00',
    });
    expect(await times({}, { check_in_time: '09:30', check_out_time: '17:15:00' })).toMatchObject({
      start_at: '2027-02-10T09:30:00',
      end_at: '2027-02-10T17:15:00',
    });
  });

  const night = nights('2027-02-10', '2027-02-11');
  const day = nights('2027-02-10', '2027-02-10');
  const hours = { check_in_time: '00:00', check_out_time: '23:00' };
  it.each([
    ['a night', { ...night, ...hours }, {}],
    ['day use', { ...day, ...hours }, {}],
    ['a night of a listing with hours for sale', { ...night, ...hours }, { allow_hourly_booking: true }],
  ])('%s from 00:00 to 23:00 is refused everywhere, at both times', async (_, asked, given) => {
    const listing = await s.listing(given);
    const items = [stay(listing, asked)];
    const paths = ['items[0].check_in_time', 'items[0].check_out_time'];
    const refused = [
      await s.preview(s.guest, { items }),
      await s.hold(s.guest, { items }),
      await s.confirm(s.guest, cash(items)),
      await s.preview(s.host, { items }),
    ];
    for (const reply of refused) expect(refusal(reply)).toMatchObject({ code: 'VALIDATION_ERROR', paths });
  });

  it('day use of today can be had until it ends', async () => {
    const day = nights('2027-01-15', '2027-01-15');
    expect(await issues(day)).toEqual([]);
    try {
      stopClock('2027-01-15T11:00:00.000Z'); // 18:00, its end
      expect(await issues(day)).toEqual(['check_out_time']);
    } finally {
      stopClock();
    }
  });

  it('an hourly stay begins with the current hour at the earliest and has at least min_hours', async () => {
    const hourly = { allow_hourly_booking: true, price_first_hours: 300_000, extra_hour_price: 80_000 };
    const from = (check_in_time: string, check_out_time: string) => ({
      ...nights('2027-01-15', '2027-01-15'),
      check_in_time,
      check_out_time,
    });
    expect(await issues(from('10:00', '12:00'), hourly)).toEqual([]);
    expect(await issues(from('09:59', '12:00'), hourly)).toEqual(['check_in_time']);
    expect(await issues(from('13:00', '14:00'), hourly)).toEqual(['check_out_time']);
    expect(await issues(from('14:00', '14:00'), hourly)).toContain('check_out_time');
    const seen = ok(
      await s.preview(s.guest, { items: [stay(await s.listing(hourly), from('13:10', '16:30'))] }),
    );
    expect(seen.items[0]).toMatchObject({ pricing_type: 'hourly', hours: 4, hourly_price: 460_000 });
  });
});

describe('POST /checkout', () => {
  it('holds the time at its price for 15 minutes', async () => {
    const listing = await s.listing();
    const held = ok(await s.hold(s.guest, { items: [stay(listing)], currency: 'VND' }), 201);
    expect(held).toMatchObject({
      checkout_id: expect.any(Number) as number,
      locked_until: '2027-01-15T03:15:00.000Z',
      items: [
        {
          listing_id: listing.id,
          availability_id: expect.any(Number) as number,
          start_at: '2027-02-10T14:00:00',
          end_at: '2027-02-12T12:00:00',
          state: 'SOFT_LOCK',
        },
      ],
      preview: {
        estimated_total: 2_200_000,
        total_earning: null,
        items: [{ earning: null, available: true }],
      },
    });
    expect(ok(await s.range(s.other, listing))).toMatchObject([
      {
        id: held.items[0]!.availability_id,
        state: 'SOFT_LOCK',
        locked_until: '2027-01-15T03:15:00.000Z',
        reservation_id: null,
        note: null,
      },
    ]);
  });

  it('locks all or nothing and says what is taken and when', async () => {
    const [one, two] = [await s.listing(), await s.listing()];
    ok(await s.hold(s.other, { items: [stay(two)] }), 201);
    const refused = refusal(await s.hold(s.guest, { items: [stay(one), stay(two)] }));
    expect(refused).toMatchObject({
      code: 'LISTING_NOT_AVAILABLE',
      details: {
        unavailable: [{ listing_id: two.id, start_at: '2027-02-10T14:00:00', end_at: '2027-02-12T12:00:00' }],
      },
    });
    expect(ok(await s.range(s.guest, one))).toEqual([]);
  });

  it('says when what is taken is free again, also where everything requested is taken', async () => {
    const [whole, part, other] = [await s.listing(), await s.listing(), await s.listing()];
    ok(await s.hold(s.other, { items: [stay(whole, nights('2027-02-08', '2027-02-15'))] }), 201);
    ok(await s.hold(s.other, { items: [stay(part)] }), 201);
    ok(await s.hold(s.other, { items: [stay(other, nights('2027-02-25', '2027-03-03'))] }), 201);
    const wished = nights('2027-02-09', '2027-02-14');
    const items = [
      stay(whole, wished),
      stay(part, wished),
      stay(other, nights('2027-02-26', '2027-02-28')),
      stay(other, nights('2027-03-10', '2027-03-12')),
    ];
    const { details } = refusal(await s.hold(s.guest, { items }));
    expect(details['free_again']).toEqual([
      { listing_id: whole.id, at: '2027-02-15T12:00:00' },
      { listing_id: part.id, at: '2027-02-12T12:00:00' },
      // Behind the months that were read for the stay.
      { listing_id: other.id, at: null },
    ]);
  });

  it('refuses an order that takes the same time twice, by a parent and its child', async () => {
    const parent = await s.listing();
    const child = await s.listing({ parent_listing_id: parent.id });
    for (const items of [
      [stay(parent), stay(child)],
      [stay(child), stay(parent)],
    ]) {
      expect(refusal(await s.hold(s.guest, { items })).code).toBe('LISTING_NOT_AVAILABLE');
      expect(refusal(await s.confirm(s.guest, cash(items))).code).toBe('LISTING_NOT_AVAILABLE');
    }
  });

  it('names the stay that overlaps another of the same listing', async () => {
    const listing = await s.listing();
    const later = nights('2027-02-20', '2027-02-22');
    const items = [stay(listing, later), stay(listing), stay(listing, later)];
    for (const reply of [await s.hold(s.guest, { items }), await s.confirm(s.guest, cash(items))]) {
      const { code, details } = refusal(reply);
      expect(code).toBe('VALIDATION_ERROR');
      expect(details['issues']).toEqual([{ path: 'items[2]', message: 'overlaps items[0]' }]);
    }
  });

  it('previews as available exactly what the same caller could lock', async () => {
    const parent = await s.listing();
    const child = await s.listing({ parent_listing_id: parent.id });
    ok(await s.hold(s.guest, { items: [stay(parent)] }), 201);
    for (const listing of [parent, child]) {
      const seen = ok(await s.preview(s.guest, { items: [stay(listing)] }));
      const { status } = await s.hold(s.guest, { items: [stay(listing)] });
      expect(seen.items[0]!.available).toBe(status === 201);
    }
  });

  it("previews what a checkout would take over the caller's own group lock", async () => {
    const [apart, parent] = [await s.listing(), await s.listing()];
    const child = await s.listing({ parent_listing_id: parent.id });
    ok(await s.hold(s.guest, { items: [stay(apart), stay(child)] }), 201);
    const items = [stay(apart), stay(parent)];
    expect(ok(await s.preview(s.guest, { items })).items.map(({ available }) => available)).toEqual([
      true,
      true,
    ]);
    expect(ok(await s.preview(s.other, { items })).items.map(({ available }) => available)).toEqual([
      false,
      false,
    ]);
    ok(await s.hold(s.guest, { items }), 201);
  });

  it('rounds to hours: a start down, an end up (D25)', async () => {
    const listing = await s.listing({ flexible_check_in_time: '08:00:00' });
    const use = (check_in_time: string, check_out_time: string) =>
      stay(listing, { ...nights('2027-02-10', '2027-02-10'), check_in_time, check_out_time });
    ok(await s.confirm(s.guest, cash([use('10:15', '11:15')])), 201);
    for (const taken of [use('09:00', '10:01'), use('10:20', '10:40'), use('11:59', '13:00')])
      expect(refusal(await s.hold(s.other, { items: [taken] })).code).toBe('LISTING_NOT_AVAILABLE');
    ok(await s.hold(s.other, { items: [use('08:00', '10:00')] }), 201);
    ok(await s.hold(s.other, { items: [use('12:00', '13:00')] }), 201);
    expect(ok(await s.hours(s.guest, listing, '2027-02-10T0700', '2027-02-10T1500'))).toEqual([
      '2027-02-10T0800',
      '2027-02-10T0900',
      '2027-02-10T1000',
      '2027-02-10T1100',
      '2027-02-10T1200',
    ]);
  });

  it('lets five be live, then says when to come again', async () => {
    const me = await s.person();
    const listing = await s.listing();
    const lock = (day: number) =>
      s.hold(me, { items: [stay(listing, nights(`2027-03-1${day}`, `2027-03-1${day + 1}`))] });
    for (const day of [0, 1, 2, 3, 4]) ok(await lock(day), 201);
    const refused = await lock(5);
    expect(refusal(refused).code).toBe('RATE_LIMIT_EXCEEDED');
    expect(refused.headers['retry-after']).toBe('900');
    ok(await lock(4), 201);
    expect(await times(3, () => lock(5)).then(tally)).toEqual({ '429 RATE_LIMIT_EXCEEDED': 3 });
    expect(ok(await s.range(me, listing, { start_date: '2027-03-16' }))).toEqual([]);
  });

  it('keeps to five also when ten come at once', async () => {
    const me = await s.person();
    const listings = await times(10, () => s.listing());
    const replies = await Promise.all(listings.map((listing) => s.hold(me, { items: [stay(listing)] })));
    expect(tally(replies)['201']).toBe(5);
  });

  it('lets one of twenty guests have the time', async () => {
    const listing = await s.listing();
    const guests = await times(20, () => s.person());
    const replies = await Promise.all(guests.map((guest) => s.hold(guest, { items: [stay(listing)] })));
    expect(tally(replies)).toEqual({ '201': 1, '409 LISTING_NOT_AVAILABLE': 19 });
  });
});

describe('the largest order there can be', () => {
  /** Ten stays that touch 55 months of calendars between them. */
  const largest = async () => {
    const listings = await times(10, () => s.listing());
    return listings.map((listing, at) =>
      stay(listing, nights('2027-02-10', at < 5 ? '2027-07-10' : '2027-06-10')),
    );
  };

  it('fits its transactions: held, extended, lapsed, booked, paid, cancelled, all under keys', async () => {
    const items = await largest();
    const { checkout_id } = ok(await s.hold(s.guest, { items }, key('big-hold')), 201);
    ok(await s.extend(s.guest, checkout_id, key('big-extend')));
    try {
      advanceMinutes(31);
      const booked = ok(
        await s.confirm(s.guest, { checkout_id, payment_method: 'CASH' }, key('big-confirm')),
        201,
      );
      expect(booked.reservations).toHaveLength(10);
      await writePaid(s.deps.table, ...booked.reservations.map(({ id }) => id));
      const cancelled = ok(await s.cancel(s.guest, checkout_id, {}, key('big-cancel')));
      expect(cancelled.refund.amount).toBe(booked.estimated_total);
    } finally {
      stopClock();
    }
  });

  it('is held and released under no more', async () => {
    const { checkout_id } = ok(await s.hold(s.guest, { items: await largest() }), 201);
    ok(await s.release(s.guest, checkout_id));
  });

  it('is refused in words when it would have to give up too much else', async () => {
    const listings = await times(50, () => s.listing());
    for (let at = 0; at < 5; at++) {
      const items = listings.slice(at * 10, at * 10 + 10).map((listing) => stay(listing));
      ok(await s.hold(s.guest, { items }), 201);
    }
    const items = [0, 10, 20, 30, 40].map((at) => stay(listings[at]!));
    for (const reply of [await s.hold(s.guest, { items }), await s.confirm(s.guest, cash(items))])
      expect(refusal(reply)).toMatchObject({ code: 'VALIDATION_ERROR', paths: ['items'] });
    ok(await s.hold(s.guest, { items: items.slice(0, 1) }), 201);
  });
});

describe('extend and release', () => {
  it('gives another 15 minutes once, at the held price', async () => {
    const listing = await s.listing();
    const { checkout_id } = ok(await s.hold(s.guest, { items: [stay(listing)] }), 201);
    await testListing(s.deps, { ...listing, full_rate: 9_000_000 });
    const extended = ok(await s.extend(s.guest, checkout_id));
    expect(extended).toMatchObject({
      checkout_id,
      locked_until: '2027-01-15T03:30:00.000Z',
      preview: { estimated_total: 2_200_000 },
    });
    expect(refusal(await s.extend(s.guest, checkout_id)).code).toBe('INVALID_STATE_TRANSITION');
    expect(refusal(await s.extend(s.other, checkout_id)).code).toBe('NOT_FOUND');
    expect(refusal(await s.extend(s.guest, 5)).code).toBe('NOT_FOUND');
  });

  it('extends once when twenty ask at once', async () => {
    const listing = await s.listing();
    const { checkout_id } = ok(await s.hold(s.guest, { items: [stay(listing)] }), 201);
    const replies = await times(20, () => s.extend(s.guest, checkout_id));
    expect(tally(replies)).toEqual({ '200': 1, '409 INVALID_STATE_TRANSITION': 19 });
    ok(await s.release(s.guest, checkout_id));
  });

  it('does not bring back a lock that has lapsed', async () => {
    const listing = await s.listing();
    const { checkout_id } = ok(await s.hold(s.guest, { items: [stay(listing)] }), 201);
    try {
      advanceMinutes(15);
      expect(refusal(await s.extend(s.guest, checkout_id)).code).toBe('CHECKOUT_EXPIRED');
    } finally {
      stopClock();
    }
    ok(await s.release(s.guest, checkout_id));
    expect(refusal(await s.extend(s.guest, checkout_id)).code).toBe('CHECKOUT_EXPIRED');
  });

  it('releases any number of times, but nothing that is booked or another caller’s', async () => {
    const listing = await s.listing();
    const { checkout_id } = ok(await s.hold(s.guest, { items: [stay(listing)] }), 201);
    expect(refusal(await s.release(s.other, checkout_id)).code).toBe('NOT_FOUND');
    for (const reply of [await s.release(s.guest, checkout_id), await s.release(s.guest, checkout_id)])
      expect(ok(reply)).toEqual({ message: 'Checkout released', checkout_id });
    expect(refusal(await s.confirm(s.guest, { checkout_id, payment_method: 'CASH' })).code).toBe(
      'CHECKOUT_EXPIRED',
    );
    const booked = ok(await s.hold(s.guest, { items: [stay(listing)] }), 201);
    ok(await s.confirm(s.guest, { checkout_id: booked.checkout_id, payment_method: 'CASH' }), 201);
    expect(refusal(await s.release(s.guest, booked.checkout_id)).code).toBe('INVALID_STATE_TRANSITION');
    expect(refusal(await s.extend(s.guest, booked.checkout_id)).code).toBe('INVALID_STATE_TRANSITION');
  });

  it.each(['0', '-1', '1.5', 'abc', '9007199254740993', '1e3', '%20'])('refuses the id %s', async (id) => {
    const asked = { token: s.guest.token };
    for (const reply of [
      await s.call('POST', `/api/v1/checkout/${id}/extend`, asked),
      await s.call('DELETE', `/api/v1/checkout/${id}`, asked),
    ])
      expect(refusal(reply)).toMatchObject({ code: 'VALIDATION_ERROR', paths: ['checkout_id'] });
  });
});

describe('POST /checkout/confirm', () => {
  it('books with the published answer', async () => {
    const listing = await s.listing();
    const booked = ok(await s.confirm(s.guest, cash([stay(listing)], { expected_total: 2_200_000 })), 201);
    expect(booked).toMatchObject({
      master_reservation_id: expect.any(Number) as number,
      reservations: [
        {
          id: expect.any(Number) as number,
          listing_id: listing.id,
          status: 'CONFIRMED',
          check_in_date: '2027-02-10',
          check_out_date: '2027-02-12',
          total_price: 2_200_000,
        },
      ],
      payment_status: 'PENDING',
      estimated_total: 2_200_000,
      currency: 'VND',
    });
  });

  it('starts PENDING and holds the time where the host has to accept', async () => {
    const listing = await s.listing({ instant_book_enabled: false });
    const booked = ok(await s.confirm(s.guest, cash([stay(listing)])), 201);
    expect(booked.reservations[0]!.status).toBe('PENDING');
    expect(refusal(await s.confirm(s.other, cash([stay(listing)]))).code).toBe('LISTING_NOT_AVAILABLE');
  });

  it('names every problem of the body at once', async () => {
    expect(refusal(await s.confirm(s.guest, {})).paths.sort()).toEqual(['items', 'payment_method']);
    expect(refusal(await s.confirm(s.guest, { payment_method: 'CASH' })).paths).toEqual(['items']);
    const wrong = { items: [], payment_method: 'BITCOIN', expected_total: -1, tip: 5 };
    expect(refusal(await s.confirm(s.guest, wrong)).paths.sort()).toEqual([
      'expected_total',
      'items',
      'payment_method',
      'tip',
    ]);
    for (const body of ['{"items":', '[]', 'null', '"x"', ''])
      expect(refusal(await s.confirm(s.guest, body)).code).toBe('VALIDATION_ERROR');
  });

  it('charges the held price, whatever the host does meanwhile (D43)', async () => {
    const listing = await s.listing();
    const { checkout_id } = ok(await s.hold(s.guest, { items: [stay(listing)] }), 201);
    await testListing(s.deps, { ...listing, full_rate: 9_000_000, refund_rule: 'Non-refundable' });
    expect(ok(await s.preview(s.other, { items: [stay(listing)] })).estimated_total).toBe(18_200_000);
    const wrong = { checkout_id, payment_method: 'CASH', expected_total: 18_200_000 };
    expect(refusal(await s.confirm(s.guest, wrong))).toMatchObject({
      code: 'PRICE_CHANGED',
      details: {
        preview: { estimated_total: 2_200_000, total_earning: null },
        changes: [{ field: 'estimated_total', was: 18_200_000, now: 2_200_000 }],
      },
    });
    const booked = ok(await s.confirm(s.guest, { ...wrong, expected_total: 2_200_000 }), 201);
    expect(booked).toMatchObject({ master_reservation_id: checkout_id, estimated_total: 2_200_000 });
    const detail = ok(await s.booking(s.guest, checkout_id));
    expect(detail).toMatchObject({
      total_price: 2_200_000,
      cancellation_deadline: '2027-02-07T07:00:00.000Z',
      price: [{ total: 2_200_000, earning: null }],
    });
  });

  it('charges the held price also without the checkout id, and the same items in another order', async () => {
    const [one, two] = [await s.listing(), await s.listing()];
    const { checkout_id } = ok(await s.hold(s.guest, { items: [stay(one), stay(two)] }), 201);
    await testListing(s.deps, { ...one, full_rate: 9_000_000 });
    const booked = ok(await s.confirm(s.guest, cash([stay(two), stay(one)])), 201);
    expect(booked).toMatchObject({ master_reservation_id: checkout_id, estimated_total: 4_400_000 });
  });

  it('takes items that say the same in other words for those of the lock', async () => {
    const listing = await s.listing();
    const { checkout_id } = ok(await s.hold(s.guest, { items: [stay(listing)] }), 201);
    const items = [stay(listing, { extra_service_ids: [], combo_id: null, rooms: null })];
    const booked = ok(await s.confirm(s.guest, { checkout_id, items, payment_method: 'CASH' }), 201);
    expect(booked.master_reservation_id).toBe(checkout_id);
  });

  it.each([
    ['its default times', { check_in_time: '14:00:00', check_out_time: '12:00:00' }],
    ['one room', { rooms: 1 }],
    ['grown-ups alone', { adult_number: 2, children_number: 0 }],
  ])('charges the held price without the checkout id where the stay is given by %s', async (_, words) => {
    const listing = await s.listing();
    const { checkout_id } = ok(await s.hold(s.guest, { items: [stay(listing)] }), 201);
    await testListing(s.deps, { ...listing, full_rate: 9_000_000 });
    const booked = ok(await s.confirm(s.guest, cash([stay(listing, words)])), 201);
    expect(booked).toMatchObject({ master_reservation_id: checkout_id, estimated_total: 2_200_000 });
  });

  it('charges what each lock held when one order takes the stays of several, or of a part of one', async () => {
    const [one, two] = [await s.listing(), await s.listing()];
    const dearer = () =>
      Promise.all([one, two].map((listing) => testListing(s.deps, { ...listing, full_rate: 9_000_000 })));
    ok(await s.hold(s.guest, { items: [stay(one)] }), 201);
    ok(await s.hold(s.guest, { items: [stay(two)] }), 201);
    await dearer();
    const both = ok(
      await s.confirm(s.guest, cash([stay(one), stay(two)], { expected_total: 4_400_000 })),
      201,
    );
    expect(both.estimated_total).toBe(4_400_000);
    expect(ok(await s.booking(s.guest, both.master_reservation_id)).total_price).toBe(4_400_000);
    const later = nights('2027-03-10', '2027-03-12');
    await Promise.all([one, two].map((listing) => testListing(s.deps, { ...listing, full_rate: 1_000_000 })));
    ok(await s.hold(s.guest, { items: [stay(one, later), stay(two, later)] }), 201);
    await dearer();
    expect(ok(await s.confirm(s.guest, cash([stay(one, later)])), 201).estimated_total).toBe(2_200_000);
    expect(ok(await s.confirm(s.guest, cash([stay(two, later)])), 201).estimated_total).toBe(18_200_000);
  });

  it('is another stay at another price where times that are named make it an hourly one', async () => {
    const listing = await s.listing({ allow_hourly_booking: true, price_per_hour: 100_000, min_hours: 1 });
    const day = nights('2027-02-10', '2027-02-10');
    ok(await s.hold(s.guest, { items: [stay(listing, day)] }), 201);
    const hours = { ...day, check_in_time: '09:00:00', check_out_time: '18:00:00' };
    const [reservation] = ok(await s.confirm(s.guest, cash([stay(listing, hours)])), 201).reservations;
    expect(reservation?.total_price).toBe(1_100_000);
  });

  it('refuses items or a currency that are not those of the checkout', async () => {
    const listing = await s.listing();
    const { checkout_id } = ok(await s.hold(s.guest, { items: [stay(listing)] }), 201);
    const with_ = (given: object) => s.confirm(s.guest, { checkout_id, payment_method: 'CASH', ...given });
    expect(refusal(await with_({ items: [stay(listing, { guest_number: 6 })] })).paths).toEqual(['items']);
    expect(refusal(await with_({ currency: 'USD' })).paths).toEqual(['currency']);
  });

  it('does not charge a lock of two guests for six: another stay is another price', async () => {
    const listing = await s.listing();
    ok(await s.hold(s.guest, { items: [stay(listing)] }), 201);
    const booked = ok(await s.confirm(s.guest, cash([stay(listing, { guest_number: 6 })])), 201);
    expect(booked.estimated_total).toBe(2_600_000);
    expect(ok(await s.range(s.host, listing))).toHaveLength(1);
  });

  it('books a lapsed lock at the present price while the time is free, and reports the change', async () => {
    const listing = await s.listing();
    const { checkout_id } = ok(await s.hold(s.guest, { items: [stay(listing)] }), 201);
    await testListing(s.deps, { ...listing, full_rate: 1_100_000, commission_rate: 0.2 });
    try {
      advanceMinutes(16);
      const asked = { checkout_id, payment_method: 'BANK_TRANSFER', expected_total: 2_200_000 };
      const reply = await s.confirm(s.guest, asked);
      expect(refusal(reply)).toMatchObject({
        code: 'PRICE_CHANGED',
        details: { preview: { estimated_total: 2_400_000, total_earning: null } },
      });
      expect(refusal(reply).details['changes']).toEqual([
        { field: 'items[0].base_price', was: 2_000_000, now: 2_200_000 },
        { field: 'items[0].total', was: 2_200_000, now: 2_400_000 },
        { field: 'estimated_total', was: 2_200_000, now: 2_400_000 },
      ]);
      expect(ok(await s.range(s.guest, listing))).toEqual([]);
      const booked = ok(await s.confirm(s.guest, { ...asked, expected_total: 2_400_000 }), 201);
      expect(booked).toMatchObject({ master_reservation_id: checkout_id, estimated_total: 2_400_000 });
      expect(ok(await s.range(s.guest, listing))).toHaveLength(1);
    } finally {
      stopClock();
    }
  });

  it('names the total when a lapsed lock’s price stands and the guest expects another', async () => {
    const listing = await s.listing();
    const { checkout_id } = ok(await s.hold(s.guest, { items: [stay(listing)] }), 201);
    try {
      advanceMinutes(16);
      const asked = { checkout_id, payment_method: 'CASH', expected_total: 1 };
      expect(refusal(await s.confirm(s.guest, asked)).details['changes']).toEqual([
        { field: 'estimated_total', was: 1, now: 2_200_000 },
      ]);
    } finally {
      stopClock();
    }
  });

  it('is CHECKOUT_EXPIRED once another guest has the time', async () => {
    const listing = await s.listing();
    const { checkout_id } = ok(await s.hold(s.guest, { items: [stay(listing)] }), 201);
    try {
      advanceMinutes(15);
      ok(await s.hold(s.other, { items: [stay(listing)] }), 201);
      expect(refusal(await s.confirm(s.guest, { checkout_id, payment_method: 'CASH' }))).toMatchObject({
        code: 'CHECKOUT_EXPIRED',
        details: { unavailable: [{ listing_id: listing.id }] },
      });
      expect(refusal(await s.confirm(s.guest, cash([stay(listing)]))).code).toBe('LISTING_NOT_AVAILABLE');
    } finally {
      stopClock();
    }
  });

  it('does not know another caller’s checkout', async () => {
    const listing = await s.listing();
    const { checkout_id } = ok(await s.hold(s.guest, { items: [stay(listing)] }), 201);
    for (const who of [s.other, s.host])
      expect(refusal(await s.confirm(who, { checkout_id, payment_method: 'CASH' })).code).toBe('NOT_FOUND');
    expect(refusal(await s.confirm(s.other, cash([stay(listing)]))).code).toBe('LISTING_NOT_AVAILABLE');
    expect(refusal(await s.confirm(s.guest, { checkout_id: 16, payment_method: 'CASH' })).code).toBe(
      'NOT_FOUND',
    );
    expect(refusal(await s.booking(s.guest, checkout_id)).code).toBe('BOOKING_NOT_FOUND');
  });

  it('books once when twenty confirm one checkout without a key', async () => {
    const listing = await s.listing();
    const { checkout_id } = ok(await s.hold(s.guest, { items: [stay(listing)] }), 201);
    const replies = await times(20, () => s.confirm(s.guest, { checkout_id, payment_method: 'CASH' }));
    expect(tally(replies)).toEqual({ '201': 1, '409 INVALID_STATE_TRANSITION': 19 });
  });

  it('lets one win when guests cross over three listings, and leaves no half order', async () => {
    const listings = await times(3, () => s.listing());
    const orders = await times(12, (at) => {
      const turned = [...listings.slice(at % 3), ...listings.slice(0, at % 3)];
      return s
        .person()
        .then((who) => s.confirm(who, cash(turned.slice(0, 2).map((listing) => stay(listing)))));
    });
    expect(tally(orders)).toEqual({ '201': 1, '409 LISTING_NOT_AVAILABLE': 11 });
    const taken = await Promise.all(listings.map((listing) => s.range(s.host, listing).then(ok)));
    expect(taken.flat()).toHaveLength(2);
  });

  it('is for those alone whose e-mail is verified, asked live', async () => {
    const account = s.deps.provider.add({ email_verified: false });
    const listing = await s.listing();
    const reply = await s.confirm({ token: account.subject }, cash([stay(listing)]));
    expect(reply.status).toBe(403);
    expect(reply.body).toMatchObject({
      error: 'USER_NOT_VERIFIED',
      code: 'USER_NOT_VERIFIED',
      message: expect.any(String) as string,
      details: {
        user_id: expect.any(Number) as number,
        verification_status: 'PENDING',
        action_required: 'VERIFY_EMAIL',
      },
    });
    ok(await s.hold({ token: account.subject }, { items: [stay(listing)] }), 201);
    s.deps.provider.isDown = true;
    expect(refusal(await s.confirm({ token: account.subject }, cash([stay(listing)]))).code).toBe(
      'IDENTITY_PROVIDER_UNAVAILABLE',
    );
    s.deps.provider.isDown = false;
    account.email_verified = true;
    ok(await s.confirm({ token: account.subject }, cash([stay(listing)])), 201);
  });
});

describe('Idempotency-Key on checkout', () => {
  it('answers the same again, byte for byte', async () => {
    const listing = await s.listing();
    const body = { items: [stay(listing)] };
    const first = await s.hold(s.guest, body, key('lock-1'));
    const again = await s.hold(s.guest, body, key('lock-1'));
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
    const other = await s.hold(s.guest, { items: [stay(listing, { guest_number: 1 })] }, key('lock-1'));
    expect(refusal(other).code).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(refusal(await s.confirm(s.guest, cash([stay(listing)]), key('lock-1'))).code).toBe(
      'IDEMPOTENCY_KEY_REUSED',
    );
  });

  it('makes one booking of twenty at once, with twenty identical bodies', async () => {
    const listing = await s.listing();
    const replies = await times(20, () => s.confirm(s.guest, cash([stay(listing)]), key('twenty')));
    expect(tally(replies)).toEqual({ '201': 20 });
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect(replies.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(19);
    expect(ok(await s.range(s.host, listing))).toHaveLength(1);
  });

  it('makes one booking of twenty at once with a live lock', async () => {
    const listing = await s.listing();
    const { checkout_id } = ok(await s.hold(s.guest, { items: [stay(listing)] }), 201);
    const asked = { checkout_id, payment_method: 'CASH' };
    const replies = await times(20, () => s.confirm(s.guest, asked, key('twenty-held')));
    expect(tally(replies)).toEqual({ '201': 20 });
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
  });

  it('is the caller’s own', async () => {
    const [one, two] = [await s.listing(), await s.listing()];
    ok(await s.confirm(s.guest, cash([stay(one)]), key('mine')), 201);
    const theirs = await s.confirm(s.other, cash([stay(two)]), key('mine'));
    expect(ok(theirs, 201).reservations[0]!.listing_id).toBe(two.id);
  });

  it('repeats a refusal too, though the time is free by then', async () => {
    const listing = await s.listing();
    const { checkout_id } = ok(await s.hold(s.other, { items: [stay(listing)] }), 201);
    const first = await s.confirm(s.guest, cash([stay(listing)]), key('refused'));
    ok(await s.release(s.other, checkout_id));
    const again = await s.confirm(s.guest, cash([stay(listing)]), key('refused'));
    expect([again.status, again.text]).toEqual([409, first.text]);
    expect(again.headers['idempotent-replayed']).toBe('true');
    ok(await s.confirm(s.guest, cash([stay(listing)]), key('anew')), 201);
  });

  it('does not keep a failure of ours or a full house', async () => {
    const listing = await s.listing();
    const body = cash([stay(listing)]);
    s.faults.table = new Error('the table is gone');
    const failed = await s.confirm(s.guest, body, key('fault'));
    delete s.faults.table;
    expect(refusal(failed).code).toBe('INTERNAL_ERROR');
    expect(failed.text).not.toContain('gone');
    ok(await s.confirm(s.guest, body, key('fault')), 201);
  });

  it('is forgotten after 24 hours', async () => {
    const listing = await s.listing();
    const lock = () => s.hold(s.guest, { items: [stay(listing)] }, key('day'));
    const first = ok(await lock(), 201);
    try {
      advanceMinutes(24 * 60 - 1);
      expect(ok(await lock(), 201).checkout_id).toBe(first.checkout_id);
      advanceMinutes(1);
      expect(ok(await lock(), 201).checkout_id).not.toBe(first.checkout_id);
    } finally {
      stopClock();
    }
  });

  it('holds for extend', async () => {
    const listing = await s.listing();
    const { checkout_id } = ok(await s.hold(s.guest, { items: [stay(listing)] }), 201);
    const replies = await times(20, () => s.extend(s.guest, checkout_id, key('longer')));
    expect(tally(replies)).toEqual({ '200': 20 });
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    ok(await s.release(s.guest, checkout_id));
  });

  it.each([
    ['empty', ''],
    ['with a space', 'a b'],
    ['not ASCII', 'khoá'],
    ['256 long', 'k'.repeat(256)],
  ])('is refused when it is %s', async (_, text) => {
    const listing = await s.listing();
    const reply = await s.confirm(s.guest, cash([stay(listing)]), key(text));
    expect(refusal(reply)).toMatchObject({ code: 'VALIDATION_ERROR', paths: ['Idempotency-Key'] });
    expect(ok(await s.range(s.guest, listing))).toEqual([]);
  });

  it('may have 255 characters', async () => {
    ok(await s.confirm(s.guest, cash([stay(await s.listing())]), key('~'.repeat(255))), 201);
  });
});

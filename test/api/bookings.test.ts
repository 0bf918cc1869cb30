import { describe, expect, it } from 'vitest';
import { ReservationEntity } from '../../shared/domain/booking/reservation.entity.ts';
import { orderIdOf } from '../../shared/platform/ids.ts';
import { change, present } from '../../shared/platform/table/index.ts';
import { testListing } from '../support/listings.ts';
import { writePaid } from '../support/mark-paid.ts';
import {
  type ListingGiven,
  nights,
  ok,
  refusal,
  stay,
  stopClock,
  tally,
  times,
  type Who,
  useOrderScene,
} from '../support/order-scene.ts';

const s = useOrderScene();

const key = (text: string) => ({ 'Idempotency-Key': text });

interface Booked {
  id: number;
  master: number;
}

const book = async (who: Who, ...items: object[]): Promise<Booked> => {
  const booked = ok(await s.confirm(who, { items, payment_method: 'CASH' }), 201);
  return { id: booked.reservations[0]!.id, master: booked.master_reservation_id };
};

const pay = (id: number): Promise<void> => writePaid(s.deps.table, id);

const move = (reservation_id: number, state: 'CHECKED_IN' | 'CHECKED_OUT' | 'COMPLETED'): Promise<void> =>
  s.deps.table.transact([
    change(
      ReservationEntity,
      { order_id: orderIdOf(reservation_id), reservation_id },
      { set: { state } },
      { when: present() },
    ),
  ]);

describe('GET /bookings/my', () => {
  it('is a bare array of the caller’s own stays, newest first, in the published shape', async () => {
    const listing = await s.listing();
    expect(ok(await s.mine(s.guest))).toEqual([]);
    const first = await book(s.guest, stay(listing));
    const second = await book(
      s.guest,
      stay(listing, { ...nights('2027-03-01', '2027-03-02'), guest_number: 4 }),
    );
    await book(s.other, stay(listing, nights('2027-04-01', '2027-04-02')));
    const mine = ok(await s.mine(s.guest));
    expect(mine).toMatchObject([
      {
        id: second.id,
        listing_id: String(listing.id),
        listing_name: listing.name,
        check_in: '2027-03-01',
        check_out: '2027-03-02',
        guests: 4,
        total_price: 1_400_000,
        currency: 'VND',
        state: 'CONFIRMED',
        payment_status: 'PENDING',
        created_at: '2027-01-15T03:00:00.000Z',
      },
      expect.objectContaining({ id: first.id, check_in: '2027-02-10', guests: 2 }),
    ]);
  });

  it('still shows stays of a listing that is gone, and those that are cancelled', async () => {
    const listing = await s.listing();
    const { id } = await book(s.guest, stay(listing));
    ok(await s.cancel(s.guest, id));
    await testListing(s.deps, { ...listing, state: 'ARCHIVED' });
    expect(ok(await s.mine(s.guest))).toMatchObject([{ id, state: 'CANCELLED' }]);
    expect(ok(await s.booking(s.guest, id))).toMatchObject({ id, listing_name: listing.name });
  });
});

describe('GET /bookings/{booking_id}', () => {
  it('shows the guest everything that is published, and no host figure', async () => {
    const listing = await s.listing({ wifi_name: 'Pines', wifi_password: 'rung-thong' });
    const { id, master } = await book(s.guest, stay(listing));
    const reply = await s.booking(s.guest, id);
    expect(ok(reply)).toMatchObject({
      id,
      master_reservation_id: master,
      listing_id: String(listing.id),
      listing_address: listing.address,
      check_in: '2027-02-10',
      check_out: '2027-02-12',
      start_at: '2027-02-10T14:00:00',
      end_at: '2027-02-12T12:00:00',
      timezone: 'Asia/Ho_Chi_Minh',
      nights: 2,
      guests: 2,
      total_price: 2_200_000,
      guest_info: { name: 'Nguyễn Văn An', phone: '+84901234567' },
      host_info: { name: expect.any(String) as string, phone: expect.any(String) as string },
      payment_method: 'CASH',
      cancellation_deadline: '2027-02-07T07:00:00.000Z',
      chat_thread_id: id,
      access_info: null,
      price: [{ total: 2_200_000, earning: null, commission_rate: null }],
      reservations: [{ id, listing_id: listing.id, listing_name: listing.name, status: 'CONFIRMED' }],
    });
    expect(reply.text).not.toContain('rung-thong');
    expect(ok(await s.booking(s.guest, master))).toMatchObject({ id: master, nights: 2 });
  });

  it('shows a host of the team its earning, STAFF included, and the other team nothing', async () => {
    const listing = await s.listing();
    const { id } = await book(s.guest, stay(listing));
    for (const who of [s.host, s.staff])
      expect(ok(await s.booking(who, id)).price).toMatchObject([
        { earning: 1_870_000, commission_rate: 0.15 },
      ]);
    for (const who of [s.other, s.otherHost])
      expect(refusal(await s.booking(who, id)).code).toBe('BOOKING_NOT_FOUND');
    expect(refusal(await s.booking(s.guest, id + 1)).code).toBe('BOOKING_NOT_FOUND');
    expect(refusal(await s.booking(s.guest, 5)).code).toBe('BOOKING_NOT_FOUND');
  });

  it.each(['0', '-3', 'x', '1.5', '99999999999999999'])('refuses the id %s', async (id) => {
    for (const [method, path] of [
      ['GET', `/api/v1/bookings/${id}`],
      ['POST', `/api/v1/bookings/${id}/cancel`],
    ] as const)
      expect(refusal(await s.call(method, path, { token: s.guest.token }))).toMatchObject({
        code: 'VALIDATION_ERROR',
        paths: ['booking_id'],
      });
  });

  it('opens the door to the guest from 24 hours before check-in until check-out (D15)', async () => {
    const secrets = { wifi_name: 'Pines', wifi_password: 'rung-thong', door_code: { gate: '4711' } };
    const listing = await s.listing(secrets);
    const { id, master } = await book(s.guest, stay(listing));
    await pay(id);
    const at = async (instant: string, who: Who = s.guest, bookingId = id) => {
      stopClock(instant);
      return ok(await s.booking(who, bookingId)).access_info;
    };
    expect(await at('2027-02-09T06:59:59.999Z')).toBeNull();
    expect(await at('2027-02-09T07:00:00.000Z')).toEqual(secrets);
    expect(await at('2027-02-09T07:00:00.000Z', s.guest, master)).toEqual(secrets);
    expect(await at('2027-02-09T07:00:00.000Z', s.host)).toBeNull();
    expect(await at('2027-02-12T04:59:59.999Z')).toEqual(secrets);
    expect(await at('2027-02-12T05:00:00.000Z')).toBeNull();
    await move(id, 'CHECKED_IN');
    expect(await at('2027-02-11T00:00:00.000Z')).toEqual(secrets);
    await move(id, 'CHECKED_OUT');
    expect(await at('2027-02-11T00:00:00.000Z')).toBeNull();
    stopClock('2027-01-15T03:00:01.000Z');
    const cancelled = await book(s.guest, stay(listing, nights('2027-01-16', '2027-01-17')));
    await pay(cancelled.id);
    expect(ok(await s.booking(s.guest, cancelled.id)).access_info).toBeNull();
    stopClock('2027-01-15T10:00:00.000Z');
    expect(ok(await s.booking(s.guest, cancelled.id)).access_info).toEqual(secrets);
    const after = await s.cancel(s.guest, cancelled.id);
    expect(ok(after).access_info).toBeNull();
    expect(after.text).not.toContain('rung-thong');
    expect(ok(await s.booking(s.guest, cancelled.id)).access_info).toBeNull();
  });

  it('keeps the door shut while the host has not accepted', async () => {
    const listing = await s.listing({ instant_book_enabled: false, wifi_password: 'rung-thong' });
    const { id } = await book(s.guest, stay(listing, nights('2027-01-15', '2027-01-16')));
    expect(ok(await s.booking(s.guest, id))).toMatchObject({ state: 'PENDING', access_info: null });
  });

  it.each([
    ['America/New_York', '2027-03-14', '2027-03-13T18:00:00.000Z', '2027-03-15T16:00:00.000Z'],
    ['America/New_York', '2027-11-07', '2027-11-06T19:00:00.000Z', '2027-11-08T17:00:00.000Z'],
    ['Europe/Paris', '2027-03-28', '2027-03-27T12:00:00.000Z', '2027-03-29T10:00:00.000Z'],
    ['Europe/Paris', '2027-10-31', '2027-10-30T13:00:00.000Z', '2027-11-01T11:00:00.000Z'],
  ])('counts those hours by the clock of %s on %s', async (timezone, date, opens, closes) => {
    const listing = await s.listing({ timezone, wifi_name: 'Door', refund_rule: '1 day' });
    const next = `${date.slice(0, 8)}${String(Number(date.slice(8)) + 1).padStart(2, '0')}`;
    const checkOut = next.endsWith('32') ? '2027-11-01' : next;
    const { id } = await book(s.guest, stay(listing, nights(date, checkOut)));
    await pay(id);
    expect(ok(await s.booking(s.guest, id)).cancellation_deadline).toBe(opens);
    const before = (instant: string) => `${instant.slice(0, 11)}${hourBefore(instant)}:59:59.999Z`;
    stopClock(before(opens));
    expect(ok(await s.booking(s.guest, id)).access_info).toBeNull();
    stopClock(opens);
    expect(ok(await s.booking(s.guest, id)).access_info).toMatchObject({ wifi_name: 'Door' });
    stopClock(before(closes));
    expect(ok(await s.booking(s.guest, id)).access_info).toMatchObject({ wifi_name: 'Door' });
    stopClock(closes);
    expect(ok(await s.booking(s.guest, id)).access_info).toBeNull();
  });
});

const hourBefore = (instant: string) => String(Number(instant.slice(11, 13)) - 1).padStart(2, '0');

describe('POST /bookings/{booking_id}/cancel', () => {
  it('answers the detail with the refund, frees the time, and does it once', async () => {
    const listing = await s.listing();
    const { id } = await book(s.guest, stay(listing));
    const cancelled = ok(await s.cancel(s.guest, id, { reason: 'Plans changed' }));
    expect(cancelled).toMatchObject({
      id,
      state: 'CANCELLED',
      payment_status: 'PENDING',
      refund: { amount: 0, status: 'NONE' },
      price: [{ earning: null, commission_rate: null }],
      reservations: [{ id, status: 'CANCELLED' }],
    });
    expect(ok(await s.range(s.guest, listing))).toEqual([]);
    const again = refusal(await s.cancel(s.guest, id));
    expect(again).toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
      details: { state: 'CANCELLED', allowed_from: ['PENDING', 'CONFIRMED'] },
    });
    await book(s.other, stay(listing));
  });

  it('frees the time once when twenty cancel at once', async () => {
    const listing = await s.listing();
    const { id } = await book(s.guest, stay(listing));
    const replies = await times(20, () => s.cancel(s.guest, id));
    expect(tally(replies)).toEqual({ '200': 1, '409 INVALID_STATE_TRANSITION': 19 });
    await book(s.other, stay(listing));
    expect(ok(await s.range(s.guest, listing))).toHaveLength(1);
  });

  it('does not free what was booked again meanwhile', async () => {
    const listing = await s.listing();
    const first = await book(s.guest, stay(listing));
    ok(await s.cancel(s.guest, first.id));
    await book(s.other, stay(listing));
    expect(refusal(await s.cancel(s.guest, first.id)).code).toBe('INVALID_STATE_TRANSITION');
    expect(refusal(await s.confirm(s.guest, { items: [stay(listing)], payment_method: 'CASH' })).code).toBe(
      'LISTING_NOT_AVAILABLE',
    );
  });

  it('is for the guest, OWNER and MANAGER; STAFF may look on', async () => {
    const listing = await s.listing();
    const manager = await s.person('MANAGER');
    const { id } = await book(s.guest, stay(listing));
    for (const who of [s.other, s.otherHost])
      expect(refusal(await s.cancel(who, id)).code).toBe('BOOKING_NOT_FOUND');
    expect(refusal(await s.cancel(s.staff, id)).code).toBe('FORBIDDEN');
    expect(ok(await s.booking(s.guest, id)).state).toBe('CONFIRMED');
    expect(ok(await s.cancel(manager, id))).toMatchObject({
      state: 'CANCELLED',
      price: [{ earning: 1_870_000 }],
    });
  });

  it('lets STAFF cancel a stay of their own', async () => {
    const listing = await s.listing();
    const { id } = await book(s.staff, stay(listing));
    expect(ok(await s.cancel(s.staff, id)).state).toBe('CANCELLED');
  });

  it.each(['CHECKED_IN', 'CHECKED_OUT', 'COMPLETED'] as const)('is too late once %s', async (state) => {
    const listing = await s.listing();
    const { id, master } = await book(s.guest, stay(listing));
    await move(id, state);
    for (const reply of [
      await s.cancel(s.guest, id),
      await s.cancel(s.host, id),
      await s.cancel(s.guest, master),
    ])
      expect(refusal(reply)).toMatchObject({ code: 'INVALID_STATE_TRANSITION', details: { state } });
    expect(ok(await s.range(s.guest, listing))).toHaveLength(1);
  });

  it('refuses what it does not know, several at once', async () => {
    const { id } = await book(s.guest, stay(await s.listing()));
    const wrong = { reason: 'r'.repeat(1001), refund: 5 };
    expect(refusal(await s.cancel(s.guest, id, wrong)).paths.sort()).toEqual(['reason', 'refund']);
    expect(refusal(await s.cancel(s.guest, id, '[]')).code).toBe('VALIDATION_ERROR');
    expect(ok(await s.cancel(s.guest, id, {})).state).toBe('CANCELLED');
  });

  it('repeats its answer under an Idempotency-Key, also its refusals', async () => {
    const { id } = await book(s.guest, stay(await s.listing()));
    const other = await book(s.guest, stay(await s.listing()));
    const replies = await times(20, () => s.cancel(s.guest, id, { reason: 'x' }, key('cancel')));
    expect(tally(replies)).toEqual({ '200': 20 });
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    const again = await s.cancel(s.guest, id, { reason: 'x' }, key('cancel'));
    expect(again.headers['idempotent-replayed']).toBe('true');
    for (const reply of [
      await s.cancel(s.guest, id, { reason: 'y' }, key('cancel')),
      await s.cancel(s.guest, id, undefined, key('cancel')),
      await s.cancel(s.guest, other.id, { reason: 'x' }, key('cancel')),
    ])
      expect(refusal(reply).code).toBe('IDEMPOTENCY_KEY_REUSED');
    const refused = await s.cancel(s.guest, id, undefined, key('twice'));
    const repeated = await s.cancel(s.guest, id, undefined, key('twice'));
    expect(refusal(refused).code).toBe('INVALID_STATE_TRANSITION');
    expect([repeated.text, repeated.headers['idempotent-replayed']]).toEqual([refused.text, 'true']);
  });
});

describe('refunds (D48)', () => {
  // Check-in is 2027-02-10 14:00 in Hà Nội: 07:00 UTC.
  it.each([
    ['Full refund until 3 days before check-in.', '2027-02-07T07:00:00.000Z'],
    ['Free cancellation up to 1 day before arrival', '2027-02-09T07:00:00.000Z'],
    ['Hoàn tiền đầy đủ nếu hủy trước 5 ngày', '2027-02-05T07:00:00.000Z'],
    ['Hủy trước 7 ngày: hoàn 100%', '2027-02-03T07:00:00.000Z'],
    ['100% refund until 2 days before', '2027-02-08T07:00:00.000Z'],
    ['48 hours notice', '2027-02-08T07:00:00.000Z'],
    ['Báo trước 12 giờ', '2027-02-09T19:00:00.000Z'],
    ['Non-refundable within 7 days of check-in', '2027-02-03T07:00:00.000Z'],
    ['Flexible', '2027-02-10T07:00:00.000Z'],
    ['', '2027-02-10T07:00:00.000Z'],
    ['Non-refundable', null],
    ['NON REFUNDABLE', null],
    ['No refund', null],
    ['Không hoàn tiền', null],
  ])('“%s” refunds in full until %s, to the second', async (refund_rule, deadline) => {
    const refundAt = async (instant: string) => {
      stopClock();
      const { id } = await book(s.guest, stay(await s.listing({ refund_rule })));
      expect(ok(await s.booking(s.guest, id)).cancellation_deadline).toBe(deadline);
      await pay(id);
      stopClock(instant);
      const { refund, payment_status } = ok(await s.cancel(s.guest, id));
      return { ...refund, payment_status };
    };
    const full = { amount: 2_200_000, status: 'REFUNDED', payment_status: 'REFUNDED' };
    const none = { amount: 0, status: 'NONE', payment_status: 'PAID' };
    if (deadline === null) expect(await refundAt('2027-01-15T03:00:01.000Z')).toEqual(none);
    else {
      expect(await refundAt(deadline)).toEqual(full);
      expect(await refundAt(deadline.replace('00.000Z', '01.000Z'))).toEqual(none);
    }
  });

  it('holds to the terms that were frozen with the price, whatever the listing says later', async () => {
    const listing = await s.listing({ refund_rule: 'Refund until 3 days before' });
    const { id } = await book(s.guest, stay(listing));
    await pay(id);
    await testListing(s.deps, { ...listing, refund_rule: 'Non-refundable' });
    expect(ok(await s.cancel(s.guest, id)).refund).toEqual({ amount: 2_200_000, status: 'REFUNDED' });
  });

  it('is always full by the host, and nothing where nothing was paid', async () => {
    const given: ListingGiven = { refund_rule: 'Non-refundable' };
    const paid = await book(s.guest, stay(await s.listing(given)));
    await pay(paid.id);
    expect(ok(await s.cancel(s.host, paid.id))).toMatchObject({
      payment_status: 'REFUNDED',
      refund: { amount: 2_200_000, status: 'REFUNDED' },
    });
    const unpaid = await book(s.guest, stay(await s.listing(given)));
    expect(ok(await s.cancel(s.host, unpaid.id))).toMatchObject({
      payment_status: 'PENDING',
      refund: { amount: 0, status: 'NONE' },
    });
  });

  it('is paid once when guest and host cancel at once', async () => {
    const { id } = await book(s.guest, stay(await s.listing()));
    await pay(id);
    const replies = await Promise.all([s.cancel(s.guest, id), s.cancel(s.host, id), s.cancel(s.guest, id)]);
    expect(tally(replies)).toEqual({ '200': 1, '409 INVALID_STATE_TRANSITION': 2 });
  });

  it('survives a rule with a number beyond all time', async () => {
    const listing = await s.listing({ refund_rule: 'Refund until 99999999999 days before check-in' });
    const { id } = await book(s.guest, stay(listing));
    expect(ok(await s.booking(s.guest, id)).cancellation_deadline).toBe('1970-01-01T00:00:00.000Z');
    await pay(id);
    expect(ok(await s.cancel(s.guest, id)).refund.amount).toBe(0);
  });

  it('keeps cents exact', async () => {
    const listing = await s.listing({
      currency: 'USD',
      full_rate: 80.1,
      cleaning_fee: 0.2,
      extra_adult_rate: 0,
    });
    const { id } = await book(s.guest, stay(listing, nights('2027-02-10', '2027-02-13')));
    await pay(id);
    expect(ok(await s.cancel(s.guest, id)).refund.amount).toBe(240.5);
  });
});

describe('an order of several stays (D49)', () => {
  const order = async () => {
    const [ours, theirs] = [await s.listing(), await s.listing({ team_id: s.b.team_id, name: 'Theirs' })];
    const items = [stay(ours), stay(theirs, { guest_number: 4 })];
    const booked = ok(await s.confirm(s.guest, { items, payment_method: 'CASH' }), 201);
    const [one, two] = booked.reservations.map(({ id }) => id) as [number, number];
    return { ours, theirs, one, two, master: booked.master_reservation_id };
  };

  it('shows each host its own part alone', async () => {
    const { ours, theirs, one, two, master } = await order();
    expect(ok(await s.booking(s.guest, master))).toMatchObject({
      total_price: 4_600_000,
      guests: 6,
      reservations: [{ id: one }, { id: two }],
    });
    const seen = await s.booking(s.host, master);
    expect(ok(seen)).toMatchObject({
      total_price: 2_200_000,
      guests: 2,
      price: [{ listing_id: ours.id, earning: 1_870_000 }],
      reservations: [{ id: one }],
    });
    expect(seen.text).not.toContain(String(theirs.id));
    expect(ok(await s.booking(s.otherHost, master))).toMatchObject({
      listing_name: 'Theirs',
      total_price: 2_400_000,
      reservations: [{ id: two }],
    });
    expect(refusal(await s.booking(s.host, two)).code).toBe('BOOKING_NOT_FOUND');
  });

  it('lets a host cancel its own part alone, by the master too', async () => {
    const { ours, theirs, one, two, master } = await order();
    await pay(one);
    await pay(two);
    expect(refusal(await s.cancel(s.host, two)).code).toBe('BOOKING_NOT_FOUND');
    expect(ok(await s.cancel(s.host, master))).toMatchObject({
      state: 'CANCELLED',
      refund: { amount: 2_200_000 },
    });
    expect(ok(await s.range(s.guest, ours))).toEqual([]);
    expect(ok(await s.range(s.guest, theirs))).toHaveLength(1);
    expect(ok(await s.booking(s.guest, master))).toMatchObject({ state: 'CONFIRMED' });
    expect(ok(await s.booking(s.guest, two))).toMatchObject({ state: 'CONFIRMED', payment_status: 'PAID' });
  });

  it('is cancelled stay by stay, then the rest by the master', async () => {
    const { ours, theirs, one, two, master } = await order();
    await pay(two);
    expect(ok(await s.cancel(s.guest, one))).toMatchObject({ id: one, state: 'CANCELLED' });
    expect(ok(await s.range(s.guest, ours))).toEqual([]);
    expect(ok(await s.range(s.guest, theirs))).toHaveLength(1);
    expect(ok(await s.cancel(s.guest, master))).toMatchObject({
      id: master,
      state: 'CANCELLED',
      refund: { amount: 2_400_000, status: 'REFUNDED' },
      reservations: [
        { id: one, status: 'CANCELLED' },
        { id: two, status: 'CANCELLED' },
      ],
    });
    expect(refusal(await s.cancel(s.guest, master)).code).toBe('INVALID_STATE_TRANSITION');
    expect(ok(await s.range(s.guest, theirs))).toEqual([]);
  });

  it('speaks of the stay that stands when another of the order is cancelled', async () => {
    const { one, two, theirs, master } = await order();
    await pay(two);
    ok(await s.cancel(s.guest, one));
    expect(ok(await s.booking(s.guest, master))).toMatchObject({
      state: 'CONFIRMED',
      payment_status: 'PAID',
      listing_id: String(theirs.id),
    });
  });

  it('cancels what is still open of a master when one stay is checked in', async () => {
    const { one, two, master } = await order();
    await move(one, 'CHECKED_IN');
    expect(ok(await s.cancel(s.guest, master)).reservations).toMatchObject([
      { id: one, status: 'CHECKED_IN' },
      { id: two, status: 'CANCELLED' },
    ]);
  });

  it('frees the parent only when no child holds the hours any longer (D26)', async () => {
    const parent = await s.listing();
    const [one, two] = [
      await s.listing({ parent_listing_id: parent.id }),
      await s.listing({ parent_listing_id: parent.id }),
    ];
    const first = await book(s.guest, stay(one));
    const second = await book(s.other, stay(two));
    const whole = () => s.confirm(s.guest, { items: [stay(parent)], payment_method: 'CASH' });
    expect(refusal(await whole()).code).toBe('LISTING_NOT_AVAILABLE');
    ok(await s.cancel(s.guest, first.id));
    expect(refusal(await whole()).code).toBe('LISTING_NOT_AVAILABLE');
    ok(await s.cancel(s.other, second.id));
    ok(await whole(), 201);
    expect(ok(await s.range(s.host, one))).toMatchObject([{ state: 'BOOKED', reservation_id: null }]);
  });
});

import { describe, expect, it } from 'vitest';
import { auditBooking } from '../../shared/domain/audit/index.ts';
import type { ReadBooking } from '../../shared/domain/booking/booking.schema.ts';
import { EventEntity } from '../../shared/platform/events/event.entity.ts';
import { orderIdOf } from '../../shared/platform/ids.ts';
import {
  advanceMinutes,
  guest_info,
  key,
  type ListingGiven,
  nights,
  ok,
  refusal,
  stay,
  useOrderScene,
  type Who,
} from '../support/order-scene.ts';

const s = useOrderScene();
const day = 24 * 60;

/** A listing of which a night costs 1,000,000 and the cleaning 200,000; its guests may cancel until check-in. */
const home = (given: ListingGiven = {}) => s.listing({ refund_rule: 'Full refund until check-in', ...given });

const book = async (who: Who, listing: { id: number }, given: object = {}, more: object = {}) =>
  ok(await s.confirm(who, { items: [stay(listing, given)], payment_method: 'CASH', ...more }), 201)
    .reservations[0]?.id ?? 0;

const bookOut = async (who: Who, listing: { id: number }, payment_method = 'CASH') =>
  ok(await s.bookOut(who, { ...stay(listing), nights: 2, guest_info, payment_method }), 201).id;

const markPaid = (id: number) =>
  s.call('POST', `/api/v1/bookings/${id}/mark-paid`, { token: s.host.token }).then((reply) => void ok(reply));
const checkIn = (id: number) =>
  s.call('POST', `/api/v1/bookings/${id}/check-in`, { token: s.host.token }).then((reply) => void ok(reply));

const free = async (listing: { id: number }, from: string, to: string): Promise<boolean[]> =>
  ok(await s.days(s.host, listing, { start_date: from, end_date: to })).items.map(
    ({ available }) => available,
  );

const events = (id: number) =>
  s.deps.table.queryAll(EventEntity, { pk: `ORDER#${orderIdOf(id)}`, prefix: 'EVENT#' });

const findings = async (id: number) => (await auditBooking(s.deps, id)).findings;

/** Pays on the gateway's page, which reports it. */
const pay = async (url: string | null | undefined): Promise<void> => {
  const { server, notificationOf } = s.deps.sandbox;
  const reference = url?.split('/').at(-1) ?? '';
  server.decide(server.find(reference)!, 'success');
  const { path, headers, body } = notificationOf(server.find(reference)!);
  ok(await s.call('POST', path, { headers, body }));
};

describe('POST /bookings/{booking_id}/change (previewChange, changeBooking)', () => {
  it('moves the stay to other dates, all at once: the new time is taken, the present one free', async () => {
    const listing = await home();
    const id = await book(s.guest, listing);
    const changed = ok(await s.change(s.guest, id, nights('2027-02-15', '2027-02-18')));
    expect(changed).toMatchObject({
      id,
      state: 'CONFIRMED',
      check_in_date: '2027-02-15',
      check_out_date: '2027-02-18',
      start_at: '2027-02-15T14:00:00',
      nights: 3,
      change: { refund: { amount: 0, status: 'NONE' } },
    });
    expect(changed.change.difference).toBe(changed.total_price - 2_200_000);
    expect(changed.change.amount_due).toBe(changed.total_price);
    expect(await free(listing, '2027-02-10', '2027-02-18')).toEqual([
      ...[true, true, true, true, true],
      ...[false, false, false],
      true,
    ]);
    const { change: _, ...detail } = changed;
    expect(ok(await s.booking(s.guest, id))).toEqual({
      ...detail,
      listing_id: String(listing.id),
      pending_change: null,
      guest_url: null,
      allowed_actions: ['CANCEL', 'CHANGE', 'CORRECT_GUEST'],
    });
    expect(await findings(id)).toEqual([]);
  });

  it('writes nothing where the stay is already as asked, under any key', async () => {
    const listing = await home();
    const id = await book(s.guest, listing);
    const longer = { check_out_date: '2027-02-13' };
    const changed = ok(await s.change(s.guest, id, longer));
    const before = (await events(id)).length;
    for (const asked of [longer, { guest_number: changed.guest_number }, { listing_id: listing.id }]) {
      const { change, ...detail } = ok(await s.change(s.guest, id, asked));
      const { change: first, ...same } = changed;
      expect([detail, change]).toEqual([same, { ...first, difference: 0 }]);
    }
    expect(await events(id)).toHaveLength(before);
    ok(await s.change(s.guest, id, { guest_number: changed.guest_number - 1 }));
    expect(await events(id)).toHaveLength(before + 1);
  });

  it('takes time that overlaps with its own present time', async () => {
    const listing = await home();
    const id = await book(s.guest, listing);
    ok(await s.change(s.guest, id, nights('2027-02-11', '2027-02-14')));
    expect(await free(listing, '2027-02-09', '2027-02-14')).toEqual([true, true, false, false, false, true]);
    expect(await findings(id)).toEqual([]);
  });

  it('gives the stay the times of its listing again for null, each by itself', async () => {
    const listing = await home();
    const id = await book(s.guest, listing, { check_in_time: '16:00:00', check_out_time: '10:00:00' });
    const moved = async (asked: object) => {
      const { start_at, end_at } = ok(await s.change(s.guest, id, asked));
      return [start_at, end_at].map((at) => at.slice(11));
    };
    expect(await moved({ guest_number: 1 })).toEqual(['16:00:00', '10:00:00']);
    expect(await moved({ check_in_time: null })).toEqual(['14:00:00', '10:00:00']);
    expect(await moved({ check_out_time: null })).toEqual(['14:00:00', '12:00:00']);
    expect(await findings(id)).toEqual([]);
  });

  it('keeps the price of nights that stay, whatever the price is now', async () => {
    const listing = await home();
    const id = await book(s.guest, listing);
    ok(
      await s.call('PATCH', `/api/v1/listings/${listing.id}`, {
        token: s.host.token,
        body: { full_rate: 3_000_000 },
      }),
    );
    const preview = ok(await s.previewChange(s.guest, id, { check_out_date: '2027-02-13' }));
    expect(preview).toMatchObject({ difference: 3_000_000, amount_due: 5_200_000, available: true });
    expect(preview.now.lines.filter(({ kind }) => kind === 'night').map(({ amount }) => amount)).toEqual([
      1_000_000, 1_000_000, 3_000_000,
    ]);
    const changed = ok(
      await s.change(s.guest, id, { check_out_date: '2027-02-13', expected_difference: 3_000_000 }),
    );
    expect(changed.total_price).toBe(5_200_000);
    expect(changed.price).toEqual([preview.now]);
  });

  it('moves to another home of the team, at its price, and to one of another team never', async () => {
    const [one, two] = [await home(), await home({ full_rate: 1_500_000 })];
    const id = await book(s.guest, one);
    const changed = ok(await s.change(s.guest, id, { listing_id: two.id }));
    expect(changed).toMatchObject({ listing_id: two.id, listing_name: two.name, total_price: 3_200_000 });
    expect(await free(one, '2027-02-10', '2027-02-11')).toEqual([true, true]);
    expect(await free(two, '2027-02-10', '2027-02-11')).toEqual([false, false]);
    const foreign = await s.listing({ team_id: s.b.team_id });
    expect(refusal(await s.change(s.guest, id, { listing_id: foreign.id })).code).toBe('LISTING_NOT_FOUND');
    expect(await findings(id)).toEqual([]);
  });

  it('moves a confirmed stay to a home whose host accepts each booking only where that host asks for it', async () => {
    const [one, two] = [await home(), await home({ instant_book_enabled: false })];
    const id = await book(s.guest, one);
    const asked = { listing_id: two.id };
    for (const refused of [await s.previewChange(s.guest, id, asked), await s.change(s.guest, id, asked)])
      expect(refused).toMatchObject({
        status: 409,
        body: { message: expect.stringContaining('accepts each booking') as string },
      });
    expect(await free(two, '2027-02-10', '2027-02-11')).toEqual([true, true]);
    const mine = await s.partner({ team_ids: [one.team_id] });
    const sold = await bookOut(mine, await home());
    expect(refusal(await s.changeOut(mine, sold, asked)).code).toBe('INVALID_STATE_TRANSITION');
    expect(ok(await s.change(s.host, id, asked))).toMatchObject({ ...asked, state: 'CONFIRMED' });
    ok(await s.change(s.guest, id, { guest_number: 1 }));
  });

  it('moves a stay that waits for its host to another home, where it waits too', async () => {
    const [one, two] = [
      await home({ instant_book_enabled: false }),
      await home({ instant_book_enabled: false }),
    ];
    const id = await book(s.guest, one);
    expect(ok(await s.change(s.guest, id, { listing_id: two.id }))).toMatchObject({
      listing_id: two.id,
      state: 'PENDING',
    });
  });

  it('moves between rooms of a house, and from the house into a room', async () => {
    const house = await home();
    const [one, two] = [
      await home({ parent_listing_id: house.id }),
      await home({ parent_listing_id: house.id }),
    ];
    const id = await book(s.guest, one);
    ok(await s.change(s.guest, id, { listing_id: two.id }));
    expect(await free(one, '2027-02-10', '2027-02-10')).toEqual([true]);
    expect(await free(two, '2027-02-10', '2027-02-10')).toEqual([false]);
    expect(await free(house, '2027-02-10', '2027-02-10')).toEqual([false]);
    ok(await s.change(s.guest, id, { listing_id: house.id }));
    expect(await free(one, '2027-02-10', '2027-02-10')).toEqual([false]);
    ok(await s.change(s.guest, id, { listing_id: one.id }));
    expect(await free(two, '2027-02-10', '2027-02-10')).toEqual([true]);
    expect(await findings(id)).toEqual([]);
  });

  it('prices guests and extras anew', async () => {
    const listing = await home({ guest_included_in_rate: 2, extra_adult_rate: 100_000, maximum_guest: 6 });
    const id = await book(s.guest, listing, { adult_number: 2, children_number: 0 });
    const changed = ok(await s.change(s.guest, id, { guest_number: 4 }));
    expect(changed).toMatchObject({ guest_number: 4, adults: 4, change: { difference: 200_000 } });
    expect(await free(listing, '2027-02-10', '2027-02-11')).toEqual([false, false]);
    expect(refusal(await s.change(s.guest, id, { guest_number: 7 })).paths).toEqual(['guest_number']);
    expect(refusal(await s.change(s.guest, id, { extra_service_ids: [1] })).paths).toEqual([
      'extra_service_ids[0]',
    ]);
  });

  it('leaves the stay as it was if the new time is taken', async () => {
    const listing = await home();
    const [id, other] = [
      await book(s.guest, listing),
      await book(s.other, listing, nights('2027-02-13', '2027-02-15')),
    ];
    const before = ok(await s.booking(s.guest, id));
    expect(ok(await s.previewChange(s.guest, id, { check_out_date: '2027-02-14' })).available).toBe(false);
    expect(refusal(await s.change(s.guest, id, { check_out_date: '2027-02-14' }))).toMatchObject({
      code: 'LISTING_NOT_AVAILABLE',
      details: {
        unavailable: [
          { listing_id: listing.id, start_at: '2027-02-13T14:00:00', end_at: '2027-02-14T12:00:00' },
        ],
      },
    });
    expect(ok(await s.booking(s.guest, id))).toEqual(before);
    expect(await findings(id)).toEqual([]);
    expect(await findings(other)).toEqual([]);
  });

  it('refunds what a paid stay costs less, and it stays PAID', async () => {
    const listing = await home();
    const id = await book(s.guest, listing);
    await markPaid(id);
    const changed = ok(await s.change(s.guest, id, { check_out_date: '2027-02-11' }));
    expect(changed).toMatchObject({
      payment_status: 'PAID',
      total_price: 1_200_000,
      change: { difference: -1_000_000, refund: { amount: 1_000_000, status: 'REFUNDED' }, amount_due: 0 },
    });
    expect((await events(id)).at(-1)).toMatchObject({
      event_type: 'payment.refunded',
      data: { amount: 1_000_000 },
    });
    expect(await findings(id)).toEqual([]);
  });

  it('lets a host charge later what a paid stay costs more; cancelled, what was paid goes back', async () => {
    const listing = await home();
    const id = await book(
      s.guest,
      listing,
      {},
      { payment_method: 'ONLINE_GATEWAY', payment_gateway_token: 'tok_ok' },
    );
    const longer = { check_out_date: '2027-02-13' };
    for (const who of [s.guest, s.host])
      expect(ok(await s.previewChange(who, id, longer)).amount_due).toBe(1_000_000);
    expect(refusal(await s.change(s.guest, id, { ...longer, charge_later: true })).paths).toEqual([
      'charge_later',
    ]);
    const changed = ok(await s.change(s.host, id, { ...longer, charge_later: true }));
    expect(changed).toMatchObject({
      payment_status: 'PENDING',
      payment_expires_at: null,
      total_price: 3_200_000,
      change: { difference: 1_000_000, amount_due: 1_000_000 },
    });
    expect(await findings(id)).toEqual([]);
    const back = ok(await s.change(s.host, id, { check_out_date: '2027-02-11' }));
    expect(back).toMatchObject({
      payment_status: 'PAID',
      change: { difference: -2_000_000, refund: { amount: 1_000_000, status: 'PENDING' }, amount_due: 0 },
    });
    expect(await findings(id)).toEqual([]);
    ok(await s.change(s.host, id, { check_out_date: '2027-02-12', charge_later: true }));
    await markPaid(id);
    expect(ok(await s.cancel(s.host, id)).refund).toEqual({ amount: 2_200_000, status: 'PENDING' });
    const refunds = (await events(id)).filter(({ event_type }) => event_type === 'payment.refunded');
    // What the host took in cash is the host's to return.
    expect(refunds.map(({ data }) => ('amount' in data ? data.amount : null))).toEqual([1_000_000]);
    expect(await findings(id)).toEqual([]);
  });

  describe('of a booking that is paid online and costs more', () => {
    const longer = { check_out_date: '2027-02-13' };
    const paid = async () =>
      book(s.guest, await home(), {}, { payment_method: 'ONLINE_GATEWAY', payment_gateway_token: 'tok_ok' });

    it('answers the stay as it is, with the page where the difference is paid; then it is changed', async () => {
      const id = await paid();
      const { allowed_actions, ...before } = ok(await s.booking(s.guest, id));
      const { change: held, ...detail } = ok(await s.change(s.guest, id, longer, key('page')));
      expect({ ...detail, listing_id: before.listing_id, pending_change: null, guest_url: null }).toEqual(
        before,
      );
      expect(held).toMatchObject({ difference: 1_000_000, amount_due: 1_000_000 });
      expect(ok(await s.change(s.guest, id, longer, key('page'))).change).toEqual(held);
      const { payment_url, payment_expires_at } = held;
      expect(ok(await s.booking(s.guest, id))).toEqual({
        ...before,
        allowed_actions,
        updated_at: expect.any(String) as string,
        pending_change: expect.objectContaining({
          ...{ booking_id: id, nights: 3, difference: 1_000_000, payment_url, payment_expires_at },
          asked_by: 'guest',
        }) as object,
      });
      await pay(payment_url);
      expect(ok(await s.booking(s.guest, id))).toMatchObject({
        nights: 3,
        pending_change: null,
        payment_status: 'PAID',
        total_price: 3_200_000,
      });
      expect(ok(await s.cancel(s.host, id)).refund).toEqual({ amount: 3_200_000, status: 'PENDING' });
      expect(await findings(id)).toEqual([]);
    });

    it('answers the present home while another one is held', async () => {
      const [id, dearer] = [await paid(), await home({ full_rate: 3_000_000, address: '1 Lake Road' })];
      const { allowed_actions, ...before } = ok(await s.booking(s.guest, id));
      const { change: held, ...detail } = ok(await s.change(s.guest, id, { listing_id: dearer.id }));
      expect({ ...detail, listing_id: before.listing_id, pending_change: null, guest_url: null }).toEqual(
        before,
      );
      await pay(held.payment_url);
      expect(ok(await s.booking(s.guest, id))).toMatchObject({ listing_address: '1 Lake Road' });
      expect(await findings(id)).toEqual([]);
    });

    it('charges a token once, however often the request is repeated', async () => {
      const id = await paid();
      const asked = { ...longer, payment_gateway_token: 'tok_ok' };
      const first = await s.change(s.guest, id, asked, key('token'));
      expect(ok(first)).toMatchObject({ nights: 3, payment_status: 'PAID', change: { amount_due: 0 } });
      expect((await s.change(s.guest, id, asked, key('token'))).text).toBe(first.text);
      expect((await events(id)).filter(({ event_type }) => event_type === 'payment.paid')).toHaveLength(2);
      expect(await findings(id)).toEqual([]);
    });

    it('leaves the stay as it was when the token is declined', async () => {
      const id = await paid();
      const asked = { ...longer, payment_gateway_token: 'tok_declined' };
      expect(refusal(await s.change(s.guest, id, asked)).code).toBe('PAYMENT_DECLINED');
      expect(ok(await s.booking(s.guest, id))).toMatchObject({ nights: 2, total_price: 2_200_000 });
      expect(await findings(id)).toEqual([]);
    });

    it('continues a charge whose answer was lost, under the same key', async () => {
      const id = await paid();
      const asked = { ...longer, payment_gateway_token: 'tok_ok' };
      s.deps.sandbox.fault = (path) => (path === '/charge' ? 'after' : undefined);
      const lost = await s.change(s.guest, id, asked, key('lost'));
      s.deps.sandbox.fault = undefined;
      expect(refusal(lost).code).toBe('PAYMENT_GATEWAY_UNAVAILABLE');
      expect(refusal(await s.change(s.guest, id, longer)).code).toBe('INVALID_STATE_TRANSITION');
      expect(ok(await s.change(s.guest, id, asked, key('lost')))).toMatchObject({
        nights: 3,
        change: { difference: 1_000_000, amount_due: 0 },
      });
      expect(await findings(id)).toEqual([]);
    });
  });

  it('replaces the page of an unpaid online booking by one of the new price', async () => {
    const listing = await home();
    const id = await book(s.guest, listing, {}, { payment_method: 'ONLINE_GATEWAY' });
    const before = ok(await s.booking(s.guest, id));
    const changed = ok(await s.change(s.guest, id, { check_out_date: '2027-02-13' }));
    expect(changed).toMatchObject({
      payment_status: 'PENDING',
      payment_expires_at: before.payment_expires_at,
      payment_url: expect.any(String) as string,
      change: { difference: 1_000_000, amount_due: 3_200_000 },
    });
    expect(changed.payment_url).not.toBe(before.payment_url);
    expect(changed.payment_url).toBe(ok(await s.booking(s.guest, id)).payment_url);
    expect(await findings(id)).toEqual([]);
  });

  it('keeps the page of an unpaid online booking where price and time to pay stay', async () => {
    const id = await book(
      s.guest,
      await home({ last_minute_discount: 0 }),
      {},
      { payment_method: 'ONLINE_GATEWAY' },
    );
    const { payment_url } = ok(await s.booking(s.guest, id));
    const moved = ok(await s.change(s.guest, id, nights('2027-02-15', '2027-02-17')));
    expect(moved.payment_url).toBe(payment_url);
    const earlier = ok(await s.change(s.guest, id, nights('2027-01-15', '2027-01-17')));
    expect(earlier).toMatchObject({
      total_price: moved.total_price,
      payment_url: expect.any(String) as string,
    });
    expect(earlier.payment_url).not.toBe(payment_url);
  });

  it('shows the new page of a stay that is paid apart', async () => {
    const listing = await home({ instant_book_enabled: false });
    const id = await book(s.guest, listing, {}, { payment_method: 'ONLINE_GATEWAY' });
    ok(await s.call('POST', `/api/v1/bookings/${id}/confirm`, { token: s.host.token }));
    const { payment_url } = ok(await s.booking(s.guest, id));
    const changed = ok(await s.change(s.host, id, { check_out_date: '2027-02-13' }));
    expect(changed.payment_url).not.toBe(payment_url);
    expect(changed.payment_url).toBe(ok(await s.booking(s.guest, id)).payment_url);
  });

  it('changes nothing while the gateway does not answer for the new page: PAYMENT_GATEWAY_UNAVAILABLE', async () => {
    const id = await book(s.guest, await home(), {}, { payment_method: 'ONLINE_GATEWAY' });
    const before = ok(await s.booking(s.guest, id));
    s.deps.sandbox.fault = (path) => (path === '/sessions' ? 'before' : undefined);
    const refused = await s.change(s.guest, id, { check_out_date: '2027-02-13' });
    s.deps.sandbox.fault = undefined;
    expect(refusal(refused).code).toBe('PAYMENT_GATEWAY_UNAVAILABLE');
    expect(ok(await s.booking(s.guest, id))).toEqual(before);
  });

  it('does not change the price while an authorisation of it awaits the host', async () => {
    const listing = await home({ instant_book_enabled: false });
    const paying = { payment_method: 'ONLINE_GATEWAY', payment_gateway_token: 'tok_ok' };
    const id = await book(s.guest, listing, {}, paying);
    const longer = await s.change(s.guest, id, { check_out_date: '2027-02-13' });
    expect(refusal(longer)).toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
      details: { state: 'PENDING' },
    });
    const moved = ok(await s.change(s.guest, id, nights('2027-02-15', '2027-02-17')));
    expect(moved).toMatchObject({ state: 'PENDING', change: { difference: 0 } });
    ok(await s.call('POST', `/api/v1/bookings/${id}/confirm`, { token: s.host.token }));
    expect(await findings(id)).toEqual([]);
  });

  it('ends the payment window at an earlier check-in', async () => {
    const id = await book(s.guest, await home(), {}, { payment_method: 'ONLINE_GATEWAY' });
    const moved = ok(await s.change(s.guest, id, nights('2027-01-15', '2027-01-17')));
    expect(moved.payment_expires_at).toBe('2027-01-15T07:00:00.000Z');
    expect(await findings(id)).toEqual([]);
  });

  it.each([
    ['of a page at a check-in in an hour', 'ONLINE_GATEWAY', '2027-01-15T07:00:00.000Z'],
    ['of a transfer in two hours, as the shortest', 'BANK_TRANSFER', '2027-01-15T08:00:00.000Z'],
  ])('ends the time %s', async (_, payment_method, until) => {
    const id = await book(s.guest, await home(), {}, { payment_method });
    advanceMinutes(180);
    const moved = ok(await s.change(s.host, id, nights('2027-01-15', '2027-01-17')));
    expect(moved.payment_expires_at).toBe(until);
  });

  it('moves another home of another currency, or that does not take its payment, never', async () => {
    const id = await book(s.guest, await home());
    const dollars = await home({ currency: 'USD' });
    const onlineOnly = await home({ payment_methods: ['ONLINE_GATEWAY'] });
    for (const { id: listing_id } of [dollars, onlineOnly])
      expect(refusal(await s.change(s.guest, id, { listing_id })).paths).toEqual(['listing_id']);
  });

  it('changes one stay of an order, by its own id', async () => {
    const [one, two] = [await home(), await home()];
    const order = ok(
      await s.confirm(s.guest, { items: [stay(one), stay(two)], payment_method: 'CASH' }),
      201,
    );
    const longer = { check_out_date: '2027-02-13' };
    expect(refusal(await s.change(s.guest, order.master_reservation_id, longer)).paths).toEqual([
      'booking_id',
    ]);
    const [first] = order.reservations;
    expect(ok(await s.change(s.guest, first?.id ?? 0, longer)).total_price).toBe(3_200_000);
    const whole = ok(await s.booking(s.guest, order.master_reservation_id));
    expect(whole.total_price).toBe(5_400_000);
    expect(await findings(order.master_reservation_id)).toEqual([]);
  });

  it('takes the preparation of the listing with the new end, and keeps that of an end that stays', async () => {
    const listing = await home({ preparation_hours: 4 });
    const hours = (from: string, to: string) => s.hours(s.host, listing, from, to).then((reply) => ok(reply));
    const id = await book(s.guest, listing);
    ok(await s.change(s.guest, id, { check_out_date: '2027-02-13' }));
    expect(await hours('2027-02-12T1100', '2027-02-12T1800')).toHaveLength(7);
    expect(await hours('2027-02-13T1100', '2027-02-13T1800')).toHaveLength(5);
    await s.call('PATCH', `/api/v1/listings/${listing.id}`, {
      token: s.host.token,
      body: { preparation_hours: 2 },
    });
    ok(await s.change(s.guest, id, { check_in_date: '2027-02-11' }));
    expect(await hours('2027-02-13T1100', '2027-02-13T1800')).toHaveLength(5);
    ok(await s.change(s.guest, id, { check_out_date: '2027-02-12' }));
    expect(await hours('2027-02-12T1100', '2027-02-13T1800')).toHaveLength(3);
    expect(await findings(id)).toEqual([]);
  });

  it('keeps the earlier deadline of a free cancellation', async () => {
    const listing = await s.listing({ refund_rule: 'Full refund until 7 days before check-in' });
    const id = await book(s.guest, listing);
    const { cancellation_deadline } = ok(await s.booking(s.guest, id));
    const later = nights('2027-02-20', '2027-02-22');
    expect(ok(await s.previewChange(s.guest, id, later))).toMatchObject({ cancellation_deadline });
    expect(ok(await s.change(s.guest, id, later))).toMatchObject({
      cancellation_deadline,
      cancellation_terms: [{ until_hours_before: (7 + 10) * 24, refund_percent: 100 }],
    });
    const earlier = ok(await s.change(s.guest, id, nights('2027-02-01', '2027-02-03')));
    expect(earlier.cancellation_deadline).toBe('2027-01-25T07:00:00.000Z');
  });

  it('lets a guest change it until that deadline, a host after it', async () => {
    const listing = await s.listing({ refund_rule: 'Full refund until 7 days before check-in' });
    const id = await book(s.guest, listing, nights('2027-01-24', '2027-01-26'));
    advanceMinutes(10 * day);
    const longer = { check_out_date: '2027-01-27' };
    expect(refusal(await s.change(s.guest, id, longer))).toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
      details: { cancellation_deadline: '2027-01-17T07:00:00.000Z' },
    });
    ok(await s.change(s.host, id, longer));
  });

  it('changes after check-in the check-out alone', async () => {
    const listing = await home();
    const id = await book(s.guest, listing, nights('2027-01-16', '2027-01-18'));
    advanceMinutes(2 * day);
    await checkIn(id);
    expect(refusal(await s.change(s.host, id, { guest_number: 1 }))).toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
      details: { state: 'CHECKED_IN', allowed_from: ['PENDING', 'CONFIRMED'] },
    });
    expect(ok(await s.change(s.host, id, { check_out_date: '2027-01-19' }))).toMatchObject({
      state: 'CHECKED_IN',
      start_at: '2027-01-16T14:00:00',
      nights: 3,
    });
    expect(
      refusal(await s.change(s.host, id, { check_out_date: '2027-01-17', check_out_time: '09:00:00' })).paths,
    ).toEqual(['check_out_time']);
    expect(await findings(id)).toEqual([]);
  });

  it.each(['CANCELLED', 'NO_SHOW'])('refuses a booking that is %s', async (state) => {
    const listing = await home();
    const id = await book(s.guest, listing, nights('2027-01-16', '2027-01-18'));
    if (state === 'NO_SHOW') advanceMinutes(3 * day);
    ok(
      await s.call('POST', `/api/v1/bookings/${id}/${state === 'NO_SHOW' ? 'no-show' : 'cancel'}`, {
        token: s.host.token,
      }),
    );
    expect(refusal(await s.change(s.host, id, { guest_number: 1 }))).toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
      details: { state },
    });
  });

  it('refuses another price than expected, and a request that changes nothing', async () => {
    const id = await book(s.guest, await home());
    const asked = { check_out_date: '2027-02-13', expected_difference: 1 };
    const other = await s.change(s.guest, id, asked);
    expect(other.text).toContain('The difference is not `expected_difference`');
    expect(refusal(other)).toMatchObject({
      code: 'PRICE_CHANGED',
      details: {
        changes: [{ field: 'difference', was: 1, now: 1_000_000 }],
        preview: { estimated_total: 3_200_000 },
      },
    });
    expect(refusal(await s.change(s.guest, id, {})).paths).toEqual(['body']);
    expect(refusal(await s.change(s.guest, id, nights('2027-02-13', '2027-02-12'))).code).toBe(
      'VALIDATION_ERROR',
    );
  });

  it('is for the guest and for managers of the team', async () => {
    const id = await book(s.guest, await home());
    const asked = { guest_number: 1 };
    expect(refusal(await s.change(s.other, id, asked)).code).toBe('BOOKING_NOT_FOUND');
    expect(refusal(await s.change(s.otherHost, id, asked)).code).toBe('BOOKING_NOT_FOUND');
    expect((await s.change(s.staff, id, asked)).body).toMatchObject({
      code: 'FORBIDDEN',
      message: 'Your role in this team does not allow this.',
    });
    ok(await s.change(s.host, id, asked));
  });

  it('answers a repeated request like the first, and changes once', async () => {
    const id = await book(s.guest, await home());
    const longer = { check_out_date: '2027-02-13' };
    const first = await s.change(s.guest, id, longer, key('longer'));
    const again = await s.change(s.guest, id, longer, key('longer'));
    expect(again.text).toBe(first.text);
    expect((await events(id)).map(({ event_type }) => event_type)).toEqual([
      'booking.created',
      'booking.changed',
    ]);
  });

  it('records what the stay was and is', async () => {
    const listing = await home();
    const id = await book(s.guest, listing);
    ok(await s.change(s.guest, id, { check_out_date: '2027-02-13' }));
    const was = {
      listing_id: listing.id,
      check_in_date: '2027-02-10',
      check_out_date: '2027-02-12',
      start_at: '2027-02-10T14:00:00',
      end_at: '2027-02-12T12:00:00',
      guest_number: 2,
      total_price: 2_200_000,
    };
    const now = {
      ...was,
      check_out_date: '2027-02-13',
      end_at: '2027-02-13T12:00:00',
      total_price: 3_200_000,
    };
    expect((await events(id)).at(-1)).toMatchObject({
      event_type: 'booking.changed',
      data: { id, total_price: 3_200_000, was, now },
    });
    const history = await s.call('GET', `/api/v1/bookings/${id}/history`, { token: s.host.token });
    expect(ok(history as never)).toMatchObject({
      items: [
        { event_type: 'booking.created', was: null, now: null },
        { event_type: 'booking.changed', was, now },
      ],
    });
  });

  it('binds new dates by the stay rules, with stays that are allowed', async () => {
    const listing = await home();
    const id = await book(s.guest, listing);
    ok(
      await s.call('PUT', `/api/v1/listings/${listing.id}/stay-rules`, {
        token: s.host.token,
        body: { default: { min_nights: 2 }, min_notice_hours: 2160 },
      }),
    );
    expect(refusal(await s.change(s.guest, id, { check_out_date: '2027-02-11' }))).toMatchObject({
      code: 'STAY_NOT_ALLOWED',
      details: { reasons: [{ rule: 'min_nights', allowed: 2 }] },
    });
    // The arrival stays, so its notice does not bind.
    ok(await s.change(s.guest, id, { check_out_date: '2027-02-13' }));
    ok(await s.change(s.guest, id, { guest_number: 1 }));
    const moved = refusal(await s.previewChange(s.guest, id, nights('2027-02-11', '2027-02-13')));
    expect(moved).toMatchObject({
      code: 'STAY_NOT_ALLOWED',
      details: { reasons: [{ rule: 'min_notice_hours' }] },
    });
  });

  describe('with override_rules', () => {
    const other = nights('2027-02-15', '2027-02-18');
    const rule = async (listing: { id: number }) => {
      const body = {
        default: { closed: true, closed_to_arrival: true, min_nights: 5 },
        min_notice_hours: 2160,
      };
      ok(await s.call('PUT', `/api/v1/listings/${listing.id}/stay-rules`, { token: s.host.token, body }));
    };
    const overridden = { ...other, override_rules: true };
    const ruled = async (more: object = {}) => {
      const listing = await home();
      const id = await book(s.guest, listing, {}, more);
      await rule(listing);
      return id;
    };
    const online = { payment_method: 'ONLINE_GATEWAY', payment_gateway_token: 'tok_ok' };

    it('lets a host, and no one else, change to what the rules refuse', async () => {
      const id = await ruled();
      for (const send of [s.previewChange, s.change]) {
        expect(refusal(await send(s.host, id, other)).code).toBe('STAY_NOT_ALLOWED');
        const kept = { ...other, override_rules: false };
        expect(refusal(await send(s.host, id, kept)).code).toBe('STAY_NOT_ALLOWED');
        expect(refusal(await send(s.guest, id, kept)).code).toBe('STAY_NOT_ALLOWED');
        const { code, paths } = refusal(await send(s.guest, id, { ...overridden, charge_later: true }));
        expect({ code, paths }).toEqual({
          code: 'VALIDATION_ERROR',
          paths: ['charge_later', 'override_rules'],
        });
      }
      expect(ok(await s.previewChange(s.host, id, overridden)).available).toBe(true);
      const changed = ok(await s.change(s.host, id, overridden));
      expect(changed).toMatchObject(other);
      expect(await findings(id)).toEqual([]);
    });

    it('is refused of a partner', async () => {
      const partner = await s.partner();
      const listing = await home();
      const id = await bookOut(partner, listing);
      await rule(listing);
      for (const send of [s.previewChangeOut, s.changeOut])
        expect(refusal(await send(partner, id, overridden)).paths).toEqual(['override_rules']);
      ok(await s.change(s.host, id, overridden));
    });

    it('takes neither time that is taken nor what the listing does not offer', async () => {
      const listing = await home();
      const [id] = [await book(s.guest, listing), await book(s.guest, listing, other)];
      expect(refusal(await s.change(s.host, id, overridden)).code).toBe('LISTING_NOT_AVAILABLE');
      const party = { guest_number: 99, override_rules: true };
      expect(refusal(await s.change(s.host, id, party)).code).toBe('VALIDATION_ERROR');
    });

    it('is enough for a change that waits for its payment, which the guest makes', async () => {
      const id = await ruled(online);
      const held = ok(await s.change(s.host, id, overridden));
      expect(held).toMatchObject({ check_in_date: '2027-02-10', change: { difference: 1_000_000 } });
      await pay(held.change.payment_url);
      expect(ok(await s.booking(s.guest, id))).toMatchObject({ ...other, payment_status: 'PAID' });
      expect(await findings(id)).toEqual([]);
    });

    it('goes with charge_later and with a token', async () => {
      const later = await ruled(online);
      const stands = ok(await s.change(s.host, later, { ...overridden, charge_later: true }));
      expect(stands).toMatchObject({ ...other, payment_status: 'PENDING' });
      const charged = await ruled(online);
      const paid = ok(await s.change(s.host, charged, { ...overridden, payment_gateway_token: 'tok_ok' }));
      expect(paid).toMatchObject({ ...other, payment_status: 'PAID' });
    });
  });
});

describe('POST /external/bookings/{booking_id}/change (previewExternalChange, changeExternalBooking)', () => {
  it('changes a booking that the key made, and no other', async () => {
    const [mine, other] = [await s.partner(), await s.partner()];
    const listing = await home();
    const id = await bookOut(mine, listing);
    const longer = { check_out_date: '2027-02-13' };
    expect(ok(await s.previewChangeOut(mine, id, longer))).toMatchObject({ difference: 1_000_000 });
    expect((await s.changeOut(other, id, longer)).body).toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringMatching(/^Only the key that made the booking may change/) as string,
    });
    expect(ok(await s.changeOut(mine, id, longer))).toMatchObject({ id, total_price: 3_200_000, nights: 3 });
    const foreign = await s.partner({ team_ids: [s.b.team_id] });
    expect(refusal(await s.changeOut(foreign, id, longer)).code).toBe('EXTERNAL_BOOKING_NOT_ACCESSIBLE');
    const elsewhere = await s.listing({ team_id: s.b.team_id });
    expect(refusal(await s.changeOut(mine, id, { listing_id: elsewhere.id })).code).toBe(
      'EXTERNAL_LISTING_NOT_ACCESSIBLE',
    );
    expect(await findings(id)).toEqual([]);
  });

  it('shows a change that waits for its page to keys of the team, until it is paid', async () => {
    const [mine, other] = [await s.partner(), await s.partner()];
    const foreign = await s.partner({ team_ids: [s.b.team_id] });
    const asked = { ...stay(await home()), nights: 2, guest_info, payment_method: 'ONLINE_GATEWAY' };
    const { id, payment_url } = ok(await s.bookOut(mine, asked), 201);
    await pay(payment_url);
    const { change } = ok(await s.changeOut(mine, id, { check_out_date: '2027-02-13' }));
    const read = (who: Who) =>
      s.get<Pick<ReadBooking, 'pending_change'>>(who, `/api/v1/external/bookings/${id}`);
    for (const who of [mine, other])
      expect(ok(await read(who)).pending_change).toMatchObject({
        asked_by: 'partner',
        check_out_date: '2027-02-13',
        amount_due: 1_000_000,
        payment_url: change.payment_url,
      });
    expect(refusal(await read(foreign)).code).toBe('EXTERNAL_BOOKING_NOT_ACCESSIBLE');
    await pay(change.payment_url);
    expect(ok(await read(mine)).pending_change).toBeNull();
    expect(await findings(id)).toEqual([]);
  });

  it('refuses a token that would charge nothing, before anything is written', async () => {
    const mine = await s.partner();
    const collecting = await s.partner({ collects_payment: true });
    const cash = await book(s.guest, await home());
    const transfer = await book(s.guest, await home(), {}, { payment_method: 'BANK_TRANSFER' });
    const external = await bookOut(mine, await home());
    const collected = await bookOut(collecting, await home(), 'ONLINE_GATEWAY');
    const asked = { check_out_date: '2027-02-13', payment_gateway_token: 'tok_ok' };
    const answers = [
      ...[s.change, s.previewChange].flatMap((send) => [
        send(s.guest, cash, asked),
        send(s.guest, transfer, asked),
      ]),
      ...[s.changeOut, s.previewChangeOut].flatMap((send) => [
        send(mine, external, asked),
        send(collecting, collected, asked),
      ]),
    ];
    const refusals = (await Promise.all(answers)).map((answer) => refusal(answer));
    const method = 'is allowed only with payment_method ONLINE_GATEWAY';
    const partner = 'is not allowed: the partner collects the price of the booking';
    expect(refusals.map(({ code }) => code)).toEqual(answers.map(() => 'VALIDATION_ERROR'));
    expect(refusals.map(({ details }) => (details as { issues: object[] }).issues[0])).toEqual(
      [method, method, method, method, method, partner, method, partner].map((message) => ({
        path: 'payment_gateway_token',
        message,
      })),
    );
    for (const id of [cash, transfer]) expect(ok(await s.booking(s.guest, id)).nights).toBe(2);
    for (const id of [external, collected]) {
      expect((await events(id)).map(({ event_type }) => event_type)).not.toContain('booking.changed');
      expect(await findings(id)).toEqual([]);
    }
  });

  it('refuses a token beside a payment_url, and beside charge_later', async () => {
    const online = { payment_method: 'ONLINE_GATEWAY' };
    const unpaid = await book(s.guest, await home(), {}, online);
    const paid = await book(s.guest, await home(), {}, { ...online, payment_gateway_token: 'tok_ok' });
    const asked = { check_out_date: '2027-02-13', payment_gateway_token: 'tok_ok' };
    const issues = (answer: Parameters<typeof refusal>[0]) =>
      (refusal(answer).details as { issues: object[] }).issues;
    const path = 'payment_gateway_token';
    for (const send of [s.change, s.previewChange]) {
      expect(issues(await send(s.guest, unpaid, asked))).toEqual([
        {
          path,
          message:
            'is not allowed: the booking is not paid yet, and its payment_url is for what it costs now',
        },
      ]);
      expect(issues(await send(s.host, paid, { ...asked, charge_later: true }))).toEqual([
        { path, message: 'is not allowed with charge_later' },
      ]);
    }
    for (const id of [unpaid, paid]) expect(ok(await s.booking(s.guest, id)).nights).toBe(2);
  });

  it('keeps a booking PAID whose price the partner collects', async () => {
    const collecting = await s.partner({ collects_payment: true });
    const id = await bookOut(collecting, await home());
    expect(ok(await s.changeOut(collecting, id, { check_out_date: '2027-02-13' }))).toMatchObject({
      payment_status: 'PAID',
      change: { difference: 1_000_000, amount_due: 0 },
    });
    expect(ok(await s.changeOut(collecting, id, { check_out_date: '2027-02-11' }))).toMatchObject({
      payment_status: 'PAID',
      change: { refund: { amount: 2_000_000, status: 'REFUNDED' } },
    });
    expect(await findings(id)).toEqual([]);
  });
});

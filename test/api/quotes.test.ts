import { beforeEach, describe, expect, it } from 'vitest';
import { type Reservation, ReservationEntity } from '../../shared/domain/booking/reservation.entity.ts';
import { findBooking } from '../../shared/domain/booking/booking.store.ts';
import { type Listing, ListingEntity } from '../../shared/domain/listing/listing.entity.ts';
import { change, present } from '../../shared/platform/table/index.ts';
import { addDays } from '../../shared/platform/time/time.ts';
import {
  advanceMinutes,
  guest_info,
  key,
  nights,
  ok,
  refusal,
  stay,
  tally,
  type Who,
  useOrderScene,
} from '../support/order-scene.ts';
import { testKey } from '../support/table.ts';

const s = useOrderScene();
let partner: Who;
beforeEach(async () => {
  partner = await s.partner();
});

const terms = (given: object = {}) => ({ guest_info, payment_method: 'CASH', ...given });
const quoted = async (listing: Pick<Listing, 'id'>, given: object = {}) =>
  ok(await s.quote(partner, { items: [stay(listing, given)] }), 201);
const held = async (listing: Pick<Listing, 'id'>, given: object = {}) => {
  const { quote_id } = await quoted(listing, given);
  return ok(await s.holdQuote(partner, quote_id), 201);
};
const bookQuote = (quote_id: number, given: object = {}, headers?: Record<string, string>) =>
  s.bookOut(partner, terms({ quote_id, ...given }), headers);
const setRate = (listing: Pick<Listing, 'id'>, full_rate: number) =>
  s.deps.table.transact([change(ListingEntity, listing, { set: { full_rate } }, { when: present() })]);

const guestOf = async (bookingId: number) =>
  (await findBooking(s.deps.table, bookingId))?.reservations[0]?.guest;

describe('POST /external/quotes', () => {
  it('answers the customer’s preview with an id and 30 minutes of validity, and locks nothing', async () => {
    const listing = await s.listing();
    const items = [stay(listing, { guest_number: 4 })];
    const quote = ok(await s.quote(partner, { items }), 201);
    const preview = ok(await s.preview(s.guest, { items }));
    expect(quote).toEqual({
      quote_id: expect.any(Number) as number,
      expires_at: '2027-01-15T03:30:00.000Z',
      ...preview,
    });
    expect(ok(await s.hold(s.guest, { items }), 201).preview.estimated_total).toBe(quote.estimated_total);
  });

  it('prices up to ten listings of all teams of the key together', async () => {
    const listings = [await s.listing(), await s.listing({ team_id: s.b.team_id })];
    const quote = ok(await s.quote(partner, { items: listings.map((one) => stay(one)) }), 201);
    expect(quote.items.map(({ available }) => available)).toEqual([true, true]);
    expect(quote.estimated_total).toBe(4_400_000);
    const eleven = Array.from({ length: 11 }, () => stay(listings[0]!));
    expect(refusal(await s.quote(partner, { items: eleven }))).toMatchObject({ paths: ['items'] });
  });

  it('says that time is not free: booked, held by a customer, or held by the same key for another guest', async () => {
    const booked = await s.listing();
    ok(await s.confirm(s.guest, { items: [stay(booked)], payment_method: 'CASH' }), 201);
    const byGuest = await s.listing();
    ok(await s.hold(s.guest, { items: [stay(byGuest)] }), 201);
    const byKey = await s.listing();
    await held(byKey);
    for (const listing of [booked, byGuest, byKey])
      expect((await quoted(listing)).items).toMatchObject([{ available: false }]);
  });

  it('finds listings of other teams and inactive ones inaccessible', async () => {
    const other = await s.partner({ team_ids: [s.b.team_id] });
    const listing = await s.listing();
    const body = { items: [stay(listing)] };
    expect(refusal(await s.quote(other, body)).code).toBe('EXTERNAL_LISTING_NOT_ACCESSIBLE');
    const paused = await s.listing({ state: 'INACTIVE' });
    expect(refusal(await s.quote(partner, { items: [stay(paused)] })).code).toBe(
      'EXTERNAL_LISTING_NOT_ACCESSIBLE',
    );
  });

  it('is repeated byte for byte under one Idempotency-Key', async () => {
    const body = { items: [stay(await s.listing())] };
    const first = await s.quote(partner, body, key('q-1'));
    const again = await s.quote(partner, body, key('q-1'));
    expect(again.text).toBe(first.text);
    expect(again.headers['idempotent-replayed']).toBe('true');
  });
});

describe('POST /external/quotes/{quote_id}/hold', () => {
  it('holds the time for 15 minutes at the price that is then booked, whatever the host changes', async () => {
    const listing = await s.listing();
    const hold = await held(listing);
    expect(hold).toMatchObject({
      locked_until: '2027-01-15T03:15:00.000Z',
      items: [{ listing_id: listing.id, state: 'SOFT_LOCK' }],
      preview: { estimated_total: 2_200_000 },
    });
    await setRate(listing, 9_000_000);
    expect(refusal(await s.hold(s.guest, { items: [stay(listing)] })).code).toBe('LISTING_NOT_AVAILABLE');
    const order = ok(await bookQuote(hold.quote_id, { expected_total: 2_200_000 }), 201);
    expect(order).toMatchObject({ id: hold.quote_id, total_price: 2_200_000, status: 'CONFIRMED' });
    expect(ok(await s.range(s.host, listing))).toMatchObject([
      { state: 'BOOKED', reservation_id: order.reservations?.[0]?.id },
    ]);
  });

  it('takes the price of its moment, and refuses another expected_total with both prices', async () => {
    const listing = await s.listing();
    const { quote_id, estimated_total } = await quoted(listing);
    await setRate(listing, 2_000_000);
    const refused = refusal(await s.holdQuote(partner, quote_id, { expected_total: estimated_total }));
    expect(refused).toMatchObject({
      code: 'PRICE_CHANGED',
      details: {
        preview: { estimated_total: 4_200_000 },
        changes: [{ field: 'estimated_total', was: 2_200_000, now: 4_200_000 }],
      },
    });
    expect(ok(await s.holdQuote(partner, quote_id), 201).preview.estimated_total).toBe(4_200_000);
  });

  it('holds all or nothing', async () => {
    const [free, taken] = [await s.listing(), await s.listing()];
    const { quote_id } = ok(await s.quote(partner, { items: [stay(free), stay(taken)] }), 201);
    ok(await s.confirm(s.guest, { items: [stay(taken)], payment_method: 'CASH' }), 201);
    expect(refusal(await s.holdQuote(partner, quote_id))).toMatchObject({
      code: 'LISTING_NOT_AVAILABLE',
      details: { unavailable: [{ listing_id: taken.id }] },
    });
    ok(await s.hold(s.guest, { items: [stay(free)] }), 201);
  });

  it('is never replaced by another hold of the same key', async () => {
    const listing = await s.listing();
    const [first, second] = [await quoted(listing), await quoted(listing)];
    ok(await s.holdQuote(partner, first.quote_id), 201);
    expect(refusal(await s.holdQuote(partner, second.quote_id)).code).toBe('LISTING_NOT_AVAILABLE');
    expect(refusal(await bookQuote(second.quote_id)).code).toBe('LISTING_NOT_AVAILABLE');
    ok(await bookQuote(first.quote_id), 201);
  });

  it('is refused for a quote that is held, booked, expired or of another key', async () => {
    const { quote_id } = await held(await s.listing());
    expect(refusal(await s.holdQuote(partner, quote_id)).code).toBe('INVALID_STATE_TRANSITION');
    ok(await bookQuote(quote_id), 201);
    expect(refusal(await s.holdQuote(partner, quote_id))).toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
      details: { booking_id: quote_id },
    });
    const late = await quoted(await s.listing());
    const stranger = await s.partner();
    expect(refusal(await s.holdQuote(stranger, late.quote_id)).code).toBe('NOT_FOUND');
    expect(refusal(await s.holdQuote(partner, late.quote_id + 16)).code).toBe('NOT_FOUND');
    advanceMinutes(30);
    expect(refusal(await s.holdQuote(partner, late.quote_id)).code).toBe('CHECKOUT_EXPIRED');
  });

  it('is limited to 50 live holds of a key', async () => {
    const busy = await s.partner({ rate_limit: 1_000_000 });
    const listing = await s.listing();
    const holds = [];
    for (let at = 0; at < 51; at++) {
      const night = nights(addDays('2027-03-01', at), addDays('2027-03-02', at));
      const { quote_id } = ok(await s.quote(busy, { items: [stay(listing, night)] }), 201);
      holds.push(await s.holdQuote(busy, quote_id));
    }
    expect(tally(holds)).toEqual({ '201': 50, '429 RATE_LIMIT_EXCEEDED': 1 });
    expect(holds.at(-1)?.headers['retry-after']).toBe('900');
    advanceMinutes(15);
    const { quote_id } = ok(await s.quote(busy, { items: [stay(listing)] }), 201);
    ok(await s.holdQuote(busy, quote_id), 201);
  });

  it('is repeated byte for byte under one Idempotency-Key', async () => {
    const { quote_id } = await quoted(await s.listing());
    const first = await s.holdQuote(partner, quote_id, undefined, key('h-1'));
    const again = await s.holdQuote(partner, quote_id, undefined, key('h-1'));
    expect(again.text).toBe(first.text);
  });
});

describe('the hold of a quote', () => {
  it('is extended once', async () => {
    const { quote_id } = await held(await s.listing());
    advanceMinutes(14);
    expect(ok(await s.extendQuote(partner, quote_id))).toMatchObject({
      quote_id,
      locked_until: '2027-01-15T03:30:00.000Z',
      preview: { estimated_total: 2_200_000 },
    });
    expect(refusal(await s.extendQuote(partner, quote_id)).code).toBe('INVALID_STATE_TRANSITION');
    advanceMinutes(15);
    ok(await bookQuote(quote_id), 201);
    const late = await held(await s.listing());
    advanceMinutes(15);
    expect(refusal(await s.extendQuote(partner, late.quote_id)).code).toBe('CHECKOUT_EXPIRED');
  });

  it('is released, which ends the quote', async () => {
    const listing = await s.listing();
    const { quote_id } = await held(listing);
    const released = { message: 'Hold released', quote_id };
    expect((await s.releaseQuote(partner, quote_id)).body).toEqual(released);
    expect((await s.releaseQuote(partner, quote_id)).body).toEqual(released);
    ok(await s.hold(s.guest, { items: [stay(listing)] }), 201);
    expect(refusal(await bookQuote(quote_id)).code).toBe('CHECKOUT_EXPIRED');
    expect(refusal(await s.holdQuote(partner, quote_id)).code).toBe('CHECKOUT_EXPIRED');
  });

  it('is found by its own key only, and not before there is one', async () => {
    const open = await quoted(await s.listing());
    for (const reply of [
      await s.extendQuote(partner, open.quote_id),
      await s.releaseQuote(partner, open.quote_id),
      await s.extendQuote(await s.partner(), (await held(await s.listing())).quote_id),
      await s.releaseQuote(await s.partner(), (await held(await s.listing())).quote_id),
    ])
      expect(refusal(reply).code).toBe('NOT_FOUND');
  });

  it('that is booked is not released', async () => {
    const { quote_id } = await held(await s.listing());
    ok(await bookQuote(quote_id), 201);
    expect(refusal(await s.releaseQuote(partner, quote_id)).code).toBe('INVALID_STATE_TRANSITION');
  });
});

describe('POST /external/bookings with a quote', () => {
  it('books a quote without a hold at the present price, or refuses another expected_total', async () => {
    const listing = await s.listing();
    const { quote_id, estimated_total } = await quoted(listing);
    await setRate(listing, 2_000_000);
    expect(refusal(await bookQuote(quote_id, { expected_total: estimated_total }))).toMatchObject({
      code: 'PRICE_CHANGED',
      details: { preview: { estimated_total: 4_200_000 } },
    });
    expect(ok(await bookQuote(quote_id), 201).total_price).toBe(4_200_000);
  });

  it('refuses another expected_total than the held one', async () => {
    const { quote_id } = await held(await s.listing());
    expect(refusal(await bookQuote(quote_id, { expected_total: 1 })).code).toBe('PRICE_CHANGED');
  });

  it('refuses another currency than that of the quote, held or not', async () => {
    const [unheld, hold] = [await quoted(await s.listing()), await held(await s.listing())];
    for (const { quote_id } of [unheld, hold]) {
      expect(refusal(await bookQuote(quote_id, { currency: 'USD' }))).toMatchObject({
        code: 'VALIDATION_ERROR',
        paths: ['currency'],
      });
      ok(await bookQuote(quote_id, { currency: 'VND' }), 201);
    }
  });

  it('uses a quote once', async () => {
    const { quote_id } = await quoted(await s.listing());
    ok(await bookQuote(quote_id), 201);
    expect(refusal(await bookQuote(quote_id))).toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
      details: { booking_id: quote_id },
    });
  });

  it('refuses an expired quote, an expired hold, and the quote of another key', async () => {
    const [open, lock, other] = [
      await quoted(await s.listing()),
      await held(await s.listing()),
      await quoted(await s.listing()),
    ];
    const stranger = await s.partner();
    expect(refusal(await s.bookOut(stranger, terms({ quote_id: other.quote_id }))).code).toBe('NOT_FOUND');
    advanceMinutes(15);
    expect(refusal(await bookQuote(lock.quote_id)).code).toBe('CHECKOUT_EXPIRED');
    advanceMinutes(15);
    expect(refusal(await bookQuote(open.quote_id)).code).toBe('CHECKOUT_EXPIRED');
  });

  it('refuses a held quote of a team that the key has lost', async () => {
    const { api_key, key: first } = await testKey(s.deps, { team_ids: [s.a.team_id, s.b.team_id] });
    const theirs = await s.listing({ team_id: s.b.team_id });
    const { quote_id } = ok(await s.quote({ key: api_key }, { items: [stay(theirs)] }), 201);
    ok(await s.holdQuote({ key: api_key }, quote_id), 201);
    const fewer = await testKey(s.deps, { team_ids: [s.a.team_id], partner_key_id: first.key_id });
    expect(refusal(await s.bookOut({ key: fewer.api_key }, terms({ quote_id }))).code).toBe(
      'EXTERNAL_LISTING_NOT_ACCESSIBLE',
    );
  });

  it('answers the first order again for the same external id, also long after the quote', async () => {
    const { quote_id } = await held(await s.listing());
    const named = { external_system: 'stayhub', external_booking_id: `Q-${quote_id}` };
    const first = await bookQuote(quote_id, named);
    ok(first, 201);
    advanceMinutes(3 * 24 * 60);
    const again = await bookQuote(quote_id, named);
    expect(again.status).toBe(200);
    expect(again.text).toBe(first.text);
    expect(refusal(await bookQuote(quote_id, { ...named, note: 'Late.' }))).toMatchObject({
      code: 'EXTERNAL_BOOKING_ID_CONFLICT',
      details: { booking_id: quote_id },
    });
  });

  it('is paid at one payment_url for all stays', async () => {
    const items = [stay(await s.listing()), stay(await s.listing())];
    const { quote_id } = ok(await s.quote(partner, { items }), 201);
    ok(await s.holdQuote(partner, quote_id), 201);
    const order = ok(await bookQuote(quote_id, { payment_method: 'ONLINE_GATEWAY' }), 201);
    expect(order).toMatchObject({ payment_status: 'PENDING', payment_url: expect.any(String) as string });
    expect(order.payment_expires_at).not.toBeNull();
  });

  it('is PAID for a key that collects the money itself', async () => {
    const collecting = await s.partner({ collects_payment: true });
    const { quote_id } = ok(await s.quote(collecting, { items: [stay(await s.listing())] }), 201);
    const order = ok(await s.bookOut(collecting, terms({ quote_id })), 201);
    expect(order).toMatchObject({ payment_status: 'PAID', reservations: [{ payment_status: 'PAID' }] });
  });

  it('speaks the language of the team of the first stay unless the guest has one', async () => {
    const listing = await s.listing();
    const { quote_id } = await held(listing);
    const order = ok(await bookQuote(quote_id, { guest_info: { ...guest_info, language: 'en' } }), 201);
    expect(await guestOf(order.id)).toMatchObject({ language: 'en' });
    const other = await held(listing, nights('2027-03-01', '2027-03-02'));
    const plain = ok(await bookQuote(other.quote_id), 201);
    expect(await guestOf(plain.id)).toMatchObject({ language: 'vi' });
  });
});

describe('POST /external/bookings with items', () => {
  it('books an order of all stays or nothing; its id and its external id lead to all of them', async () => {
    const [one, two] = [await s.listing(), await s.listing({ team_id: s.b.team_id })];
    const named = { external_system: 'stayhub', external_booking_id: `O-${one.id}` };
    const body = terms({ items: [stay(one), stay(two)], ...named, expected_total: 4_400_000 });
    const order = ok(await s.bookOut(partner, body), 201);
    expect(order).toMatchObject({
      id: order.master_reservation_id,
      state: 'CONFIRMED',
      status: 'CONFIRMED',
      total_price: 4_400_000,
      currency: 'VND',
      ...named,
      reservations: [
        { listing_id: one.id, ...named },
        { listing_id: two.id, ...named },
      ],
    });
    const path = '/api/v1/external/bookings';
    const found = await s.get<{ items: { id: number }[] }>(partner, path, {
      external_booking_id: named.external_booking_id,
    });
    expect(
      ok(found)
        .items.map(({ id }) => id)
        .sort(),
    ).toEqual(order.reservations?.map(({ id }) => id).sort());
    expect(ok(await s.get<{ total_price: number }>(partner, `${path}/${order.id}`)).total_price).toBe(
      4_400_000,
    );
    expect(ok(await s.cancelOut(partner, order.id))).toMatchObject({ id: order.id, status: 'CANCELLED' });
    const again = await s.bookOut(partner, body);
    expect(again).toMatchObject({ status: 200, body: { id: order.id, status: 'CANCELLED' } });
  });

  it('is PENDING until each stay that is not cancelled is paid, and stays REFUNDED beside an unpaid one', async () => {
    const items = [stay(await s.listing()), stay(await s.listing())];
    const { id, reservations = [] } = ok(await s.bookOut(partner, terms({ items })), 201);
    const [first, second] = reservations.map((one) => one.id);
    const set = (reservation_id: number | undefined, changed: Partial<Reservation>) =>
      s.deps.table.transact([
        change(
          ReservationEntity,
          { order_id: id, reservation_id: reservation_id ?? 0 },
          { set: changed },
          { when: present() },
        ),
      ]);
    const path = `/api/v1/external/bookings/${id}`;
    const status = async () => ok(await s.get<{ payment_status: string }>(partner, path)).payment_status;
    await set(first, { payment_status: 'PAID' });
    expect(await status()).toBe('PENDING');
    await set(second, { payment_status: 'PAID' });
    expect(await status()).toBe('PAID');
    await set(first, { payment_status: 'PENDING', state: 'CANCELLED' });
    expect(await status()).toBe('PAID');
    await set(second, { payment_status: 'REFUNDED', state: 'CANCELLED' });
    expect(await status()).toBe('REFUNDED');
  });

  it('books nothing where one stay is taken', async () => {
    const [free, taken] = [await s.listing(), await s.listing()];
    ok(await s.confirm(s.guest, { items: [stay(taken)], payment_method: 'CASH' }), 201);
    const refused = refusal(await s.bookOut(partner, terms({ items: [stay(free), stay(taken)] })));
    expect(refused).toMatchObject({ code: 'LISTING_NOT_AVAILABLE' });
    expect(ok(await s.range(s.host, free))).toEqual([]);
  });

  it('names problems by the fields of the items', async () => {
    const listing = await s.listing();
    const items = [stay(listing), stay(listing, { ...nights('2027-03-01', '2027-03-02'), guest_number: 99 })];
    expect(refusal(await s.bookOut(partner, terms({ items })))).toMatchObject({
      paths: ['items[1].guest_number'],
    });
  });
});

describe('POST /external/bookings', () => {
  it('does not show a booking of a team that the key has lost to its repetition', async () => {
    const { api_key, key: first } = await testKey(s.deps, { team_ids: [s.a.team_id, s.b.team_id] });
    const theirs = await s.listing({ team_id: s.b.team_id });
    const body = terms({ items: [stay(theirs)], external_booking_id: `LOST-${theirs.id}` });
    ok(await s.bookOut({ key: api_key }, body), 201);
    ok(await s.bookOut({ key: api_key }, body));
    const fewer = await testKey(s.deps, { team_ids: [s.a.team_id], partner_key_id: first.key_id });
    expect(refusal(await s.bookOut({ key: fewer.api_key }, body)).code).toBe(
      'EXTERNAL_LISTING_NOT_ACCESSIBLE',
    );
  });

  it('takes one way to name the stays', async () => {
    const listing = await s.listing();
    const { quote_id } = await quoted(listing);
    for (const [body, paths] of [
      [{}, ['listing_id', 'check_in_date', 'check_out_date', 'guest_number', 'nights']],
      [{ listing_id: listing.id, nights: 2 }, ['check_in_date', 'check_out_date', 'guest_number']],
      [{ quote_id, items: [stay(listing)] }, ['items']],
      [{ items: [stay(listing)], listing_id: listing.id, nights: 2 }, ['listing_id', 'nights']],
      [{ quote_id, combo_id: 5 }, ['combo_id']],
    ] as const)
      expect(refusal(await s.bookOut(partner, terms(body)))).toMatchObject({
        code: 'VALIDATION_ERROR',
        paths,
      });
  });
});

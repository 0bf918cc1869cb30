import { beforeEach, describe, expect, it } from 'vitest';
import type * as z from 'zod';
import type { externalRoutes } from '../../functions/external/routes.ts';
import { ReservationEntity } from '../../shared/domain/booking/reservation.entity.ts';
import type { Listing } from '../../shared/domain/listing/listing.entity.ts';
import { orderIdOf } from '../../shared/platform/ids.ts';
import { change, present } from '../../shared/platform/table/index.ts';
import { eventsOf } from '../support/events.ts';
import { testListing } from '../support/listings.ts';
import {
  guest_info,
  key,
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
import { testTeam } from '../support/table.ts';

const path = '/api/v1/external/bookings';

const s = useOrderScene();
let partner: Who;
beforeEach(async () => {
  partner = await s.partner();
});

const request = (listing: Pick<Listing, 'id'>, given: object = {}) => ({
  ...stay(listing),
  nights: 2,
  guest_info,
  payment_method: 'CASH',
  ...given,
});
const named = (external_booking_id: string, external_system = 'stayhub') => ({
  external_system,
  external_booking_id,
});
type Booking = z.output<typeof externalRoutes.routes.getExternalBooking.reply>;
type Page = z.output<typeof externalRoutes.routes.listExternalBookings.reply>;
const get = (who: Who, id: number) => s.get<Booking>(who, `${path}/${id}`);
const list = (who: Who, query: Record<string, string | number> = {}) => s.get<Page>(who, path, query);
const idsOf = (page: { items: { id: number }[] }): number[] => page.items.map(({ id }) => id);

describe('POST /external/bookings', () => {
  it('books for a guest without an account, in the published shape', async () => {
    const listing = await s.listing();
    const body = request(listing, { ...named('SH-1'), guest_number: 4, expected_total: 2_400_000 });
    const booked = ok(await s.bookOut(partner, body), 201);
    expect(booked).toEqual({
      id: expect.any(Number) as number,
      state: 'CONFIRMED',
      status: 'CONFIRMED',
      master_reservation_id: expect.any(Number) as number,
      listing_id: listing.id,
      listing_number: listing.id,
      listing_name: listing.name,
      team_id: s.a.team_id,
      user_id: null,
      check_in: '2027-02-10',
      check_in_date: '2027-02-10',
      check_out: '2027-02-12',
      check_out_date: '2027-02-12',
      start_at: '2027-02-10T14:00:00',
      end_at: '2027-02-12T12:00:00',
      timezone: 'Asia/Ho_Chi_Minh',
      nights: 2,
      guests: 4,
      guest_number: 4,
      guest_info: { ...guest_info, name: guest_info.full_name },
      total_price: 2_400_000,
      currency: 'VND',
      payment_method: 'CASH',
      payment_status: 'PENDING',
      payment_expires_at: null,
      payment_transaction_id: null,
      amount_due: 2_400_000,
      amount_due_later: 0,
      balance_due_at: null,
      amount_paid: 0,
      amount_refunded: 0,
      secured: false,
      ...named('SH-1'),
      created_at: '2027-01-15T03:00:00.000Z',
      updated_at: '2027-01-15T03:00:00.000Z',
    });
    expect(ok(await get(partner, booked.id))).toMatchObject(booked);
    const [emitted] = await eventsOf(s.deps.table, `ORDER#${booked.master_reservation_id}`);
    expect(emitted?.data).toEqual({
      id: booked.id,
      master_reservation_id: booked.master_reservation_id,
      listing_id: listing.id,
      state: 'CONFIRMED',
      payment_status: 'PENDING',
      check_in_date: '2027-02-10',
      check_out_date: '2027-02-12',
      guest_number: 4,
      total_price: 2_400_000,
      currency: 'VND',
      ...named('SH-1'),
    });
    expect(ok(await s.range(s.host, listing))).toMatchObject([
      { state: 'BOOKED', reservation_id: booked.id },
    ]);
    expect(ok(await s.booking(s.host, booked.id))).toMatchObject({
      guest_info: { name: 'Trần Thị Bình' },
      price: [{ earning: 2_040_000 }],
    });
  });

  it('takes the team from the listing, whichever of the key’s teams it is', async () => {
    const theirs = await s.listing({ team_id: s.b.team_id });
    expect(ok(await s.bookOut(partner, request(theirs)), 201).team_id).toBe(s.b.team_id);
  });

  it('is PAID from the start for a partner that collects itself (D16)', async () => {
    const collecting = await s.partner({ collects_payment: true });
    const listing = await s.listing();
    const booked = ok(await s.bookOut(collecting, request(listing)), 201);
    expect(booked.payment_status).toBe('PAID');
    expect(ok(await s.cancelOut(collecting, booked.id))).toMatchObject({
      status: 'CANCELLED',
      payment_status: 'REFUNDED',
      refund: { amount: 2_200_000, status: 'REFUNDED' },
    });
  });

  it('waits for the host where the listing asks for it', async () => {
    const listing = await s.listing({ instant_book_enabled: false });
    expect(ok(await s.bookOut(partner, request(listing)), 201).status).toBe('PENDING');
  });

  it('is priced and validated like a checkout item, with problems named by its own fields', async () => {
    const listing = await s.listing();
    for (const [given, paths] of [
      [{ guest_number: 7 }, ['guest_number']],
      [nights('2027-01-14', '2027-01-16'), ['check_in_date']],
      [nights('2029-01-15', '2029-01-17'), ['check_in_date']],
      [{ ...nights('2027-02-10', '2028-02-11'), nights: 366 }, ['check_out_date']],
      [{ ...nights('9999-12-30', '9999-12-31'), nights: 1 }, ['check_in_date']],
      [{ combo_id: 5 }, ['combo_id']],
      [{ extra_service_ids: [5] }, ['extra_service_ids[0]']],
      [{ check_in_time: '00:00', check_out_time: '23:00' }, ['check_in_time', 'check_out_time']],
      [{ guest_number: 7, adult_number: 1, children_number: 1 }, ['adult_number', 'guest_number']],
    ] as const) {
      const refused = refusal(await s.bookOut(partner, request(listing, given)));
      expect([refused.code, refused.paths.sort()]).toEqual(['VALIDATION_ERROR', paths]);
    }
    const preview = ok(await s.preview(s.guest, { items: [stay(listing)] }));
    const booked = ok(await s.bookOut(partner, request(listing)), 201);
    expect(booked.total_price).toBe(preview.estimated_total);
  });

  it.each([
    [{ nights: 1 }, ['nights']],
    [{ nights: 3 }, ['nights']],
    [{ ...nights('2027-02-10', '2027-02-09') }, ['check_out_date']],
    [{ ...nights('2027-02-10', '2027-02-10'), nights: 1 }, ['nights']],
    [{ guest_info: { ...guest_info, email: 'binh', age: 5 } }, ['guest_info.age', 'guest_info.email']],
    [
      { guest_info: { full_name: ' ', phone: '', email: '' } },
      ['guest_info.email', 'guest_info.full_name', 'guest_info.phone'],
    ],
    [
      { check_in_date: '2027-02-30', payment_method: 'GOLD', colour: 1 },
      ['check_in_date', 'colour', 'payment_method'],
    ],
    [{ nights: -1, listing_id: 0, guest_number: 0 }, ['guest_number', 'listing_id', 'nights']],
    [{ ...named('x'.repeat(256)), expected_total: -5 }, ['expected_total', 'external_booking_id']],
  ])('refuses %j', async (given, paths) => {
    const listing = await s.listing();
    const refused = refusal(await s.bookOut(partner, request(listing, given)));
    expect([refused.code, refused.paths.sort()]).toEqual(['VALIDATION_ERROR', paths]);
    expect(ok(await s.range(s.host, listing))).toEqual([]);
  });

  it.each(['abc', '12', '+', '+84 912 345 678 ext. 5', '1'.repeat(40)])(
    'refuses %j as a telephone number, as the registration does',
    async (phone) => {
      const body = request(await s.listing(), { guest_info: { ...guest_info, phone } });
      const refused = refusal(await s.bookOut(partner, body));
      expect([refused.code, refused.paths]).toEqual(['VALIDATION_ERROR', ['guest_info.phone']]);
    },
  );

  it('keeps the language of the guest, else that of the listing’s team, else Vietnamese', async () => {
    const english = await testTeam(s.deps, { language: 'en' });
    const both = await s.partner({ team_ids: [s.a.team_id, english.team_id] });
    const languageOf = async (team_id: number, language?: string | null) => {
      const body = request(await s.listing({ team_id }), {
        guest_info: { ...guest_info, ...(language === undefined ? {} : { language }) },
      });
      const { id } = ok(await s.bookOut(both, body), 201);
      const ids = { order_id: orderIdOf(id), reservation_id: id };
      return (await s.deps.table.get(ReservationEntity, ids))?.guest.language;
    };
    expect(await languageOf(s.a.team_id)).toBe('vi');
    expect(await languageOf(s.a.team_id, 'en')).toBe('en');
    expect(await languageOf(english.team_id)).toBe('en');
    expect(await languageOf(english.team_id, null)).toBe('en');
    expect(await languageOf(english.team_id, 'vi')).toBe('vi');
    const other = request(await s.listing(), { guest_info: { ...guest_info, language: 'fr' } });
    expect(refusal(await s.bookOut(both, other)).paths).toEqual(['guest_info.language']);
  });

  it('takes null for what may be left out, and it is the same request', async () => {
    const listing = await s.listing();
    const body = request(listing, named('SH-1'));
    const first = ok(await s.bookOut(partner, body), 201);
    const nothing = { check_in_time: null, check_out_time: null, adult_number: null, children_number: null };
    const again = await s.bookOut(partner, { ...body, ...nothing, combo_id: null, extra_service_ids: null });
    expect(ok(again)).toEqual(first);
    const plain = request(listing, {
      ...nights('2027-03-01', '2027-03-03'),
      ...nothing,
      expected_total: null,
    });
    expect(
      ok(await s.bookOut(partner, { ...plain, external_system: null, external_booking_id: null }), 201),
    ).toMatchObject({
      start_at: '2027-03-01T14:00:00',
      end_at: '2027-03-03T12:00:00',
      external_booking_id: null,
    });
  });

  it('refuses another currency than the listing’s', async () => {
    const listing = await s.listing();
    const refused = refusal(await s.bookOut(partner, request(listing, { currency: 'USD' })));
    expect([refused.code, refused.paths]).toEqual(['VALIDATION_ERROR', ['currency']]);
    ok(await s.bookOut(partner, request(listing, { currency: 'VND' })), 201);
  });

  it('takes day use with 0 nights', async () => {
    const listing = await s.listing();
    const day = { ...nights('2027-02-10', '2027-02-10'), nights: 0 };
    expect(ok(await s.bookOut(partner, request(listing, day)), 201)).toMatchObject({
      nights: 0,
      start_at: '2027-02-10T09:00:00',
      end_at: '2027-02-10T18:00:00',
    });
  });

  it('asks for the external id with the external system', async () => {
    const listing = await s.listing();
    const body = request(listing, { external_system: 'stayhub' });
    expect(refusal(await s.bookOut(partner, body)).code).toBe('EXTERNAL_BOOKING_ID_REQUIRED');
    expect(refusal(await s.bookOut(partner, { ...body, external_booking_id: ' ' })).code).toBe(
      'VALIDATION_ERROR',
    );
  });

  it('does not know listings of other teams, nor those that are not open', async () => {
    const foreign = await testTeam(s.deps);
    const listings = [
      await s.listing({ team_id: foreign.team_id }),
      await s.listing({ state: 'DRAFT' }),
      await s.listing({ state: 'INACTIVE' }),
      await s.listing({ state: 'ARCHIVED' }),
      { id: 5 },
    ];
    for (const listing of listings)
      expect(refusal(await s.bookOut(partner, request(listing))).code).toBe(
        'EXTERNAL_LISTING_NOT_ACCESSIBLE',
      );
  });

  it('is LISTING_NOT_AVAILABLE over bookings, blocks and live locks', async () => {
    const listing = await s.listing();
    ok(await s.hold(s.guest, { items: [stay(listing)] }), 201);
    ok(await s.block(s.host, listing, { block_date: '2027-03-01' }), 201);
    const over = (given: object) => s.bookOut(partner, request(listing, given));
    expect(refusal(await over({}))).toMatchObject({
      code: 'LISTING_NOT_AVAILABLE',
      details: {
        unavailable: [
          { listing_id: listing.id, start_at: '2027-02-10T14:00:00', end_at: '2027-02-12T12:00:00' },
        ],
      },
    });
    expect(refusal(await over({ ...nights('2027-02-28', '2027-03-02') })).code).toBe('LISTING_NOT_AVAILABLE');
    stopClock('2027-01-15T03:15:00.000Z');
    ok(await over({}), 201);
    expect(refusal(await over({})).code).toBe('LISTING_NOT_AVAILABLE');
  });

  it('says PRICE_CHANGED with the new price, without the host’s figures', async () => {
    const listing = await s.listing();
    const refused = await s.bookOut(partner, request(listing, { expected_total: 2_000_000 }));
    expect(refusal(refused)).toMatchObject({
      code: 'PRICE_CHANGED',
      details: {
        preview: {
          estimated_total: 2_200_000,
          total_earning: null,
          items: [{ total: 2_200_000, earning: null, commission_rate: null }],
        },
        changes: [{ field: 'estimated_total', was: 2_000_000, now: 2_200_000 }],
      },
    });
    expect(refused.text).not.toContain('1870000');
    expect(ok(await s.range(s.host, listing))).toEqual([]);
  });

  it('lets one of twenty requests have the night', async () => {
    const listing = await s.listing();
    const guests = await times(10, () => s.person());
    const replies = await Promise.all([
      ...guests.map((who) => s.confirm(who, { items: [stay(listing)], payment_method: 'CASH' })),
      ...guests.map((_, at) => s.bookOut(partner, request(listing, named(`R-${at}`)))),
    ]);
    expect(tally(replies)).toEqual({ '201': 1, '409 LISTING_NOT_AVAILABLE': 19 });
  });
});

describe('the partner’s own id (D52)', () => {
  it('answers the first booking with 200 to the same content', async () => {
    const listing = await s.listing();
    const body = request(listing, named('SH-1'));
    const first = await s.bookOut(partner, body);
    const again = await s.bookOut(partner, body);
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.text).toBe(first.text);
    const { listing_id, ...rest } = body;
    expect((await s.bookOut(partner, { ...rest, listing_id })).status).toBe(200);
    expect((await s.bookOut(partner, { ...body, ...named(' SH-1 ') })).status).toBe(200);
    expect(ok(await s.range(s.host, listing))).toHaveLength(1);
  });

  it('is a conflict with other content', async () => {
    const listing = await s.listing();
    const body = request(listing, named('SH-1'));
    const { id } = ok(await s.bookOut(partner, body), 201);
    for (const given of [
      { guest_number: 3 },
      { payment_method: 'BANK_TRANSFER' },
      { ...nights('2027-03-01', '2027-03-03') },
      { guest_info: { ...guest_info, phone: '+84 912 345 679' } },
      { listing_id: (await s.listing()).id },
    ])
      expect(refusal(await s.bookOut(partner, { ...body, ...given }))).toMatchObject({
        code: 'EXTERNAL_BOOKING_ID_CONFLICT',
        details: { booking_id: id },
      });
    expect(ok(await list(partner, { listing_id: listing.id }))).toMatchObject({ total: 1, items: [{ id }] });
  });

  it('belongs to the key and the system', async () => {
    const [other, listings] = [await s.partner(), await times(3, () => s.listing())];
    const body = (at: number, system?: string) => request(listings[at]!, named('SH-1', system));
    ok(await s.bookOut(partner, body(0)), 201);
    ok(await s.bookOut(other, body(1)), 201);
    ok(await s.bookOut(partner, body(2, 'channex')), 201);
  });

  it('is unique without a system too, and another than those with one', async () => {
    const [listing, second] = [await s.listing(), await s.listing()];
    const body = request(listing, { external_booking_id: 'SH-1' });
    const first = await s.bookOut(partner, body);
    expect(ok(first, 201)).toMatchObject({ external_system: null, external_booking_id: 'SH-1' });
    const again = await s.bookOut(partner, { ...body, external_system: null });
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(refusal(await s.bookOut(partner, { ...body, guest_number: 1 })).code).toBe(
      'EXTERNAL_BOOKING_ID_CONFLICT',
    );
    ok(await s.bookOut(partner, request(second, named('SH-1'))), 201);
    ok(await s.bookOut(await s.partner(), { ...body, ...nights('2027-03-01', '2027-03-03') }), 201);
  });

  it('books once without a system when twenty come at once', async () => {
    const listing = await s.listing();
    const body = request(listing, { external_booking_id: 'SH-1' });
    const replies = await times(20, () => s.bookOut(partner, body));
    expect(tally(replies)).toEqual({ '200': 19, '201': 1 });
  });

  it('does not mix up a system and an id that read the same together', async () => {
    const [one, two] = [await s.listing(), await s.listing()];
    ok(await s.bookOut(partner, request(one, named('b#c', 'a'))), 201);
    ok(await s.bookOut(partner, request(two, named('c', 'a#b'))), 201);
    const [three, four] = [await s.listing(), await s.listing()];
    ok(await s.bookOut(partner, request(three, { external_booking_id: '1#a#b' })), 201);
    ok(await s.bookOut(partner, request(four, named('b', 'a'))), 201);
  });

  it('books once when twenty come at once: one 201, the others the same booking', async () => {
    const listing = await s.listing();
    const replies = await times(20, () => s.bookOut(partner, request(listing, named('SH-1'))));
    expect(tally(replies)).toEqual({ '200': 19, '201': 1 });
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect(ok(await s.range(s.host, listing))).toHaveLength(1);
  });

  it('books one of two different ones at once, the other is a conflict', async () => {
    const [one, two] = [await s.listing(), await s.listing()];
    const replies = await Promise.all(
      [one, two].map((listing) => s.bookOut(partner, request(listing, named('SH-1')))),
    );
    expect(tally(replies)).toEqual({ '201': 1, '409 EXTERNAL_BOOKING_ID_CONFLICT': 1 });
  });

  it('still answers the first booking when it is cancelled or the listing is gone', async () => {
    const listing = await s.listing();
    const body = request(listing, named('SH-1'));
    const { id } = ok(await s.bookOut(partner, body), 201);
    ok(await s.cancelOut(partner, id));
    await testListing(s.deps, { ...listing, state: 'ARCHIVED' });
    expect(ok(await s.bookOut(partner, body))).toMatchObject({ id, status: 'CANCELLED' });
  });

  it('is free again after a refusal', async () => {
    const listing = await s.listing();
    const { checkout_id } = ok(await s.hold(s.guest, { items: [stay(listing)] }), 201);
    const body = request(listing, named('SH-1'));
    expect(refusal(await s.bookOut(partner, body)).code).toBe('LISTING_NOT_AVAILABLE');
    ok(await s.release(s.guest, checkout_id));
    ok(await s.bookOut(partner, body), 201);
  });
});

describe('Idempotency-Key on external bookings', () => {
  it('repeats the answer byte for byte, also at once, also a refusal', async () => {
    const listing = await s.listing();
    const replies = await times(20, () => s.bookOut(partner, request(listing), key('k1')));
    expect(tally(replies)).toEqual({ '201': 20 });
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect(replies.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(19);
    expect(refusal(await s.bookOut(partner, request(listing, { guest_number: 1 }), key('k1'))).code).toBe(
      'IDEMPOTENCY_KEY_REUSED',
    );
    const refused = await s.bookOut(partner, request(listing), key('k2'));
    const again = await s.bookOut(partner, request(listing), key('k2'));
    expect([refused.status, again.status, again.text]).toEqual([409, 409, refused.text]);
    expect(again.headers['idempotent-replayed']).toBe('true');
  });

  it('goes together with the partner’s own id', async () => {
    const listing = await s.listing();
    const body = request(listing, named('SH-1'));
    const replies = await times(10, (at) => s.bookOut(partner, body, key(`k${at % 3}`)));
    expect(new Set(replies.map(({ body: booked }) => booked.id)).size).toBe(1);
    expect(ok(await s.range(s.host, listing))).toHaveLength(1);
    const again = await s.bookOut(partner, body, key('k9'));
    const repeated = await s.bookOut(partner, body, key('k9'));
    expect([again.status, repeated.status, repeated.text]).toEqual([200, 200, again.text]);
  });

  it('does not join keys of two partners', async () => {
    const [one, two] = [await s.listing(), await s.listing()];
    ok(await s.bookOut(partner, request(one), key('same')), 201);
    expect(ok(await s.bookOut(await s.partner(), request(two), key('same')), 201).listing_id).toBe(two.id);
  });

  it.each(['', 'a b', 'k'.repeat(256)])('refuses the key “%s”', async (text) => {
    const refused = refusal(await s.bookOut(partner, request(await s.listing()), key(text)));
    expect(refused.paths).toEqual(['Idempotency-Key']);
  });
});

describe('GET /external/bookings', () => {
  const many = async () => {
    const teams = [await testTeam(s.deps), await testTeam(s.deps), await testTeam(s.deps)];
    const team_ids = teams.map(({ team_id }) => team_id);
    const who = await s.partner({ team_ids });
    const listings = await times(3, (at) => s.listing({ team_id: team_ids[at]! }));
    const ids: number[] = [];
    for (let at = 0; at < 11; at++) {
      const day = String(at + 1).padStart(2, '0');
      const dates = { ...nights(`2027-03-${day}`, `2027-03-${String(at + 2).padStart(2, '0')}`), nights: 1 };
      ids.push(ok(await s.bookOut(who, request(listings[at % 3]!, dates)), 201).id);
    }
    return { who, team_ids, listings, ids };
  };

  it('walks newest first over several teams without gaps or repeats', async () => {
    const { who, ids } = await many();
    const all = [...ids].sort((one, other) => other - one);
    for (const limit of [1, 3, 11, 100]) {
      const seen: number[] = [];
      let cursor: string | null | undefined;
      for (let page = 1; cursor !== null; page++) {
        const found = ok(await list(who, { limit, ...(cursor ? { cursor } : {}) }));
        expect(found).toMatchObject({ total: 11, page, limit, total_pages: Math.ceil(11 / limit) });
        seen.push(...idsOf(found));
        cursor = found.next_cursor;
      }
      expect(seen).toEqual(all);
    }
    expect(idsOf(ok(await list(who, { page: 2, limit: 4 })))).toEqual(all.slice(4, 8));
  });

  it('continues by a cursor with the same filter alone', async () => {
    const { who, listings, team_ids } = await many();
    const filter = { state: 'CONFIRMED', listing_id: listings[0]!.id, limit: 1 };
    const cursor = ok(await list(who, filter)).next_cursor!;
    expect(ok(await list(who, { ...filter, limit: 5, cursor })).items).toHaveLength(3);
    for (const query of [
      { cursor },
      { ...filter, listing_id: listings[1]!.id, cursor },
      { ...filter, state: 'PENDING', cursor },
      { ...filter, team_ids: `[${team_ids[0]}]`, cursor },
    ])
      expect(refusal(await list(who, query))).toMatchObject({ code: 'VALIDATION_ERROR', paths: ['cursor'] });
  });

  it('filters by listing, customer, state and team', async () => {
    const { who, ids, listings, team_ids } = await many();
    ok(await s.cancelOut(who, ids[0]!));
    const own = await s.confirm(s.guest, { items: [stay(listings[0]!)], payment_method: 'CASH' });
    const bookingId = ok(own, 201).reservations[0]!.id;
    const user_id = ok(await get(who, bookingId)).user_id!;
    const total = async (query: Record<string, string | number>) => ok(await list(who, query)).total;
    expect(await total({})).toBe(12);
    expect(await total({ listing_id: listings[1]!.id })).toBe(4);
    expect(await total({ state: 'CANCELLED' })).toBe(1);
    expect(await total({ state: 'CONFIRMED' })).toBe(11);
    expect(await total({ user_id })).toBe(1);
    expect(await total({ user_id, state: 'CANCELLED' })).toBe(0);
    expect(await total({ team_ids: `[${team_ids[2]}]` })).toBe(3);
    expect(await total({ team_ids: `[${team_ids[2]},${s.a.team_id}]` })).toBe(3);
    expect(await total({ team_ids: '[]' })).toBe(0);
    const page = ok(await list(who, { state: 'CONFIRMED', limit: 1 }));
    expect(page).toMatchObject({ total: 11, total_pages: 11 });
  });

  it('uses the published codes for what it cannot read', async () => {
    for (const state of ['confirmed', 'OPEN', ''])
      expect(refusal(await list(partner, { state })).code).toBe('EXTERNAL_INVALID_STATE');
    for (const team_ids of ['1,2', '{}', 'x', '["1"]'])
      expect(refusal(await list(partner, { team_ids })).code).toBe('EXTERNAL_INVALID_REQUEST');
    for (const query of [
      { limit: 0 },
      { limit: 101 },
      { page: 0 },
      { listing_id: 'x' },
      { user_id: 0 },
      { from: 1 },
    ])
      expect(refusal(await list(partner, query as never)).code).toBe('VALIDATION_ERROR');
    expect(refusal(await list(partner, { cursor: 'abc' })).paths).toEqual(['cursor']);
    expect(refusal(await list(partner, { limit: 0, page: 'x', user_id: 'y', z: 1 })).paths.sort()).toEqual([
      'limit',
      'page',
      'user_id',
      'z',
    ]);
  });

  it('shows nothing of teams outside the key', async () => {
    const listing = await s.listing();
    ok(await s.confirm(s.guest, { items: [stay(listing)], payment_method: 'CASH' }), 201);
    const stranger = await s.partner({ team_ids: [(await testTeam(s.deps)).team_id] });
    expect(ok(await list(stranger, { listing_id: listing.id }))).toMatchObject({
      items: [],
      total: 0,
      total_pages: 0,
    });
  });
});

describe('GET /external/bookings/{booking_id} and cancel', () => {
  it('know bookings of the key’s teams alone', async () => {
    const listing = await s.listing({ team_id: s.b.team_id });
    const { id } = ok(await s.bookOut(partner, request(listing)), 201);
    const onlyA = await s.partner({ team_ids: [s.a.team_id] });
    for (const reply of [
      await get(onlyA, id),
      await s.cancelOut(onlyA, id),
      await get(partner, 5),
      await s.cancelOut(partner, 5),
    ])
      expect(refusal(reply).code).toBe('EXTERNAL_BOOKING_NOT_ACCESSIBLE');
    for (const bad of ['0', 'x', '1.5'])
      for (const reply of [
        await s.get(partner, `${path}/${bad}`),
        await s.call('POST', `${path}/${bad}/cancel`, partner),
      ])
        expect(refusal(reply).paths).toEqual(['booking_id']);
  });

  it('show a partner the part of its teams in a shared order', async () => {
    const [ours, theirs] = [await s.listing(), await s.listing({ team_id: s.b.team_id })];
    const booked = ok(
      await s.confirm(s.guest, { items: [stay(theirs), stay(ours)], payment_method: 'CASH' }),
      201,
    );
    const onlyA = await s.partner({ team_ids: [s.a.team_id] });
    const seen = await get(onlyA, booked.master_reservation_id);
    expect(ok(seen)).toMatchObject({ listing_id: ours.id, total_price: 2_200_000, user_id: s.guest.user_id });
    expect(seen.text).not.toContain(String(theirs.id));
    expect(refusal(await get(onlyA, booked.reservations[0]!.id)).code).toBe(
      'EXTERNAL_BOOKING_NOT_ACCESSIBLE',
    );
  });

  it('let the key that booked cancel, and no other', async () => {
    const listing = await s.listing();
    const { id, master_reservation_id } = ok(await s.bookOut(partner, request(listing)), 201);
    const sameTeams = await s.partner();
    expect(ok(await get(sameTeams, id)).id).toBe(id);
    expect(refusal(await s.cancelOut(sameTeams, id)).code).toBe('FORBIDDEN');
    const customers = ok(
      await s.confirm(s.guest, {
        items: [stay(listing, nights('2027-03-01', '2027-03-02'))],
        payment_method: 'CASH',
      }),
      201,
    );
    expect(refusal(await s.cancelOut(partner, customers.reservations[0]!.id)).code).toBe('FORBIDDEN');
    expect(ok(await s.cancelOut(partner, master_reservation_id, { reason: 'ill' }))).toMatchObject({
      id: master_reservation_id,
      cancel_reason: 'ill',
      reservations: [{ id, state: 'CANCELLED' }],
      status: 'CANCELLED',
      refund: { amount: 0, status: 'NONE' },
    });
    expect(refusal(await s.cancelOut(partner, id))).toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
      details: { state: 'CANCELLED' },
    });
    ok(await s.bookOut(partner, request(listing)), 201);
  });

  it('refund by the guest’s terms: the deadline to the second', async () => {
    const collecting = await s.partner({ collects_payment: true });
    const refundAt = async (instant: string, refund_rule: string) => {
      stopClock();
      const { id } = ok(await s.bookOut(collecting, request(await s.listing({ refund_rule }))), 201);
      stopClock(instant);
      const { refund, payment_status } = ok(await s.cancelOut(collecting, id));
      return [refund.amount, payment_status];
    };
    expect(await refundAt('2027-02-08T07:00:00.000Z', 'Hủy trước 2 ngày')).toEqual([2_200_000, 'REFUNDED']);
    expect(await refundAt('2027-02-08T07:00:01.000Z', 'Hủy trước 2 ngày')).toEqual([0, 'PAID']);
    expect(await refundAt('2027-01-15T03:00:00.000Z', 'Non-refundable')).toEqual([0, 'PAID']);
  });

  it('in full when the host cancels what a partner collected', async () => {
    const collecting = await s.partner({ collects_payment: true });
    const { id } = ok(
      await s.bookOut(collecting, request(await s.listing({ refund_rule: 'No refund' }))),
      201,
    );
    expect(ok(await s.cancel(s.host, id))).toMatchObject({
      payment_status: 'REFUNDED',
      refund: { amount: 2_200_000 },
    });
    expect(ok(await get(collecting, id))).toMatchObject({ status: 'CANCELLED', payment_status: 'REFUNDED' });
  });

  it('is too late once the guest is in', async () => {
    const { id } = ok(await s.bookOut(partner, request(await s.listing())), 201);
    const ids = { order_id: orderIdOf(id), reservation_id: id };
    await s.deps.table.transact([
      change(ReservationEntity, ids, { set: { state: 'CHECKED_IN' } }, { when: present() }),
    ]);
    expect(refusal(await s.cancelOut(partner, id)).code).toBe('INVALID_STATE_TRANSITION');
  });

  it('once when twenty ask, and the same answer under a key', async () => {
    const [one, two] = [
      ok(await s.bookOut(partner, request(await s.listing())), 201),
      ok(await s.bookOut(partner, request(await s.listing())), 201),
    ];
    const replies = await times(20, () => s.cancelOut(partner, one.id));
    expect(tally(replies)).toEqual({ '200': 1, '409 INVALID_STATE_TRANSITION': 19 });
    const same = await times(20, () => s.cancelOut(partner, two.id, {}, key('c')));
    expect(tally(same)).toEqual({ '200': 20 });
    expect(new Set(same.map(({ text }) => text)).size).toBe(1);
    expect(refusal(await s.cancelOut(partner, two.id, { reason: 'x' }, key('c'))).code).toBe(
      'IDEMPOTENCY_KEY_REUSED',
    );
    expect(refusal(await s.cancelOut(partner, two.id, { reason: 5, by: 'me' })).paths.sort()).toEqual([
      'by',
      'reason',
    ]);
  });
});

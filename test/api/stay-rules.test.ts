import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  advanceMinutes,
  guest_info,
  key,
  nights,
  ok,
  refusal,
  type Slot,
  stay,
  stopClock,
} from '../support/order-scene.ts';
import type { StayRules } from '../../shared/domain/pricing/stay-rules.schema.ts';
import { at, freshSpot, idsOf, type SearchScene, searchScene } from '../support/search-scene.ts';

let s: SearchScene;
beforeAll(async () => {
  s = await searchScene();
});
beforeEach(async () => {
  stopClock();
  await s.renew();
});
afterAll(() => void vi.useRealTimers());

type Home = { id: number };
const path = (home: Home) => `/api/v1/listings/${home.id}/stay-rules`;
const put = (home: Home, body: object, who = s.host) => s.call('PUT', path(home), { token: who.token, body });
const rule = async (home: Home, body: object): Promise<StayRules> => ok<StayRules>(await put(home, body));
const cash = { payment_method: 'CASH' };
const day = (date: string, given: object) => ({ date_rules: [{ date_from: date, date_to: date, ...given }] });

const oneDay = { date_from: '2027-02-10', date_to: '2027-02-10' };

const open = {
  ...{ min_nights: null, max_nights: null },
  ...{ closed_to_arrival: null, closed_to_departure: null, closed: null },
};

describe('GET and PUT /api/v1/listings/{listing_id}/stay-rules', () => {
  it('restrict nothing before they are set', async () => {
    const home = await s.listing();
    expect(ok(await s.get(s.guest, path(home)))).toEqual({
      ...{ listing_id: home.id, default: open, min_notice_hours: null, booking_window_days: null },
      date_rules: [],
    });
  });

  it('replace the whole record, keep the ids of kept rules, and emit listing.updated and listing.rules_changed', async () => {
    const home = await s.listing();
    const first = await rule(home, { min_notice_hours: 5, ...day('2027-02-10', { min_nights: 3 }) });
    const id = first.date_rules[0]?.id;
    const next = {
      default: { max_nights: 9 },
      date_rules: [
        { date_from: '2027-03-01', date_to: '2027-03-02', weekdays: [5, 6], closed: true },
        { id, date_from: '2027-02-11', date_to: '2027-02-12' },
      ],
    };
    const answer = await rule(home, next);
    expect(answer).toEqual({
      ...{ listing_id: home.id, min_notice_hours: null, booking_window_days: null },
      default: { ...open, max_nights: 9 },
      date_rules: [
        { id: answer.date_rules[0]?.id, ...next.date_rules[0], ...open, closed: true },
        { id, date_from: '2027-02-11', date_to: '2027-02-12', weekdays: null, ...open },
      ],
    });
    expect([id, undefined]).not.toContain(answer.date_rules[0]?.id);
    expect(ok(await s.get(s.guest, path(home)))).toEqual(answer);
    const events = await s.eventsOf(s.deps.table, `LISTING#${home.id}`);
    expect(events.slice(-2)).toMatchObject([
      { event_type: 'listing.updated', data: { changed: ['stay_rules'] } },
      {
        event_type: 'listing.rules_changed',
        data: { changed: ['default', 'min_notice_hours', 'date_rules'] },
      },
    ]);
  });

  it('keep the prices of the listing, and prices keep them', async () => {
    const home = await s.listing();
    const priced = {
      date_type: 'ALWAYS',
      charge_unit: 'PER_NIGHT',
      stay_type: 'ANY',
      price: 5000,
      priority: 1,
    };
    const prices = `/api/v1/listing-pricing-rules/listings/${home.id}`;
    await rule(home, { default: { min_nights: 2 } });
    ok(await s.call('POST', prices, { token: s.host.token, body: priced }), 201);
    await rule(home, { default: { min_nights: 3 } });
    expect(ok(await s.get<unknown[]>(s.host, prices))).toHaveLength(1);
    expect(ok(await s.get(s.guest, path(home)))).toMatchObject({ default: { min_nights: 3 } });
  });

  it.each([
    ['default.max_nights', { default: { min_nights: 3, max_nights: 2 } }],
    ['date_rules[0].max_nights', day('2027-02-10', { min_nights: 3, max_nights: 2 })],
    ['date_rules[0].date_to', { date_rules: [{ date_from: '2027-02-10', date_to: '2027-02-09' }] }],
    ['date_rules[0].id', day('2027-02-10', { id: 12 })],
    ['default.min_nights', { default: { min_nights: 0 } }],
    ['date_rules[0].weekdays[0]', day('2027-02-10', { weekdays: [7] })],
    ['min_notice_hours', { min_notice_hours: 0 }],
    ['booking_window_days', { booking_window_days: 731 }],
    ['date_rules', { date_rules: Array.from({ length: 201 }, () => oneDay) }],
    ['min_night', { min_night: 3 }],
  ])('refuse a wrong %s', async (name, body) => {
    const { code, paths } = refusal(await put(await s.listing(), body));
    expect([code, paths]).toEqual(['VALIDATION_ERROR', [name]]);
  });

  it('take back what was read, without the id of the listing', async () => {
    const home = await s.listing();
    const read = await rule(home, { min_notice_hours: 5, ...day('2027-02-10', { min_nights: 3 }) });
    const { listing_id, ...rules } = read;
    expect(listing_id).toBe(home.id);
    expect(await rule(home, rules)).toEqual(read);
  });

  it('take an id once', async () => {
    const home = await s.listing();
    const { date_rules } = await rule(home, day('2027-02-10', { min_nights: 3 }));
    const twice = { id: date_rules[0]?.id, date_from: '2027-02-10', date_to: '2027-02-10' };
    expect(refusal(await put(home, { date_rules: [twice, twice] })).paths).toEqual(['date_rules[1].id']);
  });

  it('are not for hosts of other teams, and hide inactive listings from guests', async () => {
    const home = await s.listing();
    expect(refusal(await put(home, {}, s.otherHost)).code).toBe('FORBIDDEN');
    const inactive = await s.listing({ state: 'INACTIVE' });
    expect(refusal(await s.get(s.guest, path(inactive))).code).toBe('LISTING_NOT_FOUND');
  });
});

/** Each rule alone: what refuses two nights from 2027-02-10, a Wednesday, and the reason. */
const rules = [
  [{ default: { min_nights: 3 } }, 'min_nights', '2027-02-10', 3],
  [{ default: { max_nights: 1 } }, 'max_nights', '2027-02-10', 1],
  [day('2027-02-10', { closed_to_arrival: true }), 'closed_to_arrival', '2027-02-10', true],
  [day('2027-02-12', { closed_to_departure: true }), 'closed_to_departure', '2027-02-12', true],
  [day('2027-02-11', { closed: true }), 'closed', '2027-02-11', true],
  [{ min_notice_hours: 629 }, 'min_notice_hours', '2027-02-10', 629],
  [{ booking_window_days: 25 }, 'booking_window_days', '2027-02-10', 25],
] as const;

describe('a stay that the rules refuse', () => {
  it.each(rules)('%j', async (body, name, date, allowed) => {
    const home = await s.listing();
    await rule(home, body);
    const partner = await s.partner();
    const items = [stay(home)];
    const reason = { listing_id: home.id, rule: name, date, allowed };
    const answers = [
      await s.preview(s.guest, { items }),
      await s.hold(s.guest, { items }),
      await s.confirm(s.guest, { items, ...cash }),
      await s.quote(partner, { items }),
      await s.bookOut(partner, { items, guest_info, ...cash }),
      await s.bookOut(partner, { ...items[0], nights: 2, guest_info, ...cash }),
      await s.call('POST', '/api/v1/bookings', { token: s.host.token, body: { items, guest_info, ...cash } }),
    ];
    for (const answer of answers) {
      const { code, details } = refusal(answer);
      expect(code).toBe('STAY_NOT_ALLOWED');
      expect(details['reasons']).toEqual([reason]);
    }
    const overridden = { items, guest_info, ...cash, override_rules: true };
    ok(await s.call('POST', '/api/v1/bookings', { token: s.host.token, body: overridden }), 201);
  });

  /** The same rules a step wider: they take the stay. */
  it.each([
    [{ default: { min_nights: 2, max_nights: 2 } }],
    [day('2027-02-10', { closed_to_departure: true })],
    [day('2027-02-12', { closed_to_arrival: true, closed: true, min_nights: 9 })],
    [day('2027-02-11', { closed_to_arrival: true, closed_to_departure: true, max_nights: 1 })],
    [{ min_notice_hours: 628 }],
    [{ booking_window_days: 26 }],
    [{ default: { min_nights: 3 }, ...day('2027-02-10', { min_nights: 1 }) }],
    [
      {
        default: { closed: true },
        date_rules: [{ date_from: '2027-02-01', date_to: '2027-02-28', weekdays: [3, 4], closed: false }],
      },
    ],
  ])('is taken with %j', async (body) => {
    const home = await s.listing();
    await rule(home, body);
    ok(await s.confirm(s.guest, { items: [stay(home)], ...cash }), 201);
  });

  it('names every reason of every stay, and writes nothing', async () => {
    const [one, other, free] = [await s.listing(), await s.listing(), await s.listing()];
    await rule(one, { default: { min_nights: 3, closed_to_arrival: true } });
    await rule(other, { min_notice_hours: 2000 });
    const items = [stay(one), stay(free), stay(other)];
    const refused = await s.confirm(s.guest, { items, ...cash }, key('refused'));
    expect(refusal(refused).details['reasons']).toMatchObject([
      { listing_id: one.id, rule: 'min_nights' },
      { listing_id: one.id, rule: 'closed_to_arrival' },
      { listing_id: other.id, rule: 'min_notice_hours' },
    ]);
    ok(await s.confirm(s.other, { items: [stay(free)], ...cash }), 201);
    const again = await s.confirm(s.guest, { items, ...cash }, key('refused'));
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([refused.text, 'true']);
  });

  it('is offered the nearest stays of the same length that are allowed and free', async () => {
    const home = await s.listing();
    await rule(home, {
      date_rules: [
        { date_from: '2027-02-01', date_to: '2027-03-31', weekdays: [0, 1, 2, 3], closed_to_arrival: true },
      ],
    });
    const near = async () => refusal(await s.preview(s.guest, { items: [stay(home)] })).details['nearest'];
    const listing_id = home.id;
    expect(await near()).toEqual([
      { listing_id, check_in_date: '2027-02-11', check_out_date: '2027-02-13' },
      { listing_id, check_in_date: '2027-02-12', check_out_date: '2027-02-14' },
      { listing_id, check_in_date: '2027-02-13', check_out_date: '2027-02-15' },
    ]);
    ok(await s.confirm(s.other, { items: [stay(home, nights('2027-02-12', '2027-02-13'))], ...cash }), 201);
    expect(await near()).toEqual([
      { listing_id, check_in_date: '2027-02-13', check_out_date: '2027-02-15' },
      { listing_id, check_in_date: '2027-02-06', check_out_date: '2027-02-08' },
      { listing_id, check_in_date: '2027-02-05', check_out_date: '2027-02-07' },
    ]);
  });

  it('is offered nothing that another stay of the order takes', async () => {
    const home = await s.listing();
    await rule(home, day('2027-02-10', { closed_to_arrival: true }));
    const items = [stay(home), stay(home, nights('2027-02-12', '2027-02-14'))];
    const { details } = refusal(await s.preview(s.guest, { items }));
    expect((details['nearest'] as { check_in_date: string }[]).map((one) => one.check_in_date)).toEqual([
      '2027-02-09',
      '2027-02-08',
      '2027-02-07',
    ]);
  });

  it('is offered with another one of the same listing: what is near both is named once', async () => {
    const home = await s.listing();
    const closed = (date: string) => ({ date_from: date, date_to: date, closed_to_arrival: true });
    await rule(home, { date_rules: [closed('2027-02-10'), closed('2027-02-13')] });
    const items = [stay(home), stay(home, nights('2027-02-13', '2027-02-15'))];
    const { details } = refusal(await s.preview(s.guest, { items }));
    expect((details['nearest'] as { check_in_date: string }[]).map((one) => one.check_in_date)).toEqual([
      '2027-02-11',
      '2027-02-09',
      '2027-02-12',
      '2027-02-14',
      '2027-02-15',
    ]);
  });

  it('is offered nothing further away than 14 days', async () => {
    const home = await s.listing();
    await rule(home, {
      date_rules: [{ date_from: '2027-01-27', date_to: '2027-02-24', closed_to_arrival: true }],
    });
    const { details } = refusal(await s.preview(s.guest, { items: [stay(home)] }));
    expect(details['nearest']).toEqual([]);
    await rule(home, {
      date_rules: [{ date_from: '2027-01-28', date_to: '2027-02-23', closed_to_arrival: true }],
    });
    const wider = refusal(await s.preview(s.guest, { items: [stay(home)] })).details;
    expect(wider['nearest']).toEqual([
      { listing_id: home.id, ...nights('2027-02-24', '2027-02-26') },
      { listing_id: home.id, ...nights('2027-01-27', '2027-01-29') },
    ]);
  });

  it('is not offered nights that the parent has sold', async () => {
    const house = await s.create({ name: 'Nhà Mây' });
    const room = await s.create({
      name: 'Phòng Mây',
      parent_listing_id: house.id,
      listing_type: 'PRIVATE_ROOM',
    });
    await rule(room, day('2027-02-10', { closed_to_arrival: true }));
    ok(await s.confirm(s.other, { items: [stay(house, nights('2027-02-11', '2027-02-15'))], ...cash }), 201);
    const { details } = refusal(await s.preview(s.guest, { items: [stay(room)] }));
    expect(details['nearest']).toEqual([
      { listing_id: room.id, ...nights('2027-02-09', '2027-02-11') },
      { listing_id: room.id, ...nights('2027-02-08', '2027-02-10') },
      { listing_id: room.id, ...nights('2027-02-07', '2027-02-09') },
    ]);
  });
});

describe('a hold', () => {
  const strict = { default: { min_nights: 9 } };

  it('is confirmed under the rules of its moment, by id and by items', async () => {
    const home = await s.listing();
    const items = [stay(home)];
    const { checkout_id } = ok(await s.hold(s.guest, { items }), 201);
    ok(await s.hold(s.other, { items: [stay(home, nights('2027-02-14', '2027-02-15'))] }), 201);
    await rule(home, strict);
    ok(await s.confirm(s.guest, { checkout_id, ...cash }), 201);
    ok(await s.confirm(s.other, { items: [stay(home, nights('2027-02-14', '2027-02-15'))], ...cash }), 201);
  });

  it('lets its stays be confirmed with others that the rules take', async () => {
    const [home, other] = [await s.listing(), await s.listing()];
    ok(await s.hold(s.guest, { items: [stay(home)] }), 201);
    await rule(home, strict);
    ok(await s.confirm(s.guest, { items: [stay(home), stay(other)], ...cash }), 201);
  });

  it('is previewed and confirmed although its notice has passed', async () => {
    const home = await s.listing();
    await rule(home, { min_notice_hours: 628 });
    const items = [stay(home)];
    ok(await s.hold(s.guest, { items }), 201);
    advanceMinutes(1);
    expect(ok(await s.preview(s.guest, { items })).items[0]?.available).toBe(true);
    expect(refusal(await s.preview(s.other, { items })).code).toBe('STAY_NOT_ALLOWED');
    ok(await s.confirm(s.guest, { items, ...cash }), 201);
  });

  it('of other nights is offered to its guest alone', async () => {
    const home = await s.listing();
    await rule(home, day('2027-02-10', { closed_to_arrival: true }));
    const { checkout_id } = ok(
      await s.hold(s.guest, { items: [stay(home, nights('2027-02-11', '2027-02-13'))] }),
      201,
    );
    expect(checkout_id).toBeGreaterThan(0);
    const first = async (who = s.guest) =>
      refusal(await s.preview(who, { items: [stay(home)] })).details['nearest'];
    expect(await first()).toContainEqual({ listing_id: home.id, ...nights('2027-02-11', '2027-02-13') });
    expect(await first(s.other)).not.toContainEqual({
      listing_id: home.id,
      ...nights('2027-02-11', '2027-02-13'),
    });
  });

  it('that has expired is bound by the rules of now', async () => {
    const home = await s.listing();
    const { checkout_id } = ok(await s.hold(s.guest, { items: [stay(home)] }), 201);
    await rule(home, strict);
    advanceMinutes(16);
    expect(refusal(await s.confirm(s.guest, { checkout_id, ...cash })).code).toBe('STAY_NOT_ALLOWED');
  });

  it('of a quote is taken only under the rules of now, and booked after', async () => {
    const home = await s.listing();
    const partner = await s.partner();
    const { quote_id } = ok(await s.quote(partner, { items: [stay(home)] }), 201);
    const held = ok(await s.quote(partner, { items: [stay(home, nights('2027-02-20', '2027-02-22'))] }), 201);
    ok(await s.holdQuote(partner, held.quote_id, {}), 201);
    await rule(home, strict);
    expect(refusal(await s.holdQuote(partner, quote_id, {})).code).toBe('STAY_NOT_ALLOWED');
    const book = (id: number) => s.bookOut(partner, { quote_id: id, guest_info, ...cash });
    expect(refusal(await book(quote_id)).code).toBe('STAY_NOT_ALLOWED');
    ok(await book(held.quote_id), 201);
  });
});

describe('the cart', () => {
  it('keeps a stay that the rules refuse, as not available', async () => {
    const home = await s.listing();
    await rule(home, { default: { min_nights: 3 } });
    const put = {
      listing_id: home.id,
      check_in: '2027-02-10T14:00:00',
      check_out: '2027-02-12T12:00:00',
      guests: 2,
    };
    const added = await s.call('POST', '/api/v1/cart', { token: s.guest.token, body: put });
    expect(ok(added, 201)).toMatchObject({ available: false, price: 2_200_000 });
    await rule(home, {});
    const { items } = ok(await s.get<{ items: unknown[] }>(s.guest, '/api/v1/cart'));
    expect(items).toMatchObject([{ available: true }]);
  });
});

describe('what the rules do not bind', () => {
  it('is day use', async () => {
    const home = await s.listing();
    await rule(home, {
      default: { min_nights: 9, closed: true, closed_to_arrival: true },
      min_notice_hours: 2000,
    });
    ok(await s.confirm(s.guest, { items: [stay(home, nights('2027-02-10', '2027-02-10'))], ...cash }), 201);
  });

  it('is a booking that exists', async () => {
    const home = await s.listing();
    const { reservations } = ok(await s.confirm(s.guest, { items: [stay(home)], ...cash }), 201);
    await rule(home, { default: { closed: true } });
    expect(ok(await s.booking(s.guest, reservations[0]!.id)).state).toBe('CONFIRMED');
  });
});

describe('the availability by day', () => {
  it('says where stays begin and end, and how long they are at least and at most', async () => {
    const home = await s.listing();
    await rule(home, {
      default: { min_nights: 2 },
      ...{ booking_window_days: 30 },
      date_rules: [
        { date_from: '2027-02-10', date_to: '2027-02-10', closed_to_arrival: true, min_nights: 3 },
        { date_from: '2027-02-11', date_to: '2027-02-11', closed_to_departure: true, max_nights: 4 },
        { date_from: '2027-02-12', date_to: '2027-02-12', closed: true },
      ],
    });
    ok(
      await s.call('POST', '/api/v1/bookings', {
        token: s.host.token,
        body: {
          items: [stay(home, nights('2027-02-13', '2027-02-14'))],
          guest_info,
          ...cash,
          override_rules: true,
        },
      }),
      201,
    );
    const query = { start_date: '2027-02-09', end_date: '2027-02-15' };
    const { items } = ok(await s.days(s.guest, home, query));
    type Ruled = Slot & {
      min_nights: number;
      can_arrive: boolean;
      can_depart: boolean;
      max_nights: number | null;
    };
    const shown = (items as Ruled[]).map(
      ({ date, available, min_nights, can_arrive, can_depart, max_nights }) => [
        date.slice(8),
        available,
        min_nights,
        can_arrive,
        can_depart,
        max_nights,
      ],
    );
    expect(shown).toEqual([
      ['09', true, 2, true, true, null],
      ['10', true, 3, false, true, null],
      ['11', true, 2, true, false, 4],
      ['12', false, 2, false, true, null],
      ['13', false, 2, false, true, null],
      ['14', true, 2, true, true, null],
      ['15', true, 2, false, true, null],
    ]);
  });

  it('opens arrivals after the notice', async () => {
    const home = await s.listing();
    const arrivals = async () => {
      const { items } = ok(await s.days(s.guest, home, { start_date: '2027-01-15', end_date: '2027-01-17' }));
      return (items as (Slot & { can_arrive: boolean; available: boolean })[]).map(
        ({ available, can_arrive }) => [available, can_arrive],
      );
    };
    // It is 10:00; check-in is at 14:00.
    await rule(home, { min_notice_hours: 4 });
    expect(await arrivals()).toEqual([
      [true, true],
      [true, true],
      [true, true],
    ]);
    await rule(home, { min_notice_hours: 29 });
    expect(await arrivals()).toEqual([
      [true, false],
      [true, false],
      [true, true],
    ]);
  });
});

describe('search', () => {
  it('finds only what can be booked, by customers and partners', async () => {
    const spot = freshSpot();
    const [one, other] = [await s.home(spot), await s.home(spot)];
    const asked = { location: at(spot), check_in: '2027-02-10', check_out: '2027-02-12', guests: 2 };
    await rule(one, { date_rules: [{ date_from: '2027-02-10', date_to: '2027-02-10', min_nights: 3 }] });
    await s.index(one);
    expect(idsOf(await s.found(asked))).toEqual([other.id]);
    const partner = await s.partner();
    const found = await s.get<{ items: Home[] }>(partner, '/api/v1/external/search', asked);
    expect(ok(found).items.map(({ id }) => id)).toEqual([other.id]);
    const longer = { ...asked, check_out: '2027-02-13' };
    expect(idsOf(await s.found(longer)).sort()).toEqual([one.id, other.id].sort());
    expect((await s.found({ location: at(spot), guests: 2 })).total).toBe(2);
  });

  it('forgets the rules of a listing that has left the index', async () => {
    const spot = freshSpot();
    const asked = { location: at(spot), check_in: '2027-02-10', check_out: '2027-02-12', guests: 2 };
    const gone = await s.home(spot);
    await rule(gone, { default: { closed: true } });
    await s.index(gone);
    ok(await s.call('DELETE', `/api/v1/listings/${gone.id}`, { token: s.host.token }));
    await s.index(gone);
    const next = await s.home(spot);
    expect(idsOf(await s.found(asked))).toEqual([next.id]);
  });
});

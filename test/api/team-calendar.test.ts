import { describe, expect, it } from 'vitest';
import type { Availability, TakenLabel } from '../../shared/domain/calendar/availability.schema.ts';
import type { TeamCalendar } from '../../shared/domain/front-desk/team-calendar.schema.ts';
import type { Listing } from '../../shared/domain/listing/listing.entity.ts';
import { ownerTeam, stayList } from '../../shared/domain/booking/booking-list.store.ts';
import { addDays, addHours, atTime, ceilHour, dateOf, floorHour } from '../../shared/platform/time/time.ts';
import { packList } from '../../shared/platform/lists/index.ts';
import { chanceOf } from '../support/many-stays.ts';
import {
  guest_info,
  nights,
  ok,
  refusal,
  stay,
  stopClock,
  type Who,
  useOrderScene,
} from '../support/order-scene.ts';
import { testTeam } from '../support/table.ts';

const s = useOrderScene();

const calendar = (query: Record<string, string | number>, who: Who = s.host) =>
  s.get<TeamCalendar>(who, '/api/v1/calendar/team', query);

/** Two months of a year in which clocks change in both zones. */
const [first, last] = ['2027-03-10', '2027-05-10'];
const cash = { payment_method: 'CASH' };

/** A team of its own, with its host. */
const ownTeam = async () => {
  const { team_id } = await testTeam(s.deps);
  const host = await s.person('OWNER', team_id);
  const listing = (given: Partial<Listing> & { parts?: object } = {}) => s.listing({ ...given, team_id });
  return { team_id, host, listing };
};

interface Shown extends Pick<Availability, keyof TakenLabel | 'start_at' | 'end_at'> {
  id?: number;
  state: string;
}

/** The hours of entries, each with what is said of it to hosts. */
const hoursOf = (entries: readonly Shown[], from: string, to: string) => {
  const end = atTime(addDays(to, 1), '00:00:00');
  const hours = new Set<string>();
  for (const { id, start_at, end_at, state, ...of } of entries) {
    const { kind, availability_id, booking_id, source, because_of, payment } = of;
    const label = JSON.stringify([kind, availability_id, booking_id, source, because_of, payment]);
    // The hour in which a stay ends is the stay's, not that of the preparation after it.
    const begin = id === 0 ? ceilHour(start_at) : floorHour(start_at);
    for (let at = begin; at < end_at && at < end; at = addHours(at, 1))
      if (dateOf(at) >= from) hours.add(`${at} ${state} ${label}`);
  }
  return [...hours].sort();
};

const pack = (team_id: number) => packList(s.deps, { ...stayList, packedFrom: 1 }, ownerTeam(team_id), []);

const kindOf = (state: string) => (state === 'BLOCKED' || state === 'SOFT_LOCK' ? state : 'BOOKED');

const stayOf = (all: readonly Shown[]) =>
  all
    .filter(({ kind }) => kind === 'STAY')
    .map(({ booking_id, start_at, end_at }) => [booking_id, start_at, end_at]);

/** Requires of every listing what its own calendar, availability and stay rules say. */
const expectAsAlone = async (host: Who, listings: readonly Listing[], from: string, to: string) => {
  const { items } = ok(await calendar({ from, to }, host));
  expect(items.map(({ listing_id }) => listing_id).sort()).toEqual(listings.map(({ id }) => id).sort());
  for (const item of items) {
    const listing = listings.find(({ id }) => id === item.listing_id)!;
    const isPrepared = (listing.preparation_hours ?? 0) > 0;
    const entries = ok(await s.range(host, listing, { start_date: from, end_date: to }));
    const days = ok(await s.days(host, listing, { start_date: from, end_date: to })).items;
    const shown = item.entries.map((entry) => ({ ...entry, state: kindOf(entry.state) }));
    expect(hoursOf(shown, from, to)).toEqual(hoursOf(entries, from, to));
    expect(stayOf(shown)).toEqual(stayOf(entries));
    expect(item.nights).toEqual(
      days
        .filter(({ state, available }) => state === 'AVAILABLE' && (available || !isPrepared))
        .map(({ date, price, min_nights }) => expect.objectContaining({ date, price, min_nights }) as object),
    );
    const rules = await s.get(host, `/api/v1/listings/${item.listing_id}/stay-rules`);
    expect(item.stay_rules).toEqual(ok(rules));
  }
  return items;
};

describe('GET /calendar/team', () => {
  it('says of each listing what a chart of it needs, and of each free night what the stay rules say', async () => {
    const { host, listing } = await ownTeam();
    const home = await listing({
      name: 'Nhà trên đồi',
      currency: 'USD',
      full_rate: 80,
      allow_hourly_booking: true,
    });
    ok(
      await s.call('PUT', `/api/v1/listings/${home.id}/stay-rules`, {
        token: host.token,
        body: {
          default: { min_nights: 2 },
          date_rules: [
            { date_from: '2027-02-11', date_to: '2027-02-11', closed_to_arrival: true },
            { date_from: '2027-02-12', date_to: '2027-02-12', closed: true, min_nights: 3 },
          ],
        },
      }),
    );
    const { items } = ok(await calendar({ from: '2027-02-10', to: '2027-02-12' }, host));
    expect(items).toMatchObject([
      {
        ...{ listing_id: home.id, listing_name: 'Nhà trên đồi', parent_listing_id: null },
        ...{ timezone: 'Asia/Ho_Chi_Minh', currency: 'USD', allow_hourly_booking: true },
        nights: [
          { date: '2027-02-10', min_nights: 2, closed_to_arrival: false, closed: false },
          { date: '2027-02-11', min_nights: 2, closed_to_arrival: true, closed: false },
          { date: '2027-02-12', min_nights: 3, closed_to_arrival: false, closed: true },
        ],
      },
    ]);
  });

  it('shows a booking until the hour at which its guest left, and no cancelled one', async () => {
    const { host, listing } = await ownTeam();
    const home = await listing();
    const guest = await s.person();
    const book = async (from: string, to: string) =>
      ok(await s.confirm(guest, { items: [stay(home, nights(from, to))], ...cash }), 201).reservations[0]!.id;
    const early = await book('2027-02-10', '2027-02-14');
    const gone = await book('2027-02-20', '2027-02-22');
    ok(await s.cancel(guest, gone));
    stopClock('2027-02-10T08:00:00.000Z');
    ok(await s.call('POST', `/api/v1/bookings/${early}/check-in`, { token: host.token }));
    stopClock('2027-02-12T03:30:00.000Z');
    ok(await s.call('POST', `/api/v1/bookings/${early}/check-out`, { token: host.token }));
    const { items, next_cursor } = ok(await calendar({ from: '2027-02-10', to: '2027-02-22' }, host));
    expect(next_cursor).toBeNull();
    expect(items[0]?.entries).toEqual([
      {
        ...{ kind: 'STAY', availability_id: expect.any(Number) as number, booking_id: early },
        ...{ source: null, summary: null, because_of: null },
        payment: { status: 'PENDING', due: 4_200_000, currency: 'VND' },
        ...{ guest_name: expect.any(String) as string, state: 'CHECKED_OUT' },
        ...{ start_at: '2027-02-10T14:00:00', end_at: '2027-02-12T11:00:00' },
      },
    ]);
    // What the range leaves of tonight is free again.
    expect(items[0]?.nights.map(({ date }) => date)).toEqual(
      Array.from({ length: 11 }, (_, day) => addDays('2027-02-12', day)),
    );
    await expectAsAlone(host, [home], '2027-02-10', '2027-02-22');
  });

  it('says which system a stay came from, and what is due of it in its currency, packed or not', async () => {
    const { host, listing, team_id } = await ownTeam();
    const home = await listing({ currency: 'USD', full_rate: 80.55, preparation_hours: 2 });
    const partner = await s.partner({ team_ids: [team_id] });
    const external = { external_system: 'stayhub', external_booking_id: 'SH-1' };
    const booked = ok(
      await s.bookOut(partner, {
        items: [stay(home, nights('2027-02-10', '2027-02-12'))],
        ...cash,
        guest_info,
        ...external,
      }),
      201,
    );
    const read = async () =>
      (await expectAsAlone(host, [home], '2027-02-10', '2027-02-22'))[0]?.entries.map((entry) => [
        entry.kind,
        entry.booking_id,
        entry.source,
        entry.payment,
      ]);
    const payment = { status: booked.payment_status, due: booked.amount_due, currency: 'USD' };
    expect(booked.amount_due % 1).not.toBe(0);
    const { id } = booked.reservations?.[0] ?? booked;
    const expected = [
      ['STAY', id, 'stayhub', payment],
      ['PREPARATION', id, null, null],
    ];
    expect(await read()).toEqual(expected);
    await pack(team_id);
    stopClock('2027-01-15T03:10:00.000Z');
    await pack(team_id);
    stopClock('2027-01-15T03:11:00.000Z');
    await s.renew();
    expect(await read()).toEqual(expected);
  });

  it('takes both dates as included, at most 62 days, in order and within the calendar', async () => {
    const { host, listing } = await ownTeam();
    await listing();
    const dates = async (from: string, to: string) =>
      ok(await calendar({ from, to }, host)).items[0]?.nights.map(({ date }) => date);
    expect(await dates('2027-02-10', '2027-02-10')).toEqual(['2027-02-10']);
    expect(await dates('2027-02-10', '2027-02-12')).toEqual(['2027-02-10', '2027-02-11', '2027-02-12']);
    expect(await dates('2027-02-01', '2027-04-03')).toHaveLength(62);
    for (const [from, to, path] of [
      ['2027-02-01', '2027-04-04', 'to'],
      ['2027-02-02', '2027-02-01', 'to'],
      ['1999-12-31', '2000-01-02', 'from'],
      ['2199-12-31', '2200-01-01', 'to'],
      ['2027-02-30', '2027-03-01', 'from'],
    ] as const)
      expect(refusal(await calendar({ from, to }, host))).toMatchObject({
        code: 'VALIDATION_ERROR',
        paths: [path],
      });
    expect(refusal(await calendar({ from: '2027-02-01' }, host)).paths).toEqual(['to']);
    expect(refusal(await calendar({ from: '2027-02-01', to: '2027-02-02', limit: 101 }, host)).paths).toEqual(
      ['limit'],
    );
  });

  it('has a page of listings at a time, without archived ones, and refuses a cursor of another list', async () => {
    const { host, listing } = await ownTeam();
    const homes = [await listing(), await listing(), await listing()];
    await listing({ state: 'ARCHIVED' });
    const range = { from: '2027-02-01', to: '2027-02-02', limit: 2 };
    const page = ok(await calendar(range, host));
    const rest = ok(await calendar({ ...range, cursor: page.next_cursor! }, host));
    expect([page.items.length, rest.items.length, rest.next_cursor]).toEqual([2, 1, null]);
    expect([...page.items, ...rest.items].map(({ listing_id }) => listing_id)).toEqual(
      homes.map(({ id }) => id).sort((one, other) => other - one),
    );
    const other = await ownTeam();
    for (const [who, cursor] of [
      [other.host, page.next_cursor!],
      [host, `${page.next_cursor!.slice(0, -2)}AA`],
    ] as const)
      expect(refusal(await calendar({ ...range, cursor }, who))).toMatchObject({
        code: 'VALIDATION_ERROR',
        paths: ['cursor'],
      });
  });

  it('is of the acting team alone: staff read it, others are FORBIDDEN', async () => {
    const [mine, theirs] = [await ownTeam(), await ownTeam()];
    const home = await mine.listing();
    await theirs.listing();
    ok(await s.confirm(s.guest, { items: [stay(home)], ...cash }), 201);
    const range = { from: '2027-02-01', to: '2027-02-28' };
    const staff = await s.person('STAFF', mine.team_id);
    expect(ok(await calendar(range, staff)).items.map(({ listing_id }) => listing_id)).toEqual([home.id]);
    const other = ok(await calendar(range, theirs.host)).items;
    expect(other).toHaveLength(1);
    expect(other[0]?.entries).toEqual([]);
    for (const who of [s.guest, await s.person('CUSTOMER', mine.team_id)])
      expect(refusal(await calendar(range, who)).code).toBe('FORBIDDEN');
    const asked = { token: theirs.host.token, team: mine.team_id, query: range };
    expect(refusal(await s.call('GET', '/api/v1/calendar/team', asked)).code).toBe('FORBIDDEN');
  });
});

describe.each([1, 2, 3])('in a random world, seed %i, the team’s calendar', (seed) => {
  it('is what each listing’s own calendar, availability and stay rules are', async () => {
    const chance = chanceOf(seed);
    const below = (most: number) => Math.floor(chance() * most);
    const { team_id, host, listing } = await ownTeam();
    const hourly = { allow_hourly_booking: true, min_hours: 1, price_per_hour: 50_000 };
    const homes: Listing[] = [];
    for (const timezone of ['Asia/Ho_Chi_Minh', 'Europe/Berlin', 'America/New_York']) {
      const house = await listing({ timezone });
      const rooms = [];
      for (let room = 0; room < 2; room++)
        rooms.push(await listing({ timezone, parent_listing_id: house.id, preparation_hours: 3 * room }));
      const rules = [{ date_type: 'WEEKDAY', day_of_week: 6, price: 2_000_000 + seed }];
      const single = await listing({
        ...{ timezone, prices_by_week: { 5: 1_500_000 }, ...hourly },
        parts: { rules: rules.map((rule) => ({ ...weekend, ...rule })) },
      });
      homes.push(house, ...rooms, single);
    }
    const restricted = homes.at(-1)!;
    ok(
      await s.call('PUT', `/api/v1/listings/${restricted.id}/stay-rules`, {
        token: host.token,
        body: { date_rules: [{ date_from: '2027-04-01', date_to: '2027-04-03', closed: true }] },
      }),
    );
    const counts = { booked: 0, blocked: 0, held: 0 };
    for (let step = 0; step < 60; step++) {
      const home = homes[below(homes.length)]!;
      const day = addDays('2027-03-01', below(80));
      const kind = below(10);
      if (step % 12 === 0) await s.renew();
      if (kind < 5) {
        const item = stay(home, nights(day, addDays(day, 1 + below(kind === 0 ? 40 : 5))));
        const reply = await s.confirm(s.guest, { items: [item], ...cash });
        if (reply.status !== 201) continue;
        counts.booked++;
        const id = reply.body.reservations[0]!.id;
        if (below(5) === 0) ok(await s.cancel(s.guest, id));
      } else if (kind < 7) {
        const times = { check_in_time: '10:00:00', check_out_time: `${13 + below(4)}:30:00` };
        const reply = await s.confirm(s.guest, {
          items: [stay(home, { ...nights(day, day), ...times })],
          ...cash,
        });
        if (reply.status === 201) counts.booked++;
      } else if (kind < 9) {
        const hours = {
          start_at: atTime(day, '08:00:00'),
          end_at: atTime(addDays(day, below(3)), '17:00:00'),
        };
        const body = below(2) === 0 ? { block_date: day } : hours;
        if ((await s.block(host, home, body)).status === 201) counts.blocked++;
      } else if (
        (await s.hold(s.other, { items: [stay(home, nights(day, addDays(day, 2)))] })).status === 201
      )
        counts.held++;
    }
    expect(counts.booked).toBeGreaterThan(8);
    expect(counts.blocked).toBeGreaterThan(3);
    await expectAsAlone(host, homes, first, last);
    const lone = addDays(first, below(60));
    await expectAsAlone(host, homes, lone, lone);
    // Packed, and unchanged since, it is the same.
    await pack(team_id);
    stopClock('2027-01-15T03:10:00.000Z');
    await pack(team_id);
    stopClock('2027-01-15T03:11:00.000Z');
    await s.renew();
    await expectAsAlone(host, homes, first, last);
    // An expired soft lock takes nothing.
    stopClock('2027-01-15T03:20:00.000Z');
    await s.renew();
    await expectAsAlone(host, homes, first, last);
  }, 120_000);
});

const weekend = {
  ...{ id: 1, listing_id: 1, charge_unit: 'PER_NIGHT', stay_type: 'ANY', priority: 1 },
  ...{ date_from: null, date_to: null, day_of_week: null, is_active: true },
};

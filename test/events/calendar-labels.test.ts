import { beforeEach, describe, expect, it } from 'vitest';
import { availability } from '../../functions/availability/index.ts';
import { availabilityRoutes } from '../../functions/availability/routes.ts';
import { bookings } from '../../functions/bookings/index.ts';
import { bookingRoutes } from '../../functions/bookings/routes.ts';
import { createCheckout } from '../../shared/domain/checkout/create-checkout.ts';
import { followCalendar } from '../../shared/domain/ical/follow-calendar.ts';
import { type Listing, ListingEntity } from '../../shared/domain/listing/listing.entity.ts';
import type { Caller } from '../../shared/platform/auth.ts';
import { put, Table } from '../../shared/platform/table/index.ts';
import { calendarWith, nights } from '../support/calendars.ts';
import { countingClient, countsUnits, measuredTable } from '../support/costs.ts';
import { bookStay } from '../support/events.ts';
import { groupCalls } from '../support/group-calls.ts';
import { apiUrl, importScene } from '../support/import-scene.ts';
import { testListing } from '../support/listings.ts';
import { testContext, testTableName, testTeam, testUser } from '../support/table.ts';

const range = { from: '2027-02-01', to: '2027-02-28' };
const labels = ['kind', 'availability_id', 'booking_id', 'source', 'because_of', 'payment'] as const;

/** A house with two rooms, each with three hours of preparation, behind the handlers of bookings and availability. */
const labelScene = async () => {
  const s = await importScene({ preparation_hours: 3 });
  const room = () =>
    testListing(s.deps, { team_id: s.team_id, parent_listing_id: s.listing.id, preparation_hours: 3 });
  const [one, other] = [await room(), await room()];
  const late = await testListing(s.deps, { team_id: s.team_id, preparation_hours: 24 });
  const house: Listing = { ...s.listing, child_listing_ids: [one.id, other.id] };
  await s.deps.table.transact([put(ListingEntity, house)]);
  const calendars = groupCalls(
    availability(() => s.deps),
    availabilityRoutes,
  );
  const desk = groupCalls(
    bookings(() => s.deps),
    bookingRoutes,
  );
  const owner = s.owner.caller;
  const team = async (listing: Listing) => {
    const { items } = await desk.ok(owner, 'readTeamCalendar', { query: range });
    return items.find(({ listing_id }) => listing_id === listing.id)!.entries;
  };
  const alone = (listing: Listing, who: Caller = owner, query: Record<string, string> = {}) =>
    calendars.ok(who, 'readRange', {
      params: { listing_id: listing.id },
      query: { start_date: range.from, end_date: range.to, ...query },
    });
  /** What is said of a listing's time in both calendars, which must agree. */
  const shown = async (listing: Listing) => {
    const labelOf = (entry: object) =>
      Object.fromEntries(labels.map((name) => [name, (entry as Record<string, unknown>)[name]]));
    const both = (await team(listing)).map(labelOf);
    expect((await alone(listing)).map(labelOf)).toEqual(both);
    return both;
  };
  const block = (listing: Listing, body: object) =>
    calendars.ok(owner, 'blockTime', { params: { listing_id: listing.id }, body });
  const book = (listing: Listing, from: string, to: string) =>
    bookStay(s.asGuest, { listing_id: listing.id, check_in_date: from, check_out_date: to });
  const follow = async ({ id }: Listing, url: string, ...events: string[][]) => {
    s.remote.texts[url] = calendarWith(...events);
    const outgoing = { fetchCalendar: s.fetchCalendar, apiUrl };
    await followCalendar(testContext(s.deps, owner), id, { url }, outgoing);
  };
  const hold = async (listing: Listing, check_in_date: string, check_out_date: string) => {
    const items = [{ listing_id: listing.id, guest_number: 2, check_in_date, check_out_date }];
    const { items: held } = await createCheckout(s.asGuest, { items });
    return held[0]!.availability_id;
  };
  return {
    ...s,
    house,
    one,
    other,
    late,
    calendars,
    desk,
    host: owner,
    team,
    alone,
    shown,
    block,
    book,
    follow,
    hold,
  };
};

let s: Awaited<ReturnType<typeof labelScene>>;
beforeEach(async () => {
  s = await labelScene();
});

const nothing = { booking_id: null, source: null, because_of: null, payment: null };
const some = expect.any(Number) as number;

describe('what takes the time of a listing', () => {
  it('is a stay with its payment, the preparation after it, and its family’s time', async () => {
    const { booking_id } = await s.book(s.one, '2027-02-04', '2027-02-06');
    const [stay, preparation] = await s.shown(s.one);
    const payment = { status: 'PENDING', due: 2_200_000, currency: 'VND' };
    expect(stay).toEqual({ ...nothing, kind: 'STAY', availability_id: some, booking_id, payment });
    expect(preparation).toEqual({ ...stay, kind: 'PREPARATION', payment: null });
    const family = { ...nothing, kind: 'FAMILY', because_of: s.one.id };
    const { availability_id } = stay!;
    expect(await s.shown(s.house)).toEqual([
      { ...family, availability_id },
      { ...family, availability_id },
    ]);
    expect(await s.shown(s.other)).toEqual([]);
  });

  it('is a hold, a host’s block, and each block of its own', async () => {
    const held = await s.hold(s.one, '2027-02-20', '2027-02-21');
    const [first, second] = [
      await s.block(s.one, { start_at: '2027-02-10T08:00:00', end_at: '2027-02-10T12:00:00' }),
      await s.block(s.one, { start_at: '2027-02-10T12:00:00', end_at: '2027-02-10T18:00:00' }),
    ];
    const hold = { ...nothing, kind: 'HOLD', availability_id: held };
    const blocks = [first.id, second.id].map((availability_id) => ({
      ...{ ...nothing, kind: 'BLOCK', availability_id },
    }));
    expect((await s.team(s.one)).map(({ start_at, end_at }) => [start_at, end_at]).slice(0, 2)).toEqual([
      ['2027-02-10T08:00:00', '2027-02-10T12:00:00'],
      ['2027-02-10T12:00:00', '2027-02-10T18:00:00'],
    ]);
    const alone = await s.alone(s.one);
    // The hours after a hold are a part of it, and an entry of their own where a calendar has exact times.
    expect(alone.map(({ id, kind, availability_id }) => [id, kind, availability_id])).toEqual([
      [first.id, 'BLOCK', first.id],
      [second.id, 'BLOCK', second.id],
      [hold.availability_id, 'HOLD', hold.availability_id],
      [0, 'HOLD', hold.availability_id],
    ]);
    const team = (await s.team(s.one)).map((entry) =>
      Object.fromEntries(labels.map((name) => [name, entry[name]])),
    );
    expect(team).toEqual([...blocks, hold]);
  });

  it('is what a followed calendar brought, with the host name of its address; a house’s in its rooms too', async () => {
    await s.follow(s.one, 'https://www.rooms.example/one.ics', nights('a', '2027-02-04', '2027-02-06'));
    await s.follow(
      s.house,
      'https://houses.example/h.ics?key=secret',
      nights('b', '2027-02-05', '2027-02-08'),
    );
    const imported = { ...nothing, kind: 'IMPORTED', availability_id: some };
    const one = await s.shown(s.one);
    expect(one[0]).toEqual({ ...imported, source: 'www.rooms.example' });
    // What the room does not explain of the house's event takes the house.
    expect(await s.shown(s.house)).toContainEqual({ ...imported, source: 'houses.example' });
    expect(await s.shown(s.other)).toContainEqual({
      ...{ ...nothing, kind: 'FAMILY', availability_id: some, because_of: s.house.id },
    });
  });

  it('of a room is what a calendar of its house could not take there, with the house', async () => {
    await s.hold(s.one, '2027-02-05', '2027-02-06');
    await s.follow(s.house, 'https://houses.example/h.ics', nights('b', '2027-02-05', '2027-02-08'));
    const [first] = await s.shown(s.other);
    expect(first).toEqual({
      ...{ ...nothing, kind: 'IMPORTED', availability_id: some },
      ...{ source: 'houses.example', because_of: s.house.id },
    });
  });

  it('says what is due of a stay after a part was paid, and when it was paid and refunded', async () => {
    const { booking_id } = await s.book(s.one, '2027-02-04', '2027-02-06');
    const params = { booking_id };
    const paymentOf = async () => (await s.shown(s.one))[0]?.['payment'];
    await s.desk.ok(s.host, 'takePayment', { params, body: { amount: 200_000, method: 'CASH' } });
    expect(await paymentOf()).toEqual({ status: 'PENDING', due: 2_000_000, currency: 'VND' });
    await s.desk.ok(s.host, 'markBookingPaid', { params });
    expect(await paymentOf()).toEqual({ status: 'PAID', due: 0, currency: 'VND' });
  });
});

describe('labels', () => {
  it('are for hosts of the team alone: neither for the guest of the stay, nor for customers and hosts of other teams', async () => {
    await s.book(s.one, '2027-02-04', '2027-02-06');
    await s.block(s.one, { block_date: '2027-02-10' });
    const { team_id } = await testTeam(s.deps);
    const memberOf = async (team: number, role: 'CUSTOMER' | 'OWNER') =>
      (await testUser(s.deps, { memberships: [{ team_id: team, role }] })).caller;
    const others = [s.guest.caller, await memberOf(s.team_id, 'CUSTOMER'), await memberOf(team_id, 'OWNER')];
    for (const who of others)
      for (const listing of [s.one, s.house]) {
        const entries = await s.alone(listing, who);
        expect(entries.length).toBeGreaterThan(0);
        for (const entry of entries) for (const name of labels) expect(entry).not.toHaveProperty(name);
      }
    const { items } = await s.desk.ok(await memberOf(team_id, 'OWNER'), 'readTeamCalendar', { query: range });
    expect(items).toEqual([]);
  });

  it('are of what is taken alone', async () => {
    const [free] = await s.alone(s.one, s.host, { state: 'AVAILABLE' });
    expect(free).toMatchObject({ id: 0, state: 'AVAILABLE' });
    for (const name of labels) expect(free).not.toHaveProperty(name);
  });
});

describe.runIf(countsUnits)('the cost for hosts', () => {
  it('of one listing is a round trip more, of a unit for each stay that is shown', async () => {
    await s.book(s.one, '2027-02-04', '2027-02-06');
    await s.book(s.one, '2027-02-10', '2027-02-12');
    await s.block(s.one, { block_date: '2027-02-20' });
    const { table, cost } = measuredTable(s.deps.table);
    const measured = groupCalls(
      availability(() => ({ ...s.deps, table })),
      availabilityRoutes,
    );
    const asked = (query: object = {}) => ({
      params: { listing_id: s.one.id },
      query: { start_date: range.from, end_date: range.to, ...query },
    });
    const of = (who: Caller, query: object = {}) => cost(() => measured.ok(who, 'readRange', asked(query)));
    const guest = await of(s.guest.caller);
    const host = await of(s.host);
    expect([host.trips - guest.trips, host.rcu - guest.rcu, host.wcu - guest.wcu]).toEqual([1, 2, 0]);
    for (const state of ['BLOCKED', 'SOFT_LOCK', 'AVAILABLE'])
      expect(await of(s.host, { state })).toEqual(guest);
  });

  it('of the team is a round trip more where something else than stays takes time', async () => {
    await s.book(s.one, '2027-02-04', '2027-02-06');
    const { client, rounds } = countingClient();
    const table = new Table({ client, tableName: await testTableName() });
    const counted = groupCalls(
      bookings(() => ({ ...s.deps, table })),
      bookingRoutes,
    );
    const trips = async () => {
      const before = rounds.made;
      await counted.ok(s.host, 'readTeamCalendar', { query: range });
      return rounds.made - before;
    };
    await trips();
    const stays = await trips();
    // A stay that ended the day before, prepared for within the range.
    await s.book(s.late, '2027-01-30', '2027-01-31');
    expect((await s.team(s.late)).map(({ kind }) => kind)).toEqual(['PREPARATION']);
    expect(await trips()).toBe(stays);
    await s.block(s.one, { block_date: '2027-02-20' });
    expect(await trips()).toBe(stays + 1);
  });
});

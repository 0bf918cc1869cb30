import { randomInt } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { searchIndexWorker } from '../../functions/workers/search-index/index.ts';
import { cancelBooking } from '../../shared/domain/booking/cancel-booking.ts';
import { moveBooking } from '../../shared/domain/booking/move-booking.ts';
import { getBooking } from '../../shared/domain/booking/read-bookings.ts';
import { CalendarDraft } from '../../shared/domain/calendar/calendar-draft.store.ts';
import { overlappingEntries } from '../../shared/domain/calendar/calendar.store.ts';
import { readAvailability } from '../../shared/domain/calendar/read-availability.ts';
import { readRange } from '../../shared/domain/calendar/read-calendar.ts';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import { exportCalendar } from '../../shared/domain/ical/export-calendar.ts';
import { listFeeds } from '../../shared/domain/ical/list-feeds.ts';
import { updateListing } from '../../shared/domain/listing/update-listing.ts';
import { CellReader } from '../../shared/domain/search/cell-reader.ts';
import { searchListings } from '../../shared/domain/search/search-listings.ts';
import { SearchQuery } from '../../shared/domain/search/search.schema.ts';
import { fixedClock } from '../../shared/platform/time/clock.ts';
import { orderPartition } from '../../shared/platform/ids.ts';
import type { Consumption, Table } from '../../shared/platform/table/index.ts';
import { countsUnits } from '../support/costs.ts';
import { eventsOf, queueEvent } from '../support/events.ts';
import { testListing } from '../support/listings.ts';
import { testContext, testDependencies, testStart, testTeam, testUser } from '../support/table.ts';

const at = (local: string) => Date.parse(`${local}+07:00`);
const dates = (check_in_date: string, check_out_date: string) => ({ check_in_date, check_out_date });
const week = dates('2027-01-31', '2027-02-07');

/** A guest in a room of a house for a week that goes over a month's border, checked in at 15:00. */
const scene = async (stay: object = week) => {
  const clock = fixedClock(testStart);
  const deps = await testDependencies({ clock });
  const { team_id } = await testTeam(deps);
  const spot = { latitude: -70 + randomInt(500) / 100, longitude: randomInt(10_000) / 100 };
  const house = await testListing(deps, { team_id, ...spot });
  const room = await testListing(deps, { team_id, parent_listing_id: house.id, ...spot });
  const sibling = await testListing(deps, { team_id, ...spot });
  const person = async (role?: 'OWNER' | 'STAFF') =>
    testContext(deps, (await testUser(deps, role ? { memberships: [{ team_id, role }] } : {})).caller, {
      teamHeader: team_id,
    });
  const [guest, other, owner, staff] = [
    await person(),
    await person(),
    await person('OWNER'),
    await person('STAFF'),
  ];
  const book = (who: typeof guest, listing_id: number, asked: object) =>
    confirmCheckout(who, {
      items: [{ listing_id, ...week, ...asked, guest_number: 2 }],
      payment_method: 'CASH',
    });
  const booked = await book(guest, room.id, stay);
  const id = booked.reservations[0]!.id;
  clock.advance(at('2027-01-31T15:00:00') - clock.now());
  await moveBooking(staff, id, 'check_in');
  const leaveAt = (local: string) => {
    clock.advance(at(local) - clock.now());
    return moveBooking(staff, id, 'check_out');
  };
  const events = () => eventsOf(deps.table, orderPartition(booked.master_reservation_id));
  const freed = async () =>
    (await eventsOf(deps.table, `LISTING#${room.id}`)).filter(
      ({ event_type }) => event_type === 'availability.changed',
    );
  const entries = async () =>
    (await readRange(owner, room.id, { start_date: '2027-01-01', end_date: '2027-12-31' })).map(
      ({ state, start_at, end_at }) => `${state} ${start_at.slice(0, 13)} ${end_at.slice(0, 13)}`,
    );
  const taken = async (listing_id = room.id, calendar_id = house.id) => {
    const range = { start_at: '2027-01-01T00:00:00', end_at: '2028-01-01T00:00:00' };
    const time = { calendar_id, listing_id, ...range };
    const draft = await CalendarDraft.load(deps.table, [time], clock.now());
    return draft.taken(time).map(({ start_at, end_at }) => `${start_at.slice(0, 13)} ${end_at.slice(0, 13)}`);
  };
  return {
    ...{ clock, deps, house, room, sibling, guest, other, owner, staff, booked, id, spot },
    ...{ book, leaveAt, events, freed, entries, taken },
  };
};

describe('a check-out before the end', () => {
  it('frees the hours from the next whole hour on, for the room and its house, in month and entry', async () => {
    const s = await scene();
    await expect(s.book(s.other, s.house.id, dates('2027-02-04', '2027-02-05'))).rejects.toMatchObject({
      code: 'LISTING_NOT_AVAILABLE',
    });
    await s.leaveAt('2027-02-03T10:20:00');
    expect(await s.taken()).toEqual(['2027-01-31T14 2027-02-03T11']);
    expect(await s.taken(s.house.id)).toEqual(['2027-01-31T14 2027-02-03T11']);
    expect(await s.entries()).toEqual(['BOOKED 2027-01-31T14 2027-02-03T11']);
    await expect(s.book(s.other, s.house.id, dates('2027-02-03', '2027-02-05'))).resolves.toBeDefined();
  });

  it('opens tonight for requests without a time: the day is available and can be booked', async () => {
    const s = await scene();
    await s.leaveAt('2027-01-31T16:20:00');
    const tonight = dates('2027-01-31', '2027-02-01');
    const day = async () => {
      const query = { start_date: '2027-01-31', end_date: '2027-01-31', granularity: 'day' } as const;
      const { items } = await readAvailability(s.other, s.room.id, query, (listing) => listing!);
      return items[0];
    };
    // The hour in which the guest leaves is the guest's.
    expect(await day()).toMatchObject({ state: 'BOOKED', available: false });
    await expect(s.book(s.other, s.room.id, tonight)).rejects.toMatchObject({
      code: 'LISTING_NOT_AVAILABLE',
    });
    s.clock.advance(40 * 60_000);
    expect(await day()).toMatchObject({ state: 'AVAILABLE', available: true });
    await expect(s.book(s.other, s.room.id, tonight)).resolves.toBeDefined();
    expect(await s.entries()).toEqual([
      'BOOKED 2027-01-31T14 2027-01-31T17',
      'BOOKED 2027-01-31T17 2027-02-01T12',
    ]);
    expect(await day()).toMatchObject({ state: 'BOOKED', available: false });
  });

  it('opens tonight to the other platforms, too, once the hour has ended', async () => {
    const s = await scene();
    const { export_url } = await listFeeds(s.owner, s.room.id, 'https://api.example.com');
    const token = new URL(export_url).searchParams.get('token') ?? '';
    const nights = async () => {
      const { body } = await exportCalendar(s.deps, s.room.id, { token });
      return [...body.matchAll(/DT(?:START|END);VALUE=DATE:(\d+)/g)].map(([, date]) => date);
    };
    await s.leaveAt('2027-02-03T16:20:00');
    expect(await nights()).toEqual(['20270131', '20270204']);
    s.clock.advance(40 * 60_000);
    expect(await nights()).toEqual(['20270131', '20270203']);
  });

  it('leaves the booking as it was sold, and the stay before it alone', async () => {
    const s = await scene();
    const before = await getBooking(s.guest, s.id);
    const after = await s.leaveAt('2027-02-03T10:20:00');
    for (const detail of [after, await getBooking(s.guest, s.id)])
      expect(detail).toMatchObject({
        state: 'CHECKED_OUT',
        check_in: '2027-01-31',
        check_out: '2027-02-07',
        end_at: before.end_at,
        nights: 7,
        total_price: before.total_price,
      });
  });

  it('at a whole hour frees that hour; within the last hour frees nothing, and emits nothing', async () => {
    const whole = await scene();
    await whole.leaveAt('2027-02-03T10:00:00');
    expect(await whole.taken()).toEqual(['2027-01-31T14 2027-02-03T10']);
    const late = await scene();
    await late.leaveAt('2027-02-07T11:00:01');
    expect(await late.taken()).toEqual(['2027-01-31T14 2027-02-07T12']);
    expect(await late.entries()).toEqual(['BOOKED 2027-01-31T14 2027-02-07T12']);
    expect(await late.freed()).toEqual([]);
  });

  it('after the end changes nothing in the calendar', async () => {
    const s = await scene();
    await s.leaveAt('2027-02-07T13:30:00');
    expect(await s.taken()).toEqual(['2027-01-31T14 2027-02-07T12']);
    expect(await s.freed()).toEqual([]);
  });

  it('of a guest who came early and left before the stay began keeps the hours of the guest', async () => {
    const s = await scene(dates('2027-01-31', '2027-02-02'));
    const early = await scene({ ...dates('2027-01-31', '2027-02-02'), check_in_time: '18:30:00' });
    await early.leaveAt('2027-01-31T15:10:00');
    expect(await early.taken()).toEqual(['2027-01-31T15 2027-01-31T16']);
    expect(await early.entries()).toEqual(['BOOKED 2027-01-31T15 2027-01-31T16']);
    expect((await early.freed()).map(({ data }) => [data['start_at'], data['end_at']])).toEqual([
      ['2027-01-31T15:00:00', '2027-01-31T18:00:00'],
      ['2027-01-31T16:00:00', '2027-02-02T12:00:00'],
    ]);
    await s.leaveAt('2027-01-31T15:10:00');
    expect(await s.entries()).toEqual(['BOOKED 2027-01-31T14 2027-01-31T16']);
  });

  it('of a stay of months is found in the calendar as the short one that it was', async () => {
    const s = await scene(dates('2027-01-31', '2027-05-31'));
    await s.leaveAt('2027-02-03T10:20:00');
    expect(await s.taken()).toEqual(['2027-01-31T14 2027-02-03T11']);
    expect(await s.entries()).toEqual(['BOOKED 2027-01-31T14 2027-02-03T11']);
    const range = { start_at: '2027-02-01T00:00:00', end_at: '2027-02-02T00:00:00' };
    expect(await overlappingEntries(s.deps.table, s.house.id, range)).toHaveLength(1);
  });

  it('emits the departure and the freed time in the host’s name', async () => {
    const s = await scene();
    await s.leaveAt('2027-02-03T10:20:00');
    expect((await s.events()).at(-1)).toMatchObject({ event_type: 'booking.checked_out' });
    const actor = `user:${s.staff.caller.user_id}`;
    expect(await s.freed()).toMatchObject([
      {
        actor,
        data: {
          id: s.room.id,
          start_at: '2027-02-03T11:00:00',
          end_at: '2027-02-07T12:00:00',
          by: actor,
        },
      },
    ]);
  });

  it('is followed by search and by the calendar export', async () => {
    const s = await scene();
    const worker = searchIndexWorker(() => s.deps);
    const found = async () => {
      const query = SearchQuery.parse({
        location: `${s.spot.latitude},${s.spot.longitude}`,
        radius_km: '1',
        check_in: '2027-02-04',
        check_out: '2027-02-06',
      });
      const { items } = await searchListings(s.guest, query, { cells: new CellReader({ keepMs: 0 }) });
      return items.map(({ id }) => id).filter((id) => id !== s.sibling.id);
    };
    const nights = async () => {
      const { export_url } = await listFeeds(s.owner, s.room.id, 'https://x.example');
      const token = new URL(export_url).searchParams.get('token') ?? '';
      const { body } = await exportCalendar(s.deps, s.room.id, { token });
      return [...body.matchAll(/DT(?:START|END);VALUE=DATE:(\d+)/g)].map(([, date]) => date);
    };
    await worker(queueEvent((await s.events())[0]!));
    expect(await found()).toEqual([]);
    expect(await nights()).toEqual(['20270131', '20270207']);
    await s.leaveAt('2027-02-03T10:20:00');
    await worker(queueEvent(...(await s.freed())));
    expect((await found()).sort()).toEqual([s.house.id, s.room.id].sort());
    expect(await nights()).toEqual(['20270131', '20270203']);
  });

  it('twice at once is done once; again is INVALID_STATE_TRANSITION and frees no other guest’s time', async () => {
    const s = await scene();
    s.clock.advance(at('2027-02-03T10:20:00') - s.clock.now());
    const both = await Promise.allSettled([1, 2, 3].map(() => moveBooking(s.staff, s.id, 'check_out')));
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await s.book(s.other, s.room.id, dates('2027-02-04', '2027-02-06'));
    await expect(moveBooking(s.staff, s.id, 'check_out')).rejects.toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
    });
    await expect(cancelBooking(s.owner, s.id)).rejects.toMatchObject({ code: 'INVALID_STATE_TRANSITION' });
    expect(await s.freed()).toHaveLength(1);
    expect(await s.taken()).toEqual(['2027-01-31T14 2027-02-03T11', '2027-02-04T14 2027-02-06T12']);
  });

  it.each([1, 2, 3, 4, 5])('against a booking of the freed hours: neither is lost (%i)', async () => {
    const s = await scene();
    s.clock.advance(at('2027-02-03T10:20:00') - s.clock.now());
    const [left, booked] = await Promise.allSettled([
      moveBooking(s.staff, s.id, 'check_out'),
      s.book(s.other, s.house.id, dates('2027-02-04', '2027-02-06')),
    ]);
    expect(left.status).toBe('fulfilled');
    if (booked.status === 'rejected') expect(booked.reason).toMatchObject({ code: 'LISTING_NOT_AVAILABLE' });
    const own = '2027-01-31T14 2027-02-03T11';
    const theirs = booked.status === 'fulfilled' ? ['2027-02-04T14 2027-02-06T12'] : [];
    expect(await s.taken()).toEqual([own, ...theirs]);
  });

  it.each([
    ['of a short stay', week, '2027-02-03T10:20:00'],
    ['of a stay of months', dates('2027-01-31', '2027-05-31'), '2027-02-03T10:20:00'],
    ['before the stay began', { check_in_time: '18:30:00' }, '2027-01-31T15:10:00'],
  ])('%s frees the hours where they are, when the home moves between its readings', async (_, stay, when) => {
    const s = await scene(stay);
    s.clock.advance(at(when) - s.clock.now());
    let hasMoved = false;
    const move = () => updateListing(s.owner, s.room.id, { parent_listing_id: null });
    const getAll: Table['getAll'] = async (reads) => {
      if (!hasMoved) {
        hasMoved = true;
        await move();
      }
      return s.deps.table.getAll(reads);
    };
    const table = new Proxy(s.deps.table, {
      get: (target, name) => {
        if (name === 'getAll') return getAll;
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    await moveBooking(testContext({ ...s.deps, table }, s.staff.caller), s.id, 'check_out');
    expect(hasMoved).toBe(true);
    const left = [
      when.startsWith('2027-01-31') ? '2027-01-31T15 2027-01-31T16' : '2027-01-31T14 2027-02-03T11',
    ];
    expect(await s.taken(s.room.id, s.room.id)).toEqual(left);
    expect(await s.taken(s.house.id)).toEqual([]);
    expect(await s.entries()).toEqual(left.map((range) => `BOOKED ${range}`));
  });

  it('frees every stay of a master that is left', async () => {
    const s = await scene();
    const both = await confirmCheckout(s.guest, {
      items: [s.sibling, await testListing(s.deps, { team_id: s.sibling.team_id })].map(({ id }) => ({
        listing_id: id,
        ...dates('2027-01-31', '2027-02-05'),
        guest_number: 2,
      })),
      payment_method: 'CASH',
    });
    await moveBooking(s.staff, both.master_reservation_id, 'check_in');
    s.clock.advance(at('2027-02-02T09:30:00') - s.clock.now());
    await moveBooking(s.staff, both.master_reservation_id, 'check_out');
    for (const { listing_id } of both.reservations)
      expect(await s.taken(listing_id, listing_id)).toEqual(['2027-01-31T15 2027-02-02T10']);
  });
});

describe('a check-in', () => {
  it('is INVALID_STATE_TRANSITION once the stay has ended, in the listing’s zone, not a second before', async () => {
    const ended = async (local: string) => {
      const clock = fixedClock(testStart);
      const deps = await testDependencies({ clock });
      const { team_id } = await testTeam(deps);
      const { id } = await testListing(deps, { team_id, timezone: 'America/New_York' });
      const guest = testContext(deps, (await testUser(deps)).caller);
      const memberships = [{ team_id, role: 'STAFF' as const }];
      const staff = testContext(deps, (await testUser(deps, { memberships })).caller);
      const items = [{ listing_id: id, ...week, guest_number: 2 }];
      const booked = await confirmCheckout(guest, { items, payment_method: 'CASH' });
      clock.advance(Date.parse(`${local}-05:00`) - clock.now());
      return moveBooking(staff, booked.reservations[0]!.id, 'check_in');
    };
    await expect(ended('2027-02-07T12:00:00')).rejects.toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
      details: { end_at: '2027-02-07T12:00:00' },
    });
    expect(await ended('2027-02-07T11:59:59')).toMatchObject({ state: 'CHECKED_IN' });
  });
});

// DynamoDB Local counts other units than DynamoDB's documentation.

describe.runIf(countsUnits)('the cost of a check-out', () => {
  const costOf = async (local: string) => {
    const s = await scene(dates('2027-01-31', '2027-02-03'));
    const spent: Consumption[] = [];
    const table = s.deps.table.measured((one) => spent.push(one));
    s.clock.advance(at(local) - s.clock.now());
    await moveBooking(testContext({ ...s.deps, table }, s.staff.caller), s.id, 'check_out');
    const sum = (units: (one: Consumption) => number) => spent.reduce((total, one) => total + units(one), 0);
    return { wcu: sum(({ writeUnits }) => writeUnits), rcu: sum(({ readUnits }) => readUnits) };
  };

  it('on time is 10 write units, two nights early 18 in a child', async () => {
    expect(await costOf('2027-02-03T11:30:00')).toEqual({ wcu: 10, rcu: 5.5 });
    expect(await costOf('2027-02-01T10:00:00')).toEqual({ wcu: 18, rcu: 7.5 });
  });
});

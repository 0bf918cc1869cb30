import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { blockTime } from '../../shared/domain/calendar/block-time.ts';
import { followCalendar } from '../../shared/domain/ical/follow-calendar.ts';
import { feedsOf } from '../../shared/domain/ical/ical.store.ts';
import { type Listing, ListingEntity } from '../../shared/domain/listing/listing.entity.ts';
import { put } from '../../shared/platform/table/index.ts';
import { calendarWith } from '../support/calendars.ts';
import { bookStay, eventsOf, queueEvent } from '../support/events.ts';
import { apiUrl } from '../support/import-scene.ts';
import { testListing } from '../support/listings.ts';
import { platformScene, sold } from '../support/platform-scene.ts';
import { testContext } from '../support/table.ts';

let s: Awaited<ReturnType<typeof platformScene>>;
beforeEach(async () => {
  s = await platformScene();
});
afterEach(async () => {
  expect(await s.audited()).toEqual([]);
});

const b = sold('b', '2027-03-01', '2027-03-03', 'Blocked');
const [created, changed, cancelled, refunded] = [
  'booking.created by host',
  'booking.changed by system',
  'booking.cancelled by system',
  'payment.refunded by system',
];

/** Follows a calendar with these events and adopts its first stay. */
const adopted = async (...events: string[][]): Promise<number> => {
  s.publish(...events, b);
  await s.followAs({ label: 'Airbnb' });
  return s.adopt();
};
const next = async (...events: string[][]) => {
  s.publish(...events, b);
  return s.next();
};
const a = (from: string, to: string, uid = 'a') => sold(uid, `2027-02-${from}`, `2027-02-${to}`);
const stay = (from: string, to: string) =>
  bookStay(s.asGuest, {
    listing_id: s.listing.id,
    check_in_date: `2027-02-${from}`,
    check_out_date: `2027-02-${to}`,
  });
/** What the listing holds in February. */
const february = async () => (await s.held()).filter((text) => / 02-/.test(text));
const dates = async (id: number) => {
  const { check_in, check_out, nights, total_price, state } = await s.booking(id);
  return `${check_in.slice(8)} ${check_out.slice(8)} ${nights} ${total_price} ${state}`;
};

describe('an event that moves', () => {
  it.each([
    ['later', '06', '09'],
    ['apart', '20', '22'],
    ['longer', '03', '07'],
    ['shorter', '05', '06'],
  ])('%s moves its stay, at the same price, and frees what it leaves', async (_, from, to) => {
    const id = await adopted(a('04', '07'));
    expect(await next(a(from, to))).toMatchObject({ status: 'ACTIVE', imported: 2, conflicts: [] });
    expect(await february()).toEqual([`STAY 02-${from}T14 02-${to}T12`]);
    expect(await dates(id)).toBe(`${from} ${to} ${Number(to) - Number(from)} 3000000 CONFIRMED`);
    expect(await s.historyOf(id)).toEqual([created, changed]);
    await next(a(from, to));
    expect(await s.historyOf(id)).toHaveLength(2);
    // And once more, by the same UID.
    await next(a('10', '12'));
    expect(await february()).toEqual(['STAY 02-10T14 02-12T12']);
  });

  it('beside others of its calendar leaves no hour open and takes none twice', async () => {
    const id = await adopted(a('04', '07'), a('07', '09', 'c'), a('09', '11', 'd'));
    await next(a('07', '09'), a('04', '07', 'c'), a('09', '11', 'd'));
    expect(await dates(id)).toMatch(/^07 09/);
    expect(await february()).toEqual([
      'IMPORTED 02-04T14 02-07T12',
      'STAY 02-07T14 02-09T12',
      'IMPORTED 02-09T14 02-11T12',
    ]);
    await next(a('08', '11'), a('05', '06', 'c'));
    expect(await february()).toEqual(['IMPORTED 02-05T14 02-06T12', 'STAY 02-08T14 02-11T12']);
  });

  it('over time of ours is a conflict: the stay keeps its time, and follows when that is free', async () => {
    const id = await adopted(a('04', '07'));
    const { booking_id } = await stay('08', '10');
    const at = (from: string, to: string) => ({
      start_at: `2027-02-${from}:00:00`,
      end_at: `2027-02-${to}:00:00`,
    });
    expect(await next(a('06', '09'))).toMatchObject({
      status: 'CONFLICT',
      conflicts: [
        { ...at('04T14', '07T12'), booking_id: id },
        { ...at('08T14', '09T12'), booking_id },
      ],
    });
    expect(await february()).toEqual([
      'STAY 02-04T14 02-07T12',
      'IMPORTED 02-07T14 02-08T14',
      'STAY 02-08T14 02-10T12',
    ]);
    await s.next();
    expect(await s.historyOf(id)).toEqual([created]);
    await s.desk.ok(s.host, 'cancelBooking', { params: { booking_id } });
    expect(await s.next()).toMatchObject({ status: 'ACTIVE', conflicts: [] });
    expect(await february()).toEqual(['STAY 02-06T14 02-09T12']);
    const rung = await eventsOf(s.deps.table, `FEED#${s.listing.id}`);
    const types = rung.map(({ event_type }) => event_type);
    expect(types.filter((type) => type === 'calendar.conflict')).toHaveLength(2);
    expect(types.filter((type) => type === 'calendar.conflict_ended')).toHaveLength(2);
  });

  it('over a block of another calendar is a conflict of the stay too', async () => {
    const id = await adopted(a('04', '07'));
    const other = 'https://other.example.com/x.ics';
    s.remote.texts[other] = calendarWith(sold('z', '2027-02-08', '2027-02-10', 'Blocked'));
    await s.follow(other);
    await next(a('08', '10'));
    const [feed] = (await s.list()).filter(({ url }) => url !== other);
    expect(feed!.conflicts).toMatchObject([{ start_at: '2027-02-04T14:00:00', booking_id: id }]);
  });

  it('in house changes the end alone, and what a calendar cuts of the past is no change', async () => {
    const id = await adopted(sold('a', '2027-01-15', '2027-01-18'));
    s.deps.clock.advance(5 * 3_600_000);
    await s.desk.ok(s.host, 'checkInBooking', { params: { booking_id: id } });
    s.deps.clock.advance(24 * 3_600_000);
    expect(await next(sold('a', '2027-01-16', '2027-01-18'))).toMatchObject({ conflicts: [] });
    expect(await s.historyOf(id)).not.toContain(changed);
    await next(sold('a', '2027-01-16', '2027-01-20'));
    expect(await s.booking(id)).toMatchObject({
      check_in: '2027-01-15',
      check_out: '2027-01-20',
      state: 'CHECKED_IN',
    });
  });

  it('is not the new standard time of the listing', async () => {
    const id = await adopted(a('04', '07'));
    const listing = { ...s.listing, standard_check_in_time: '15:00:00', standard_check_out_time: '13:00:00' };
    await s.deps.table.transact([put(ListingEntity, listing)]);
    await next(a('04', '07'));
    expect(await s.historyOf(id)).toEqual([created]);
    expect(await february()).toEqual(['STAY 02-04T14 02-07T12']);
  });
});

describe('an event that vanishes', () => {
  it('cancels its stay at the second fetch without it, and its nights are free', async () => {
    const id = await adopted(a('04', '07'));
    await next();
    expect(await s.historyOf(id)).toEqual([created]);
    await next();
    expect(await s.historyOf(id)).toEqual([created, cancelled, refunded]);
    expect(await s.booking(id)).toMatchObject({
      ...{ state: 'CANCELLED', payment_status: 'REFUNDED', cancel_reason: 'The platform has cancelled it.' },
      ...{ amount_refunded: 3_000_000, amount_due: 0 },
    });
    expect(await february()).toEqual([]);
    await stay('04', '07');
  });

  it('is back at the next fetch, and nothing has happened', async () => {
    const id = await adopted(a('04', '07'));
    await next();
    await next(a('04', '07'));
    await next();
    expect(await s.historyOf(id)).toEqual([created]);
  });

  it('with most others is quarantined, and cancels nothing until a host says so', async () => {
    const id = await adopted(a('04', '12'), a('14', '19', 'c'));
    for (let fetch = 0; fetch < 3; fetch++) expect(await next()).toMatchObject({ status: 'QUARANTINED' });
    expect(await s.historyOf(id)).toEqual([created]);
    await s.follow();
    await s.sync();
    expect(await s.historyOf(id)).toEqual([created, cancelled, refunded]);
    expect(await february()).toEqual([]);
  });

  it('of a stay that has started, arrived or not, is a conflict until it is over', async () => {
    const id = await adopted(sold('a', '2027-01-15', '2027-01-17'));
    s.deps.clock.advance(5 * 3_600_000);
    await next();
    const conflicts = [{ start_at: '2027-01-15T14:00:00', end_at: '2027-01-17T12:00:00', booking_id: id }];
    expect(await next()).toMatchObject({ status: 'CONFLICT', conflicts });
    expect((await s.today()).conflicts).toMatchObject(conflicts);
    await s.desk.ok(s.host, 'checkInBooking', { params: { booking_id: id } });
    expect(await s.next()).toMatchObject({ conflicts });
    expect(await s.historyOf(id)).toEqual([created, 'booking.checked_in by host']);
    s.deps.clock.advance(48 * 3_600_000);
    expect(await s.sync()).toMatchObject({ status: 'ACTIVE', conflicts: [] });
  });

  it('before check-in although the guest is in house is a conflict', async () => {
    const id = await adopted(sold('a', '2027-01-15', '2027-01-17'));
    await s.desk.ok(s.host, 'checkInBooking', { params: { booking_id: id } });
    await next();
    expect(await next()).toMatchObject({ conflicts: [{ booking_id: id }] });
    expect((await s.booking(id)).state).toBe('CHECKED_IN');
  });
});

describe('an event under another UID', () => {
  it('over the same nights is the same stay, which follows it from then on', async () => {
    const id = await adopted(a('04', '07'));
    await next(a('04', '07', 'new'));
    await next(a('04', '07', 'new'));
    expect(await s.historyOf(id)).toEqual([created]);
    await next(a('05', '08', 'new'));
    await next(a('05', '08', 'newer'));
    await next(a('06', '08', 'newer'));
    expect(await february()).toEqual(['STAY 02-06T14 02-08T12']);
    expect(await s.historyOf(id)).toEqual([created, changed, changed]);
  });

  it('over more nights is another stay, and no hour is open in between', async () => {
    const id = await adopted(a('04', '07'));
    await next(a('03', '08', 'new'));
    expect((await s.booking(id)).state).toBe('CANCELLED');
    expect(await february()).toEqual(['IMPORTED 02-03T14 02-08T12']);
    expect((await s.imported()).items).toMatchObject([{ check_in_date: '2027-02-03' }]);
  });
});

describe('adopted stays of several calendars', () => {
  const other = 'https://other.example.com/x.ics';
  const followOther = (...events: string[][]) => {
    s.remote.texts[other] = calendarWith(...events);
    return s.follow(other);
  };

  it('are in conflict where another platform sells their nights, and not where it closes them', async () => {
    const id = await adopted(a('04', '07'));
    expect(await followOther(sold('z', '2027-02-03', '2027-02-06', 'Not available'))).toMatchObject({
      conflicts: [],
    });
    expect(await followOther(sold('z', '2027-02-03', '2027-02-06'))).toMatchObject({
      conflicts: [{ start_at: '2027-02-04T14:00:00', end_at: '2027-02-06T12:00:00', booking_id: id }],
    });
    expect(await february()).toEqual(['IMPORTED 02-03T14 02-04T14', 'STAY 02-04T14 02-07T12']);
  });
});

describe('adopted stays of a house and its rooms', () => {
  const syncRoom = async (room: Listing) => {
    for (const { listing_id, url_hash } of await feedsOf(s.deps.table, room.id))
      await s.worker(queueEvent(JSON.stringify({ listing_id, url_hash })));
  };
  const roomUrl = 'https://calendars.example.com/room.ics';
  const family = async () => {
    const room = await testListing(s.deps, { team_id: s.team_id, parent_listing_id: s.listing.id });
    const house: Listing = { ...s.listing, child_listing_ids: [room.id] };
    await s.deps.table.transact([put(ListingEntity, house)]);
    const ctx = testContext(s.deps, s.host);
    const outgoing = { fetchCalendar: s.fetchCalendar, apiUrl };
    const followRoom = (...events: string[][]) => {
      s.remote.texts[roomUrl] = calendarWith(...events);
      return followCalendar(ctx, room.id, { url: roomUrl }, outgoing);
    };
    return { room, followRoom };
  };

  it('a house’s stands where the platform closes its rooms for it', async () => {
    const { followRoom } = await family();
    const id = await adopted(a('04', '07'));
    for (const text of ['Not available', 'Reserved'])
      expect(await followRoom(sold('r', '2027-02-04', '2027-02-07', text))).toMatchObject({
        ...{ conflicts: [], imported: 0 },
      });
    await next(a('04', '07'));
    expect(await dates(id)).toMatch(/^04 07 .* CONFIRMED$/);
    expect(await february()).toEqual(['STAY 02-04T14 02-07T12']);
  });

  it('a house’s is never kept from the platform of its rooms', async () => {
    const { room, followRoom } = await family();
    s.publish(a('04', '07'), b);
    await s.follow();
    const { export_url } = await followRoom();
    const shown = async () => (await s.fetched(export_url)).body.includes('DTSTART;VALUE=DATE:20270204');
    s.deps.clock.advance(10 * 60_000);
    await syncRoom(room);
    expect(await shown()).toBe(true);
    await s.adopt();
    expect(await shown()).toBe(true);
  });

  it('a room’s explains the house’s event, and moves with its own', async () => {
    const { room, followRoom } = await family();
    await followRoom(sold('r', '2027-02-04', '2027-02-07'));
    const id = await s.adopt();
    expect((await s.booking(id)).listing_number).toBe(room.id);
    s.publish(sold('h', '2027-02-04', '2027-02-07', 'Not available'));
    expect(await s.follow()).toMatchObject({ explained: 1, conflicts: [] });
    await followRoom(sold('r', '2027-02-05', '2027-02-07'));
    expect(await dates(id)).toMatch(/^04 07/);
    await syncRoom(room);
    expect(await dates(id)).toMatch(/^05 07/);
  });
});

it('a calendar of an archived listing leaves its stays as they are', async () => {
  const id = await adopted(a('04', '07'));
  await s.deps.table.transact([put(ListingEntity, { ...s.listing, state: 'ARCHIVED' })]);
  await s.next().catch(() => undefined);
  await s.deps.table.transact([put(ListingEntity, s.listing)]);
  expect(await s.list()).toEqual([]);
  expect(await dates(id)).toMatch(/CONFIRMED$/);
  await s.desk.ok(s.host, 'cancelBooking', { params: { booking_id: id } });
});

it('a block of a host is in the way of an event as a stay is', async () => {
  const id = await adopted(a('04', '07'));
  await blockTime(testContext(s.deps, s.host), s.listing.id, { block_date: '2027-02-08' });
  expect(await next(a('04', '09'))).toMatchObject({ conflicts: [{ booking_id: id }, { booking_id: null }] });
  expect(await february()).toEqual([
    'STAY 02-04T14 02-07T12',
    'IMPORTED 02-07T14 02-08T14',
    'BLOCK 02-08T14 02-09T12',
  ]);
});

import { beforeEach, describe, expect, it } from 'vitest';
import { feeds } from '../../functions/feeds/index.ts';
import { icalWorker } from '../../functions/workers/ical/index.ts';
import { cancelBooking } from '../../shared/domain/booking/cancel-booking.ts';
import { blockTime, unblockTime } from '../../shared/domain/calendar/block-time.ts';
import { CalendarDraft } from '../../shared/domain/calendar/calendar-draft.store.ts';
import { overlappingEntries } from '../../shared/domain/calendar/calendar.store.ts';
import { createCheckout } from '../../shared/domain/checkout/create-checkout.ts';
import { exportCalendar } from '../../shared/domain/ical/export-calendar.ts';
import { followCalendar } from '../../shared/domain/ical/follow-calendar.ts';
import { FeedRevisionEntity, feedsOf } from '../../shared/domain/ical/ical.store.ts';
import { listFeeds } from '../../shared/domain/ical/list-feeds.ts';
import { unfollowCalendar } from '../../shared/domain/ical/unfollow-calendar.ts';
import { archiveListing } from '../../shared/domain/listing/archive-listing.ts';
import { type Listing, ListingEntity } from '../../shared/domain/listing/listing.entity.ts';
import { updateListing } from '../../shared/domain/listing/update-listing.ts';
import { fetchOutgoing } from '../../shared/platform/outgoing/index.ts';
import { put } from '../../shared/platform/table/index.ts';
import { event, feedOf, nights } from '../support/calendars.ts';
import { bookStay, eventsOf, queueEvent } from '../support/events.ts';
import { blocksOf, importScene, url } from '../support/import-scene.ts';
import { testListing } from '../support/listings.ts';

let s: Awaited<ReturnType<typeof importScene>>;
beforeEach(async () => {
  s = await importScene();
});

const a = nights('a', '2027-02-04', '2027-02-06');
const b = nights('b', '2027-03-01', '2027-03-03');
const c = nights('c', '2027-04-01', '2027-04-02');
const d = nights('d', '2027-05-01', '2027-05-06');
const [atA, atB, atC, atD] = [
  '2027-02-04T14 2027-02-06T12',
  '2027-03-01T14 2027-03-03T12',
  '2027-04-01T14 2027-04-02T12',
  '2027-05-01T14 2027-05-06T12',
];

const stay = (check_in_date: string, check_out_date: string) =>
  bookStay(s.asGuest, { listing_id: s.listing.id, check_in_date, check_out_date });

describe('a calendar that a listing follows', () => {
  it('is in the calendar when the answer comes', async () => {
    s.remote.text = feedOf('airbnb');
    const feed = await s.follow();
    expect(feed).toMatchObject({
      listing_id: s.listing.id,
      url,
      status: 'ACTIVE',
      problem: null,
      last_synced_at: '2027-01-15T03:00:00.000Z',
      imported: 3,
      conflicts: [],
    });
    expect(await s.list()).toEqual([feed]);
    expect(await s.blocks()).toEqual([
      '2027-02-04T14 2027-02-07T12',
      '2027-02-07T14 2027-02-09T12',
      '2028-01-15T14 2028-01-16T12',
    ]);
    await expect(stay('2027-02-05', '2027-02-06')).rejects.toMatchObject({ code: 'LISTING_NOT_AVAILABLE' });
    await expect(stay('2027-02-09', '2027-02-10')).resolves.toBeDefined();
  });

  it('says in its blocks where they come from, and of a guest what the platform calls a stay', async () => {
    s.remote.text = feedOf('vrbo');
    await s.follow();
    const entries = await overlappingEntries(s.deps.table, s.listing.id, {
      start_at: '2027-01-01T00:00:00',
      end_at: '2028-01-01T00:00:00',
    });
    for (const entry of entries)
      expect(entry).toMatchObject({
        state: 'BLOCKED',
        note: 'Imported from calendars.example.com',
        reservation_id: null,
      });
    expect(entries.map(({ imported }) => imported?.summary)).toEqual(['Reserved - Maria', undefined]);
    expect(JSON.stringify(entries)).not.toMatch(/4567|HMABC/);
  });

  it('emits events in the transactions of the change', async () => {
    s.publish(a, b);
    await s.follow();
    const [emitted, ...others] = await eventsOf(s.deps.table, `LISTING#${s.listing.id}`);
    expect(others).toEqual([]);
    expect(emitted).toMatchObject({
      event_type: 'availability.changed',
      actor: 'system:calendar-import',
      data: { id: s.listing.id, start_at: '2027-02-04T14:00:00', end_at: '2027-03-03T12:00:00' },
    });
  });

  it('follows moves and changes at once, without leaving their hours open in between', async () => {
    s.publish(a, b);
    await s.follow();
    s.publish(nights('a', '2027-02-05', '2027-02-08'), nights('b', '2027-06-01', '2027-06-02'));
    await s.next();
    expect(await s.blocks()).toEqual(['2027-02-05T14 2027-02-08T12', '2027-06-01T14 2027-06-02T12']);
  });

  it('merges events of its own that overlap, and keeps those that touch apart', async () => {
    s.publish(
      nights('a', '2027-02-04', '2027-02-06'),
      nights('b', '2027-02-05', '2027-02-07'),
      nights('c', '2027-02-07', '2027-02-08'),
    );
    expect((await s.follow()).imported).toBe(3);
    expect(await s.blocks()).toEqual(['2027-02-04T14 2027-02-07T12', '2027-02-07T14 2027-02-08T12']);
    await s.next();
    expect(await s.blocks()).toHaveLength(2);
  });

  it('cuts what is longer than a stay, and finds it again', async () => {
    s.publish(nights('a', '2027-02-04', '2028-08-01'));
    await s.follow();
    expect(await s.blocks()).toEqual(['2027-02-04T14 2028-02-04T14', '2028-02-04T14 2028-08-01T12']);
    const changes = await eventsOf(s.deps.table, `LISTING#${s.listing.id}`);
    s.publish(nights('a', '2027-02-04', '2028-08-01'), b);
    await s.next();
    expect(await eventsOf(s.deps.table, `LISTING#${s.listing.id}`)).toHaveLength(changes.length);
  });

  it('blocks parent and child as a block of the listing does', async () => {
    const child = await testListing(s.deps, { team_id: s.team_id, parent_listing_id: s.listing.id });
    s.publish(a);
    await s.follow();
    const booked = bookStay(s.asGuest, {
      listing_id: child.id,
      check_in_date: '2027-02-05',
      check_out_date: '2027-02-06',
    });
    await expect(booked).rejects.toMatchObject({ code: 'LISTING_NOT_AVAILABLE' });
  });
});

describe('an event over time of a house of which a room is under a soft lock', () => {
  const family = async (count: number) => {
    const more = { team_id: s.team_id, parent_listing_id: s.listing.id };
    const rooms = await Promise.all(Array.from({ length: count }, () => testListing(s.deps, more)));
    const child_listing_ids = rooms.map(({ id }) => id);
    await s.deps.table.transact([put(ListingEntity, { ...s.listing, child_listing_ids })]);
    return rooms as [Listing, ...Listing[]];
  };
  const hold = ({ id: listing_id }: Listing, check_in_date = '2027-02-04', check_out_date = '2027-02-06') =>
    createCheckout(s.asGuest, { items: [{ listing_id, check_in_date, check_out_date, guest_number: 1 }] });

  it('blocks the other rooms, which cannot be booked, and what is free of the house', async () => {
    const [held, free] = await family(2);
    await hold(held);
    s.publish(nights('whole', '2027-02-03', '2027-02-07'));
    expect(await s.follow()).toMatchObject({ status: 'CONFLICT', imported: 1 });
    expect(await s.blocks()).toEqual(['2027-02-03T14 2027-02-04T14', '2027-02-06T12 2027-02-07T12']);
    expect(await blocksOf(s.deps, free!)).toEqual([atA]);
    expect(await blocksOf(s.deps, held)).toEqual([]);
    await expect(hold(free!)).rejects.toMatchObject({ code: 'LISTING_NOT_AVAILABLE' });
    expect(await s.next(16)).toMatchObject({ status: 'ACTIVE', conflicts: [] });
    expect(await s.blocks()).toEqual(['2027-02-03T14 2027-02-07T12']);
    expect(await blocksOf(s.deps, free!)).toEqual([]);
  });

  it('blocks the rooms of a large house over months, though no transaction takes all of them', async () => {
    const dates = ['2027-02-20', '2027-05-10'] as const;
    const [held, ...others] = await family(25);
    await hold(held, ...dates);
    s.publish(nights('whole', ...dates));
    expect(await s.follow()).toMatchObject({ status: 'CONFLICT', imported: 1 });
    for (const room of others) expect(await blocksOf(s.deps, room)).toEqual(['2027-02-20T14 2027-05-10T12']);
  });

  it('frees the rooms when the calendar is followed no more, and when the house is archived', async () => {
    const [held, free] = await family(2);
    await hold(held);
    s.publish(a, b, c);
    await s.follow();
    expect(await blocksOf(s.deps, free!)).toEqual([atA]);
    await s.unfollow((await s.list())[0]!.id);
    expect(await blocksOf(s.deps, free!)).toEqual([]);
    await s.follow();
    expect(await blocksOf(s.deps, free!)).toEqual([atA]);
    const [feed] = await feedsOf(s.deps.table, s.listing.id);
    s.deps.clock.advance(16 * 60_000);
    await archiveListing(s.asOwner, s.listing.id);
    await s.worker(queueEvent(JSON.stringify(feed)));
    expect(await blocksOf(s.deps, free!)).toEqual([]);
    expect(await feedsOf(s.deps.table, s.listing.id)).toEqual([]);
  });

  it('keeps a room in the house as a block of the house does', async () => {
    const [held, free] = await family(2);
    await hold(held);
    s.publish(a, b, c);
    await s.follow();
    const leave = () => updateListing(s.asOwner, free!.id, { parent_listing_id: null });
    await expect(leave()).rejects.toMatchObject({
      code: 'LISTING_NOT_AVAILABLE',
      message: expect.stringContaining('of the parent') as string,
    });
    await s.unfollow((await s.list())[0]!.id);
    await expect(leave()).resolves.toMatchObject({ parent_listing_id: null });
  });

  it('is left out of the text of its own follower, and shown to others', async () => {
    const [held, free] = await family(2);
    await hold(held);
    s.publish(a, b, c);
    const { export_url } = await s.follow();
    const text = async (listing_id: number, address: string) => {
      const token = new URL(address).searchParams.get('token') ?? '';
      return (await exportCalendar(s.deps, listing_id, { token })).body;
    };
    expect(await text(s.listing.id, export_url)).not.toContain('BEGIN:VEVENT');
    const room = await listFeeds(s.asOwner, free!.id, 'https://api');
    expect(await text(free!.id, room.export_url)).toContain('DTSTART;VALUE=DATE:20270204');
  });
});

describe('an event that vanishes', () => {
  beforeEach(async () => {
    s.publish(a, b, c);
    await s.follow();
  });

  it('frees its time at the second good fetch in a row', async () => {
    s.publish(a, b);
    expect(await s.next()).toMatchObject({ status: 'ACTIVE', imported: 3 });
    expect(await s.blocks()).toEqual([atA, atB, atC]);
    expect(await s.next()).toMatchObject({ status: 'ACTIVE', imported: 2 });
    expect(await s.blocks()).toEqual([atA, atB]);
    await expect(stay('2027-04-01', '2027-04-02')).resolves.toBeDefined();
  });

  it('also where the server says the second time that nothing has changed', async () => {
    s.remote.headers = { etag: '"2"' };
    s.publish(a, b);
    await s.next();
    await s.next();
    expect(s.remote.asked.at(-1)).not.toHaveProperty('If-None-Match');
    expect(await s.blocks()).toEqual([atA, atB]);
  });

  it('keeps its time when it comes back, or when a fetch in between has failed', async () => {
    s.publish(a, b);
    await s.next();
    s.publish(a, b, c);
    await s.next();
    s.publish(a, b);
    await s.next();
    expect(await s.blocks()).toEqual([atA, atB, atC]);
    s.remote.status = 503;
    expect(await s.next()).toMatchObject({ status: 'FAILING', problem: 'answers with status 503' });
    s.remote.status = 200;
    expect(await s.next(20)).toMatchObject({ status: 'ACTIVE' });
    expect(await s.blocks()).toEqual([atA, atB, atC]);
    await s.next();
    expect(await s.blocks()).toEqual([atA, atB]);
  });

  it('is none when its UID changes, as those of Airbnb do every day', async () => {
    const renamed = [
      nights('a2', '2027-02-04', '2027-02-06'),
      nights('b2', '2027-03-01', '2027-03-03'),
      nights('c2', '2027-04-01', '2027-04-02'),
    ];
    s.publish(...renamed);
    const emitted = await eventsOf(s.deps.table, `LISTING#${s.listing.id}`);
    expect(await s.next()).toMatchObject({ status: 'ACTIVE', imported: 3 });
    expect(await s.blocks()).toEqual([atA, atB, atC]);
    expect(await eventsOf(s.deps.table, `LISTING#${s.listing.id}`)).toHaveLength(emitted.length);
  });

  it('is forgotten when it is over, and stays in the history', async () => {
    s.deps.clock.set('2027-03-10T03:00:00Z');
    s.publish(c);
    expect(await s.sync()).toMatchObject({ status: 'ACTIVE', imported: 1 });
    await s.next();
    expect(await s.blocks()).toEqual([atA, atB, atC]);
  });
});

describe('the quarantine', () => {
  beforeEach(async () => {
    s.publish(a, b, c, d);
    await s.follow();
  });

  it('keeps everything when a feed is suddenly empty, as long as it takes', async () => {
    s.publish();
    for (let fetches = 0; fetches < 4; fetches++)
      expect(await s.next()).toMatchObject({ status: 'QUARANTINED', imported: 4 });
    expect((await s.list())[0]?.problem).toContain('lost 10 nights at once');
    expect(await s.blocks()).toEqual([atA, atB, atC, atD]);
  });

  it('takes more than half: exactly half goes the usual way', async () => {
    s.publish(a);
    expect(await s.next()).toMatchObject({ status: 'QUARANTINED' });
    s.publish(a, b, c, d);
    expect(await s.next()).toMatchObject({ status: 'ACTIVE' });
    s.publish(a, b, c);
    expect(await s.next()).toMatchObject({ status: 'ACTIVE' });
    await s.next();
    expect(await s.blocks()).toEqual([atA, atB, atC]);
  });

  it('keeps what an event loses under its UID, until the host adds the address again', async () => {
    s.publish(a, b, c, nights('d', '2027-05-01', '2027-05-02'));
    expect(await s.next()).toMatchObject({ status: 'ACTIVE' });
    s.publish(nights('a', '2027-02-04', '2027-02-14'), b, c);
    await s.next();
    s.publish(nights('a', '2027-02-04', '2027-02-05'), b, c);
    for (let fetches = 0; fetches < 3; fetches++)
      expect(await s.next()).toMatchObject({ status: 'QUARANTINED' });
    expect(await s.blocks()).toContain('2027-02-04T14 2027-02-14T12');
    expect(await s.follow()).toMatchObject({ status: 'ACTIVE' });
    expect(await s.blocks()).toEqual(['2027-02-04T14 2027-02-05T12', atB, atC]);
  });

  it('lets new events in, and does not end because of them', async () => {
    s.publish(
      a,
      ...[1, 2, 3, 4, 5, 6].map((day) => nights(`new${day}`, `2027-07-0${day}`, `2027-07-0${day + 1}`)),
    );
    for (let fetches = 0; fetches < 3; fetches++) await s.next();
    expect(await s.list()).toMatchObject([{ status: 'QUARANTINED', imported: 10 }]);
    expect(await s.blocks()).toEqual(expect.arrayContaining([atA, atB, atC, atD]));
  });

  it('ends where a host adds the address again', async () => {
    s.publish(a);
    await s.next();
    const feed = await s.follow();
    expect(feed).toMatchObject({ status: 'ACTIVE', imported: 1, problem: null });
    expect(await s.list()).toEqual([feed]);
    expect(await s.blocks()).toEqual([atA]);
  });

  it('is not left by adding the address again when there is none', async () => {
    s.publish(a, b, c);
    expect(await s.follow()).toMatchObject({ status: 'ACTIVE', imported: 4 });
    expect(await s.blocks()).toEqual([atA, atB, atC, atD]);
  });
});

describe('an event over time of ours', () => {
  const range = { start_at: '2027-02-05T14:00:00', end_at: '2027-02-06T12:00:00' };

  it('is a conflict, never overwrites a booking, and takes the rest', async () => {
    const { booking_id } = await stay('2027-02-05', '2027-02-06');
    s.publish(nights('a', '2027-02-04', '2027-02-08'));
    expect(await s.follow()).toMatchObject({ status: 'CONFLICT', conflicts: [range], imported: 1 });
    expect(await s.blocks()).toEqual(['2027-02-04T14 2027-02-05T14', '2027-02-06T12 2027-02-08T12']);
    await s.next();
    expect(await s.blocks()).toHaveLength(2);
    await cancelBooking(s.asGuest, booking_id);
    expect(await s.next()).toMatchObject({ status: 'ACTIVE', conflicts: [] });
    expect(await s.blocks()).toEqual(['2027-02-04T14 2027-02-08T12']);
  });

  it('takes nothing where all of it is ours', async () => {
    await stay('2027-02-05', '2027-02-06');
    s.publish(nights('a', '2027-02-05', '2027-02-06'));
    expect(await s.follow()).toMatchObject({ status: 'CONFLICT', conflicts: [range], imported: 0 });
    expect(await s.blocks()).toEqual([]);
  });

  it('is none where it arrives on the day of a departure, also of a listing that is sold by the hour', async () => {
    s = await importScene({ allow_hourly_booking: true, price_per_hour: 100 });
    await stay('2027-02-04', '2027-02-06');
    s.publish(nights('a', '2027-02-06', '2027-02-08'));
    expect(await s.follow()).toMatchObject({ status: 'ACTIVE', conflicts: [], imported: 1 });
    expect(await s.blocks()).toEqual(['2027-02-06T14 2027-02-08T12']);
  });

  it('waits for a live soft lock, and takes the time when it has expired', async () => {
    const items = [
      {
        listing_id: s.listing.id,
        check_in_date: '2027-02-05',
        check_out_date: '2027-02-06',
        guest_number: 1,
      },
    ];
    await createCheckout(s.asGuest, { items });
    s.publish(nights('a', '2027-02-05', '2027-02-06'));
    expect(await s.follow()).toMatchObject({ status: 'CONFLICT', conflicts: [range] });
    expect(await s.next(16)).toMatchObject({ status: 'ACTIVE', imported: 1 });
    expect(await s.blocks()).toEqual(['2027-02-05T14 2027-02-06T12']);
  });

  it("conflicts with a host's block, and not with the same stay in another feed", async () => {
    await blockTime(s.asOwner, s.listing.id, range);
    s.publish(nights('a', '2027-02-05', '2027-02-06'));
    expect(await s.follow()).toMatchObject({ status: 'CONFLICT' });
    s.publish(b);
    expect(await s.follow('https://other.example.com/1.ics')).toMatchObject({
      status: 'ACTIVE',
      imported: 1,
    });
    const twice = await s.follow('https://other.example.com/2.ics');
    expect(twice).toMatchObject({ status: 'ACTIVE', conflicts: [], imported: 0 });
    const [, first] = await s.list();
    await s.unfollow(first!.id);
    expect(await s.blocks()).toEqual([]);
    s.deps.clock.advance(600_000);
    await s.sync();
    expect(await s.blocks()).toEqual([atB]);
  });

  it('is found when a booking comes in between', async () => {
    s.publish(a, b);
    let once = false;
    s.remote.meanwhile = async () => {
      if (!once) await stay('2027-02-04', '2027-02-05');
      once = true;
    };
    const feed = await s.follow();
    expect(feed).toMatchObject({ status: 'CONFLICT' });
    expect(await s.blocks()).toEqual(['2027-02-05T12 2027-02-06T12', atB]);
  });

  it('never frees what a host has lifted and a guest has booked since', async () => {
    s.publish(a, b, c);
    await s.follow();
    const entries = await overlappingEntries(s.deps.table, s.listing.id, {
      start_at: '2027-02-04T00:00:00',
      end_at: '2027-02-06T00:00:00',
    });
    await unblockTime(s.asOwner, s.listing.id, entries[0]!.availability_id);
    await stay('2027-02-04', '2027-02-06');
    s.publish(b, c);
    await s.next();
    await s.next();
    await s.unfollow((await s.list())[0]!.id);
    const time = {
      calendar_id: s.listing.id,
      listing_id: s.listing.id,
      start_at: '2027-02-01T00:00:00',
      end_at: '2027-06-01T00:00:00',
    };
    const draft = await CalendarDraft.load(s.deps.table, [time], s.deps.clock.now());
    expect(draft.taken(time)).toMatchObject([
      { start_at: '2027-02-04T14:00:00', end_at: '2027-02-06T12:00:00' },
    ]);
  });
});

describe('a synchronisation', () => {
  it('asks whether anything has changed once all is done, and does no more when nothing has', async () => {
    s.remote.headers = { etag: '"1"', 'last-modified': 'Fri, 15 Jan 2027 02:00:00 GMT' };
    s.publish(a, b);
    await s.follow();
    expect(s.remote.asked[0]).not.toHaveProperty('If-None-Match');
    expect(await s.next()).toMatchObject({ imported: 2, last_synced_at: '2027-01-15T03:10:00.000Z' });
    expect(s.remote.asked[1]).toMatchObject({
      'If-None-Match': '"1"',
      'If-Modified-Since': 'Fri, 15 Jan 2027 02:00:00 GMT',
    });
    expect(await s.blocks()).toEqual([atA, atB]);
  });

  it("reads an unchanged calendar anew when the listing's hours change, and once a day", async () => {
    s.remote.headers = { etag: '"1"' };
    s.publish(a);
    await s.follow();
    const listing = { ...s.listing, standard_check_in_time: '16:00:00' };
    await s.deps.table.transact([put(ListingEntity, listing)]);
    await s.next();
    expect(await s.blocks()).toEqual(['2027-02-04T16 2027-02-06T12']);
    await s.next();
    await s.next(24 * 60);
    expect(s.remote.asked.map((headers) => 'If-None-Match' in headers)).toEqual([false, false, true, false]);
  });

  it('comes every ten minutes, and no message fetches a feed that is not due', async () => {
    s.publish(a);
    await s.follow();
    await s.sync();
    await s.next(8);
    expect(s.remote.asked).toHaveLength(1);
    await s.next(2);
    await s.sync();
    expect(s.remote.asked).toHaveLength(2);
  });

  it('changes the calendar once, however often its message is delivered at the same time', async () => {
    s.publish(a);
    await s.follow();
    const version = async () => (await feedsOf(s.deps.table, s.listing.id))[0]!.version;
    const before = await version();
    s.publish(a, b);
    s.deps.clock.advance(600_000);
    await Promise.all([s.sync(), s.sync(), s.sync(), s.sync()]);
    expect(await s.blocks()).toEqual([atA, atB]);
    // One claim and one end: the others have lost, and changed nothing.
    expect(await version()).toBe(before + 2);
  });

  it('of a feed that fails comes after 10, 20 and then every 30 minutes, and the blocks stay', async () => {
    s.publish(a);
    await s.follow();
    s.remote.silent = true;
    const pauses: number[] = [];
    for (let fetches = 0; fetches < 6; fetches++) {
      const { next_sync_at, status, problem } = await s.next(24 * 60);
      expect([status, problem]).toEqual(['STALE', 'did not answer within 10 seconds']);
      pauses.push((Date.parse(next_sync_at) - s.deps.clock.now()) / 60_000);
    }
    expect(pauses).toEqual([10, 20, 30, 30, 30, 30]);
    expect(await s.blocks()).toEqual([atA]);
    s.remote.silent = false;
    expect(await s.next(24 * 60)).toMatchObject({ status: 'ACTIVE', problem: null });
  });

  it('of a feed that fails comes after each booking too, and its gaps go on', async () => {
    s.publish(a);
    await s.follow();
    s.remote.silent = true;
    await s.next();
    await s.next(10);
    const { created } = await stay('2027-06-01', '2027-06-02');
    await icalWorker(() => s.deps)(queueEvent(created));
    expect((await s.list())[0]?.next_sync_at).toBe(new Date(s.deps.clock.now()).toISOString());
    const { next_sync_at } = await s.sync();
    expect(Date.parse(next_sync_at) - s.deps.clock.now()).toBe(30 * 60_000);
    expect(s.remote.asked).toHaveLength(4);
  });

  it.each([
    ['is no calendar any more', '<html>log in</html>', 'is not an iCalendar'],
    ['ends in the middle', feedOf('google').slice(0, 900), 'ends in the middle'],
    [
      'repeats for ever',
      'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART:20270201T000000\r\nRRULE:FREQ=HOURLY\r\nEND:VEVENT\r\nEND:VCALENDAR',
      'more than 5000',
    ],
  ])('changes nothing when the feed %s', async (_, text, problem) => {
    s.publish(a);
    await s.follow();
    s.remote.text = text;
    for (let fetches = 0; fetches < 3; fetches++)
      expect(await s.next(30)).toMatchObject({
        status: 'FAILING',
        problem: expect.stringContaining(problem) as string,
      });
    expect(await s.blocks()).toEqual([atA]);
  });

  it('brings a thousand events in, and nothing twice', async () => {
    const events = Array.from({ length: 1000 }, (_, n) => {
      const day = new Date(Date.UTC(2027, 1, 1) + n * 86_400_000)
        .toISOString()
        .slice(0, 10)
        .replaceAll('-', '');
      return event(`UID:${n}`, `DTSTART:${day}T100000`, `DTEND:${day}T120000`);
    });
    s.publish(...events);
    expect(await s.follow()).toMatchObject({ status: 'ACTIVE', imported: 1000 });
    expect(await s.blocks()).toHaveLength(1000);
    s.publish(...events.slice(0, 999));
    await s.next();
    await s.next();
    expect(await s.blocks()).toHaveLength(999);
  }, 60_000);

  it('continues where another one died, without losing or doubling a block', async () => {
    const events = Array.from({ length: 120 }, (_, n) => {
      const day = new Date(Date.UTC(2027, 1, 1) + n * 86_400_000).toISOString().slice(0, 10);
      return nights(String(n), day, new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10));
    });
    s.publish(nights('a', '2027-02-01', '2027-02-02'));
    await s.follow();
    const transact = s.deps.table.transact.bind(s.deps.table);
    for (const dieAt of [2, 3, 4, 5]) {
      let writes = 0;
      s.deps.table.transact = async (...given) => {
        writes += 1;
        if (writes === dieAt) throw new Error('died');
        // The reply is lost, and the process with it.
        await transact(...given);
        if (writes === dieAt - 1 && dieAt === 4) throw new Error('died after the commit');
      };
      s.publish(...events.slice(0, 30 * dieAt - 30));
      s.deps.clock.advance(24 * 3_600_000);
      await s.sync().catch(() => undefined);
      s.deps.table.transact = transact;
    }
    s.publish(...events);
    s.deps.clock.set('2027-01-25T03:00:00Z');
    await s.sync();
    const blocks = await s.blocks();
    expect(new Set(blocks).size).toBe(120);
    expect(blocks).toHaveLength(120);
    expect(await s.list()).toMatchObject([{ status: 'ACTIVE', imported: 120 }]);
  }, 30_000);

  it('has the work of a request that died done for it', async () => {
    const transact = s.deps.table.transact.bind(s.deps.table);
    let writes = 0;
    s.deps.table.transact = async (...given) => {
      writes += 1;
      if (writes === 2) throw new Error('died');
      await transact(...given);
    };
    s.publish(a, b);
    await expect(
      followCalendar(s.asOwner, s.listing.id, { url }, { fetchCalendar: s.fetchCalendar, apiUrl: '' }),
    ).rejects.toThrow('died');
    s.deps.table.transact = transact;
    expect(await s.blocks()).toEqual([]);
    expect(await s.list()).toHaveLength(1);
    await s.next(1.1);
    expect(await s.blocks()).toEqual([atA, atB]);
  });

  it('is not run for a listing that is archived, and forgets its feeds', async () => {
    s.publish(a);
    await s.follow();
    await archiveListing(s.asOwner, s.listing.id);
    s.deps.clock.advance(600_000);
    const [feed] = await feedsOf(s.deps.table, s.listing.id);
    await s.worker(queueEvent(JSON.stringify(feed)));
    expect(await feedsOf(s.deps.table, s.listing.id)).toEqual([]);
    expect(s.remote.asked).toHaveLength(1);
  });

  it('comes after each booking of the listing, and after a change that a conflict waits for', async () => {
    s.publish(a);
    await s.follow();
    const { booking_id, created } = await stay('2027-06-01', '2027-06-02');
    const deliver = icalWorker(() => s.deps);
    await deliver(queueEvent(created));
    await s.sync();
    expect(s.remote.asked).toHaveLength(2);
    await s.sync();
    expect(s.remote.asked).toHaveLength(2);
    s.publish(a, nights('x', '2027-06-01', '2027-06-02'));
    expect(await s.next()).toMatchObject({ status: 'CONFLICT' });
    await cancelBooking(s.asGuest, booking_id);
    const emitted = await eventsOf(s.deps.table, `ORDER#${booking_id - (booking_id % 16)}`);
    await deliver(queueEvent(emitted.find(({ event_type }) => event_type === 'booking.cancelled')!));
    expect(await s.sync()).toMatchObject({ status: 'ACTIVE', imported: 2 });
  });

  it('comes once for a batch, after a booking among changes that no feed waits for, and with a message that fails', async () => {
    s.publish(a);
    await s.follow();
    s.deps.clock.advance(60_000);
    const { created } = await stay('2027-06-01', '2027-06-02');
    const freed = { ...created, id: 'evt_freed', event_type: 'booking.cancelled' };
    const unknown = { ...created, data: { ...created.data, id: 17_402_345_678_913 } };
    const revision = async () =>
      (await s.deps.table.get(FeedRevisionEntity, { calendar_id: s.listing.id }))?.revision ?? 0;
    const before = await revision();
    const deliver = icalWorker(() => s.deps);
    await deliver(queueEvent(freed, created, freed));
    expect(await revision()).toBe(before + 1);
    const [feed] = await feedsOf(s.deps.table, s.listing.id);
    expect(feed!.next_sync_at).toBe(s.deps.clock.now());
    expect(await deliver(queueEvent(freed, unknown, created))).toEqual({
      batchItemFailures: [{ itemIdentifier: 'message-1' }],
    });
    expect(await revision()).toBe(before + 3);
  });

  it('comes after a booking of the family, for each listing whose time it takes, and for no sibling', async () => {
    const room = await testListing(s.deps, { team_id: s.team_id, parent_listing_id: s.listing.id });
    const sibling = await testListing(s.deps, { team_id: s.team_id, parent_listing_id: s.listing.id });
    const child_listing_ids = [room.id, sibling.id];
    await s.deps.table.transact([put(ListingEntity, { ...s.listing, child_listing_ids })]);
    await s.follow();
    for (const { id } of [room, sibling])
      await s.call(s.owner.caller, 'followCalendar', {
        params: { listing_id: id },
        body: { url: 'https://calendars.example.com/x.ics' },
      });
    const due = async () => {
      const feeds = await Promise.all(
        [s.listing, room, sibling].map(async ({ id }) => (await feedsOf(s.deps.table, id))[0]!),
      );
      return feeds.map(({ next_sync_at }) => next_sync_at <= s.deps.clock.now());
    };
    const booked = async (listing_id: number, check_in_date: string, check_out_date: string) => {
      const { created } = await bookStay(s.asGuest, { listing_id, check_in_date, check_out_date });
      await icalWorker(() => s.deps)(queueEvent(created));
    };
    s.deps.clock.advance(60_000);
    expect(await due()).toEqual([false, false, false]);
    await booked(room.id, '2027-06-01', '2027-06-02');
    expect(await due()).toEqual([true, true, false]);
    await booked(s.listing.id, '2027-07-01', '2027-07-02');
    expect(await due()).toEqual([true, true, true]);
  });

  it('reports a message that cannot be read, and takes one about nothing', async () => {
    const gone = JSON.stringify({ listing_id: 17, url_hash: 'x' });
    expect(await s.worker(queueEvent('{', gone, '{}'))).toEqual({
      batchItemFailures: [{ itemIdentifier: 'message-0' }, { itemIdentifier: 'message-2' }],
    });
  });
});

describe('a feed without a good fetch for three hours', () => {
  const emitted = async () =>
    (await eventsOf(s.deps.table, `FEED#${s.listing.id}`)).filter(
      ({ event_type }) => event_type === 'calendar.stale',
    );
  beforeEach(async () => {
    s.publish(a);
    await s.follow('https://calendars.example.com/x.ics?s=secret');
    s.remote.silent = true;
  });

  it('is STALE to the minute, whatever fails or does not come', async () => {
    s.deps.clock.advance(3 * 3_600_000 - 1000);
    expect((await s.list())[0]?.status).toBe('ACTIVE');
    expect((await s.sync()).status).toBe('FAILING');
    s.deps.clock.advance(1000);
    expect((await s.list())[0]).toMatchObject({
      status: 'STALE',
      problem: 'did not answer within 10 seconds',
    });
    s.remote.silent = false;
    expect((await s.next(30)).status).toBe('ACTIVE');
  });

  it('is reported to the owners once, and again after a good read', async () => {
    for (let minutes = 0; minutes < 170; minutes += 10) await s.next();
    expect(await emitted()).toEqual([]);
    for (let minutes = 0; minutes < 120; minutes += 10) await s.next();
    const [event, ...others] = await emitted();
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      team_id: s.team_id,
      data: {
        listing_id: s.listing.id,
        team_id: s.team_id,
        host: 'calendars.example.com',
        problem: 'did not answer within 10 seconds',
        last_synced_at: '2027-01-15T03:00:00.000Z',
      },
    });
    expect(JSON.stringify(event)).not.toContain('secret');
    s.remote.silent = false;
    await s.next(30);
    s.remote.silent = true;
    await s.next(181);
    expect(await emitted()).toHaveLength(2);
  });

  it('is reported once, however many workers find it at the same time', async () => {
    s.deps.clock.advance(4 * 3_600_000);
    await Promise.all(Array.from({ length: 20 }, () => s.sync()));
    expect(await emitted()).toHaveLength(1);
  });
});

describe('adding a calendar', () => {
  const params = () => ({ listing_id: s.listing.id });
  const refused = (body: object, status = 'VALIDATION_ERROR') =>
    s.refusal(s.owner.caller, 'followCalendar', { params: params(), body }).then((refusal) => {
      expect(refusal).toMatchObject({ code: status, paths: ['url'] });
    });

  it.each([
    [{}],
    [{ url: '' }],
    [{ url: 'calendar.ics' }],
    [{ url: 'ftp://example.com/x.ics' }],
    [{ url: 'https://me:secret@example.com/x.ics' }],
    [{ url: 7 }],
  ])('refuses %j', (body) => refused(body));

  it('refuses an address that does not answer, answers otherwise or is no calendar, and keeps nothing', async () => {
    s.remote.silent = true;
    await refused({ url });
    s.remote.silent = false;
    s.remote.status = 404;
    await refused({ url });
    s.remote.status = 200;
    for (const text of ['', '<html>', 'BEGIN:VCALENDAR']) {
      s.remote.text = text;
      await refused({ url });
    }
    expect(await s.list()).toEqual([]);
  });

  it("refuses the listing's own export", () =>
    refused({ url: `http://localhost/api/v1/listings/${s.listing.id}/calendar.ics?token=x` }));

  it('refuses the 21st', async () => {
    for (let n = 0; n < 20; n++) await s.follow(`https://calendars.example.com/${n}.ics`);
    await refused({ url });
    await expect(s.follow('https://calendars.example.com/0.ics')).resolves.toBeDefined();
  });

  it('refuses private addresses when it comes to fetching them', async () => {
    const handler = feeds(
      () => s.deps,
      (address, headers) => fetchOutgoing(address, { headers, local: false }),
    );
    for (const address of [
      'https://127.0.0.1/x.ics',
      'https://169.254.169.254/latest',
      'http://8.8.8.8/x.ics',
    ]) {
      const answer = await handler(
        {
          httpMethod: 'POST',
          resource: '/api/v1/listings/{listing_id}/calendar/ical',
          path: `/api/v1/listings/${s.listing.id}/calendar/ical`,
          headers: { 'Content-Type': 'application/json' },
          pathParameters: { listing_id: String(s.listing.id) },
          queryStringParameters: null,
          requestContext: { requestId: 'r', authorizer: { caller: JSON.stringify(s.owner.caller) } },
          body: JSON.stringify({ url: address }),
        } as never,
        {} as never,
      );
      expect([answer.statusCode, answer.body]).toEqual([400, expect.stringContaining('VALIDATION_ERROR')]);
    }
  });

  it('twice at once makes one feed', async () => {
    s.publish(a, b);
    const answers = await Promise.all([s.follow(), s.follow(), s.follow()]);
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(await s.list()).toHaveLength(1);
    expect(await s.blocks()).toEqual([atA, atB]);
  });

  it('answers a repetition with its key byte for byte, also when the feed is gone, and brings nothing back', async () => {
    s.publish(a);
    const asked = { params: params(), body: { url }, headers: { 'Idempotency-Key': 'one' } };
    const first = await s.call(s.owner.caller, 'followCalendar', asked);
    await s.unfollow((await s.list())[0]!.id);
    const again = await s.call(s.owner.caller, 'followCalendar', asked);
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(again.headers['Idempotent-Replayed']).toBe('true');
    expect(await s.list()).toEqual([]);
    expect(await s.blocks()).toEqual([]);
  });

  it('is for those who manage the listing', async () => {
    const staff = { ...s.owner.caller, memberships: [{ team_id: s.team_id, role: 'STAFF' as const }] };
    const asked = { params: params(), body: { url } };
    expect(await s.refusal(staff, 'followCalendar', asked)).toMatchObject({ code: 'FORBIDDEN' });
    expect(await s.refusal(s.guest.caller, 'followCalendar', asked)).toMatchObject({ code: 'FORBIDDEN' });
    expect(s.remote.asked).toEqual([]);
  });
});

describe('ending to follow a calendar', () => {
  it('frees what it blocked and nothing else', async () => {
    s.publish(a);
    const feed = await s.follow();
    s.publish(b);
    await s.follow('https://other.example.com/x.ics');
    await stay('2027-04-01', '2027-04-02');
    expect(await s.unfollow(feed.id)).toMatchObject({ id: feed.id });
    expect(await s.blocks()).toEqual([atB]);
    await expect(stay('2027-02-04', '2027-02-06')).resolves.toBeDefined();
    expect(await s.list()).toMatchObject([{ url: 'https://other.example.com/x.ics' }]);
  });

  it('is NOT_FOUND for a feed of another listing, or one that is gone', async () => {
    const feed = await s.follow();
    const other = await testListing(s.deps, { team_id: s.team_id });
    const at = (listing_id: number) => ({ params: { listing_id, feed_id: feed.id } });
    expect(await s.refusal(s.owner.caller, 'unfollowCalendar', at(other.id))).toMatchObject({
      code: 'NOT_FOUND',
    });
    await s.unfollow(feed.id);
    expect(await s.refusal(s.owner.caller, 'unfollowCalendar', at(s.listing.id))).toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('is finished by the next synchronisation when the request dies', async () => {
    s.publish(a, b);
    const feed = await s.follow();
    const transact = s.deps.table.transact.bind(s.deps.table);
    let writes = 0;
    s.deps.table.transact = async (...given) => {
      if (++writes === 2) throw new Error('died');
      await transact(...given);
    };
    await expect(unfollowCalendar(s.asOwner, s.listing.id, feed.id)).rejects.toThrow('died');
    s.deps.table.transact = transact;
    expect(await s.list()).toEqual([]);
    s.deps.clock.advance(61_000);
    await s.sync();
    expect(await s.blocks()).toEqual([]);
    expect(await feedsOf(s.deps.table, s.listing.id)).toEqual([]);
  });

  it('is safe against a synchronisation that is under way', async () => {
    s.publish(a);
    const feed = await s.follow();
    s.publish(a, b);
    s.remote.meanwhile = async () => {
      s.remote.meanwhile = undefined;
      await s.unfollow(feed.id);
    };
    s.deps.clock.advance(600_000);
    await s.sync();
    expect(await s.blocks()).toEqual([]);
    expect(await feedsOf(s.deps.table, s.listing.id)).toEqual([]);
  });
});

it('runs beside bookings in progress without a problem, in any order', async () => {
  for (let round = 0; round < 8; round++) {
    s = await importScene();
    s.publish(a, b, c, d);
    const [feed, booked] = await Promise.allSettled([s.follow(), stay('2027-03-02', '2027-03-04')]);
    expect(feed).toMatchObject({ status: 'fulfilled' });
    const [listed] = await s.list();
    const blocks = await s.blocks();
    expect(listed?.problem ?? '').not.toContain('could not be imported');
    if (booked.status === 'fulfilled') {
      expect(blocks).toEqual([atA, '2027-03-01T14 2027-03-02T14', atC, atD]);
      expect(listed?.status).toBe('CONFLICT');
    } else {
      expect(booked.reason).toMatchObject({ code: 'LISTING_NOT_AVAILABLE' });
      expect(blocks).toEqual([atA, atB, atC, atD]);
    }
  }
});

describe('a listing that moves into a family', () => {
  const move = (parent_listing_id: number) => updateListing(s.asOwner, s.listing.id, { parent_listing_id });
  const blocksIn = (parent_listing_id: number) => blocksOf(s.deps, { ...s.listing, parent_listing_id });

  it('takes its imported blocks along, and they go on following their calendar', async () => {
    const parent = await testListing(s.deps, { team_id: s.team_id });
    s.publish(a, b, c);
    await s.follow();
    await move(parent.id);
    expect([await s.blocks(), await blocksIn(parent.id)]).toEqual([[], [atA, atB, atC]]);
    s.publish(nights('a', '2027-06-01', '2027-06-02'), b, c);
    await s.next();
    expect(await blocksIn(parent.id)).toEqual([atB, atC, '2027-06-01T14 2027-06-02T12']);
    expect(await s.list()).toMatchObject([{ status: 'ACTIVE', imported: 3 }]);
  });

  it('while it is being synchronised, gets nothing into the calendar it has left', async () => {
    const parent = await testListing(s.deps, { team_id: s.team_id });
    s.publish(a, b);
    await s.follow();
    s.publish(a, b, c, d);
    s.remote.meanwhile = async () => {
      s.remote.meanwhile = undefined;
      await move(parent.id);
    };
    await s.next();
    expect(await s.blocks()).toEqual([]);
    await s.next();
    expect(await blocksIn(parent.id)).toEqual([atA, atB, atC, atD]);
  });
});

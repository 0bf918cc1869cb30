import { beforeEach, describe, expect, it } from 'vitest';
import { icalWorker } from '../../functions/workers/ical/index.ts';
import { cancelBooking } from '../../shared/domain/booking/cancel-booking.ts';
import { blockTime, unblockTime } from '../../shared/domain/calendar/block-time.ts';
import { createCheckout } from '../../shared/domain/checkout/create-checkout.ts';
import { followCalendar } from '../../shared/domain/ical/follow-calendar.ts';
import { feedsOf, type FollowedFeed, FollowedFeedEntity } from '../../shared/domain/ical/ical.store.ts';
import { listFeeds } from '../../shared/domain/ical/list-feeds.ts';
import { syncFeed } from '../../shared/domain/ical/sync-feed.ts';
import { unfollowCalendar } from '../../shared/domain/ical/unfollow-calendar.ts';
import { type Listing, ListingEntity } from '../../shared/domain/listing/listing.entity.ts';
import { updateListing } from '../../shared/domain/listing/update-listing.ts';
import { type Consumption, put } from '../../shared/platform/table/index.ts';
import { calendarWith, event, nights } from '../support/calendars.ts';
import { bookStay, eventsOf, queueEvent } from '../support/events.ts';
import { apiUrl, blocksOf, importScene } from '../support/import-scene.ts';
import { testListing } from '../support/listings.ts';

const address = {
  house: 'https://calendars.example.com/house.ics',
  a: 'https://calendars.example.com/a.ics',
  b: 'https://calendars.example.com/b.ics',
  other: 'https://other.example.com/house.ics',
};
type Place = keyof typeof address;

/** A house with rooms A, B and C; a platform that closes the house where a room is sold. */
const linkedScene = async () => {
  const s = await importScene();
  const room = (given: Partial<Listing> = {}) =>
    testListing(s.deps, { team_id: s.team_id, parent_listing_id: s.listing.id, ...given });
  const rooms = { a: await room(), b: await room(), c: await room() };
  const child_listing_ids = Object.values(rooms).map(({ id }) => id);
  const house = { ...s.listing, child_listing_ids };
  await s.deps.table.transact([put(ListingEntity, house)]);
  const listings = { house, other: house, ...rooms };
  const orders = new Set<string>();
  const delivered = new Set<string>();
  /** Delivers the events of the family to the consumer that makes calendars due. */
  const deliver = async () => {
    const subjects = [...[house, ...Object.values(rooms)].map(({ id }) => `LISTING#${id}`), ...orders];
    for (const subject of subjects)
      for (const message of await eventsOf(s.deps.table, subject)) {
        const isOfCalendars = /^(availability\.changed|booking\.(created|cancelled|changed))$/.test(
          message.event_type,
        );
        if (delivered.has(message.id) || !isOfCalendars) continue;
        delivered.add(message.id);
        await icalWorker(() => s.deps)(queueEvent(message));
      }
  };
  /** Runs the calendars of a listing that are due. */
  const look = async (place: Place) => {
    for (const { listing_id, url_hash, url } of await feedsOf(s.deps.table, listings[place].id))
      if (url === address[place]) await s.worker(queueEvent(JSON.stringify({ listing_id, url_hash })));
  };
  return {
    ...s,
    house,
    rooms,
    deliver,
    look,
    publishAt: (place: Place, ...events: string[][]) =>
      void (s.remote.texts[address[place]] = calendarWith(...events)),
    follow: (place: Place) =>
      followCalendar(
        s.asOwner,
        listings[place].id,
        { url: address[place] },
        { fetchCalendar: s.fetchCalendar, apiUrl },
      ),
    feed: async (place: Place) =>
      (await listFeeds(s.asOwner, listings[place].id, apiUrl)).items.find(
        ({ url }) => url === address[place],
      ),
    /** A fetch of each calendar, after ten minutes, and what the events of that make due. */
    refresh: async (...places: Place[]) => {
      s.deps.clock.advance(600_000);
      for (const place of places) await look(place);
      await deliver();
      for (const place of places) await look(place);
    },
    taken: async () => ({
      house: await blocksOf(s.deps, house),
      a: await blocksOf(s.deps, rooms.a),
      b: await blocksOf(s.deps, rooms.b),
      c: await blocksOf(s.deps, rooms.c),
    }),
    stay: async (listing: Listing, check_in_date: string, check_out_date: string) => {
      const booked = await bookStay(s.asGuest, { listing_id: listing.id, check_in_date, check_out_date });
      orders.add(`ORDER#${booked.booking_id - (booked.booking_id % 16)}`);
      return booked;
    },
  };
};

let s: Awaited<ReturnType<typeof linkedScene>>;
beforeEach(async () => {
  s = await linkedScene();
});

const sold = ['2027-02-04', '2027-02-07'] as const;
const atSold = '2027-02-04T14 2027-02-07T12';
const sale = (uid: string) => nights(uid, ...sold);
const none = { house: [], a: [], b: [], c: [] };

describe('a platform that closes the house for a sale of a room', () => {
  it.each<Place[][]>([[['a', 'house']], [['house', 'a']]])(
    'takes the house and that room, in the order %j',
    async (places) => {
      for (const place of places) s.publishAt(place, sale(place));
      for (const place of places) await s.follow(place);
      await s.refresh(...places);
      expect(await s.taken()).toEqual({ ...none, a: [atSold] });
      expect(await s.feed('house')).toMatchObject({
        status: 'ACTIVE',
        imported: 0,
        explained: 1,
        conflicts: [],
      });
      expect(await s.feed('a')).toMatchObject({ status: 'ACTIVE', imported: 1, explained: 0, conflicts: [] });
      await s.stay(s.rooms.b, ...sold);
      await expect(s.stay(s.rooms.a, ...sold)).rejects.toMatchObject({ code: 'LISTING_NOT_AVAILABLE' });
      await expect(s.stay(s.house, ...sold)).rejects.toMatchObject({ code: 'LISTING_NOT_AVAILABLE' });
    },
  );

  it.each<Place[][]>([[['house', 'a', 'b']], [['a', 'house', 'b']], [['b', 'a', 'house']]])(
    'shows the sales of two rooms as one event of the house, in the order %j',
    async (places) => {
      s.publishAt('a', nights('a', '2027-02-04', '2027-02-07'));
      s.publishAt('b', nights('b', '2027-02-06', '2027-02-09'));
      s.publishAt('house', nights('h', '2027-02-04', '2027-02-09'));
      for (const place of places) await s.follow(place);
      await s.refresh(...places);
      await s.refresh(...places);
      expect(await s.taken()).toEqual({ ...none, a: [atSold], b: ['2027-02-06T14 2027-02-09T12'] });
      expect(await s.feed('house')).toMatchObject({ status: 'ACTIVE', explained: 1, conflicts: [] });
    },
  );

  it('closes all rooms for what no room explains', async () => {
    s.publishAt('house', nights('h', '2027-02-03', '2027-02-09'));
    s.publishAt('a', sale('a'));
    await s.follow('house');
    expect(await s.taken()).toEqual({ ...none, house: ['2027-02-03T14 2027-02-09T12'] });
    await s.follow('a');
    const parts = ['2027-02-03T14 2027-02-04T12', '2027-02-07T14 2027-02-09T12'];
    expect(await s.taken()).toEqual({ ...none, house: parts, a: [atSold] });
    await s.refresh('house', 'a');
    expect(await s.taken()).toEqual({ ...none, house: parts, a: [atSold] });
    await expect(s.stay(s.rooms.b, '2027-02-08', '2027-02-09')).rejects.toMatchObject({
      code: 'LISTING_NOT_AVAILABLE',
    });
    await expect(s.stay(s.rooms.b, '2027-02-05', '2027-02-06')).resolves.toBeDefined();
  });

  it('leaves the hours between check-in and check-out of house and room to neither', async () => {
    const late = await testListing(s.deps, {
      team_id: s.team_id,
      parent_listing_id: s.house.id,
      standard_check_in_time: '16:00:00',
      standard_check_out_time: '10:00:00',
    });
    await s.deps.table.transact([
      put(ListingEntity, { ...s.house, child_listing_ids: [...s.house.child_listing_ids, late.id] }),
    ]);
    await s.stay(late, ...sold);
    s.publishAt('house', sale('h'));
    await s.follow('house');
    expect(await s.taken()).toEqual(none);
    await expect(s.stay(s.rooms.b, ...sold)).resolves.toBeDefined();
  });

  it('takes hours as they are', async () => {
    const hours = (uid: string, from: number, to: number) =>
      event(`UID:${uid}`, `DTSTART:20270204T${from}0000`, `DTEND:20270204T${to}0000`);
    s.publishAt('a', hours('a', 10, 12));
    s.publishAt('house', hours('h', 10, 13));
    await s.follow('a');
    await s.follow('house');
    expect(await s.taken()).toEqual({
      ...none,
      a: ['2027-02-04T10 2027-02-04T12'],
      house: ['2027-02-04T12 2027-02-04T13'],
    });
  });

  it('costs nothing more where a fetch brings nothing new, and does not swing', async () => {
    s.publishAt('a', sale('a'));
    s.publishAt('house', sale('h'));
    await s.follow('house');
    await s.follow('a');
    await s.refresh('house', 'a');
    const before = await eventsOf(s.deps.table, `LISTING#${s.house.id}`);
    const ofRoom = await eventsOf(s.deps.table, `LISTING#${s.rooms.a.id}`);
    for (let rounds = 0; rounds < 3; rounds++) await s.refresh('a', 'house');
    expect(await eventsOf(s.deps.table, `LISTING#${s.house.id}`)).toHaveLength(before.length);
    expect(await eventsOf(s.deps.table, `LISTING#${s.rooms.a.id}`)).toHaveLength(ofRoom.length);
    expect(await s.feed('house')).toMatchObject({ explained: 1 });
  });
});

describe('what explains an event of the house', () => {
  it('may be a stay of ours or a block of a room, and no soft lock', async () => {
    await s.stay(s.rooms.a, '2027-02-04', '2027-02-05');
    await blockTime(s.asOwner, s.rooms.b.id, {
      start_at: '2027-02-05T14:00:00',
      end_at: '2027-02-07T12:00:00',
    });
    s.publishAt('house', sale('h'));
    expect(await s.follow('house')).toMatchObject({
      status: 'ACTIVE',
      explained: 1,
      imported: 0,
      conflicts: [],
    });
    expect(await s.taken()).toEqual(none);
    await expect(s.stay(s.rooms.c, ...sold)).resolves.toBeDefined();
  });

  it('is no stay of the house itself: that is a conflict', async () => {
    await s.stay(s.house, '2027-02-04', '2027-02-05');
    s.publishAt('house', sale('h'));
    expect(await s.follow('house')).toMatchObject({ status: 'CONFLICT', explained: 0 });
  });

  it('is no block that another calendar of the house brought', async () => {
    s.publishAt('other', sale('o'));
    await s.follow('other');
    s.publishAt('house', sale('h'));
    expect(await s.follow('house')).toMatchObject({ status: 'ACTIVE', explained: 0, imported: 0 });
    await expect(s.stay(s.rooms.b, ...sold)).rejects.toMatchObject({ code: 'LISTING_NOT_AVAILABLE' });
  });

  it('leaves the whole house taken when the stay is cancelled and the event is still there', async () => {
    const { booking_id } = await s.stay(s.rooms.a, ...sold);
    s.publishAt('house', sale('h'));
    await s.follow('house');
    await s.deliver();
    s.deps.clock.advance(60_000);
    await s.look('house');
    await cancelBooking(s.asGuest, booking_id);
    await s.deliver();
    await s.look('house');
    expect(await s.taken()).toEqual({ ...none, house: [atSold] });
    expect(await s.feed('house')).toMatchObject({ explained: 0, imported: 1 });
  });

  it('leaves the whole house taken when a host lifts the block of the room', async () => {
    const block = await blockTime(s.asOwner, s.rooms.a.id, {
      start_at: '2027-02-04T14:00:00',
      end_at: '2027-02-07T12:00:00',
    });
    s.publishAt('house', sale('h'));
    await s.follow('house');
    await s.deliver();
    await s.look('house');
    s.deps.clock.advance(60_000);
    await unblockTime(s.asOwner, s.rooms.a.id, block.id);
    await s.deliver();
    await s.look('house');
    expect(await s.taken()).toEqual({ ...none, house: [atSold] });
  });
});

describe('what explains an event of the house no longer, or only now', () => {
  it('is a room that leaves the house', async () => {
    await s.stay(s.rooms.a, ...sold);
    s.publishAt('house', sale('h'));
    await s.follow('house');
    await updateListing(s.asOwner, s.rooms.a.id, { parent_listing_id: null });
    await s.refresh('house');
    expect((await s.taken()).house).toEqual([atSold]);
  });

  it('is a room’s event where the house is blocked room by room beside a soft lock', async () => {
    const items = [
      { listing_id: s.rooms.c.id, check_in_date: sold[0], check_out_date: '2027-02-05', guest_number: 1 },
    ];
    await createCheckout(s.asGuest, { items });
    s.publishAt('house', sale('h'));
    await s.follow('house');
    expect((await s.taken()).b).toEqual(['2027-02-04T14 2027-02-05T12']);
    s.publishAt('a', sale('a'));
    await s.follow('a');
    expect(await s.taken()).toEqual({ ...none, a: [atSold] });
  });

  it('is no room’s event that meets a soft lock of the room: the others stay blocked as they are', async () => {
    const items = [
      { listing_id: s.rooms.a.id, check_in_date: sold[0], check_out_date: sold[1], guest_number: 1 },
    ];
    await createCheckout(s.asGuest, { items });
    s.publishAt('house', sale('h'));
    await s.follow('house');
    expect(await s.taken()).toEqual({ ...none, b: [atSold], c: [atSold] });
    const before = await eventsOf(s.deps.table, `LISTING#${s.house.id}`);
    s.publishAt('a', sale('a'));
    expect(await s.follow('a')).toMatchObject({ status: 'CONFLICT' });
    s.publishAt('other', sale('o'));
    expect(await s.follow('other')).toMatchObject({ explained: 0 });
    s.deps.clock.advance(60_000);
    await s.look('house');
    expect(await s.feed('house')).toMatchObject({ explained: 0 });
    expect(await s.taken()).toEqual({ ...none, b: [atSold], c: [atSold] });
    expect(await eventsOf(s.deps.table, `LISTING#${s.house.id}`)).toHaveLength(before.length);
    await s.refresh('house', 'other', 'a');
    await s.refresh('house', 'other', 'a');
    expect(await s.taken()).toEqual({ ...none, a: [atSold] });
  });

  it('is a room’s event for both calendars of the house', async () => {
    s.publishAt('house', sale('h'));
    s.publishAt('other', nights('o', '2027-02-05', '2027-02-08'));
    s.publishAt('a', sale('a'));
    for (const place of ['house', 'other', 'a'] as const) await s.follow(place);
    const expected = { ...none, a: [atSold], house: ['2027-02-07T14 2027-02-08T12'] };
    await s.refresh('house', 'other', 'a');
    expect(await s.taken()).toEqual(expected);
    await s.refresh('a', 'other', 'house');
    expect(await s.taken()).toEqual(expected);
  });
});

describe('while a room takes its time out of what was imported for the house', () => {
  const change = async (of: Partial<FollowedFeed>) => {
    const [feed] = await feedsOf(s.deps.table, s.house.id);
    await s.deps.table.transact([put(FollowedFeedEntity, { ...feed!, ...of })]);
  };
  beforeEach(async () => {
    s.publishAt('house', nights('h', '2027-02-03', '2027-02-09'));
    s.publishAt('a', sale('a'));
    await s.follow('house');
  });

  it('the house’s calendar is read: it is overtaken, and has not died over it', async () => {
    await change({ reading: true, lease_until: s.deps.clock.now() + 60_000 });
    await s.follow('a');
    await s.refresh('house');
    expect(await s.feed('house')).toMatchObject({ status: 'ACTIVE', explained: 1 });
  });

  it('the house’s calendar is followed no more: nothing is made for it', async () => {
    await change({ state: 'REMOVING' });
    await s.follow('a');
    expect(await s.taken()).toEqual({ ...none, a: [atSold] });
  });
});

it('a fetch that brings nothing new costs one read more where rooms explain something', async () => {
  s.publishAt('a', sale('a'));
  s.publishAt('house', sale('h'));
  for (const place of ['a', 'house'] as const) await s.follow(place);
  await s.deliver();
  await s.refresh('a', 'house');
  await s.refresh('a', 'house');
  s.deps.clock.advance(600_000);
  const costOf = async (listing: Listing) => {
    const costs: Consumption[] = [];
    const table = s.deps.table.measured((cost) => costs.push(cost));
    const [feed] = await feedsOf(s.deps.table, listing.id);
    await syncFeed({ ...s.deps, table, fetchCalendar: s.fetchCalendar }, feed!);
    const written = costs.reduce((sum, { writeUnits }) => sum + writeUnits, 0);
    return { calls: costs.map(({ operation }) => operation).join(' '), written };
  };
  expect(await costOf(s.rooms.a)).toEqual({ calls: 'batch-get put', written: 3 });
  expect(await costOf(s.house)).toEqual({ calls: 'batch-get get put', written: 3 });
});

describe('a room’s event that changes', () => {
  beforeEach(async () => {
    s.publishAt('a', sale('a'));
    s.publishAt('house', sale('h'));
    await s.follow('house');
    await s.follow('a');
    await s.refresh('house', 'a');
  });

  it('and vanishes in both calendars frees house and rooms', async () => {
    s.publishAt('a');
    s.publishAt('house');
    await s.refresh('house', 'a');
    await s.refresh('house', 'a');
    expect(await s.taken()).toEqual(none);
  });

  it('and vanishes in the room’s calendar alone gives its time to the house in the same transaction', async () => {
    s.publishAt('a');
    s.deps.clock.advance(600_000);
    await s.look('a');
    s.deps.clock.advance(600_000);
    await s.look('a');
    expect(await s.taken()).toEqual({ ...none, house: [atSold] });
    // Of the house: the other rooms have changed with it.
    const changes = await eventsOf(s.deps.table, `LISTING#${s.house.id}`);
    expect(changes.filter(({ event_type }) => event_type === 'availability.changed')).toHaveLength(3);
    expect(await eventsOf(s.deps.table, `LISTING#${s.rooms.a.id}`)).toEqual([]);
    s.publishAt('house');
    await s.refresh('house');
    await s.refresh('house');
    expect(await s.taken()).toEqual(none);
  });

  it('and is followed no more gives its time to the house', async () => {
    const feed = await s.feed('a');
    await unfollowCalendar(s.asOwner, s.rooms.a.id, feed!.id);
    expect(await s.taken()).toEqual({ ...none, house: [atSold] });
  });

  it('and goes while two calendars of the house want its time gives it to one of them', async () => {
    s.publishAt('other', sale('o'));
    await s.follow('other');
    s.publishAt('a');
    for (let times = 0; times < 2; times++) {
      s.deps.clock.advance(600_000);
      await s.look('a');
    }
    expect(await s.taken()).toEqual({ ...none, house: [atSold] });
    await s.deliver();
    await s.refresh('house', 'other');
    expect(await s.taken()).toEqual({ ...none, house: [atSold] });
    s.publishAt('house');
    await s.refresh('house', 'other');
    await s.refresh('house', 'other');
    expect(await s.taken()).toEqual({ ...none, house: [atSold] });
    s.publishAt('other');
    await s.refresh('house', 'other');
    await s.refresh('house', 'other');
    expect(await s.taken()).toEqual(none);
  });

  it('and moves or grows moves the house’s with it', async () => {
    s.publishAt('a', nights('a', '2027-02-06', '2027-02-10'));
    s.publishAt('house', nights('h', '2027-02-06', '2027-02-10'));
    await s.refresh('a', 'house');
    expect(await s.taken()).toEqual({ ...none, a: ['2027-02-06T14 2027-02-10T12'] });
    expect(await s.feed('house')).toMatchObject({ status: 'ACTIVE', explained: 1 });
  });

  it('is a conflict where the room is sold here a second time, as before', async () => {
    await s.stay(s.rooms.a, '2027-03-01', '2027-03-03');
    s.publishAt('a', sale('a'), nights('a2', '2027-03-01', '2027-03-02'));
    await s.refresh('a');
    expect(await s.feed('a')).toMatchObject({ status: 'CONFLICT' });
  });
});

describe('the follower of a room is given what its own platform brought into the house', () => {
  beforeEach(async () => {
    await s.follow('a');
    s.deps.clock.advance(60_000);
  });

  const importIntoHouse = async (place: 'house' | 'other' = 'house') => {
    s.publishAt(place, sale('h'));
    await s.follow(place);
  };
  const givenTo = async (room: 'a' | 'b'): Promise<number> => {
    const { export_url = '' } = (await s.feed(room)) ?? {};
    return (await s.fetched(export_url)).body.split('BEGIN:VEVENT').length - 1;
  };

  it('once its calendar was read after that, which is at once', async () => {
    await importIntoHouse();
    expect(await givenTo('a')).toBe(0);
    // At the general address there is no follower whose calendar could be read.
    const general = (await listFeeds(s.asOwner, s.rooms.a.id, apiUrl)).export_url;
    expect((await s.fetched(general)).body).toContain('BEGIN:VEVENT');
    s.deps.clock.advance(1000);
    await s.deliver();
    await s.look('a');
    expect(await givenTo('a')).toBe(1);
  });

  it('and never where that calendar shows the sale that has closed the house', async () => {
    await importIntoHouse();
    s.publishAt('a', sale('a'));
    expect(await givenTo('a')).toBe(0);
    s.deps.clock.advance(1000);
    await s.deliver();
    await s.look('a');
    expect(await s.taken()).toEqual({ ...none, a: [atSold] });
    expect(await givenTo('a')).toBe(0);
  });

  it('not yet, where it was read in the same millisecond', async () => {
    s.deps.clock.advance(600_000);
    await s.look('a');
    await importIntoHouse();
    expect(await givenTo('a')).toBe(0);
  });

  it('by no more reading where a host has blocked the house', async () => {
    const [before] = await feedsOf(s.deps.table, s.rooms.a.id);
    await blockTime(s.asOwner, s.house.id, { block_date: sold[0] });
    await s.deliver();
    expect(await feedsOf(s.deps.table, s.rooms.a.id)).toEqual([before]);
    expect(await givenTo('a')).toBe(1);
  });

  it.each([['nothing new'], ['a sale']])(
    'at the next reading, where one that brings %s began before',
    async (what) => {
      s.deps.clock.advance(600_000);
      if (what === 'a sale') s.publishAt('a', nights('a', '2027-03-01', '2027-03-03'));
      s.remote.meanwhile = async () => {
        s.remote.meanwhile = undefined;
        s.deps.clock.advance(1000);
        await importIntoHouse();
        s.deps.clock.advance(1000);
      };
      await s.look('a');
      expect(await givenTo('a')).toBe(0);
      await s.refresh('a');
      expect(await givenTo('a')).toBe(1);
    },
  );

  it('without delay, where another platform brought it', async () => {
    await importIntoHouse('other');
    expect(await givenTo('a')).toBe(1);
  });

  it('without delay, what was booked here', async () => {
    await s.stay(s.house, ...sold);
    expect(await givenTo('a')).toBe(1);
  });

  it('without delay, where its own calendar could not be read for three hours', async () => {
    s.remote.silent = true;
    s.deps.clock.advance(2 * 3_600_000);
    await s.look('a');
    s.remote.silent = false;
    await importIntoHouse();
    expect(await givenTo('a')).toBe(0);
    s.remote.silent = true;
    s.deps.clock.advance(3_600_000);
    await s.look('a');
    expect(await givenTo('a')).toBe(1);
  });

  it('after three hours, where its own calendar was never read', async () => {
    const feed = (await feedsOf(s.deps.table, s.rooms.a.id))[0]!;
    await s.deps.table.transact([put(FollowedFeedEntity, { ...feed, last_synced_at: null })]);
    await importIntoHouse();
    s.deps.clock.advance(3 * 3_600_000 - 1);
    expect(await givenTo('a')).toBe(0);
    s.deps.clock.advance(1);
    expect(await givenTo('a')).toBe(1);
  });

  it('likewise of what was blocked in the room because the house was taken in part', async () => {
    const [check_in_date, check_out_date] = sold;
    await createCheckout(s.asGuest, {
      items: [{ listing_id: s.rooms.b.id, check_in_date, check_out_date, guest_number: 1 }],
    });
    await importIntoHouse();
    expect(await s.taken()).toEqual({ ...none, a: [atSold], c: [atSold] });
    expect(await givenTo('a')).toBe(0);
    s.deps.clock.advance(1000);
    await s.deliver();
    await s.look('a');
    expect(await givenTo('a')).toBe(1);
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import { icalWorker } from '../../functions/workers/ical/index.ts';
import { cancelBooking } from '../../shared/domain/booking/cancel-booking.ts';
import { blockTime, unblockTime } from '../../shared/domain/calendar/block-time.ts';
import { overlappingEntries } from '../../shared/domain/calendar/calendar.store.ts';
import { FeedExportEntity, feedsOf } from '../../shared/domain/ical/ical.store.ts';
import { listFeeds } from '../../shared/domain/ical/list-feeds.ts';
import { rotateToken } from '../../shared/domain/ical/rotate-token.ts';
import { orderIdOf } from '../../shared/platform/ids.ts';
import { remove } from '../../shared/platform/table/index.ts';
import { event, nights } from '../support/calendars.ts';
import { bookStay, eventsOf, queueEvent } from '../support/events.ts';
import { blocksOf, importScene, url } from '../support/import-scene.ts';
import { testListing } from '../support/listings.ts';

let s: Awaited<ReturnType<typeof importScene>>;
beforeEach(async () => {
  s = await importScene();
});

const other = 'https://other.example.com/y.ics';
const free = { status: 'ACTIVE', conflicts: [], imported: 0 };

const exportUrl = (of = url) => s.exportUrl(of);
const fetched = (address: string) => s.fetched(address);

/** The follower behind a feed fetches its export. */
const give = async (of = url) => (await fetched(await exportUrl(of))).body;

const stay = async (check_in_date: string, check_out_date: string, more: object = {}) =>
  (await bookStay(s.asGuest, { listing_id: s.listing.id, check_in_date, check_out_date, ...more }))
    .booking_id;

/** Cancels, and delivers the event to the worker. */
const cancel = async (booking_id: number) => {
  await cancelBooking(s.asGuest, booking_id);
  const events = await eventsOf(s.deps.table, `ORDER#${orderIdOf(booking_id)}`);
  await icalWorker(() => s.deps)(
    queueEvent(events.find(({ event_type }) => event_type === 'booking.cancelled')!),
  );
};

const timed = (uid: string, from: string, to: string) =>
  event(`UID:${uid}`, `DTSTART:${from}`, `DTEND:${to}`, 'SUMMARY:[Nightlatch] Reserved');

describe('what a follower exports back', () => {
  beforeEach(async () => {
    await s.follow();
  });

  it('takes nothing and is no conflict, under any UID', async () => {
    await stay('2027-02-04', '2027-02-06');
    await give();
    for (const uid of ['x', 'y', 'z']) {
      s.publish(nights(uid, '2027-02-04', '2027-02-06'));
      expect(await s.next()).toMatchObject({ ...free, echoes: 1 });
    }
    expect(await s.blocks()).toEqual([]);
  });

  it('takes nothing without what is past of it, alone or with what follows', async () => {
    await stay('2027-01-15', '2027-01-18');
    await stay('2027-01-18', '2027-01-19');
    await give();
    s.publish(nights('x', '2027-01-15', '2027-01-18'));
    expect(await s.next()).toMatchObject({ ...free, echoes: 1 });
    await s.next(24 * 60);
    s.publish(nights('x', '2027-01-16', '2027-01-18'));
    expect(await s.next()).toMatchObject({ ...free, echoes: 1 });
    s.publish(nights('y', '2027-01-16', '2027-01-19'));
    expect(await s.next()).toMatchObject({ ...free, echoes: 1 });
    // What begins later is no part of it.
    s.publish(nights('z', '2027-01-17', '2027-01-18'));
    expect(await s.next()).toMatchObject({ status: 'CONFLICT', echoes: 0 });
  });

  it('is no echo where a booking of its own has lost what is past', async () => {
    s.publish(nights('x', '2027-01-15', '2027-01-18'));
    await stay('2027-01-16', '2027-01-18');
    await give();
    expect(await s.next()).toMatchObject({ status: 'CONFLICT', echoes: 0 });
    await s.next(24 * 60);
    s.publish(nights('x', '2027-01-16', '2027-01-18'));
    expect(await s.next()).toMatchObject({ status: 'CONFLICT', echoes: 0 });
  });

  it('gives a cancelled night back, and lifting nothing was needed', async () => {
    const booking = await stay('2027-02-04', '2027-02-06');
    await give();
    s.publish(nights('x', '2027-02-04', '2027-02-06'));
    await s.next();
    await cancel(booking);
    expect(await s.next()).toMatchObject({ ...free, echoes: 1 });
    await give();
    s.publish();
    expect(await s.next()).toMatchObject({ ...free, echoes: 0 });
    expect(await s.blocks()).toEqual([]);
    await expect(stay('2027-02-04', '2027-02-06')).resolves.toBeDefined();
  });

  it('is imported when it is still there 48 hours after our side has gone, however few fetches there were', async () => {
    const booking = await stay('2027-02-04', '2027-02-06');
    await give();
    s.publish(nights('x', '2027-02-04', '2027-02-06'));
    await s.next();
    await cancel(booking);
    s.publish(nights('y', '2027-02-04', '2027-02-06'));
    expect(await s.next(48 * 60 - 1)).toMatchObject(free);
    expect(await s.next(1)).toMatchObject({ imported: 0 });
    expect(await s.next(10)).toMatchObject({ status: 'ACTIVE', imported: 1, echoes: 0 });
    expect(await s.blocks()).toEqual(['2027-02-04T14 2027-02-06T12']);
  });

  it('is imported then also where nothing was looked at in between', async () => {
    const booking = await stay('2027-02-04', '2027-02-06');
    await give();
    s.publish(nights('x', '2027-02-04', '2027-02-06'));
    await s.next();
    await cancel(booking);
    expect(await s.next(49 * 60)).toMatchObject({ imported: 1, echoes: 0 });
  });

  it('may vanish later without a quarantine, and frees what it took', async () => {
    const booking = await stay('2027-02-04', '2027-02-06');
    await give();
    s.publish(nights('x', '2027-02-04', '2027-02-06'));
    await s.next();
    await cancel(booking);
    expect(await s.next(49 * 60)).toMatchObject({ imported: 1 });
    s.publish();
    await s.next();
    expect(await s.next()).toMatchObject({ status: 'ACTIVE', imported: 0 });
    expect(await s.blocks()).toEqual([]);
  });

  it.each([
    ['midnights of its own zone', '20270204T000000', '20270206T000000'],
    ['midnights of UTC', '20270204T000000Z', '20270206T000000Z'],
    ['check-in and check-out', '20270204T140000', '20270206T120000'],
    ['the same as instants', '20270204T070000Z', '20270206T050000Z'],
  ])('is known as times, too: %s', async (_, from, to) => {
    await stay('2027-02-04', '2027-02-06');
    await give();
    s.publish(timed('x', from, to));
    expect(await s.next()).toMatchObject({ ...free, echoes: 1 });
  });

  it('is known when adjacent entries are one, also after one of them has gone', async () => {
    await stay('2027-02-04', '2027-02-06');
    const second = await stay('2027-02-06', '2027-02-07');
    await give();
    s.publish(nights('x', '2027-02-04', '2027-02-07'));
    expect(await s.next()).toMatchObject({ ...free, echoes: 1 });
    await cancel(second);
    expect(await s.next()).toMatchObject({ ...free, echoes: 1 });
    s.publish(timed('y', '20270204T140000', '20270207T120000'));
    expect(await s.next()).toMatchObject({ ...free, echoes: 1 });
  });

  it('is known when hours have become their whole date, and not where the hours are shown as well', async () => {
    await stay('2027-02-04', '2027-02-04');
    await give();
    s.publish(nights('x', '2027-02-04', '2027-02-05'));
    expect(await s.next()).toMatchObject({ ...free, echoes: 1 });
    s.publish(timed('h', '20270204T020000Z', '20270204T110000Z'), nights('y', '2027-02-04', '2027-02-05'));
    expect(await s.next()).toMatchObject({ status: 'CONFLICT', echoes: 1, imported: 1 });
  });

  it('is an all-day block of a host as well, and one of a whole day', async () => {
    await blockTime(s.asOwner, s.listing.id, { block_date: '2027-02-10' });
    await blockTime(s.asOwner, s.listing.id, {
      start_at: '2027-02-20T00:00:00',
      end_at: '2027-02-21T00:00:00',
    });
    await give();
    s.publish(nights('x', '2027-02-10', '2027-02-11'), nights('y', '2027-02-19', '2027-02-21'));
    expect(await s.next()).toMatchObject({ ...free, echoes: 2 });
  });

  it('does not count for the quarantine', async () => {
    const bookings = [
      await stay('2027-02-04', '2027-02-05'),
      await stay('2027-03-04', '2027-03-05'),
      await stay('2027-04-04', '2027-04-05'),
    ];
    await give();
    const own = nights('own', '2027-06-01', '2027-06-07');
    s.publish(
      own,
      nights('x', '2027-02-04', '2027-02-05'),
      nights('y', '2027-03-04', '2027-03-05'),
      nights('z', '2027-04-04', '2027-04-05'),
    );
    expect(await s.next()).toMatchObject({ status: 'ACTIVE', imported: 1, echoes: 3 });
    for (const booking of bookings) await cancel(booking);
    await give();
    s.publish(own);
    expect(await s.next()).toMatchObject({ status: 'ACTIVE', imported: 1, echoes: 0 });
    s.publish();
    expect(await s.next()).toMatchObject({ status: 'QUARANTINED' });
  });

  it('is known of the family: what a child or the parent has is given, too', async () => {
    const child = await testListing(s.deps, { team_id: s.team_id, parent_listing_id: s.listing.id });
    const { booking_id } = await bookStay(s.asGuest, {
      listing_id: child.id,
      check_in_date: '2027-02-04',
      check_out_date: '2027-02-06',
    });
    expect(await give()).toContain('DTSTART;VALUE=DATE:20270204');
    s.publish(nights('x', '2027-02-04', '2027-02-06'));
    expect(await s.next()).toMatchObject({ ...free, echoes: 1 });
    await cancel(booking_id);
    expect(await s.next(49 * 60)).toMatchObject({ imported: 1, echoes: 0 });
  });
});

describe('once the follower was given a calendar without the stay', () => {
  /** A stay was given, echoed as `x`, cancelled, and the follower has fetched since. */
  beforeEach(async () => {
    await s.follow();
    const booking = await stay('2027-02-04', '2027-02-06');
    await give();
    s.publish(nights('x', '2027-02-04', '2027-02-06'));
    await s.next();
    await cancel(booking);
  });
  const sold = ['2027-02-04T14 2027-02-06T12'];

  it('an event of its nights with another UID is a booking at once, though the echo was never away', async () => {
    await give();
    s.publish(nights('real', '2027-02-04', '2027-02-06'));
    expect(await s.next()).toMatchObject({ status: 'ACTIVE', imported: 1, echoes: 0 });
    expect(await s.blocks()).toEqual(sold);
    await expect(stay('2027-02-04', '2027-02-06')).rejects.toMatchObject({ code: 'LISTING_NOT_AVAILABLE' });
  });

  it('and not before: what still holds the stay cannot have sold it, under any UID', async () => {
    s.publish(nights('renamed', '2027-02-04', '2027-02-06'));
    expect(await s.next()).toMatchObject({ ...free, echoes: 1 });
    await give();
    expect(await s.next()).toMatchObject({ ...free, echoes: 1 });
  });

  it('its echo of the same UID is one for 6 hours, and is imported then', async () => {
    await give();
    expect(await s.next(6 * 60 - 1)).toMatchObject({ ...free, echoes: 1 });
    expect(await s.next(10)).toMatchObject({ status: 'ACTIVE', imported: 1, echoes: 0 });
    expect(await s.blocks()).toEqual(sold);
  });

  it('an echo that gets a new UID keeps the nights until it has gone, without a quarantine', async () => {
    await give();
    for (const uid of ['y', 'z']) {
      s.publish(nights(uid, '2027-02-04', '2027-02-06'));
      expect(await s.next()).toMatchObject({ status: 'ACTIVE', imported: 1, echoes: 0 });
    }
    s.publish();
    await s.next();
    expect(await s.next()).toMatchObject({ ...free, echoes: 0 });
    expect(await s.blocks()).toEqual([]);
  });

  it('an echo that gets new UIDs is one again once its nights are sold here and the follower knows it', async () => {
    await give();
    await stay('2027-02-04', '2027-02-06');
    for (const uid of ['y', 'z']) {
      s.publish(nights(uid, '2027-02-04', '2027-02-06'));
      expect(await s.next()).toMatchObject({ status: 'CONFLICT', echoes: 0 });
    }
    await give();
    expect(await s.next()).toMatchObject({ status: 'CONFLICT', echoes: 0 });
    s.publish(nights('renamed', '2027-02-04', '2027-02-06'));
    expect(await s.next()).toMatchObject({ ...free, echoes: 1 });
  });

  it('and what is left of it beside a shorter stay of ours stays a conflict', async () => {
    await give();
    await stay('2027-02-05', '2027-02-06');
    await give();
    for (const uid of ['y', 'z']) {
      s.publish(nights(uid, '2027-02-04', '2027-02-06'));
      expect(await s.next()).toMatchObject({ status: 'CONFLICT', echoes: 0 });
    }
  });

  it('a sale there is a conflict with a longer stay of ours that was given after it', async () => {
    await give();
    await stay('2027-02-03', '2027-02-07');
    await give();
    s.publish(nights('real', '2027-02-04', '2027-02-06'));
    expect(await s.next()).toMatchObject({ status: 'CONFLICT', echoes: 0 });
  });

  it('a longer stay of ours over its nights is none: the follower cannot have sold them', async () => {
    await stay('2027-02-03', '2027-02-07');
    await give();
    s.publish(nights('renamed', '2027-02-04', '2027-02-06'), nights('y', '2027-02-03', '2027-02-07'));
    expect(await s.next()).toMatchObject({ ...free, echoes: 2 });
  });
});

describe('a booking of the follower', () => {
  beforeEach(async () => {
    await s.follow();
  });

  it('over a stay that was not given yet is a conflict, and stays one when the stay is given, under any UID', async () => {
    await stay('2027-02-04', '2027-02-06');
    s.publish(nights('real', '2027-02-04', '2027-02-06'));
    expect(await s.next()).toMatchObject({ status: 'CONFLICT', echoes: 0 });
    await give();
    expect(await s.next()).toMatchObject({ status: 'CONFLICT', echoes: 0 });
    s.publish(nights('renamed', '2027-02-04', '2027-02-06'));
    expect(await s.next()).toMatchObject({ status: 'CONFLICT', echoes: 0 });
  });

  it('is judged anew when the host adds the address again', async () => {
    await stay('2027-02-04', '2027-02-06');
    s.publish(nights('x', '2027-02-04', '2027-02-06'));
    await s.next();
    await give();
    expect(await s.follow()).toMatchObject({ ...free, echoes: 1 });
    expect(await s.next()).toMatchObject({ ...free, echoes: 1 });
  });

  it('of the hours of a day that we block is none of the nights that it was given for the block', async () => {
    await blockTime(s.asOwner, s.listing.id, {
      start_at: '2027-02-10T00:00:00',
      end_at: '2027-02-11T00:00:00',
    });
    await give();
    s.publish(timed('x', '20270209T000000', '20270211T000000'));
    expect(await s.next()).toMatchObject({ ...free, echoes: 1 });
    s.publish(timed('real', '20270210T000000', '20270211T000000'));
    expect(await s.next()).toMatchObject({ status: 'CONFLICT', echoes: 0 });
  });

  it('that overlaps in part, or is a part, takes what is free and is a conflict', async () => {
    await stay('2027-02-04', '2027-02-06');
    await give();
    s.publish(nights('x', '2027-02-05', '2027-02-07'));
    expect(await s.next()).toMatchObject({ status: 'CONFLICT', imported: 1, echoes: 0 });
    s.publish(nights('x', '2027-02-04', '2027-02-05'));
    expect(await s.next()).toMatchObject({ status: 'CONFLICT', echoes: 0 });
    s.publish(timed('x', '20270204T150000', '20270206T110000'));
    expect(await s.next()).toMatchObject({ status: 'CONFLICT', echoes: 0 });
  });

  it('of the nights that we have cancelled is imported at once when the echo had gone in between', async () => {
    const booking = await stay('2027-02-04', '2027-02-06');
    await give();
    s.publish(nights('x', '2027-02-04', '2027-02-06'));
    await s.next();
    await cancel(booking);
    await give();
    s.publish();
    await s.next();
    s.publish(nights('real', '2027-02-04', '2027-02-06'));
    expect(await s.next()).toMatchObject({ status: 'ACTIVE', imported: 1, echoes: 0 });
    await expect(stay('2027-02-04', '2027-02-06')).rejects.toMatchObject({ code: 'LISTING_NOT_AVAILABLE' });
  });

  it('is imported at once where the follower knows already that our stay has gone, and never echoed it', async () => {
    const booking = await stay('2027-02-04', '2027-02-06');
    await give();
    await s.next();
    await cancel(booking);
    await give();
    s.publish(nights('real', '2027-02-04', '2027-02-06'));
    expect(await s.next()).toMatchObject({ status: 'ACTIVE', imported: 1 });
  });

  it('is imported at once, too, where hours of the same date are still ours and the follower shows them as such', async () => {
    await blockTime(s.asOwner, s.listing.id, {
      start_at: '2027-02-04T12:00:00',
      end_at: '2027-02-04T14:00:00',
    });
    const booking = await stay('2027-02-04', '2027-02-05');
    const hours = timed('h', '20270204T050000Z', '20270204T070000Z');
    await give();
    s.publish(hours, nights('x', '2027-02-04', '2027-02-05'));
    expect(await s.next()).toMatchObject({ ...free, echoes: 2 });
    await cancel(booking);
    await give();
    s.publish(hours, nights('real', '2027-02-04', '2027-02-05'));
    expect(await s.next()).toMatchObject({ status: 'ACTIVE', imported: 1, echoes: 1 });
  });

  it('that was one event with a stay of ours has shrunk, not vanished, once the stay is cancelled', async () => {
    const booking = await stay('2027-02-04', '2027-02-06');
    await give();
    s.publish(nights('x', '2027-02-04', '2027-02-11'));
    expect(await s.next()).toMatchObject({ status: 'CONFLICT', imported: 1, echoes: 0 });
    await cancel(booking);
    expect(await s.next()).toMatchObject({ status: 'ACTIVE', imported: 1 });
    expect(await s.blocks()).toEqual(['2027-02-04T14 2027-02-11T12']);
    await give();
    s.publish(nights('y', '2027-02-06', '2027-02-11'));
    expect(await s.next()).toMatchObject({ status: 'ACTIVE', imported: 1 });
    expect(await s.blocks()).toEqual(['2027-02-06T14 2027-02-11T12']);
    s.publish();
    expect(await s.next()).toMatchObject({ status: 'QUARANTINED' });
  });

  it('that a host lifts stays lifted while the calendar is as it was, and comes back with its next change', async () => {
    s.remote.headers = { etag: '"1"' };
    s.publish(nights('real', '2027-02-04', '2027-02-06'));
    await s.next();
    const [entry] = await overlappingEntries(s.deps.table, s.listing.id, {
      start_at: '2027-02-04T00:00:00',
      end_at: '2027-02-06T00:00:00',
    });
    await unblockTime(s.asOwner, s.listing.id, entry!.availability_id);
    await s.next();
    expect(await s.blocks()).toEqual([]);
    s.remote.headers = { etag: '"2"' };
    s.publish(nights('real', '2027-02-04', '2027-02-06'), nights('b', '2027-03-01', '2027-03-02'));
    await s.next();
    expect(await s.blocks()).toEqual(['2027-02-04T14 2027-02-06T12', '2027-03-01T14 2027-03-02T12']);
  });
});

describe('the export address of a feed', () => {
  it('leaves out what came from that feed and holds the rest; the general one holds everything', async () => {
    s.publish(nights('a', '2027-02-04', '2027-02-06'));
    const added = await s.follow();
    s.publish(nights('b', '2027-03-01', '2027-03-03'));
    await s.follow(other);
    await stay('2027-04-01', '2027-04-02');
    const { export_url } = await listFeeds(s.asOwner, s.listing.id, 'https://api');
    const starts = (text: string) => [...text.matchAll(/DTSTART;VALUE=DATE:(\d+)/g)].map(([, date]) => date);
    expect(starts(await give(url))).toEqual(['20270301', '20270401']);
    expect(starts(await give(other))).toEqual(['20270204', '20270401']);
    expect(starts((await fetched(export_url)).body)).toEqual(['20270204', '20270301', '20270401']);
    expect(new URL(added.export_url).searchParams.get('token')).toBe(
      new URL(await exportUrl()).searchParams.get('token'),
    );
  });

  it('keeps two followers apart: what one gave us is an echo in the other', async () => {
    s.publish(nights('a', '2027-02-04', '2027-02-06'));
    await s.follow();
    s.publish();
    await s.follow(other);
    await give(other);
    s.publish(nights('copy', '2027-02-04', '2027-02-06'));
    await s.next();
    const items = await s.list();
    expect(items.map(({ url: of, imported, echoes }) => [of, imported, echoes])).toEqual([
      [url, 1, 0],
      [other, 0, 1],
    ]);
    expect(items.map(({ status }) => status)).toEqual(['ACTIVE', 'ACTIVE']);
  });

  it('opens nothing with another token, of another listing, or once the feed is followed no more', async () => {
    await s.follow();
    const address = await exportUrl();
    const bad = [
      `${address}x`,
      address.replace('token=', 'token=1'),
      address.replace(/\.[\w-]+$/, '.'),
      address.replace(`/${s.listing.id}/`, `/${(await testListing(s.deps, { team_id: s.team_id })).id}/`),
    ];
    for (const one of bad) await expect(fetched(one)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(fetched(address)).resolves.toBeDefined();
    await s.unfollow((await s.list())[0]!.id);
    await expect(fetched(address)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await s.follow();
    expect(await exportUrl()).not.toBe(address);
    await expect(fetched(await exportUrl())).resolves.toBeDefined();
  });

  it('changes with the general one, and what was given stays known', async () => {
    await s.follow();
    await stay('2027-02-04', '2027-02-06');
    const before = await exportUrl();
    await give();
    await rotateToken(s.asOwner, s.listing.id, 'https://api');
    expect(await exportUrl()).not.toBe(before);
    await expect(fetched(before)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    s.publish(nights('x', '2027-02-04', '2027-02-06'));
    expect(await s.next()).toMatchObject({ ...free, echoes: 1 });
  });

  it('is made for a feed of before when its host looks, the same for all who look at once', async () => {
    await s.follow();
    const [feed] = await feedsOf(s.deps.table, s.listing.id);
    await s.deps.table.transact([remove(FeedExportEntity, feed!)]);
    s.publish(nights('a', '2027-02-04', '2027-02-06'));
    expect(await s.next()).toMatchObject({
      imported: 1,
      export_url: expect.stringContaining('token=') as string,
    });
    await s.deps.table.transact([remove(FeedExportEntity, feed!)]);
    const addresses = await Promise.all(Array.from({ length: 10 }, () => exportUrl()));
    expect(new Set(addresses).size).toBe(1);
    expect(await give()).not.toContain('20270204');
  });

  it('remembers what was given before it is given, however many fetch at once', async () => {
    await s.follow();
    const address = await exportUrl();
    await Promise.all(
      Array.from({ length: 6 }, async (_, n) => {
        await stay(`2027-03-0${n + 1}`, `2027-03-0${n + 2}`);
        await fetched(address);
      }),
    );
    s.publish(nights('x', '2027-03-01', '2027-03-07'));
    expect(await s.next()).toMatchObject({ ...free, echoes: 1 });
  });

  it('remembers the text of the later reading where an earlier one comes late', async () => {
    await s.follow();
    const address = await exportUrl();
    const put = s.deps.table.put.bind(s.deps.table);
    const held = Promise.withResolvers<undefined>();
    const waits = Promise.withResolvers<undefined>();
    await stay('2027-02-01', '2027-02-02');
    s.deps.table.put = async (write) => {
      s.deps.table.put = put;
      waits.resolve(undefined);
      await held.promise;
      return put(write);
    };
    const late = fetched(address);
    await waits.promise;
    await stay('2027-02-04', '2027-02-06');
    await fetched(address);
    held.resolve(undefined);
    expect((await late).body).toContain('20270204');
    s.publish(nights('x', '2027-02-04', '2027-02-06'));
    expect(await s.next()).toMatchObject({ ...free, echoes: 1 });
  });

  it('gives nothing when it cannot be remembered', async () => {
    await s.follow();
    await stay('2027-02-04', '2027-02-06');
    const address = await exportUrl();
    const put = s.deps.table.put.bind(s.deps.table);
    s.deps.table.put = () => Promise.reject(new Error('down'));
    await expect(fetched(address)).rejects.toThrow('down');
    s.deps.table.put = put;
    await expect(fetched(address)).resolves.toBeDefined();
  });

  it('is followed by another Nightlatch, which exports nothing back', async () => {
    const there = await importScene();
    const theirs = async () => (await listFeeds(there.asOwner, there.listing.id, 'https://there')).export_url;
    s.remote.text = (await fetched(await theirs())).body;
    await s.follow(await theirs());
    await stay('2027-02-04', '2027-02-06');
    const ours = await exportUrl(await theirs());
    there.remote.text = (await fetched(ours)).body;
    await there.follow(ours);
    expect(await blocksOf(there.deps, there.listing)).toEqual(['2027-02-04T14 2027-02-06T12']);
    s.remote.text = (await fetched(await theirs())).body;
    expect(s.remote.text).toContain('20270204');
    expect(await s.next()).toMatchObject({ ...free, echoes: 1 });
  });
});

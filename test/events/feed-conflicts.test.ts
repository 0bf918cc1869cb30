import { beforeEach, describe, expect, it } from 'vitest';
import { icalWorker } from '../../functions/workers/ical/index.ts';
import { unblockTime } from '../../shared/domain/calendar/block-time.ts';
import { overlappingEntries } from '../../shared/domain/calendar/calendar.store.ts';
import { cancelBooking } from '../../shared/domain/booking/cancel-booking.ts';
import { followCalendar } from '../../shared/domain/ical/follow-calendar.ts';
import {
  FeedExportEntity,
  FeedRevisionEntity,
  feedsOf,
  type FollowedFeed,
} from '../../shared/domain/ical/ical.store.ts';
import { listFeeds } from '../../shared/domain/ical/list-feeds.ts';
import { rotateToken } from '../../shared/domain/ical/rotate-token.ts';
import { syncFeed } from '../../shared/domain/ical/sync-feed.ts';
import { unfollowCalendar } from '../../shared/domain/ical/unfollow-calendar.ts';
import { archiveListing } from '../../shared/domain/listing/archive-listing.ts';
import { updateListing } from '../../shared/domain/listing/update-listing.ts';
import { orderIdOf } from '../../shared/platform/ids.ts';
import { remove, type Write } from '../../shared/platform/table/index.ts';
import { event, nights } from '../support/calendars.ts';
import { bookStay, eventsOf, queueEvent } from '../support/events.ts';
import { apiUrl, blocksOf, importScene, url } from '../support/import-scene.ts';
import { interrupted, interruptedTable, writing } from '../support/interrupted.ts';
import { testListing } from '../support/listings.ts';
import { besideFunctions } from '../support/rights/as-function.ts';

let s: Awaited<ReturnType<typeof importScene>>;
beforeEach(async () => {
  s = await importScene();
});

const a = nights('a', '2027-02-04', '2027-02-06');
const b = nights('b', '2027-03-01', '2027-03-03');
const d = nights('d', '2027-05-01', '2027-05-02');
const atA = '2027-02-04T14 2027-02-06T12';

/** Within the time that can be booked, whose months a listing closes when it leaves, and behind it. */
const later = [
  ['2027-05-01', '2027-05-02'],
  ['2029-08-01', '2029-08-02'],
] as const;

type Moment = Parameters<typeof interrupted>[2];

const feed = async (): Promise<FollowedFeed> => (await feedsOf(s.deps.table, s.listing.id))[0]!;
const unfollow = async () => s.unfollow((await feed()).feed_id);
const stay = (check_in_date: string, check_out_date: string) =>
  bookStay(s.asGuest, { listing_id: s.listing.id, check_in_date, check_out_date });
const taken = (booking: Promise<unknown>) =>
  expect(booking).rejects.toMatchObject({ code: 'LISTING_NOT_AVAILABLE' });

/** Runs the next regular fetch, and something else before it writes. */
const syncWhile = async (at: Moment, meanwhile: () => Promise<unknown>) => {
  s.deps.clock.advance(600_000);
  const table = interruptedTable(s.deps.table, at!, meanwhile);
  await syncFeed({ ...s.deps, table, fetchCalendar: s.fetchCalendar }, await feed());
};
const followWhile = (at: Moment, meanwhile: () => Promise<unknown>) =>
  followCalendar(interrupted(s.asOwner, meanwhile, at), s.listing.id, { url }, { ...s, apiUrl });

const dropExport = async () => s.deps.table.transact([remove(FeedExportEntity, await feed())]);

describe('while a synchronisation changes the calendar', () => {
  beforeEach(async () => {
    s.publish(a);
    await s.follow();
  });

  it('a host lifts the block that it is to lift, and a guest books: the stay keeps its hours', async () => {
    s.publish(a, b, d);
    await s.next();
    s.publish(b, d);
    await s.next();
    const lift = async () => {
      const day = { start_at: '2027-02-04T00:00:00', end_at: '2027-02-05T00:00:00' };
      const [block] = await overlappingEntries(s.deps.table, s.listing.id, day);
      await unblockTime(s.asOwner, s.listing.id, block!.availability_id);
      await stay('2027-02-04', '2027-02-06');
    };
    await syncWhile(writing('AvailabilityEntry'), lift);
    await s.next();
    await taken(stay('2027-02-05', '2027-02-06'));
  });

  it('the calendar is followed no more: nothing of it stays', async () => {
    s.publish(a, d);
    await syncWhile(writing('AvailabilityEntry'), unfollow);
    expect(await s.blocks()).toEqual([]);
  });

  it('the calendar is followed no more and followed again: the new feed keeps its blocks', async () => {
    s.publish(a, d);
    await syncWhile(writing('FollowedFeed'), async () => {
      await unfollow();
      await s.follow();
    });
    await unfollow();
    expect(await s.blocks()).toEqual([]);
  });

  it.each(later)(
    'its listing moves into a family: the block of %s goes to the calendar of the family',
    async (from, to) => {
      const parent = await testListing(s.deps, { team_id: s.team_id });
      s.publish(a, nights('later', from, to));
      await syncWhile(writing('AvailabilityEntry'), () =>
        updateListing(s.asOwner, s.listing.id, { parent_listing_id: parent.id }),
      );
      await s.next();
      expect(await s.blocks()).toEqual([]);
      const inFamily = await blocksOf(s.deps, { ...s.listing, parent_listing_id: parent.id });
      expect(inFamily).toEqual([atA, `${from}T14 ${to}T12`]);
    },
  );

  it.each(later)('its listing is archived: no block of %s comes in', async (from, to) => {
    s.publish(a, nights('later', from, to));
    await syncWhile(writing('AvailabilityEntry'), () => archiveListing(s.asOwner, s.listing.id));
    expect(await s.blocks()).toEqual([atA]);
  });
});

it.each(later)(
  'while a synchronisation is written, its listing changes its time zone: the block of %s has the new one',
  async (from, to) => {
    s.publish();
    await s.follow();
    const utc = (date: string, time: string) => `${date.replaceAll('-', '')}T${time}Z`;
    s.publish(event('UID:hours', `DTSTART:${utc(from, '080000')}`, `DTEND:${utc(to, '050000')}`));
    await syncWhile(writing('AvailabilityEntry'), () =>
      updateListing(s.asOwner, s.listing.id, { timezone: 'Asia/Tokyo' }),
    );
    expect(await s.blocks()).toEqual([]);
    await s.next();
    expect(await s.blocks()).toEqual([`${from}T17 ${to}T14`]);
  },
);

describe('while a calendar is added again', () => {
  beforeEach(async () => {
    s.publish(a);
    await s.follow();
  });

  it('it is followed no more: it is followed anew, and its export address opens', async () => {
    const { export_url } = await followWhile(writing('FollowedFeed'), unfollow);
    await expect(s.fetched(export_url)).resolves.toBeDefined();
    expect(await s.blocks()).toEqual([atA]);
  });

  it('a host looks at a feed of before: both get the same export address', async () => {
    await dropExport();
    let seen = '';
    const { export_url } = await followWhile('transact', async () => (seen = await s.exportUrl()));
    expect(export_url).toBe(seen);
  });

  it('and its blocks are there already, it is followed no more: it does not come back', async () => {
    s.publish(a, d);
    const isLast = (writes: readonly Write[]) => writes.length === 1 && writing('FollowedFeed')(writes);
    await followWhile(isLast, unfollow);
    expect(await feedsOf(s.deps.table, s.listing.id)).toEqual([]);
  });
});

describe('while a calendar is added', () => {
  const address = (n: number) => `https://calendars.example.com/${n}.ics`;

  it('another one is added: both are among the 20 of the listing, or the second is refused', async () => {
    for (let n = 1; n < 20; n++) await s.follow(address(n));
    const late = interrupted(s.asOwner, () => s.follow(address(20)), writing('FollowedFeed'));
    const added = followCalendar(late, s.listing.id, { url: address(21) }, { ...s, apiUrl });
    await expect(added).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await feedsOf(s.deps.table, s.listing.id)).toHaveLength(20);
  });

  it('another one is added between the read of the listing and the count: likewise', async () => {
    for (let n = 1; n < 20; n++) await s.follow(address(n));
    const late = interrupted(s.asOwner, () => s.follow(address(20)), { listed: 'FollowedFeed' });
    const added = followCalendar(late, s.listing.id, { url: address(21) }, { ...s, apiUrl });
    await expect(added).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});

describe('while a calendar that is added again is fetched', () => {
  const sold = nights('sold', '2027-06-01', '2027-06-02');
  const atSold = '2027-06-01T14 2027-06-02T12';
  const many = ['01', '02', '03', '05', '07'].map((day) =>
    nights(day, `2027-03-${day}`, `2027-03-0${Number(day) + 1}`),
  );
  /** Adds the calendar again; the text is of the moment before what happens meanwhile. */
  const addSlowly = (meanwhile: () => Promise<unknown>, times = 1) => {
    let left = times;
    const fetchCalendar: typeof s.fetchCalendar = async (...asked) => {
      const text = await s.fetchCalendar(...asked);
      if (left-- > 0) await besideFunctions(meanwhile);
      return text;
    };
    return followCalendar(s.asOwner, s.listing.id, { url }, { fetchCalendar, apiUrl });
  };
  const nextSync = async () => {
    s.deps.clock.advance(600_000);
    await s.sync();
  };
  beforeEach(async () => {
    s.publish(...many);
    await s.follow();
    s.publish();
    expect(await s.next()).toMatchObject({ status: 'QUARANTINED' });
  });

  it('the platform sells a night and a synchronisation brings it: the night stays blocked', async () => {
    s.deps.clock.advance(600_000);
    const { status } = await addSlowly(async () => {
      s.publish(sold);
      await s.sync();
    });
    expect(status).toBe('ACTIVE');
    expect(await s.blocks()).toEqual([atSold]);
    await taken(stay('2027-06-01', '2027-06-02'));
  });

  it('it is synchronised each time: it is not fetched for ever, and nothing is changed', async () => {
    s.publish(...many);
    const added = addSlowly(nextSync, 100);
    await expect(added).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await s.blocks()).toHaveLength(many.length);
  });
});

describe('while following a calendar ends', () => {
  beforeEach(async () => {
    s.publish(a);
    await s.follow();
  });

  it('it is added again: it stays, with its blocks', async () => {
    const { feed_id } = await feed();
    const ctx = interrupted(s.asOwner, () => s.follow(), writing('FeedContents'));
    await unfollowCalendar(ctx, s.listing.id, feed_id);
    expect(await s.list()).toMatchObject([{ status: 'ACTIVE', imported: 1 }]);
    expect(await s.blocks()).toEqual([atA]);
  });

  it('another host ends it: the second finds none', async () => {
    const { feed_id } = await feed();
    const ctx = interrupted(s.asOwner, unfollow);
    await expect(unfollowCalendar(ctx, s.listing.id, feed_id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('an export address of a feed of before is not made', async () => {
    await dropExport();
    const before = await feed();
    const ctx = interrupted(s.asOwner, unfollow, writing('FeedExport'));
    expect((await listFeeds(ctx, s.listing.id, apiUrl)).items).toEqual([]);
    expect(await s.deps.table.get(FeedExportEntity, before)).toBeUndefined();
  });

  it('and it is followed again, an export address of the feed of before is not made', async () => {
    await dropExport();
    const before = await feed();
    const again = async () => {
      await unfollow();
      await s.follow();
    };
    const ctx = interrupted(s.asOwner, again, writing('FeedExport'));
    expect((await listFeeds(ctx, s.listing.id, apiUrl)).items).toEqual([]);
    expect(await s.deps.table.get(FeedExportEntity, before)).toBeUndefined();
  });

  it('a booking that makes it due does not bring it back', async () => {
    s.deps.clock.advance(60_000);
    const { created } = await stay('2027-06-01', '2027-06-02');
    const table = interruptedTable(s.deps.table, writing('FollowedFeed'), unfollow);
    await icalWorker(() => ({ ...s.deps, table }))(queueEvent(created));
    expect(await feedsOf(s.deps.table, s.listing.id)).toEqual([]);
  });
});

it('a stay that is cancelled while its echo is looked at is looked at again', async () => {
  s.remote.headers = { etag: '"1"' };
  await s.follow();
  const { booking_id } = await stay('2027-03-01', '2027-03-02');
  await s.fetched(await s.exportUrl());
  const echo = nights('echo', '2027-03-01', '2027-03-02');
  s.publish(echo);
  s.remote.headers = { etag: '"2"' };
  await s.next();
  s.publish(echo, a);
  s.remote.headers = { etag: '"3"' };
  await syncWhile({ listed: 'AvailabilityEntry' }, async () => {
    await cancelBooking(s.asGuest, booking_id);
    const events = await eventsOf(s.deps.table, `ORDER#${orderIdOf(booking_id)}`);
    await icalWorker(() => s.deps)(
      queueEvent(events.find(({ event_type }) => event_type === 'booking.cancelled')!),
    );
  });
  expect(await s.next()).toMatchObject({ echoes: 1 });
  expect(s.remote.asked.at(-1)).not.toHaveProperty('If-None-Match');
});

describe('what a follower was given', () => {
  const echo = (day: number) => nights(`echo ${day}`, `2027-03-0${day}`, `2027-03-0${day + 1}`);
  const booked = (day: number) => stay(`2027-03-0${day}`, `2027-03-0${day + 1}`);

  it('stays known when its calendar is read at that moment', async () => {
    await s.follow();
    const address = await s.exportUrl();
    await booked(1);
    await s.fetched(address);
    s.publish(echo(1));
    await syncWhile(writing('FeedExport'), async () => {
      await booked(3);
      await s.fetched(address);
    });
    s.publish(echo(1), echo(3));
    expect(await s.next()).toMatchObject({ echoes: 2, conflicts: [], imported: 0 });
  });

  it('is remembered while the address changes, and the old address stays closed', async () => {
    await s.follow();
    const before = await s.exportUrl();
    const [reached, goesOn] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    const wait = () => {
      reached.resolve(undefined);
      return goesOn.promise;
    };
    const table = interruptedTable(s.deps.table, writing('FeedExport'), wait);
    let late: Promise<unknown> | undefined;
    const ctx = interrupted(s.asOwner, async () => {
      await booked(1);
      await s.fetched(before);
      await booked(3);
      late = s.fetched(before, { ...s.deps, table });
      await reached.promise;
    });
    await rotateToken(ctx, s.listing.id, apiUrl);
    goesOn.resolve(undefined);
    await late;
    await expect(s.fetched(before)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

it('counts each change of the calendar, also of many at once', async () => {
  const stays = await Promise.all(
    ['02', '03', '04', '05'].map((month) => stay(`2027-${month}-04`, `2027-${month}-06`)),
  );
  await Promise.all(stays.map(({ created }) => icalWorker(() => s.deps)(queueEvent(created))));
  const revision = await s.deps.table.get(FeedRevisionEntity, { calendar_id: s.listing.id });
  expect(revision).toMatchObject({ revision: 4 });
});

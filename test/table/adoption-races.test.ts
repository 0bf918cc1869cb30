import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { moveBooking } from '../../shared/domain/booking/move-booking.ts';
import { AvailabilityEntryEntity } from '../../shared/domain/calendar/calendar.store.ts';
import { unblockTime } from '../../shared/domain/calendar/block-time.ts';
import { adoptStay } from '../../shared/domain/checkout/adopt-stay.ts';
import { changeFeed } from '../../shared/domain/ical/change-feed.ts';
import { feedsOf } from '../../shared/domain/ical/ical.store.ts';
import { syncFeed } from '../../shared/domain/ical/sync-feed.ts';
import { unfollowCalendar } from '../../shared/domain/ical/unfollow-calendar.ts';
import type { UserCaller } from '../../shared/platform/auth.ts';
import type { Context } from '../../shared/platform/context.ts';
import { ServiceError } from '../../shared/platform/errors.ts';
import type { Table } from '../../shared/platform/table/index.ts';
import { bookStay } from '../support/events.ts';
import { interruptedTable, writing } from '../support/interrupted.ts';
import { adoption, platformScene, sold } from '../support/platform-scene.ts';
import { testContext } from '../support/table.ts';

let s: Awaited<ReturnType<typeof platformScene>>;
let id: number;
const a = (from: string, to: string, uid = 'a') => sold(uid, `2027-02-${from}`, `2027-02-${to}`);
const b = sold('b', '2027-03-01', '2027-03-03', 'Blocked');

beforeEach(async () => {
  s = await platformScene();
  s.publish(a('04', '07'), b);
  await s.followAs({ label: 'Airbnb' });
  id = (await s.imported()).items[0]!.availability_id;
});
afterEach(async () => {
  expect(await s.audited()).toEqual([]);
});

const asHost = (table: Table = s.deps.table): Context<UserCaller> =>
  testContext({ ...s.deps, table }, s.host);
const adopt = (table?: Table) => adoptStay(asHost(table), { ...adoption, availability_id: id });
const adoptedId = async (table?: Table) => (await adopt(table)).reservations[0]!.id;
/** A fetch ten minutes later, over a table that something else may happen to. */
const sync = async (table: Table = s.deps.table) => {
  s.deps.clock.advance(10 * 60_000);
  const [feed] = await feedsOf(s.deps.table, s.listing.id);
  await syncFeed({ ...s.deps, table, fetchCalendar: s.fetchCalendar }, feed!);
};
const before = (meanwhile: () => Promise<unknown>, kind: string): Table =>
  interruptedTable(s.deps.table, writing(kind), meanwhile);
const february = async () => (await s.held()).filter((text) => / 02-/.test(text));
const stay = (from: string, to: string) =>
  bookStay(s.asGuest, {
    listing_id: s.listing.id,
    check_in_date: `2027-02-${from}`,
    check_out_date: `2027-02-${to}`,
  });
const codeOf = (error: unknown): string => (error instanceof ServiceError ? error.code : String(error));

describe('an adoption', () => {
  it('by twenty at once is one, and the night is never open', async () => {
    const results = await Promise.allSettled([
      ...Array.from({ length: 20 }, () => adopt()),
      ...Array.from({ length: 10 }, () => stay('05', '06')),
    ]);
    const won = results.filter(({ status }) => status === 'fulfilled');
    const codes = results.flatMap((one) => (one.status === 'rejected' ? [codeOf(one.reason)] : []));
    expect(won).toHaveLength(1);
    expect(new Set(codes)).toEqual(new Set(['INVALID_STATE_TRANSITION', 'LISTING_NOT_AVAILABLE']));
    expect(await february()).toEqual(['STAY 02-04T14 02-07T12']);
  });

  it('beside fetches of twenty workers is followed by them, whichever is first', async () => {
    for (const [uid, from, to] of [
      ['a', '05', '08'],
      ['x', '05', '08'],
      ['x', '10', '12'],
    ] as const) {
      s.publish(a(from, to, uid), b);
      s.deps.clock.advance(10 * 60_000);
      const [feed] = await feedsOf(s.deps.table, s.listing.id);
      await Promise.allSettled([
        adopt(),
        ...Array.from({ length: 20 }, () => syncFeed({ ...s.deps, fetchCalendar: s.fetchCalendar }, feed!)),
      ]);
      await sync();
      const [held, ...others] = await february();
      expect(others).toEqual([]);
      expect(held).toMatch(new RegExp(`^(STAY|IMPORTED) 02-${from}T14 02-${to}T12$`));
      expect(await s.audited()).toEqual([]);
    }
  });

  it('over which the event moves finds no such stay any more', async () => {
    s.publish(a('05', '08'), b);
    await expect(adopt(before(sync, 'Order'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await february()).toEqual(['IMPORTED 02-05T14 02-08T12']);
  });

  it('while the event moves is the stay that moves', async () => {
    s.publish(a('05', '08'), b);
    await sync(before(adopt, 'AvailabilityEntry'));
    expect(await february()).toEqual(['STAY 02-05T14 02-08T12']);
  });

  it('over which the event vanishes finds no such stay any more', async () => {
    s.publish(b);
    await sync();
    await expect(adopt(before(sync, 'Order'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await february()).toEqual([]);
  });

  it('while the event vanishes is the stay that is cancelled', async () => {
    s.publish(b);
    await sync();
    let booking = 0;
    await sync(before(async () => (booking = await adoptedId()), 'AvailabilityEntry'));
    expect((await s.booking(booking)).state).toBe('CANCELLED');
    expect(await february()).toEqual([]);
  });

  it('is not undone by what the calendar says of the block by then', async () => {
    const { id: feedId } = (await s.list())[0]!;
    await s.changeFeed(feedId, { label: 'Booking.com' });
    const [feed] = await feedsOf(s.deps.table, s.listing.id);
    const table = before(adopt, 'AvailabilityEntry');
    await syncFeed({ ...s.deps, table, fetchCalendar: s.fetchCalendar }, feed!);
    expect(await february()).toEqual(['STAY 02-04T14 02-07T12']);
  });

  it('is not undone by forgetting what has ended', async () => {
    s.publish(sold('a', '2027-01-15', '2027-01-16'), b);
    await sync();
    id = (await s.imported()).items[0]!.availability_id;
    s.deps.clock.advance(4 * 24 * 3_600_000);
    await sync(before(adopt, 'AvailabilityEntry'));
    expect(await s.held()).toContain('STAY 01-15T14 01-16T12');
  });

  it.each([
    ['before', 'Order', 'NOT_FOUND', []],
    ['after', 'never', undefined, ['STAY 02-04T14 02-07T12']],
  ])('%s the calendar is followed no more', async (_, kind, code, held) => {
    const { id: feedId } = (await s.list())[0]!;
    const end = () => unfollowCalendar(asHost(), s.listing.id, feedId);
    const result = await adoptedId(before(end, kind)).catch(codeOf);
    if (code !== undefined) expect(result).toBe(code);
    else await end();
    expect(await february()).toEqual(held);
  });

  it('while its calendar is followed no more is the host’s own', async () => {
    const { id: feedId } = (await s.list())[0]!;
    const [read, ended] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    const waiting = before(() => {
      read.resolve(undefined);
      return ended.promise;
    }, 'Order');
    const adopting = adoptedId(waiting);
    await read.promise;
    const table = before(async () => {
      ended.resolve(undefined);
      await adopting;
    }, 'AvailabilityEntry');
    await unfollowCalendar(asHost(table), s.listing.id, feedId);
    expect(await february()).toEqual(['STAY 02-04T14 02-07T12']);
    await sync();
    await s.desk.ok(s.host, 'cancelBooking', { params: { booking_id: await adopting } });
  });

  it('and a host who lifts the block: one of both', async () => {
    const lift = (table?: Table) => unblockTime(asHost(table), s.listing.id, id);
    await expect(lift(before(adopt, 'AvailabilityEntry'))).rejects.toBeInstanceOf(Error);
    expect(await february()).toEqual(['STAY 02-04T14 02-07T12']);
  });

  it('over which a host lifts the block finds no such stay any more', async () => {
    const lift = () => unblockTime(asHost(), s.listing.id, id);
    await expect(adopt(before(lift, 'Order'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await february()).toEqual([]);
  });
});

describe('an adopted stay beside its event', () => {
  const arriving = async (): Promise<number> => {
    s.publish(sold('a', '2027-01-15', '2027-01-18'), b);
    await sync();
    id = (await s.imported()).items[0]!.availability_id;
    return adoptedId();
  };

  it('is not cancelled when the guest arrives meanwhile', async () => {
    const booking = await arriving();
    s.publish(b);
    await sync();
    await sync(before(() => moveBooking(asHost(), booking, 'check_in'), 'Reservation'));
    expect((await s.booking(booking)).state).toBe('CHECKED_IN');
    expect((await s.list())[0]!.conflicts).toMatchObject([{ booking_id: booking }]);
  });

  it('that moves while the guest leaves keeps what it was left', async () => {
    const booking = await arriving();
    await moveBooking(asHost(), booking, 'check_in');
    s.deps.clock.advance(24 * 3_600_000);
    s.publish(sold('a', '2027-01-15', '2027-01-20'), b);
    await sync(before(() => moveBooking(asHost(), booking, 'check_out'), 'Reservation'));
    expect(await s.held()).toContain('STAY 01-15T10 01-16T11');
    expect((await s.booking(booking)).check_out).toBe('2027-01-18');
  });

  it('that gets another UID while the guest leaves keeps what it was left', async () => {
    const booking = await arriving();
    await moveBooking(asHost(), booking, 'check_in');
    s.deps.clock.advance(24 * 3_600_000);
    s.publish(sold('x', '2027-01-15', '2027-01-18'), b);
    await sync(before(() => moveBooking(asHost(), booking, 'check_out'), 'AvailabilityEntry'));
    expect(await s.held()).toContain('STAY 01-15T10 01-16T11');
  });

  it('whose calendar ends while the guest leaves keeps what it was left', async () => {
    const booking = await arriving();
    await moveBooking(asHost(), booking, 'check_in');
    s.deps.clock.advance(24 * 3_600_000);
    const { id: feedId } = (await s.list())[0]!;
    await unfollowCalendar(asHost(), s.listing.id, feedId);
    await sync(before(() => moveBooking(asHost(), booking, 'check_out'), 'AvailabilityEntry'));
    expect(await s.held()).toEqual(['STAY 01-15T10 01-16T11']);
  });

  it('does not move onto a night that is sold meanwhile', async () => {
    const booking = await adoptedId();
    s.publish(a('06', '09'), b);
    await sync(before(() => stay('08', '10'), 'Reservation'));
    expect(await february()).toContain('STAY 02-04T14 02-07T12');
    expect((await s.list())[0]!.conflicts[0]).toMatchObject({ booking_id: booking });
  });

  it('moves once where two fetches read its move', async () => {
    const booking = await adoptedId();
    s.publish(a('05', '08'), b);
    await sync(before(() => sync(), 'Reservation'));
    for (let fetch = 0; fetch < 3; fetch++) await sync();
    expect((await s.historyOf(booking)).filter((text) => /changed/.test(text))).toHaveLength(1);
    expect(await february()).toEqual(['STAY 02-05T14 02-08T12']);
  });
});

describe('a fetch that another one has overtaken', () => {
  /** What a later fetch does while an earlier one, over the table, is about to write. */
  const overtaking = (kind: string, ...events: string[][]): Table =>
    before(async () => {
      const { id: feedId } = (await s.list())[0]!;
      await s.changeFeed(feedId, { label: 'Another' });
      s.publish(...events, b);
      const [feed] = await feedsOf(s.deps.table, s.listing.id);
      await syncFeed({ ...s.deps, fetchCalendar: s.fetchCalendar }, feed!);
    }, kind);

  it('moves nothing', async () => {
    const booking = await adoptedId();
    s.publish(a('05', '08'), b);
    await sync(overtaking('Reservation', a('04', '07')));
    await sync();
    expect(await s.historyOf(booking)).toEqual(['booking.created by host']);
  });

  it('cancels nothing', async () => {
    const booking = await adoptedId();
    s.publish(b);
    await sync();
    await sync(overtaking('Reservation', a('04', '07')));
    await sync();
    expect(await s.historyOf(booking)).toEqual(['booking.created by host']);
  });

  it('names no event', async () => {
    const booking = await adoptedId();
    s.publish(a('04', '07', 'x'), b);
    await sync(overtaking('AvailabilityEntry', a('04', '07')));
    s.publish(a('05', '08'), b);
    await sync();
    expect((await s.booking(booking)).state).toBe('CONFIRMED');
    expect(await february()).toEqual(['STAY 02-05T14 02-08T12']);
  });

  it('says nothing of its stays', async () => {
    s.publish(sold('a', '2027-02-04', '2027-02-07', 'Reserved - Lan'), b);
    await sync(overtaking('AvailabilityEntry', a('04', '07')));
    expect((await s.imported()).items).toMatchObject([{ label: 'Another', summary: 'Reserved' }]);
  });

  it('leaves no stay to the host where the calendar is followed again', async () => {
    const booking = await adoptedId();
    const { id: feedId } = (await s.list())[0]!;
    await unfollowCalendar(asHost(), s.listing.id, feedId);
    await sync(before(() => s.follow(), 'AvailabilityEntry'));
    const params = { booking_id: booking };
    expect(await s.desk.refusal(s.host, 'cancelBooking', { params })).toMatchObject({
      code: 'MANAGED_BY_CHANNEL',
    });
    expect(await february()).toEqual(['STAY 02-04T14 02-07T12']);
  });

  it('forgets no text of a stay that has been brought again meanwhile', async () => {
    s.publish(sold('a', '2027-01-15', '2027-01-16'), b);
    await sync();
    id = (await s.imported()).items[0]!.availability_id;
    s.deps.clock.advance(4 * 24 * 3_600_000);
    const lift = () => unblockTime(asHost(), s.listing.id, id);
    await sync(before(lift, 'AvailabilityEntry'));
    expect(await s.held()).toEqual(['IMPORTED 03-01T14 03-03T12']);
  });
});

describe('a stay of five weeks', () => {
  const long = (uid: string) => sold(uid, '2027-01-15', '2027-02-25');
  const arriving = async (): Promise<number> => {
    s.publish(long('a'), b);
    await sync();
    id = (await s.imported()).items[0]!.availability_id;
    const booking = await adoptedId();
    await moveBooking(asHost(), booking, 'check_in');
    s.deps.clock.advance(24 * 3_600_000);
    return booking;
  };

  it('that gets another UID while the guest leaves keeps what it was left', async () => {
    const booking = await arriving();
    s.publish(long('x'), b);
    await sync(before(() => moveBooking(asHost(), booking, 'check_out'), 'AvailabilityEntry'));
    expect(await s.held()).toContain('STAY 01-15T10 01-16T11');
    const pk = AvailabilityEntryEntity.partition({ calendar_id: s.listing.id });
    const entries = await s.deps.table.queryAll(AvailabilityEntryEntity, { pk, prefix: 'LONG_ENTRY' });
    expect(entries.filter(({ state }) => state !== 'BLOCKED')).toEqual([]);
  });

  it('whose calendar ends while the guest leaves keeps what it was left', async () => {
    const booking = await arriving();
    const { id: feedId } = (await s.list())[0]!;
    await unfollowCalendar(asHost(), s.listing.id, feedId);
    await sync(before(() => moveBooking(asHost(), booking, 'check_out'), 'AvailabilityEntry'));
    expect(await s.held()).toEqual(['STAY 01-15T10 01-16T11']);
  });
});

it('an own block in the way of a move that a host lifts meanwhile is no block again', async () => {
  s.publish(a('04', '07'), a('07', '09', 'c'), b);
  await sync();
  const booking = await adoptedId();
  const [block] = (await s.imported()).items;
  s.publish(a('06', '08'), b);
  const lift = () => unblockTime(asHost(), s.listing.id, block!.availability_id);
  await sync(before(lift, 'Reservation'));
  await sync();
  expect((await s.booking(booking)).check_in).toBe('2027-02-06');
  expect((await february())[0]).toBe('STAY 02-06T14 02-08T12');
});

it('an own block in the way of a move that is adopted meanwhile is that stay', async () => {
  s.publish(a('04', '07'), a('07', '09', 'c'), b);
  await sync();
  const booking = await adoptedId();
  id = (await s.imported()).items[0]!.availability_id;
  s.publish(a('06', '08'), a('07', '09', 'c'), b);
  await sync(before(adopt, 'Reservation'));
  await sync();
  expect((await s.booking(booking)).check_in).toBe('2027-02-04');
  expect(await february()).toEqual(['STAY 02-04T14 02-07T12', 'STAY 02-07T14 02-09T12']);
});

it('settings of a calendar that change at once both stand', async () => {
  const { id: feedId } = (await s.list())[0]!;
  const ctx = asHost(before(() => s.changeFeed(feedId, { commission_rate: 0.1 }), 'FollowedFeed'));
  await changeFeed(ctx, s.listing.id, feedId, { change: { label: 'Agoda' }, apiUrl: '' });
  expect((await s.list())[0]).toMatchObject({ label: 'Agoda', commission_rate: 0.1 });
});

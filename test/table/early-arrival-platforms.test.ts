import { afterEach, beforeEach, expect, it } from 'vitest';
import { moveBooking } from '../../shared/domain/booking/move-booking.ts';
import { overlappingEntries } from '../../shared/domain/calendar/calendar.store.ts';
import { feedsOf } from '../../shared/domain/ical/ical.store.ts';
import { syncFeed } from '../../shared/domain/ical/sync-feed.ts';
import { event } from '../support/calendars.ts';
import { bookStay } from '../support/events.ts';
import { interrupted } from '../support/interrupted.ts';
import { platformScene, sold } from '../support/platform-scene.ts';
import { testContext } from '../support/table.ts';

let s: Awaited<ReturnType<typeof platformScene>>;
beforeEach(async () => {
  s = await platformScene();
});
afterEach(async () => {
  expect(await s.audited()).toEqual([]);
});

const nights = (from: string, to: string, uid = 'a') => sold(uid, `2027-02-${from}`, `2027-02-${to}`);
const sync = async () => {
  s.deps.clock.advance(10 * 60_000);
  const [feed] = await feedsOf(s.deps.table, s.listing.id);
  await syncFeed({ ...s.deps, fetchCalendar: s.fetchCalendar }, feed!);
};
/** Reserved hours of 4 February, UTC. */
const timed = (uid: string, from: number, to: number) =>
  event(`UID:${uid}`, `DTSTART:20270204T0${from}0000Z`, `DTEND:20270204T0${to}0000Z`, 'SUMMARY:Reserved');
/** The entries of 4 February. */
const entries = () => {
  const range = { start_at: '2027-02-04T00:00:00', end_at: '2027-02-05T00:00:00' };
  return overlappingEntries(s.deps.table, s.listing.id, range);
};
const unfollow = async () => {
  const [feed] = await feedsOf(s.deps.table, s.listing.id);
  const params = { listing_id: s.listing.id, feed_id: feed!.feed_id };
  await s.calendarFeeds.ok(s.host, 'unfollowCalendar', { params });
};
const at = (local: string) => s.deps.clock.advance(Date.parse(`${local}+07:00`) - s.deps.clock.now());
const params = (booking_id: number) => ({ params: { booking_id } });
const move = (verb: 'checkInBooking' | 'undoCheckIn' | 'checkOutBooking', id: number) =>
  s.desk.ok(s.host, verb, params(id));
const conflicts = async () => (await s.today()).conflicts;

/** An adopted stay from 4 to 7 February whose guest has come at 10:00. */
const early = async (): Promise<number> => {
  s.publish(nights('04', '07'));
  await s.followAs({ label: 'Airbnb' });
  const id = await s.adopt();
  at('2027-02-04T10:00:00');
  await move('checkInBooking', id);
  expect(await s.held()).toEqual(['STAY 02-04T10 02-07T12']);
  return id;
};

it('a platform’s stay before ours closes its hours: our guest is checked in, and takes those after it', async () => {
  s.publish(nights('03', '04'));
  await s.followAs({ label: 'Airbnb' });
  const stay = { listing_id: s.listing.id, check_in_date: '2027-02-04', check_out_date: '2027-02-06' };
  const { booking_id: id } = await bookStay(s.asGuest, stay);
  at('2027-02-04T10:30:00');
  await move('checkInBooking', id);
  expect(await s.held()).toEqual(['IMPORTED 02-03T14 02-04T12', 'STAY 02-04T12 02-06T12']);
  await sync();
  expect(await s.held()).toEqual(['IMPORTED 02-03T14 02-04T12', 'STAY 02-04T12 02-06T12']);
  expect(await conflicts()).toEqual([]);
});

it('free hours before those of an imported event cannot be taken apart: the event is named', async () => {
  s.publish(timed('c', 4, 5));
  await s.followAs({ label: 'Airbnb' });
  const stay = { listing_id: s.listing.id, check_in_date: '2027-02-04', check_out_date: '2027-02-06' };
  const { booking_id: id } = await bookStay(s.asGuest, stay);
  at('2027-02-04T09:30:00');
  expect(await s.desk.refusal(s.host, 'checkInBooking', params(id))).toMatchObject({
    ...{ status: 409, code: 'LISTING_NOT_AVAILABLE' },
    details: {
      taken_by: [
        {
          ...{ kind: 'IMPORTED', source: 'Airbnb', booking_id: null },
          ...{ start_at: '2027-02-04T11:00:00', end_at: '2027-02-04T12:00:00' },
        },
      ],
    },
  });
  s.publish(timed('c', 4, 5), timed('d', 2, 3));
  await sync();
  expect(await s.desk.refusal(s.host, 'checkInBooking', params(id))).toMatchObject({
    details: { taken_by: [{ kind: 'IMPORTED' }, { kind: 'IMPORTED' }] },
  });
  at('2027-02-04T11:30:00');
  await move('checkInBooking', id);
  expect((await s.held()).slice(1)).toEqual(['IMPORTED 02-04T11 02-04T12', 'STAY 02-04T12 02-06T12']);
});

it('an adopted stay with hours before it is as its event says, also under another UID', async () => {
  const id = await early();
  await sync();
  s.publish(nights('04', '07', 'b'));
  await sync();
  await sync();
  expect(await s.held()).toEqual(['STAY 02-04T10 02-07T12']);
  expect(await conflicts()).toEqual([]);
  expect(await s.historyOf(id)).not.toContain('booking.changed by system');
});

it('its event moves its end, and no other beginning', async () => {
  const id = await early();
  s.publish(nights('04', '09'));
  await sync();
  expect(await s.held()).toEqual(['STAY 02-04T10 02-09T12']);
  expect(await s.booking(id)).toMatchObject({ start_at: '2027-02-04T14:00:00', nights: 5 });
  s.publish(nights('05', '09'));
  await sync();
  expect(await s.held()).toContain('STAY 02-04T10 02-09T12');
  expect(await conflicts()).toHaveLength(1);
});

it('an event with hours of its own is found by them', async () => {
  s.publish(timed('a', 6, 9));
  await s.followAs({ label: 'Airbnb' });
  const id = await s.adopt();
  at('2027-02-04T11:00:00');
  await move('checkInBooking', id);
  s.publish(timed('b', 6, 9));
  await sync();
  await sync();
  expect(await s.held()).toEqual(['STAY 02-04T11 02-04T16']);
  expect(await conflicts()).toEqual([]);
});

it('undone it begins as its event says, and the hours are free', async () => {
  const id = await early();
  await move('undoCheckIn', id);
  expect(await s.held()).toEqual(['STAY 02-04T14 02-07T12']);
  await sync();
  expect(await s.held()).toEqual(['STAY 02-04T14 02-07T12']);
  s.publish(nights('04', '08'));
  await sync();
  expect(await s.held()).toEqual(['STAY 02-04T14 02-08T12']);
});

it('left before it begins, the hours before are free, and its nights stay the calendar’s', async () => {
  const id = await early();
  at('2027-02-04T11:30:00');
  await move('checkOutBooking', id);
  expect(await s.held()).toEqual(['STAY 02-04T10 02-04T12', 'IMPORTED 02-04T14 02-07T12']);
  expect((await entries()).map(({ booked_from: from }) => from)).toEqual(['2027-02-04T14:00:00', undefined]);
});

it.each(['gets another UID', 'is followed no more'])(
  'keeps what its calendar says of it: it %s meanwhile',
  async (how) => {
    s.publish(nights('04', '07'));
    await s.followAs({ label: 'Airbnb' });
    const id = await s.adopt();
    at('2027-02-04T10:00:00');
    const before = (await entries())[0]!;
    const meanwhile = async () => {
      if (how === 'gets another UID') s.publish(nights('04', '07', 'b'));
      else await unfollow();
      await sync();
    };
    await moveBooking(interrupted(testContext(s.deps, s.host), meanwhile), id, 'check_in');
    expect(await s.held()).toEqual(['STAY 02-04T10 02-07T12']);
    const { feed_id, event_key } = (await entries())[0]!;
    expect([feed_id === before.feed_id, event_key === undefined, event_key === before.event_key]).toEqual(
      how === 'gets another UID' ? [true, false, false] : [false, true, false],
    );
  },
);

it('is the host’s own with its hours once its calendar is followed no more', async () => {
  const id = await early();
  await unfollow();
  await sync();
  expect(await s.held()).toEqual(['STAY 02-04T10 02-07T12']);
  await move('undoCheckIn', id);
  expect(await s.held()).toEqual(['STAY 02-04T14 02-07T12']);
});

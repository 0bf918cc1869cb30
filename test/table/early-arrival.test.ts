import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { auditBooking } from '../../shared/domain/audit/index.ts';
import { stayRow, stayTimes } from '../../shared/domain/booking/stay-row.rules.ts';
import { bookExternally } from '../../shared/domain/checkout/book-externally.ts';
import { moveBooking } from '../../shared/domain/booking/move-booking.ts';
import { getBooking } from '../../shared/domain/booking/read-bookings.ts';
import { AvailabilityEntryEntity, overlappingEntries } from '../../shared/domain/calendar/calendar.store.ts';
import { readRange } from '../../shared/domain/calendar/read-calendar.ts';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import { exportCalendar } from '../../shared/domain/ical/export-calendar.ts';
import { listFeeds } from '../../shared/domain/ical/list-feeds.ts';
import { updateListing } from '../../shared/domain/listing/update-listing.ts';
import { type Consumption, remove } from '../../shared/platform/table/index.ts';
import { countsUnits } from '../support/costs.ts';
import { earlyScene } from '../support/early-scene.ts';
import { interrupted } from '../support/interrupted.ts';
import { testListing } from '../support/listings.ts';
import { dates } from '../support/preparation-scene.ts';

let s: Awaited<ReturnType<typeof earlyScene>>;
beforeEach(async () => {
  s = await earlyScene();
});
afterEach(async () => {
  expect(await s.audited()).toEqual([]);
});

const hours = (from: number, to: number, date = '2027-02-04') => ({
  ...dates(date, date),
  check_in_time: `${String(from).padStart(2, '0')}:00:00`,
  check_out_time: `${String(to).padStart(2, '0')}:00:00`,
});
const notAvailable = { code: 'LISTING_NOT_AVAILABLE' };

describe('a check-in before the stay begins', () => {
  it('takes the hours from the present one on, of the room and its house, so that others cannot book them', async () => {
    const id = await s.booked();
    const { total_price } = await getBooking(s.guest, id);
    await s.arrive(id, '2027-02-04T08:40:00');
    expect(await s.taken()).toEqual(['02-04T08 02-06T12']);
    expect(await s.taken(s.house.id)).toEqual(['02-04T08 02-06T12']);
    expect(await s.taken(s.sibling.id)).toEqual([]);
    expect(await s.entries()).toEqual(['BOOKED 02-04T08 02-06T12']);
    await expect(s.book(hours(9, 13), s.room.id, s.other)).rejects.toMatchObject(notAvailable);
    await expect(s.book(hours(9, 13), s.house.id, s.other)).rejects.toMatchObject(notAvailable);
    await expect(
      bookExternally(s.partner, {
        ...{ external_booking_id: 'P-1', external_system: 'partner', payment_method: 'CASH' },
        items: [s.item(hours(9, 13))],
        guest_info: { full_name: 'Maria', phone: '0900000000', email: 'maria@example.com' },
      } as never),
    ).rejects.toMatchObject(notAvailable);
    await s.book(hours(9, 13), s.sibling.id, s.other);
    expect(await s.stay(id)).toMatchObject({
      ...{ start_at: '2027-02-04T14:00:00', taken_from: '2027-02-04T08:00:00' },
      ...{ check_in_date: '2027-02-04', total: total_price },
    });
    expect(await s.announced()).toEqual(['02-04T08 02-04T14']);
  });

  it.each([
    ['2027-02-04T00:00:00', '02-04T00'],
    ['2027-02-04T12:59:59', '02-04T12'],
    ['2027-02-04T13:59:59', '02-04T13'],
  ])('at %s takes the hour that contains it', async (local, from) => {
    const id = await s.booked();
    await s.arrive(id, local);
    expect(await s.taken()).toEqual([`${from} 02-06T12`]);
  });

  it.each(['2027-02-04T14:00:00', '2027-02-04T14:20:00', '2027-02-05T09:00:00'])(
    'is none at %s, and takes nothing',
    async (local) => {
      const id = await s.booked({ check_in_time: '14:30:00' });
      await s.arrive(id, local);
      expect(await s.taken()).toEqual(['02-04T14 02-06T12']);
      expect((await s.stay(id)).taken_from).toBeUndefined();
      expect(await s.announced()).toEqual([]);
    },
  );

  it('is of stays by the hour and by the day too, and of the first day of a month', async () => {
    const byHour = await s.booked(hours(13, 15));
    await s.arrive(byHour, '2027-02-04T11:10:00');
    expect(await s.taken()).toEqual(['02-04T11 02-04T15']);
    const first = await s.booked(dates('2027-03-01', '2027-05-01'), s.sibling.id);
    await s.arrive(first, '2027-03-01T00:10:00');
    expect(await s.taken(s.sibling.id)).toEqual(['03-01T00 05-01T12']);
  });

  it('goes by the clock of the home where its zone is half an hour off, and where an hour is skipped', async () => {
    for (const [timezone, instant, from, date] of [
      ['Asia/Kolkata', '2027-02-04T03:00:00Z', '02-04T08', '2027-02-04'],
      ['America/New_York', '2027-03-14T06:59:00Z', '03-14T01', '2027-03-14'],
      ['America/New_York', '2027-03-14T07:01:00Z', '03-14T03', '2027-03-14'],
    ] as const) {
      const home = await testListing(s.deps, { team_id: s.team_id, timezone });
      const stay = { ...dates(date, '2027-03-16'), guest_number: 2 };
      const id = await s.booked(stay, home.id);
      s.at(new Date(Date.parse(instant) + 7 * 3_600_000).toISOString().slice(0, 19));
      await moveBooking(s.staff, id, 'check_in');
      expect((await s.taken(home.id, home.id))[0]?.slice(0, 8)).toBe(from);
      await moveBooking(s.staff, id, 'check_out');
      s.clock.set('2027-01-15T03:00:00Z');
    }
  });

  it('shows once in the calendar, and closes the last night on other platforms', async () => {
    const { export_url } = await listFeeds(s.owner, s.room.id, 'https://api.example.com');
    const token = new URL(export_url).searchParams.get('token') ?? '';
    const nights = async () => {
      const { body } = await exportCalendar(s.deps, s.room.id, { token });
      return [...body.matchAll(/DT(?:START|END);VALUE=DATE:(\d+)/g)].map(([, date]) => date);
    };
    const id = await s.booked();
    expect(await nights()).toEqual(['20270204', '20270206']);
    await s.arrive(id, '2027-02-04T01:30:00');
    expect(await nights()).toEqual(['20270203', '20270206']);
    const range = { start_date: '2027-02-01', end_date: '2027-02-28' };
    expect(
      (await readRange(s.owner, s.room.id, range)).map(({ kind, booking_id }) => [kind, booking_id]),
    ).toEqual([['STAY', id]]);
  });

  it('again is INVALID_STATE_TRANSITION, and of several at once one is made', async () => {
    const id = await s.booked();
    s.at('2027-02-04T09:00:00');
    const all = await Promise.allSettled([1, 2, 3].map(() => moveBooking(s.staff, id, 'check_in')));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(moveBooking(s.staff, id, 'check_in')).rejects.toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
    });
    expect(await s.announced()).toHaveLength(1);
  });

  it.each([1, 2, 3, 4, 5, 6])(
    'against a booking of these hours: exactly one of both is made (%i)',
    async (run) => {
      const id = await s.booked();
      s.at('2027-02-04T09:00:00');
      const both = [
        () => moveBooking(s.staff, id, 'check_in'),
        () => s.book(hours(10, 13), run % 2 ? s.room.id : s.house.id, s.other),
      ];
      const results = await Promise.allSettled((run % 3 ? both : both.toReversed()).map((send) => send()));
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: notAvailable });
    },
  );

  it('of an order is that of each of its stays', async () => {
    const items = [s.room, s.sibling].map(({ id }) => s.item({}, id));
    const order = await confirmCheckout(s.guest, { items, payment_method: 'CASH' });
    s.at('2027-02-04T10:00:00');
    await moveBooking(s.staff, order.master_reservation_id, 'check_in');
    for (const { id } of [s.room, s.sibling]) expect(await s.taken(id)).toEqual(['02-04T10 02-06T12']);
  });

  it.each(['before the write', 'between the readings'])(
    'takes and frees the hours where the home is, when it moves %s',
    async (when) => {
      const id = await s.booked();
      s.at('2027-02-04T10:00:00');
      const moveTo = (parent_listing_id: number | null) => () =>
        updateListing(s.owner, s.room.id, { parent_listing_id });
      const during = (move: () => Promise<unknown>) =>
        when === 'before the write' ? interrupted(s.staff, move) : s.readingDesk(move);
      await moveBooking(during(moveTo(null)), id, 'check_in');
      expect(await s.taken(s.room.id, s.room.id)).toEqual(['02-04T10 02-06T12']);
      expect(await s.taken(s.house.id)).toEqual([]);
      await moveBooking(during(moveTo(s.house.id)), id, 'undo_check_in');
      expect(await s.taken()).toEqual(['02-04T14 02-06T12']);
      expect(await s.entries()).toEqual(['BOOKED 02-04T14 02-06T12']);
    },
  );
});

describe('after an early check-in', () => {
  it('undoing it frees the hours, and it can be repeated', async () => {
    const id = await s.booked();
    await s.arrive(id, '2027-02-04T09:30:00');
    await s.undo(id);
    expect([await s.taken(), await s.entries()]).toEqual([
      ['02-04T14 02-06T12'],
      ['BOOKED 02-04T14 02-06T12'],
    ]);
    expect((await s.stay(id)).taken_from).toBeUndefined();
    const range = { start_at: '2027-02-04T00:00:00', end_at: '2027-02-05T00:00:00' };
    const [entry] = await overlappingEntries(s.deps.table, s.house.id, range);
    expect(entry).not.toHaveProperty('booked_from');
    expect(await s.announced()).toEqual(['02-04T09 02-04T14', '02-04T09 02-04T14']);
    expect(await s.audited()).toEqual([]);
    await s.arrive(id, '2027-02-04T11:00:00');
    expect(await s.taken()).toEqual(['02-04T11 02-06T12']);
    await s.undo(id);
    await s.arrive(id, '2027-02-04T15:00:00');
    expect(await s.taken()).toEqual(['02-04T14 02-06T12']);
  });

  it('a check-out before the stay begins keeps the hours until then, and those of the preparation', async () => {
    const id = await s.booked();
    await s.arrive(id, '2027-02-04T09:30:00');
    await s.leave(id, '2027-02-04T10:10:00');
    expect([await s.taken(), await s.entries()]).toEqual([
      ['02-04T09 02-04T11'],
      ['BOOKED 02-04T09 02-04T11'],
    ]);
    const prepared = await earlyScene({ preparation_hours: 2 });
    const other = await prepared.booked();
    await prepared.arrive(other, '2027-02-04T09:30:00');
    await prepared.leave(other, '2027-02-04T10:10:00');
    expect(await prepared.taken()).toEqual(['02-04T09 02-04T13']);
    expect(await prepared.audited()).toEqual([]);
    const range = { start_at: '2027-02-04T00:00:00', end_at: '2027-02-05T00:00:00' };
    const [entry] = await overlappingEntries(prepared.deps.table, prepared.house.id, range);
    await prepared.deps.table.transact([remove(AvailabilityEntryEntity, entry!)]);
    const { findings } = await auditBooking(prepared.deps, other);
    expect(findings.map(({ rule }) => rule)).toContain('stay-without-entry');
    // In lists and calendars of the team the stay is where its entry is.
    const row = stayRow(await prepared.stay(other));
    expect([stayTimes(row), row.preparation]).toEqual([
      { start_at: '2027-02-04T09:00:00', end_at: '2027-02-04T11:00:00' },
      2,
    ]);
  });

  it('a later check-out frees the rest, and a longer stay keeps the hours', async () => {
    const id = await s.booked();
    await s.arrive(id, '2027-02-04T09:30:00');
    await s.leave(id, '2027-02-05T08:10:00');
    expect(await s.taken()).toEqual(['02-04T09 02-05T09']);
    expect(await s.announced()).toEqual(['02-04T09 02-04T14', '02-05T09 02-06T12']);
  });
});

describe.runIf(countsUnits)('the cost of a check-in', () => {
  const costOf = async (local: string) => {
    const id = await s.booked();
    const spent: Consumption[] = [];
    const table = s.deps.table.measured((one) => spent.push(one));
    s.at(local);
    await moveBooking(s.desk(table), id, 'check_in');
    const sum = (units: (one: Consumption) => number) => spent.reduce((total, one) => total + units(one), 0);
    return {
      requests: spent.length,
      wcu: sum(({ writeUnits }) => writeUnits),
      rcu: sum(({ readUnits }) => readUnits),
    };
  };

  it('is at its time 8 write units, without a request for hours', async () => {
    expect(await costOf('2027-02-04T14:00:00')).toEqual({ requests: 6, wcu: 8, rcu: 5.5 });
  });

  it('is before it 18 write units, and two requests more in a child', async () => {
    expect(await costOf('2027-02-04T09:00:00')).toEqual({ requests: 8, wcu: 18, rcu: 8.5 });
  });
});

import { beforeAll, describe, expect, it } from 'vitest';
import { packStays } from '../../shared/domain/booking/booking-list.store.ts';
import type { Reservation } from '../../shared/domain/booking/reservation.entity.ts';
import { CalendarMonthEntity } from '../../shared/domain/calendar/calendar.store.ts';
import { monthSpans, noHours, withSpan, byDay } from '../../shared/domain/calendar/hours.rules.ts';
import { blockTime } from '../../shared/domain/calendar/index.ts';
import { readTeamCalendar, readToday } from '../../shared/domain/front-desk/index.ts';
import { newOrderId, reservationIdOf } from '../../shared/platform/ids.ts';
import type { Context } from '../../shared/platform/context.ts';
import { Table } from '../../shared/platform/table/index.ts';
import { type PriceParts, PricePartsEntity } from '../../shared/domain/pricing/price-parts.entity.ts';
import { stored } from '../../shared/platform/table/stored-item.ts';
import { addDays } from '../../shared/platform/time/time.ts';
import { countingClient, countsUnits, measuredTable } from '../support/costs.ts';
import { manyListings, storeListings } from '../support/many-listings.ts';
import { chanceOf, manyStays, storeStays, writeMany } from '../support/many-stays.ts';
import {
  freshId,
  testContext,
  testDependencies,
  testTableName,
  testTeam,
  testUser,
} from '../support/table.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const [from, to] = ['2027-01-20', '2027-02-19'];
const homes = 40;

/** Prices of weekends and of a season, a service and stay rules. */
const partsOf = (listing_id: number): Omit<PriceParts, 'listing_id' | 'version'> => {
  const rule: PriceParts['rules'][number] = {
    ...{ id: listing_id, listing_id, weekdays: null, day_of_week: 5, date_from: null, date_to: null },
    ...{ price: 1_500_000, priority: 10, is_active: true },
    charge_unit: 'PER_NIGHT',
    stay_type: 'OVERNIGHT',
    date_type: 'WEEKDAY',
  };
  const season = { date_from: '2027-02-05', date_to: '2027-02-10' };
  const unset = { max_nights: null, closed_to_arrival: null, closed_to_departure: null, closed: null };
  return {
    combos: [],
    services: [
      {
        ...{ id: listing_id, listing_id, service_name: 'Ăn sáng', description: 'Phở, cà phê, trái cây' },
        ...{ price: 90_000, is_required: false, is_active: true },
        price_unit: 'per_person',
        created_at: '2026-01-15T03:00:00.000Z',
      },
    ],
    rules: [
      rule,
      { ...rule, day_of_week: 6 },
      { ...rule, ...season, date_type: 'DATE_RANGE', day_of_week: null },
    ],
    stay_rules: {
      default: { ...unset, min_nights: null },
      ...{ min_notice_hours: null, booking_window_days: null },
      date_rules: [{ ...unset, ...season, id: 1, weekdays: null, min_nights: 3 }],
    },
  };
};

/** Forty listings that are sold until March, three nights of `every` so many, and were for some years. */
const scene = async (old: number, every: number) => {
  const deps = await testDependencies();
  const { team_id } = await testTeam(deps);
  const { caller } = await testUser(deps, { memberships: [{ team_id, role: 'OWNER' }] });
  const now = deps.clock.now();
  const listings = manyListings({ team_id, count: homes, until: now - 400 * dayMs, days: 300, seed: 5 }).map(
    (listing) => ({
      ...listing,
      ...{ state: 'ACTIVE' as const, timezone: 'Asia/Ho_Chi_Minh', standard_check_in_time: null },
      ...{ standard_check_out_time: null },
    }),
  );
  await storeListings(listings);
  await writeMany(
    listings.map(({ id }) =>
      stored(PricePartsEntity, { listing_id: id, team_id, version: 1, ...partsOf(id) }),
    ),
  );
  const guests = manyStays({ team_id, count: 2000, until: now, seed: 9 });
  const [like] = guests;
  const chance = chanceOf(old + 1);
  const before = old / homes;
  const all = listings.flatMap(({ id, name }, home) =>
    Array.from({ length: before + 90 / every }, (_, at): Reservation => {
      const check_in_date = addDays('2027-01-01', (at - before) * every + (home % 3));
      const check_out_date = addDays(check_in_date, 3);
      // Booked forty days ahead on average, at most three hundred.
      const lead = Math.min(300, -Math.log(1 - chance()) * 40) * dayMs;
      const asked = Date.parse(check_in_date) - lead;
      const made = Math.floor(asked < now - 2 * hourMs ? asked : now - (1 + chance() * 60) * dayMs);
      const order_id = newOrderId({ now: () => made });
      const hasBegun = check_in_date < '2027-01-15';
      const state = check_out_date < '2027-01-15' ? 'COMPLETED' : hasBegun ? 'CHECKED_IN' : 'CONFIRMED';
      const times = { start_at: `${check_in_date}T14:00:00`, end_at: `${check_out_date}T12:00:00` };
      return {
        ...like!,
        ...{ order_id, reservation_id: reservationIdOf(order_id, 0), availability_id: freshId() },
        ...{ listing_id: id, calendar_id: id, listing_name: name, team_id, state, nights: 3, ...times },
        ...{ check_in_date, check_out_date },
        // A few wait for a transfer.
        ...(!hasBegun && at % 13 === 0
          ? { payment_method: 'BANK_TRANSFER', payment_status: 'PENDING', pay_until: now + dayMs }
          : {}),
        // Of a few that are over the host has to hand something over.
        ...(state === 'COMPLETED' && check_in_date > '2025' && at % 13 === 7 && home % 10 === 0
          ? { postings: [{ kind: 'refund' as const, amount: 1000, at: 0, to_return: true as const }] }
          : {}),
        guest: guests[Math.floor(chance() * guests.length)]!.guest,
        ...{ created_at: new Date(made).toISOString(), updated_at: new Date(made).toISOString() },
      };
    }),
  );
  await storeStays(all);
  const months = Map.groupBy(
    all.flatMap((stay) => monthSpans(stay).map((span) => ({ ...span, id: stay.listing_id }))),
    ({ id, month }) => `${id} ${month}`,
  );
  await writeMany(
    [...months.values()].map((spans) => {
      const { id, month } = spans[0]!;
      const days = byDay(month, spans.reduce(withSpan, noHours()));
      const changes = Object.fromEntries(Object.keys(days).map((day) => [day, 2]));
      const ids = { calendar_id: id, listing_id: id, month };
      return stored(CalendarMonthEntity, { ...ids, days, locks: {}, changes, child_changes: {} });
    }),
  );
  const { table, cost } = measuredTable(deps.table);
  await packStays({ ...deps, table }, [all.at(-1)!.reservation_id]);
  deps.clock.advance(hourMs);
  await packStays({ ...deps, table }, [all.at(-1)!.reservation_id]);
  const { client, rounds } = countingClient();
  const counted = new Table({ client, tableName: await testTableName() });
  /** Returns how many requests wait for one another. */
  const tripsOf = async (work: (ctx: Context) => Promise<unknown>): Promise<number> => {
    const before = rounds.made;
    await work(testContext({ ...deps, table: counted }, caller));
    return rounds.made - before;
  };
  return { ctx: testContext({ ...deps, table }, caller), cost, tripsOf, all };
};
type Scene = Awaited<ReturnType<typeof scene>>;

describe.runIf(countsUnits).each([
  [0, 3],
  [20_000, 5],
  [20_000, 3],
])('after %i old stays, with three nights of %i sold', (old, every) => {
  let s: Scene;
  beforeAll(async () => {
    s = await scene(old, every);
  }, 400_000);

  it('31 days of 40 listings cost at most 60 read units', async () => {
    let found: Awaited<ReturnType<typeof readTeamCalendar>> | undefined;
    const spent = await s.cost(async () => (found = await readTeamCalendar(s.ctx, { from, to, limit: 100 })));
    const shown = found!.items.flatMap(({ entries }) => entries);
    const end = `${addDays(to, 1)}T00:00:00`;
    const expected = s.all.filter((stay) => stay.end_at > from && stay.start_at < end);
    expect(shown.map(({ booking_id }) => booking_id).sort()).toEqual(
      expected.map(({ reservation_id }) => reservation_id).sort(),
    );
    const free = found!.items.flatMap(({ nights }) => nights);
    if (every === 3) expect(free).toEqual([]);
    else expect(free.length).toBeGreaterThan(400);
    expect(spent.rcu).toBeLessThanOrEqual(60);
    expect(spent.wcu).toBe(0);
    const trips = await s.tripsOf((ctx) => readTeamCalendar(ctx, { from, to, limit: 100 }));
    expect(trips).toBeLessThanOrEqual(3);
  });

  it('a day costs at most 20 read units more than it shows', async () => {
    let found: Awaited<ReturnType<typeof readToday>> | undefined;
    const spent = await s.cost(async () => (found = await readToday(s.ctx)));
    const { arrivals, departures, in_house, transfers_due: due, to_return } = found!;
    const owed = s.all.filter(({ postings }) => postings);
    expect(to_return.map(({ id }) => id).sort()).toEqual(owed.map((stay) => stay.reservation_id).sort());
    expect(to_return.length).toBeGreaterThan(old > 0 ? 20 : -1);
    const waiting = s.all.filter(({ pay_until }) => pay_until !== undefined);
    expect(due.map(({ id }) => id).sort()).toEqual(waiting.map((stay) => stay.reservation_id).sort());
    expect(due.length).toBeGreaterThan(20);
    const shown = new Set(
      [...arrivals, ...departures, ...in_house, ...due, ...to_return].map(({ id }) => id),
    );
    expect(shown.size).toBeGreaterThan(due.length + 20);
    expect(spent.rcu).toBeLessThanOrEqual(shown.size + 20);
    const trips = await s.tripsOf(readToday);
    expect(trips).toBeLessThanOrEqual(4);
  });
});

describe.runIf(countsUnits)('a block in each of 40 homes', () => {
  it('costs at most one and a half read units more for each, and one round trip for all', async () => {
    const s = await scene(0, 5);
    const calendar = () => readTeamCalendar(s.ctx, { from, to, limit: 100 });
    const { rcu: before } = await s.cost(calendar);
    const { items } = await calendar();
    const made = await Promise.all(
      items.map(async ({ listing_id, nights }) => {
        const block_date = nights[Math.floor(nights.length / 2)]!.date;
        return (await blockTime(s.ctx, listing_id, { block_date })).id;
      }),
    );
    let found: Awaited<ReturnType<typeof calendar>> | undefined;
    const spent = await s.cost(async () => (found = await calendar()));
    const blocks = found!.items.flatMap(({ entries }) => entries.filter(({ kind }) => kind === 'BLOCK'));
    expect(blocks.map(({ availability_id }) => availability_id).sort()).toEqual(made.sort());
    expect(spent.rcu - before).toBeLessThanOrEqual(1.5 * homes);
    expect(await s.tripsOf((ctx) => readTeamCalendar(ctx, { from, to, limit: 100 }))).toBeLessThanOrEqual(4);
  }, 60_000);
});

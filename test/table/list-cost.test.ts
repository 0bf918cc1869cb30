import { beforeAll, describe, expect, it } from 'vitest';
import type { BookingFilter } from '../../shared/domain/booking/booking-filter.schema.ts';
import { packStays } from '../../shared/domain/booking/booking-list.store.ts';
import { listExternalBookings } from '../../shared/domain/booking/external-bookings.ts';
import { moveReservation } from '../../shared/domain/booking/move-reservation.ts';
import { listMyBookings, listTeamBookings } from '../../shared/domain/booking/read-bookings.ts';
import { systemContext } from '../../shared/platform/context.ts';
import { countsUnits, measuredTable } from '../support/costs.ts';
import { manyStays, storeStays } from '../support/many-stays.ts';
import { testContext, testDependencies, testKey, testTeam, testUser } from '../support/table.ts';

const hourMs = 3_600_000;

/** A team's bookings of a year, packed by the first event of a booking. */
const scene = async (count: number) => {
  const deps = await testDependencies();
  const { team_id } = await testTeam(deps);
  const { caller } = await testUser(deps, { memberships: [{ team_id, role: 'OWNER' }] });
  const { caller: guest } = await testUser(deps);
  const { user_id } = guest;
  const stays = manyStays({ team_id, count, until: deps.clock.now() - hourMs, seed: count, user_id });
  for (const stay of stays.filter((_, at) => at % 101 === 7))
    stay.postings = [{ kind: 'refund', amount: 1000, at: 0, to_return: true }];
  await storeStays(stays);
  const { table, cost } = measuredTable(deps.table);
  const pack = (...ids: number[]) =>
    packStays({ ...deps, table }, ids.length > 0 ? ids : [stays.at(-1)!.reservation_id]);
  const packing = await cost(() => pack());
  deps.clock.advance(hourMs);
  const ctx = testContext({ ...deps, table }, caller);
  const { caller: partner } = await testKey(deps, { team_ids: [team_id] });
  const asPartner = testContext({ ...deps, table }, partner);
  const asGuest = testContext({ ...deps, table }, guest);
  const list = async (filter: BookingFilter = {}, cursor?: string | null) => {
    const paging = { page: 1, limit: 20, ...(cursor ? { cursor } : {}) };
    let found: Awaited<ReturnType<typeof listTeamBookings>> | undefined;
    const { trips, rcu } = await cost(async () => (found = await listTeamBookings(ctx, filter, paging)));
    const { items, total, total_is_exact, next_cursor } = found!;
    return { shown: items.length, items, total, total_is_exact, next_cursor, trips, rcu };
  };
  return { deps, team_id, stays, packing, pack, cost, list, asPartner, asGuest, table };
};
type Scene = Awaited<ReturnType<typeof scene>>;

/** A date at one home on which three stays begin, if there is one; else the most there are. */
const rare = ({ stays }: Scene): BookingFilter => {
  const groups = Map.groupBy(stays, (stay) => `${stay.listing_id} ${stay.check_in_date}`);
  const three = [...groups.values()].sort((a, b) => Math.abs(a.length - 3) - Math.abs(b.length - 3))[0]!;
  const { listing_id, check_in_date } = three[0]!;
  return { listing_id, check_in_from: check_in_date, check_in_to: check_in_date };
};
const some = ({ stays }: Scene) => stays[Math.floor(stays.length / 3)]!;

/** What is asked, and what it may cost besides one unit for each booking shown. */
const asked: [what: string, filter: (s: Scene) => BookingFilter, units: number][] = [
  ['nothing', () => ({}), 10],
  ['the oldest first', () => ({ sort_order: 'asc' }), 10],
  ['a state', () => ({ state: 'CONFIRMED' }), 10],
  ['the last changed', () => ({ sort_by: 'updated_at' }), 10],
  [
    'changes since, the oldest first',
    () => ({ updated_since: '2026-12-01T00:00:00Z', sort_by: 'updated_at', sort_order: 'asc' }),
    10,
  ],
  ['arrivals, the latest first', () => ({ sort_by: 'check_in' }), 10],
  [
    'arrivals from a day on',
    () => ({ sort_by: 'check_in', sort_order: 'asc', check_in_from: '2026-09-01', state: 'CANCELLED' }),
    10,
  ],
  ['what three match', rare, 10],
  ['what three match, by arrival', (s) => ({ ...rare(s), sort_by: 'check_in' }), 10],
  ['what none matches', () => ({ check_in_from: '2030-01-01', sort_by: 'check_in' }), 10],
  [
    'an external id',
    (s) => ({ external_booking_id: s.stays.find((one) => one.external_booking_id)!.external_booking_id! }),
    10,
  ],
  ['what the host has to hand over', () => ({ to_return: true }), 10],
  ['the same, by arrival', () => ({ to_return: true, sort_by: 'check_in' }), 10],
  ['a common name', () => ({ q: 'nguyen' }), 20],
  ['a name by its beginnings', () => ({ q: 'th ng', sort_by: 'check_in' }), 20],
  ['an e-mail address', (s) => ({ q: some(s).guest.email }), 20],
  ['a telephone number', (s) => ({ q: some(s).guest.phone }), 20],
  ['a booking id', (s) => ({ q: String(some(s).reservation_id) }), 20],
];

describe.runIf(countsUnits).each([1000, 10_000])('a list of %i bookings', (count) => {
  let s: Scene;
  beforeAll(async () => {
    s = await scene(count);
  }, 240_000);

  it.each(asked)(
    'asked for %s, costs what it shows and at most %3$i units more, at any depth',
    async (_, filter, units) => {
      let cursor: string | null = null;
      for (let page = 1; page <= 3 && (page === 1 || cursor !== null); page++) {
        const found = await s.list(filter(s), cursor);
        expect(found.rcu).toBeLessThanOrEqual(found.shown + units);
        expect(found.trips).toBeLessThanOrEqual(7);
        cursor = found.next_cursor;
      }
    },
  );

  it('is filtered by what the host has to hand over', async () => {
    const wanted = s.stays.filter(({ postings }) => postings).length;
    expect(await s.list({ to_return: true })).toMatchObject({ shown: Math.min(20, wanted), total: wanted });
    expect(await s.list({ to_return: false })).toMatchObject({ total: Math.min(1000, count - wanted) });
  });

  it('is counted exactly up to 1,000', async () => {
    expect(await s.list()).toMatchObject({ total: 1000, total_is_exact: count === 1000, shown: 20 });
    const cancelled = s.stays.filter(({ state }) => state === 'CANCELLED').length;
    expect(await s.list({ state: 'CANCELLED', sort_by: 'check_in' })).toMatchObject({
      total: Math.min(cancelled, 1000),
      total_is_exact: cancelled <= 1000,
    });
    const found = await s.list(rare(s));
    expect(found).toMatchObject({ total: found.shown, total_is_exact: true, next_cursor: null });
    expect(found.shown).toBeGreaterThan(0);
  });

  it('costs a partner the same', async () => {
    const paging = { page: 1, limit: 20 };
    const { rcu } = await s.cost(() =>
      listExternalBookings(
        s.asPartner,
        { team_ids: [s.team_id], state: 'CANCELLED', sort_by: 'check_in' },
        paging,
      ),
    );
    expect(rcu).toBeLessThanOrEqual(30);
  });

  it('costs a guest who made them all the same', async () => {
    const paging = { page: 1, limit: 20 };
    for (const filter of [{}, { state: 'CANCELLED', sort_by: 'check_in' }] as const) {
      const { rcu } = await s.cost(() => listMyBookings(s.asGuest, filter, paging));
      expect(rcu).toBeLessThanOrEqual(30);
    }
  });

  it('takes at most 5 write units for a change of a booking, and none when its event is repeated', async () => {
    const stay = s.stays.findLast(({ state }) => state === 'CONFIRMED')!;
    const { writes } = moveReservation(systemContext(s.deps, 'test'), stay, 'check_in');
    await s.deps.table.transact(writes.slice(0, 1));
    const first = await s.cost(() => s.pack(stay.reservation_id));
    expect(first.wcu).toBeLessThanOrEqual(5);
    await s.pack(stay.reservation_id);
    expect(await s.cost(() => s.pack(stay.reservation_id))).toMatchObject({ wcu: 0 });
    const found = await s.list({ state: 'CHECKED_IN' });
    expect(found.items.map(({ id }) => id)).toEqual([stay.reservation_id]);
  });

  it('takes one write of its chunk for all bookings of a batch', async () => {
    const stays = s.stays.filter(({ state }) => state === 'CONFIRMED').slice(-40, -20);
    for (const stay of stays) {
      const { writes } = moveReservation(systemContext(s.deps, 'test'), stay, 'check_in');
      await s.deps.table.transact(writes.slice(0, 1));
    }
    const ids = stays.map(({ reservation_id }) => reservation_id);
    const batch = await s.cost(() => s.pack(...ids));
    expect(batch.wcu).toBeLessThanOrEqual(10);
    expect(await s.cost(() => s.pack(...ids))).toMatchObject({ wcu: 0 });
  });

  it('is packed once, for its team and its guest, for at most 1.2 units a booking and list', () => {
    expect(s.packing.rcu).toBeLessThanOrEqual(2 * 1.2 * count);
    expect(s.packing.wcu).toBeLessThanOrEqual(count / 2);
  });
});

import { beforeAll, describe, expect, it } from 'vitest';
import { packStays } from '../../shared/domain/booking/booking-list.store.ts';
import { readStatement } from '../../shared/domain/statement/index.ts';
import type { Context } from '../../shared/platform/context.ts';
import { Table } from '../../shared/platform/table/index.ts';
import { countingClient, countsUnits, measuredTable } from '../support/costs.ts';
import { manyListings, storeListings } from '../support/many-listings.ts';
import { manyStays, storeStays } from '../support/many-stays.ts';
import { testContext, testDependencies, testTableName, testTeam, testUser } from '../support/table.ts';

const hourMs = 3_600_000;

/** A team with the stays of a year at forty listings, in a packed list. */
const scene = async (count: number) => {
  const deps = await testDependencies();
  const { team_id } = await testTeam(deps);
  const { caller } = await testUser(deps, { memberships: [{ team_id, role: 'OWNER' }] });
  const until = deps.clock.now() - hourMs;
  await storeListings(manyListings({ team_id, count: 40, until, days: 300, seed: 5 }));
  const stays = manyStays({ team_id, count, until, seed: 9 });
  await storeStays(stays);
  for (const _ of [1, 2]) {
    await packStays(deps, [stays.at(-1)!.reservation_id]);
    deps.clock.advance(hourMs);
  }
  const { table, cost } = measuredTable(deps.table);
  const { client, rounds } = countingClient();
  const counted = new Table({ client, tableName: await testTableName() });
  const contextOf = (given: Table): Context => testContext({ ...deps, table: given }, caller);
  const measure = async (month: string) => {
    const before = rounds.made;
    await readStatement(contextOf(counted), month);
    const trips = rounds.made - before;
    const { rcu, wcu } = await cost(() => readStatement(contextOf(table), month));
    const { rows } = await readStatement(contextOf(table), month);
    return { trips, rcu, wcu, nights: rows.reduce((sum, { nights_sold }) => sum + nights_sold, 0) };
  };
  const nightsIn = (month: string): number =>
    stays
      .filter(({ state }) => state !== 'CANCELLED')
      .flatMap(({ check_in_date, nights }) =>
        Array.from({ length: nights }, (_, night) =>
          new Date(Date.parse(check_in_date) + night * 24 * hourMs).toISOString(),
        ),
      )
      .filter((date) => date.startsWith(month)).length;
  return { measure, nightsIn };
};

describe.runIf(countsUnits).each([
  [1000, 150],
  [10_000, 1500],
])('after %i stays in a year', (count, most) => {
  let s: Awaited<ReturnType<typeof scene>>;
  beforeAll(async () => {
    s = await scene(count);
  }, 400_000);

  it.each(['2026-07', '2027-01', '2027-03'])(
    `the statement of %s takes at most 5 round trips and ${most} read units`,
    async (month) => {
      const spent = await s.measure(month);
      expect(spent.nights).toBe(s.nightsIn(month));
      expect(spent.trips).toBeLessThanOrEqual(5);
      expect(spent.rcu).toBeLessThanOrEqual(most);
      expect(spent.wcu).toBe(0);
    },
  );
});

import { beforeAll, describe, expect, it } from 'vitest';
import { ListingQuery } from '../../shared/domain/listing/listing-query.schema.ts';
import {
  listingList,
  openListingsOwner,
  packListings,
} from '../../shared/domain/listing/listing-list.store.ts';
import { ListingOrder } from '../../shared/domain/listing/listing.schema.ts';
import type { Listing } from '../../shared/domain/listing/listing.entity.ts';
import { listExternalListings, listListings } from '../../shared/domain/listing/read-listings.ts';
import { packList } from '../../shared/platform/lists/index.ts';
import { countsUnits, measuredTable } from '../support/costs.ts';
import { manyListings, storeListings } from '../support/many-listings.ts';
import { testContext, testDependencies, testKey, testTeam, testUser } from '../support/table.ts';

const hourMs = 3_600_000;
const paging = { page: 1, limit: 20 };

interface Found {
  items: { id: number }[];
  total: number;
  total_is_exact: boolean;
  next_cursor: string | null;
}
type Asked = Partial<Parameters<typeof listExternalListings>[1]>;

/** A team's listings of two years, packed by the first event of a listing. */
const scene = async (count: number) => {
  const deps = await testDependencies();
  const { team_id } = await testTeam(deps);
  const { caller } = await testUser(deps, { memberships: [{ team_id, role: 'OWNER' }] });
  const { caller: guest } = await testUser(deps);
  const { caller: partner } = await testKey(deps, { team_ids: [team_id] });
  const listings = manyListings({ team_id, count, until: deps.clock.now() - hourMs, seed: count });
  // One name that three have.
  for (const at of [7, 401, 999])
    Object.assign(listings[at]!, { search_name: `nha tre ${at}`, state: 'ACTIVE', country_code: 'LA' });
  await storeListings(listings);
  const { table, cost } = measuredTable(deps.table);
  const pack = (id = listings.at(-1)!.id) => packListings({ ...deps, table }, [id]);
  const packing = await cost(() => pack());
  // The platform's list is there since the scene before.
  await packList(
    deps,
    listingList,
    openListingsOwner,
    listings.map(({ id }) => id),
  );
  deps.clock.advance(hourMs);
  await pack();
  const asked = async (list: (cursor: { cursor?: string }) => Promise<Found>, cursor?: string | null) => {
    let found: Found | undefined;
    const { trips, rcu } = await cost(async () => (found = await list(cursor ? { cursor } : {})));
    return { ...found!, shown: found!.items.length, trips, rcu };
  };
  const asPartner = testContext({ ...deps, table }, partner);
  const external = (given: Asked, cursor?: string | null) =>
    asked((place) => {
      const usual = { state: 'ACTIVE', sort_by: 'created_at', sort_order: 'desc' } as const;
      return listExternalListings(
        asPartner,
        { team_ids: [team_id], ...usual, ...given },
        { ...paging, ...place },
      );
    }, cursor);
  const listed = (who: typeof caller, query: object, cursor?: string | null) =>
    asked((place) => {
      const ctx = testContext({ ...deps, table }, who);
      return listListings(ctx, ListingQuery.parse({ limit: '20', ...query, ...place }));
    }, cursor);
  return {
    ...{ deps, listings, packing, pack, cost, external },
    asHost: (query: object, cursor?: string | null) => listed(caller, query, cursor),
    asGuest: (query: object, cursor?: string | null) => listed(guest, query, cursor),
  };
};
type Scene = Awaited<ReturnType<typeof scene>>;
type Ask = (
  s: Scene,
  cursor: string | null,
) => Promise<Found & { shown: number; rcu: number; trips: number }>;

/** What is asked, and what it may cost besides one unit for each listing shown, and half a unit for a view count. */
const questions: [what: string, ask: Ask, units: number, viewCounts?: boolean][] = [
  ['nothing, by a host', (s, cursor) => s.asHost({}, cursor), 10],
  ['a state, by a host', (s, cursor) => s.asHost({ state: 'ARCHIVED' }, cursor), 10],
  ['a province, by a host', (s, cursor) => s.asHost({ province_code: 'SG' }, cursor), 10],
  ['part of a name, by a host', (s, cursor) => s.asHost({ search: 'Biển' }, cursor), 20],
  ['a name that three have, by a host', (s, cursor) => s.asHost({ search: 'nhà tre' }, cursor), 20],
  ['nothing, by a guest', (s, cursor) => s.asGuest({}, cursor), 10],
  ['a province, by a guest', (s, cursor) => s.asGuest({ province_code: 'LD' }, cursor), 10],
  ['part of a name, by a guest', (s, cursor) => s.asGuest({ search: 'Biển' }, cursor), 20],
  ...ListingOrder.options.flatMap((sort_by) =>
    (['asc', 'desc'] as const).map((sort_order): [string, Ask, number, boolean] => [
      `${sort_by} ${sort_order}, by a partner`,
      (s, cursor) => s.external({ sort_by, sort_order }, cursor),
      sort_by === 'name' ? 20 : 10,
      true,
    ]),
  ),
  ['what three match, by a partner', (s, cursor) => s.external({ country_code: 'la' }, cursor), 10, true],
  [
    'what three match, by price, by a partner',
    (s, cursor) => s.external({ country_code: 'la', sort_by: 'full_rate' }, cursor),
    10,
    true,
  ],
  ['what none matches, by a partner', (s, cursor) => s.external({ country_code: 'TH' }, cursor), 10, true],
];

describe.runIf(countsUnits).each([1000, 10_000])('a list of %i listings', (count) => {
  let s: Scene;
  beforeAll(async () => {
    s = await scene(count);
  }, 300_000);

  it.each(questions)(
    'asked for %s, costs what it shows and few units more, at any depth',
    async (_, ask, units, viewCounts) => {
      let cursor: string | null = null;
      for (let page = 1; page <= 3 && (page === 1 || cursor !== null); page++) {
        const found = await ask(s, cursor);
        expect(found.rcu).toBeLessThanOrEqual(found.shown * (viewCounts ? 1.5 : 1) + units);
        expect(found.trips).toBeLessThanOrEqual(8);
        cursor = found.next_cursor;
      }
    },
  );

  it('is counted exactly up to 1,000', async () => {
    const counted = (states: Listing['state'][]) => {
      const own = s.listings.filter(({ state }) => states.includes(state)).length;
      return { total: Math.min(own, 1000), total_is_exact: own <= 1000 };
    };
    expect(await s.asHost({})).toMatchObject(counted(['ACTIVE', 'DRAFT', 'INACTIVE']));
    expect(await s.asHost({ state: 'ARCHIVED' })).toMatchObject(counted(['ARCHIVED']));
    expect(await s.external({ sort_by: 'full_rate' })).toMatchObject(counted(['ACTIVE']));
    expect(await s.external({ country_code: 'LA', sort_by: 'name' })).toMatchObject({ total: 3, shown: 3 });
    expect(await s.asHost({ search: 'nhà tre' })).toMatchObject({ total: 3, shown: 3 });
    const isLong = count > 1000;
    expect(await s.asGuest({})).toMatchObject(
      isLong ? { total: 1000, total_is_exact: false } : counted(['ACTIVE']),
    );
  });

  it('takes at most 20 write units for a change of a price, and none when the event comes again', async () => {
    const listing = s.listings.findLast(({ state }) => state === 'ACTIVE')!;
    const changed = {
      ...listing,
      full_rate: 12_345_000,
      updated_at: new Date(s.deps.clock.now()).toISOString(),
    };
    await storeListings([changed]);
    expect((await s.cost(() => s.pack(listing.id))).wcu).toBeLessThanOrEqual(20);
    expect(await s.cost(() => s.pack(listing.id))).toMatchObject({ wcu: 0 });
    const { items } = await s.external({ sort_by: 'full_rate' });
    expect(items[0]?.id).toBe(listing.id);
  });

  it('costs the worker and guests nothing more while two hundred others have just changed', async () => {
    const updated_at = new Date(s.deps.clock.now()).toISOString();
    const some = s.listings.filter(({ state }) => state === 'ACTIVE').slice(0, 200);
    await storeListings(some.map((listing) => ({ ...listing, updated_at })));
    const { rcu } = await s.cost(() => s.pack(some[0]!.id));
    expect(rcu).toBeLessThanOrEqual(30);
    const found = await s.asGuest({});
    expect(found.rcu).toBeLessThanOrEqual(found.shown + 10);
  });

  it('is packed once for at most 3 units a listing and list', () => {
    expect(s.packing.rcu).toBeLessThanOrEqual(2 * 3 * count);
    expect(s.packing.wcu).toBeLessThanOrEqual(2 * count);
  });
});

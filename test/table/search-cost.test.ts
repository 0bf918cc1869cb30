import type { Context as LambdaContext } from 'aws-lambda';
import { beforeAll, describe, expect, it } from 'vitest';
import { search } from '../../functions/search/index.ts';
import { searchIndexWorker } from '../../functions/workers/search-index/index.ts';
import { measured } from '../../infra/cost/usage.ts';
import { type Listing, ListingEntity } from '../../shared/domain/listing/listing.entity.ts';
import { CellReader, indexListings, searchListings } from '../../shared/domain/search/index.ts';
import { SearchQuery, type SearchResult } from '../../shared/domain/search/search.schema.ts';
import { type Consumption, put } from '../../shared/platform/table/index.ts';
import { countsUnits, measuredTable } from '../support/costs.ts';
import { bookStay, queueEvent } from '../support/events.ts';
import { testListing } from '../support/listings.ts';
import { writeMany } from '../support/many-stays.ts';
import { cityDocuments, indexCity } from '../support/search-city.ts';
import { testContext, testDependencies, testTeam, testUser } from '../support/table.ts';

const inTheBox = 165;

/** 165 listings within 10 km, over four cells, in which some nights are booked: every table request is counted. */
const scene = async () => {
  const deps = await testDependencies();
  const { team_id } = await testTeam(deps);
  const { caller } = await testUser(deps);
  const spent: Consumption[] = [];
  const table = deps.table.measured((consumption) => spent.push(consumption));
  const cost = () => {
    const sum = (units: (one: Consumption) => number) => spent.reduce((total, one) => total + units(one), 0);
    const [trips, rcu, wcu] = [spent.length, sum(({ readUnits }) => readUnits), sum((one) => one.writeUnits)];
    spent.length = 0;
    return { trips, rcu, wcu };
  };
  const worker = searchIndexWorker(() => ({ ...deps, table }));
  const listings = await Promise.all(
    Array.from({ length: inTheBox }, (_, position) =>
      testListing(deps, {
        team_id,
        name: `Biệt thự số ${position} bên sông Hàn`,
        address: `${position} Bạch Đằng, Hải Châu, Đà Nẵng`,
        province_code: 'DN',
        province_name: 'Đà Nẵng',
        latitude: 16 + ((position % 13) - 6) * 0.009,
        longitude: 108 + ((position % 11) - 5) * 0.009,
        rating_average: 4 + (position % 10) / 10,
        review_count: position,
        images: [1, 2, 3].map((id) => ({
          ...{ id, order: id },
          url: `https://images.example.com/homes/${team_id}/${position}/${id}.jpg`,
        })),
      }),
    ),
  );
  const emitted = (id: number) => ({
    ...{ id: `evt_${id}`, event_type: 'listing.updated' as const, occurred_at: '2027-01-15T03:00:00.000Z' },
    ...{ team_id, actor: 'system:test', data: { id } },
  });
  for (let at = 0; at < listings.length; at += 10)
    await worker(queueEvent(...listings.slice(at, at + 10).map(({ id }) => emitted(id))));
  const asGuest = testContext(deps, caller);
  for (const { id } of listings.slice(0, 30)) {
    const { created } = await bookStay(asGuest, {
      ...{ listing_id: id, check_in_date: '2027-02-03', check_out_date: '2027-02-09' },
    });
    await worker(queueEvent(created));
  }
  cost();
  const make = (keepMs: number) => search(() => ({ ...deps, table }), { keepMs });
  const find = async (handler: ReturnType<typeof make>, query: Record<string, string>) => {
    const answer = await handler(
      {
        httpMethod: 'GET',
        resource: '/api/v1/search',
        path: '/api/v1/search',
        headers: {},
        queryStringParameters: query,
        requestContext: { requestId: 'r', authorizer: { caller: JSON.stringify(caller) } },
        body: null,
      } as never,
      {} as LambdaContext,
    );
    return { ...cost(), found: JSON.parse(answer.body) as SearchResult };
  };
  return { deps, team_id, worker, listings, asGuest, cost, make, find, emitted };
};

const week = { check_in: '2027-02-10', check_out: '2027-02-13', guests: '2' };
const around = { location: '16,108', ...week };

describe.runIf(countsUnits)(`a search among ${inTheBox} listings`, () => {
  let s: Awaited<ReturnType<typeof scene>>;
  beforeAll(async () => {
    s = await scene();
  }, 60_000);

  it('takes 3 round trips and at most 26 RCU, 20 of them to look up what it shows, as the bill says', async () => {
    const { found, trips, rcu, wcu } = await s.find(s.make(0), around);
    expect(found).toMatchObject({ total: inTheBox, total_pages: 9 });
    expect(measured.search).toMatchObject({ trips: 3, readUnits: 26, writeUnits: 0 });
    expect({ trips, wcu }).toEqual({ trips: 3, wcu: 0 });
    expect(rcu).toBeLessThanOrEqual(measured.search.readUnits);
  });

  it('takes no round trip for what it has shown while that is warm, and for others 1 and at most 20 RCU', async () => {
    const handler = s.make(1000);
    await s.find(handler, { ...around, sort: 'price' });
    const { next_cursor } = (await s.find(handler, around)).found;
    for (const query of [{}, { sort: 'price' }])
      expect(await s.find(handler, { ...around, ...query })).toMatchObject({ trips: 0, rcu: 0 });
    for (const query of [
      { cursor: next_cursor! },
      { max_price: '3300000', sort: 'distance' },
      { sort: 'rating' },
    ]) {
      const { trips, rcu } = await s.find(handler, { ...around, ...query });
      expect(trips).toBe(1);
      expect(rcu).toBeLessThanOrEqual(20);
      expect(rcu).toBeGreaterThan(0);
    }
    // A page by its number is what is left of all pages before it: the cursor is the cheap way.
    expect(await s.find(handler, { ...around, page: '3' })).toMatchObject({ trips: 1 });
    s.deps.clock.set('2027-01-15T03:00:01.000Z');
    const again = await s.find(handler, around);
    expect(again.trips).toBe(1);
    expect(again.rcu).toBeLessThanOrEqual(15);
    expect((await s.find(handler, { location: '16,108' })).trips).toBeLessThanOrEqual(1);
  });

  it('takes a round trip more by province or text', async () => {
    for (const location of ['DN', 'hai chau', 'Bạch Đằng, Đà Nẵng']) {
      const { found, trips, rcu } = await s.find(s.make(0), { location, ...week });
      expect(found.total).toBe(inTheBox);
      expect(trips).toBeLessThanOrEqual(5);
      expect(rcu).toBeLessThanOrEqual(28);
    }
  });

  it('indexes a booking for at most 6 WCU, in one write', async () => {
    const { created } = await bookStay(s.asGuest, {
      ...{ listing_id: s.listings[50]!.id, check_in_date: '2027-03-03', check_out_date: '2027-03-09' },
    });
    s.cost();
    await s.worker(queueEvent(created));
    const { trips, wcu, rcu } = s.cost();
    expect(trips).toBeLessThanOrEqual(6);
    expect(wcu).toBeLessThanOrEqual(6);
    expect(rcu).toBeLessThanOrEqual(6);
    await s.worker(queueEvent(created));
    expect(s.cost().wcu).toBe(0);
  });
});

describe.runIf(countsUnits)('the index of bookings', () => {
  const bookedIn = (from: string, to: string) => ({ check_in_date: from, check_out_date: to });

  it('takes at most 12 RCU for a room of a house of 40 rooms', async () => {
    const deps = await testDependencies();
    const { team_id } = await testTeam(deps);
    const { caller } = await testUser(deps);
    const house = await testListing(deps, { team_id });
    const rooms: Listing[] = [];
    for (let at = 0; at < 40; at++)
      rooms.push(await testListing(deps, { team_id, parent_listing_id: house.id }));
    const child_listing_ids = rooms.map(({ id }) => id);
    await deps.table.transact([put(ListingEntity, { ...house, child_listing_ids })]);
    await indexListings(deps, [house.id]);
    const asGuest = testContext(deps, caller);
    for (const { id } of rooms.slice(0, 30))
      await bookStay(asGuest, { listing_id: id, ...bookedIn('2027-02-03', '2027-02-09') });
    await indexListings(deps, [house.id]);
    await bookStay(asGuest, { listing_id: rooms[35]!.id, ...bookedIn('2027-03-03', '2027-03-09') });
    const { table, cost } = measuredTable(deps.table);
    const { trips, rcu, wcu } = await cost(() => indexListings({ ...deps, table }, [rooms[35]!.id]));
    expect(trips).toBeLessThanOrEqual(6);
    expect(rcu).toBeLessThanOrEqual(12);
    expect(wcu).toBeLessThanOrEqual(8);
  });

  it('is one write for all bookings of a batch', async () => {
    const deps = await testDependencies();
    const { team_id } = await testTeam(deps);
    const { caller } = await testUser(deps);
    const homes: Listing[] = [];
    for (let at = 0; at < 40; at++)
      homes.push(await testListing(deps, { team_id, latitude: 30, longitude: 60 + at / 1000 }));
    const ids = homes.map(({ id }) => id);
    await indexListings(deps, ids);
    const asGuest = testContext(deps, caller);
    for (const listing_id of ids)
      await bookStay(asGuest, { listing_id, ...bookedIn('2027-03-03', '2027-03-09') });
    const { table, cost } = measuredTable(deps.table);
    const { wcu } = await cost(() => indexListings({ ...deps, table }, ids));
    // An entry each, the cell, and the plane of the month.
    expect(wcu).toBe(2 * (ids.length + 1 + 1));
    const again = await cost(() => indexListings({ ...deps, table }, ids));
    expect(again.wcu).toBe(0);
  });
});

describe.runIf(countsUnits)('a search in a city', () => {
  const dates = { check_in: '2027-02-10', check_out: '2027-02-13', guests: '2' };

  /** A table with the index of a city; of its listings those alone that the queries show. */
  const cityScene = async (count: number) => {
    const deps = await testDependencies();
    const { caller } = await testUser(deps);
    const centre = { latitude: -40 + count / 1000, longitude: 60 };
    const documents = cityDocuments({ count, centre, team_id: 1, now: deps.clock.now() });
    const { items, table: memory } = await indexCity(documents);
    const queries = (['relevance', 'price'] as const).map((sort) =>
      SearchQuery.parse({ location: `${centre.latitude},${centre.longitude}`, ...dates, sort }),
    );
    const inMemory = testContext({ ...deps, table: memory }, caller);
    const shown = new Set<string>();
    for (const query of queries)
      for (const { id } of (await searchListings(inMemory, query, { cells: new CellReader({ keepMs: 0 }) }))
        .items)
        shown.add(`SEARCH_LISTING#${id}`);
    await writeMany(
      [...items.values()].filter(({ pk }) => shown.has(String(pk)) || String(pk).startsWith('SEARCH_CELL#')),
    );
    const { table, cost } = measuredTable(deps.table);
    return { ctx: testContext({ ...deps, table }, caller), cost, queries };
  };

  it.each([
    [1000, { places: 26, prices: 28 }],
    [10_000, { places: 42, prices: 48 }],
    [20_000, { places: 60, prices: 70 }],
  ])(
    'of %i listings costs 3 round trips, then none while it is warm',
    async (count, most) => {
      const { ctx, cost, queries } = await cityScene(count);
      for (const query of queries) {
        const cells = new CellReader({ keepMs: 1000 });
        let total = 0;
        const cold = await cost(async () => ({ total } = await searchListings(ctx, query, { cells })));
        expect(total).toBeGreaterThan(count * 0.7);
        expect(cold, query.sort).toMatchObject({ trips: 3, wcu: 0 });
        expect(cold.rcu, query.sort).toBeLessThanOrEqual(query.sort === 'price' ? most.prices : most.places);
        const warm = await cost(() => searchListings(ctx, query, { cells }));
        expect(warm, query.sort).toEqual({ trips: 0, rcu: 0, wcu: 0 });
        expect(cells.bytes).toBeLessThan(200_000 + count * 100);
      }
    },
    180_000,
  );
});

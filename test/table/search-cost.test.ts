import type { Context as LambdaContext } from 'aws-lambda';
import { beforeAll, describe, expect, it } from 'vitest';
import { search } from '../../functions/search/index.ts';
import { searchIndexWorker } from '../../functions/workers/search-index/index.ts';
import type { SearchResult } from '../../shared/domain/search/search.schema.ts';
import type { Consumption } from '../../shared/platform/table/index.ts';
import { countsUnits } from '../support/costs.ts';
import { bookStay, queueEvent } from '../support/events.ts';
import { testListing } from '../support/listings.ts';
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

  it('takes 2 round trips and at most 24 RCU, 20 of them to look up what it shows', async () => {
    const { found, trips, rcu, wcu } = await s.find(s.make(0), around);
    expect(found).toMatchObject({ total: inTheBox, total_pages: 9 });
    expect({ trips, wcu }).toEqual({ trips: 2, wcu: 0 });
    expect(rcu).toBeLessThanOrEqual(24);
  });

  it('takes 1 round trip and 20 RCU while its cells are warm, whatever is asked', async () => {
    const handler = s.make(1000);
    const { next_cursor } = (await s.find(handler, around)).found;
    for (const query of [
      {},
      { sort: 'price' },
      { cursor: next_cursor! },
      { max_price: '3300000' },
      { adults: '3', guests: '3' },
    ]) {
      const { trips, rcu } = await s.find(handler, { ...around, ...query });
      expect({ trips, rcu }).toEqual({ trips: 1, rcu: 20 });
    }
    // A page by its number is what is left of all pages before it: the cursor is the cheap way.
    expect(await s.find(handler, { ...around, page: '3' })).toMatchObject({ trips: 1, rcu: 60 });
    s.deps.clock.set('2027-01-15T03:00:01.000Z');
    expect((await s.find(handler, around)).trips).toBe(2);
    expect((await s.find(handler, { location: '16,108' })).trips).toBe(0);
  });

  it('takes a round trip more by province or text', async () => {
    for (const location of ['DN', 'hai chau', 'Bạch Đằng, Đà Nẵng']) {
      const { found, trips, rcu } = await s.find(s.make(0), { location, ...week });
      expect(found.total).toBe(inTheBox);
      expect(trips).toBeLessThanOrEqual(4);
      expect(rcu).toBeLessThanOrEqual(24);
    }
  });

  it('indexes a booking for at most 10 WCU, in one write', async () => {
    const { created } = await bookStay(s.asGuest, {
      ...{ listing_id: s.listings[50]!.id, check_in_date: '2027-03-03', check_out_date: '2027-03-09' },
    });
    s.cost();
    await s.worker(queueEvent(created));
    const { trips, wcu, rcu } = s.cost();
    expect(trips).toBeLessThanOrEqual(6);
    expect(wcu).toBeLessThanOrEqual(10);
    expect(rcu).toBeLessThanOrEqual(10);
    await s.worker(queueEvent(created));
    expect(s.cost().wcu).toBe(0);
  });
});

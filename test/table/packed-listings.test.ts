import { beforeEach, describe, expect, it } from 'vitest';
import { listIndexWorker } from '../../functions/workers/list-index/index.ts';
import { ListingQuery } from '../../shared/domain/listing/listing-query.schema.ts';
import {
  type ListingFilter,
  openListingsOwner,
  ownerTeamListings,
  packListings,
  pageListings,
} from '../../shared/domain/listing/listing-list.store.ts';
import { ListingState } from '../../shared/domain/listing/listing-state.schema.ts';
import { ListingOrder } from '../../shared/domain/listing/listing.schema.ts';
import { listingEvents } from '../../shared/domain/listing/listing.events.ts';
import type { Listing, ListingEntity } from '../../shared/domain/listing/listing.entity.ts';
import type { QueryOptions } from '../../shared/platform/table/index.ts';
import { sameProvince } from '../../shared/domain/listing/places.rules.ts';
import { listListings } from '../../shared/domain/listing/read-listings.ts';
import { foldText } from '../../shared/platform/text/fold-text.ts';
import type { Owner } from '../../shared/platform/lists/index.ts';
import type { PageOf } from '../../shared/platform/schema/schema.ts';
import { queueEvent } from '../support/events.ts';
import { manyListings, provincesOfMany, storeListings } from '../support/many-listings.ts';
import { chanceOf } from '../support/many-stays.ts';
import { freshId, testContext, type TestDependencies, testDependencies, testUser } from '../support/table.ts';

const dayMs = 86_400_000;

let deps: TestDependencies;
beforeEach(async () => {
  deps = await testDependencies();
});

interface How {
  sort_by: ListingOrder;
  sort_order: 'asc' | 'desc';
  limit: number;
}

const walk = async (owners: readonly Owner[], filter: ListingFilter, { limit, ...order }: How) => {
  const ids: number[] = [];
  const totals = new Set<number>();
  for (let cursor: string | null = '', page = 1; cursor !== null; page++) {
    const paging = { page: 1, limit, ...(cursor ? { cursor } : {}) };
    const found: PageOf<Listing> = await pageListings(deps, owners, filter, order, paging);
    expect(found).toMatchObject({ page, total_is_exact: true });
    ids.push(...found.items.map(({ id }) => id));
    totals.add(found.total);
    cursor = found.next_cursor;
  }
  return { ids, totals: [...totals] };
};

/** The same by plain comparisons of the records. */
const expected = (listings: readonly Listing[], filter: ListingFilter, { sort_by, sort_order }: How) => {
  const { states, country_code, province_code, search } = filter;
  const valueOf = (listing: Listing) => {
    if (sort_by === 'created_at') return 0;
    return sort_by === 'name' ? foldText(listing.name) : (listing[sort_by] ?? 0);
  };
  const sorted = listings
    .filter(({ state }) => states.includes(state))
    .filter((one) => country_code === undefined || one.country_code === country_code)
    .filter((one) => province_code === undefined || sameProvince(province_code).includes(one.province_code))
    .filter(({ name }) => search === undefined || foldText(name).includes(foldText(search)))
    .sort((a, b) => (valueOf(a) === valueOf(b) ? a.id - b.id : valueOf(a) < valueOf(b) ? -1 : 1));
  return (sort_order === 'desc' ? sorted.reverse() : sorted).map(({ id }) => id);
};

/** Teams whose listings come and change while their lists are packed late, twice, at once. */
const history = async (seed: number) => {
  const chance = chanceOf(seed);
  const below = (most: number) => Math.floor(chance() * most);
  const one = <T>(values: readonly T[]): T => values[below(values.length)]!;
  const teams = [freshId(), freshId(), freshId()];
  const until = deps.clock.now();
  const listings = teams.flatMap((team_id, at) =>
    manyListings({ team_id, count: [240, 70, 9][at]!, until, seed: seed * 10 + at }),
  );
  await storeListings(listings);
  /** Changed, and no worker received the event; all of the platform is packed when the first is. */
  const untold = new Set<number>();
  const pack = async (id: number) => {
    await packListings(deps, [id]);
    untold.delete(id);
  };
  const now = () => new Date(deps.clock.now()).toISOString();
  const alter = async () => {
    const at = below(listings.length);
    const [drawn] = manyListings({ team_id: 1, count: 1, until: deps.clock.now(), seed: below(1e9) });
    const { name, search_name, state, full_rate, capacity, province_code } = drawn!;
    const changes = one([
      { state },
      { name, search_name },
      { full_rate, capacity },
      { province_code },
      { state: 'ARCHIVED' as const },
    ]);
    listings[at] = { ...listings[at]!, ...changes, updated_at: now() };
    await storeListings([listings[at]]);
    untold.add(listings[at].id);
  };
  const make = async () => {
    const [made] = manyListings({
      ...{ team_id: one(teams), count: 1, until: deps.clock.now(), days: 0.001, seed: below(1e9) },
    });
    const listing = { ...made!, updated_at: now() };
    listings.push(listing);
    await storeListings([listing]);
    untold.add(listing.id);
  };
  const howOf = (): How => ({
    sort_by: one(ListingOrder.options),
    sort_order: one(['asc', 'desc']),
    limit: one([19, 60, 100]),
  });
  const filterOf = (states: ListingState[]): ListingFilter => ({
    states,
    ...(chance() < 0.2 ? { country_code: one(['VN', 'TH']) } : {}),
    ...(chance() < 0.3 ? { province_code: one([...provincesOfMany, 'HCMC']) } : {}),
    ...(chance() < 0.3 ? { search: one(['Biển', 'sen', one(listings).name, 'xyz']) } : {}),
  });
  const look = async () => {
    const chosen = chance() < 0.3 ? teams : [one(teams)];
    const states = one([['ACTIVE' as const], ['ARCHIVED' as const], [...ListingState.options]]);
    const [filter, how] = [filterOf(states), howOf()];
    const own = listings.filter(({ team_id }) => chosen.includes(team_id));
    const ids = expected(own, filter, how);
    const found = await walk(chosen.map(ownerTeamListings), filter, how);
    expect(found, JSON.stringify({ seed, filter, how })).toEqual({ ids, totals: [ids.length] });
  };
  /** Once every event was delivered, the list of the platform has the changes. */
  const lookAtPlatform = async () => {
    for (const id of untold) await pack(id);
    const [filter, how] = [filterOf(['ACTIVE']), howOf()];
    const ids = expected(listings, filter, how);
    const found = await walk([openListingsOwner], filter, how);
    expect(found, JSON.stringify({ seed, filter, how })).toEqual({ ids, totals: [ids.length] });
  };
  const settle = async () => {
    deps.clock.advance(3_600_000);
    for (const team of teams) await pack(listings.find(({ team_id }) => team_id === team)!.id);
    deps.clock.advance(60_000);
  };
  const step = async () => {
    const drawn = chance();
    if (drawn < 0.2) await settle();
    else if (drawn < 0.45) for (let times = below(5); times >= 0; times--) await alter();
    else if (drawn < 0.55) await make();
    else if (drawn < 0.65) deps.clock.advance(one([5, 200, 15_000, 70_000, 3_600_000]));
    else if (drawn < 0.85) await pack(one([...untold, one(listings).id]));
    else await Promise.all(Array.from({ length: 6 }, () => pack(one(listings).id)));
  };
  await pack(listings[0]!.id);
  return { step, look, lookAtPlatform };
};

describe('lists of listings that workers pack late, twice or at once', () => {
  it('show page after page what a plain model shows', async () => {
    const { step, look, lookAtPlatform } = await history(1);
    await lookAtPlatform();
    for (let steps = 0; steps < 40; steps++) {
      await step();
      await look();
      if (steps % 5 === 4) await lookAtPlatform();
    }
  }, 240_000);
});

it('an old copy of the index changes no order that is packed newer', async () => {
  const team_id = freshId();
  const listings = manyListings({ team_id, count: 60, until: deps.clock.now() - dayMs });
  const listing = listings[30]!;
  const at = () => new Date(deps.clock.now()).toISOString();
  const old: Listing = { ...listing, state: 'ACTIVE', updated_at: at() };
  await storeListings([...listings, old]);
  await packListings(deps, [listing.id]);
  deps.clock.advance(1000);
  await storeListings([{ ...old, full_rate: 99_000_000, updated_at: at() }]);
  await packListings(deps, [listing.id]);
  const lagging = new Proxy(deps.table, {
    get: (target, name) => {
      const found: unknown = Reflect.get(target, name);
      if (typeof found !== 'function') return found;
      if (name === 'queryAll')
        return async (kind: typeof ListingEntity, asked: QueryOptions) =>
          asked.index ? [old] : target.queryAll(kind, asked);
      return (...given: unknown[]): unknown => Reflect.apply(found, target, given);
    },
  });
  const order = { sort_by: 'full_rate', sort_order: 'desc' } as const;
  const from = { ...deps, table: lagging };
  const filter = { states: ['ACTIVE' as const] };
  const page = await pageListings(from, [ownerTeamListings(team_id)], filter, order, { page: 1, limit: 3 });
  expect(page.items[0]).toMatchObject({ id: listing.id, full_rate: 99_000_000 });
});

it.each(Object.entries(listingEvents))(
  '%s moves the listing in the lists',
  async (event_type, { example }) => {
    const team_id = freshId();
    const listings = manyListings({ team_id, count: 60, until: deps.clock.now() - dayMs }).map(
      (listing): Listing => ({ ...listing, state: 'ACTIVE', full_rate: 100_000 }),
    );
    await storeListings(listings);
    await packListings(deps, [listings[0]!.id]);
    const changed = listings[20]!;
    await storeListings([{ ...changed, full_rate: 99_000_000 }]);
    await listIndexWorker(() => deps)(
      queueEvent({
        ...{ id: `evt_${freshId()}`, event_type, occurred_at: '2027-01-15T03:00:00.000Z' },
        ...{ team_id, actor: 'user:1', data: { ...example, id: changed.id } },
      }),
    );
    const order = { sort_by: 'full_rate', sort_order: 'desc' } as const;
    const filter = { states: ['ACTIVE' as const] };
    const page = await pageListings(deps, [ownerTeamListings(team_id)], filter, order, { page: 1, limit: 3 });
    expect(page.items[0]).toMatchObject({ id: changed.id, full_rate: 99_000_000 });
  },
);

it('a review, which names its listing, moves it in the order of ratings', async () => {
  const team_id = freshId();
  const listings = manyListings({ team_id, count: 60, until: deps.clock.now() - dayMs }).map(
    (listing): Listing => ({ ...listing, state: 'ACTIVE', review_count: 3, rating_average: 4 }),
  );
  await storeListings(listings);
  await packListings(deps, [listings[0]!.id]);
  const reviewed = listings[20]!;
  await storeListings([{ ...reviewed, review_count: 4, rating_average: 4.25 }]);
  await listIndexWorker(() => deps)(
    queueEvent({
      ...{ id: `evt_${freshId()}`, event_type: 'review.created', occurred_at: '2027-01-15T03:00:00.000Z' },
      ...{ team_id, actor: 'user:1', data: { id: freshId(), listing_id: reviewed.id } },
    }),
  );
  const order = { sort_by: 'rating_average', sort_order: 'desc' } as const;
  const filter = { states: ['ACTIVE' as const] };
  const page = await pageListings(deps, [ownerTeamListings(team_id)], filter, order, { page: 1, limit: 3 });
  expect(page.items[0]).toMatchObject({ id: reviewed.id, rating_average: 4.25 });
});

it('the list of the platform shows no listing that is closed, with or without its event', async () => {
  const team_id = freshId();
  const listings = manyListings({ team_id, count: 60, until: deps.clock.now() }).map((listing): Listing => ({
    ...listing,
    state: 'ACTIVE',
  }));
  await storeListings(listings);
  for (const { id } of listings) await packListings(deps, [id]);
  const last = listings.at(-1)!;
  const ctx = testContext(deps, (await testUser(deps)).caller);
  const newest = async () => {
    const { items } = await listListings(ctx, ListingQuery.parse({ search: last.name }));
    return items.map(({ id }) => id);
  };
  expect(await newest()).toContain(last.id);
  await storeListings([{ ...last, state: 'INACTIVE' }]);
  expect(await newest()).not.toContain(last.id);
  await packListings(deps, [last.id]);
  expect(await newest()).not.toContain(last.id);
});

import { beforeEach, describe, expect, it } from 'vitest';
import { external } from '../../functions/external/index.ts';
import { externalRoutes } from '../../functions/external/routes.ts';
import { listings } from '../../functions/listings/index.ts';
import { listingsRoutes } from '../../functions/listings/routes.ts';
import { prices } from '../../functions/prices/index.ts';
import { pricesRoutes } from '../../functions/prices/routes.ts';
import { ViewCounter } from '../../shared/domain/listing/listing-views.store.ts';
import type { Listing } from '../../shared/domain/listing/listing.entity.ts';
import { getListing } from '../../shared/domain/listing/read-listings.ts';
import type { Caller } from '../../shared/platform/auth.ts';
import type { Consumption, Table } from '../../shared/platform/table/index.ts';
import { groupCalls } from '../support/group-calls.ts';
import { testListing } from '../support/listings.ts';
import {
  testContext,
  testDependencies,
  type TestDependencies,
  testKey,
  testTeam,
  testUser,
} from '../support/table.ts';

let deps: TestDependencies;
let team_id: number;
let listing: Listing;
let guest: Caller;
let owner: Caller;
beforeEach(async () => {
  deps = await testDependencies();
  ({ team_id } = await testTeam(deps));
  listing = await testListing(deps, { team_id });
  guest = (await testUser(deps)).caller;
  owner = (await testUser(deps, { memberships: [{ team_id, role: 'OWNER' }] })).caller;
});

/** One function instance. */
const instance = (given: Partial<TestDependencies> = {}) => {
  const { ok } = groupCalls(
    listings(() => ({ ...deps, ...given })),
    listingsRoutes,
  );
  const params = { listing_id: listing.id };
  return {
    ok,
    reads: async (who: Caller, id = listing.id) =>
      (await ok(who, 'getListing', { params: { listing_id: id } })).view_count,
    patch: async (body: object) => (await ok(owner, 'updateListing', { params, body })).view_count,
    images: async () => (await ok(owner, 'replaceImages', { params, body: { images: [] } })).view_count,
  };
};

describe('the view count of a listing', () => {
  it("counts customers' reads of the detail, of all instances, within half a minute of the next read", async () => {
    const [one, other] = [instance(), instance()];
    for (const { reads } of [one, one, other]) expect(await reads(guest)).toBe(0);
    deps.clock.advance(30_000);
    expect(await one.reads(guest)).toBe(2);
    expect(await other.reads(guest)).toBe(3);
    expect(await instance().reads(owner)).toBe(3);
    deps.clock.advance(30_000);
    await Promise.all([one.reads(owner), other.reads(owner)]);
    expect(await instance().reads(owner)).toBe(5);
  });

  it('counts no read of the host side, of the platform’s staff, nor one that was refused', async () => {
    const { reads } = instance();
    const others = [
      owner,
      (await testUser(deps, { memberships: [{ team_id, role: 'STAFF' }] })).caller,
      (await testUser(deps, { system_role: 'ADMIN' })).caller,
    ];
    for (const who of others) await reads(who);
    const draft = await testListing(deps, { team_id, state: 'DRAFT' });
    await expect(reads(guest, draft.id)).rejects.toThrow('LISTING_NOT_FOUND');
    deps.clock.advance(30_000);
    expect(await reads(owner)).toBe(0);
    expect(await reads(owner, draft.id)).toBe(0);
    const foreign = await testUser(deps, { memberships: [{ team_id: team_id + 1, role: 'OWNER' }] });
    await reads(foreign.caller);
    deps.clock.advance(30_000);
    expect(await reads(owner)).toBe(1);
  });

  it('writes nothing for a read, then one unit for all reads of half a minute', async () => {
    const spent: Consumption[] = [];
    const ctx = testContext({ ...deps, table: deps.table.measured((one) => spent.push(one)) }, guest);
    const counter = new ViewCounter();
    const cost = async (reads: number) => {
      spent.length = 0;
      for (let read = 0; read < reads; read++) await getListing(ctx, listing.id, counter);
      return {
        trips: spent.length,
        writeUnits: spent.reduce((sum, { writeUnits }) => sum + writeUnits, 0),
      };
    };
    expect(await cost(5)).toEqual({ trips: 5, writeUnits: 0 });
    deps.clock.advance(29_999);
    expect(await cost(1)).toEqual({ trips: 1, writeUnits: 0 });
    deps.clock.advance(1);
    expect(await cost(5)).toEqual({ trips: 6, writeUnits: 1 });
  });

  it('is in every answer that shows the listing, and a change of the host leaves it as it is', async () => {
    const { reads, patch, images } = instance();
    await reads(guest);
    deps.clock.advance(30_000);
    await reads(owner);
    expect(await patch({ cleaning_fee: 1000 })).toBe(1);
    expect(await patch({ cleaning_fee: 1000 })).toBe(1);
    expect(await images()).toBe(1);
    const weekly = groupCalls(
      prices(() => deps),
      pricesRoutes,
    ).ok(owner, 'updateWeeklyPrices', {
      params: { listing_id: listing.id },
      body: { base_price_by_weekday: { 5: 2_000_000 } },
    });
    expect(await weekly).toMatchObject({ view_count: 1 });
    const { caller: partner } = await testKey(deps, { team_ids: [team_id] });
    const calls = groupCalls(
      external(() => deps),
      externalRoutes,
    );
    expect(await calls.ok(partner, 'listExternalListings')).toMatchObject({
      items: [{ id: listing.id, view_count: 1 }],
    });
    expect(await reads(owner)).toBe(1);
  });

  it('keeps at most ten writes beside one read, and writes the others beside the next', async () => {
    const many = await Promise.all(Array.from({ length: 12 }, () => testListing(deps, { team_id })));
    const { reads } = instance();
    for (const { id } of many) await reads(guest, id);
    deps.clock.advance(30_000);
    const shown = async () => {
      const { reads: fresh } = instance();
      return (await Promise.all(many.map(({ id }) => fresh(owner, id)))).filter((count) => count === 1)
        .length;
    };
    await reads(owner);
    expect(await shown()).toBe(10);
    await reads(owner);
    expect(await shown()).toBe(12);
  });

  it('answers although the count cannot be written, and writes it later', async () => {
    const counter = new ViewCounter();
    const reads = async (table: Table = deps.table) =>
      (await getListing(testContext({ ...deps, table }, guest), listing.id, counter)).view_count;
    await reads();
    deps.clock.advance(30_000);
    expect(await reads(increasing(() => Promise.reject(new Error('throttled'))))).toBe(0);
    deps.clock.advance(30_000);
    expect(await reads()).toBe(2);
  });

  it('answers while a write of the count hangs', async () => {
    const counter = new ViewCounter();
    const reads = async (table: Table = deps.table) =>
      (await getListing(testContext({ ...deps, table }, guest), listing.id, counter)).view_count;
    await reads();
    deps.clock.advance(30_000);
    expect(await reads(increasing(() => new Promise(() => undefined)))).toBe(0);
  });
});

/** The table with a fault. */
const increasing = (increase: Table['increase']): Table =>
  Object.assign(
    deps.table.measured(() => undefined),
    { increase },
  );

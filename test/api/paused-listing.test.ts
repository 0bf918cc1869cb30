import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { listings } from '../../functions/listings/index.ts';
import { listingsRoutes } from '../../functions/listings/routes.ts';
import { prices } from '../../functions/prices/index.ts';
import { pricesRoutes } from '../../functions/prices/routes.ts';
import type { Listing } from '../../shared/domain/listing/listing.entity.ts';
import { updateListing } from '../../shared/domain/listing/update-listing.ts';
import { Table } from '../../shared/platform/table/index.ts';
import { groupCalls } from '../support/group-calls.ts';
import { ok, type OrderScene, orderScene, stay, stopClock } from '../support/order-scene.ts';
import { testContext, testUser } from '../support/table.ts';

let s: OrderScene;
type Caller = Awaited<ReturnType<typeof testUser>>['caller'];
let guest: Caller;
let host: Caller;
beforeAll(async () => {
  s = await orderScene();
});
beforeEach(async () => {
  stopClock();
  guest = (await testUser(s.deps)).caller;
  host = (await testUser(s.deps, { memberships: [{ team_id: s.a.team_id, role: 'OWNER' }] })).caller;
});
afterAll(() => void vi.useRealTimers());

const pages = ['getListing', 'getPolicies', 'listParkingRules', 'listListingAmenities'] as const;

/** What each page of a listing answers: a status for each. */
const read = async (who: Caller, { id }: Pick<Listing, 'id'>) => {
  const of = { params: { listing_id: id } };
  const houses = groupCalls(
    listings(() => s.deps),
    listingsRoutes,
  );
  const offers = groupCalls(
    prices(() => s.deps),
    pricesRoutes,
  );
  const statuses = await Promise.all(pages.map((page) => houses.call(who, page, of)));
  const services = await offers.call(who, 'listExtraServices', of);
  const rules = await offers.call(who, 'listPricingRules', of);
  return { stay: [...statuses, services].map(({ status }) => status), rules: rules.status };
};
const all = (status: number) => [...pages, 'services'].map(() => status);

const book = async (listing: Listing, who = guest) => {
  const asked = { items: [stay(listing)], payment_method: 'CASH' };
  return ok(await s.confirm({ token: who.subject }, asked), 201).reservations[0]!.id;
};
const set = (listing: Listing, state: 'ACTIVE' | 'INACTIVE' | 'ARCHIVED') =>
  updateListing(testContext(s.deps, host), listing.id, { state });

it('a guest with an open booking reads the listing while it is paused; others do not', async () => {
  const listing = await s.listing({ wifi_password: 'rung-thong' });
  await book(listing);
  await set(listing, 'INACTIVE');
  expect((await read(guest, listing)).stay).toEqual(all(200));
  const other = (await testUser(s.deps)).caller;
  expect(await read(other, listing)).toEqual({ stay: all(404), rules: 404 });
  const elsewhere = await s.listing();
  await book(elsewhere);
  await set(elsewhere, 'INACTIVE');
  expect(await read(other, elsewhere)).toEqual({ stay: all(404), rules: 404 });
  const detail = await groupCalls(
    listings(() => s.deps),
    listingsRoutes,
  ).ok(guest, 'getListing', { params: { listing_id: listing.id } });
  expect(detail).toMatchObject({ state: 'INACTIVE', wifi_password: null, commission_rate: null });
  expect((await read(guest, listing)).rules).toBe(404);
});

it('a booking elsewhere, or one that is no longer open, opens nothing', async () => {
  const [listing, elsewhere] = [await s.listing(), await s.listing()];
  const id = await book(listing);
  await book(elsewhere);
  await set(listing, 'INACTIVE');
  expect((await read(guest, listing)).stay).toEqual(all(200));
  ok(await s.cancel({ token: guest.subject }, id));
  expect((await read(guest, listing)).stay).toEqual(all(404));
});

it('who waits for the host, or is checked in, is a guest too', async () => {
  const waiting = await s.listing({ instant_book_enabled: false });
  await book(waiting);
  await set(waiting, 'INACTIVE');
  expect((await read(guest, waiting)).stay).toEqual(all(200));
  const listing = await s.listing();
  const id = await book(listing);
  await set(listing, 'INACTIVE');
  stopClock('2027-02-10T08:00:00Z');
  ok(await s.call('POST', `/api/v1/bookings/${id}/check-in`, { token: host.subject }));
  expect((await read(guest, listing)).stay).toEqual(all(200));
  ok(await s.call('POST', `/api/v1/bookings/${id}/check-out`, { token: host.subject }));
  expect((await read(guest, listing)).stay).toEqual(all(404));
});

it('the look at the own bookings costs a stranger of a paused listing alone', async () => {
  const [active, paused] = [await s.listing(), await s.listing()];
  await set(paused, 'INACTIVE');
  const queries = vi.spyOn(Table.prototype, 'query');
  await read(guest, active);
  await read(host, paused);
  expect(queries).not.toHaveBeenCalled();
  await read(guest, paused);
  expect(queries).toHaveBeenCalledTimes(5);
  queries.mockRestore();
});

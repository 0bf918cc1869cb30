import { beforeEach, describe, expect, it } from 'vitest';
import { cart } from '../../functions/cart/index.ts';
import { cartRoutes } from '../../functions/cart/routes.ts';
import { createCheckout } from '../../shared/domain/checkout/create-checkout.ts';
import { type Listing, ListingEntity } from '../../shared/domain/listing/listing.entity.ts';
import type { UserCaller } from '../../shared/platform/auth.ts';
import { put } from '../../shared/platform/table/index.ts';
import { groupCalls } from '../support/group-calls.ts';
import { testListing } from '../support/listings.ts';
import {
  testContext,
  type TestDependencies,
  testDependencies,
  testTeam,
  testUser,
} from '../support/table.ts';

let deps: TestDependencies;
let calls: ReturnType<typeof callsOn>;
let listing: Listing;
let me: UserCaller;
const callsOn = (given: TestDependencies) =>
  groupCalls(
    cart(() => given),
    cartRoutes,
  );

beforeEach(async () => {
  deps = await testDependencies();
  calls = callsOn(deps);
  const { team_id } = await testTeam(deps);
  listing = await testListing(deps, { team_id });
  me = (await testUser(deps)).caller;
});

const stay = (given: object = {}) => ({
  listing_id: String(listing.id),
  check_in: '2027-02-04T14:00:00',
  check_out: '2027-02-07T12:00:00',
  guests: 2,
  ...given,
});
const add = (given: object = {}, who = me) => calls.ok(who, 'addToCart', { body: stay(given) });
const items = async (who = me) => (await calls.ok(who, 'listCart')).items;

describe('the cart', () => {
  it('answers the priced stay and lists it', async () => {
    const record = await add();
    expect(record).toMatchObject({
      listing_id: listing.id,
      listing_name: listing.name,
      check_in: '2027-02-04T14:00:00',
      check_out: '2027-02-07T12:00:00',
      guests: 2,
      currency: 'VND',
      available: true,
      created_at: '2027-01-15T03:00:00.000Z',
    });
    expect(record.price).toBe(3 * listing.full_rate + listing.cleaning_fee);
    expect(await items()).toEqual([record]);
  });

  it('takes a number for the listing, an instant with its zone, and dates alone', async () => {
    const byInstant = await add({ listing_id: listing.id, check_in: '2027-02-04T07:00:00Z' });
    expect(byInstant.check_in).toBe('2027-02-04T14:00:00');
    const byDates = await add({ check_in: '2027-03-04T00:00:00', check_out: '2027-03-07T00:00' });
    expect(byDates).toMatchObject({ price: byInstant.price, available: true });
  });

  it('replaces the same listing and dates, and keeps others', async () => {
    const first = await add();
    const replaced = await add({ guests: 3, check_in: '2027-02-04T15:00:00' });
    expect(replaced).toMatchObject({ id: first.id, guests: 3 });
    await add({ check_out: '2027-02-08T12:00:00' });
    expect((await items()).map(({ guests }) => guests)).toEqual([3, 2]);
  });

  it('keeps one of two at once', async () => {
    await Promise.all([1, 2, 3, 4].map((guests) => add({ guests })));
    expect(await items()).toHaveLength(1);
  });

  it('locks nothing, and sees what was locked meanwhile', async () => {
    await add();
    const other = (await testUser(deps)).caller;
    const item = {
      listing_id: listing.id,
      check_in_date: '2027-02-05',
      check_out_date: '2027-02-06',
      guest_number: 2,
    };
    await createCheckout(testContext(deps, other), { items: [item] });
    expect(await items()).toMatchObject([{ available: false }]);
  });

  it('follows the price, and keeps the last one of what can no longer be booked', async () => {
    const { price } = await add();
    await deps.table.transact([put(ListingEntity, { ...listing, full_rate: 2 * listing.full_rate })]);
    const dearer = price + 3 * listing.full_rate;
    expect(await items()).toMatchObject([{ price: dearer, available: true }]);
    await deps.table.transact([put(ListingEntity, { ...listing, state: 'INACTIVE' })]);
    expect(await items()).toMatchObject([{ price, available: false }]);
    await deps.table.transact([put(ListingEntity, listing)]);
    deps.clock.set('2027-02-07T12:00:00Z');
    expect(await items()).toMatchObject([{ available: false }]);
  });

  it('is gone after 30 days, and can be filled again before TTL deletes it', async () => {
    await add({ check_in: '2027-06-04T14:00:00', check_out: '2027-06-05T12:00:00' });
    deps.clock.advance(30 * 86_400_000);
    expect(await items()).toEqual([]);
    await add({ check_in: '2027-06-04T14:00:00', check_out: '2027-06-05T12:00:00' });
    expect(await items()).toHaveLength(1);
  });

  it('gives a stay back once', async () => {
    const { id } = await add();
    const asked = { params: { item_id: id } };
    const stranger = (await testUser(deps)).caller;
    expect(await calls.refusal(stranger, 'removeFromCart', asked)).toMatchObject({ code: 'NOT_FOUND' });
    expect(await items(stranger)).toEqual([]);
    expect(await calls.ok(me, 'removeFromCart', asked)).toMatchObject({ id });
    expect((await calls.refusal(me, 'removeFromCart', asked)).status).toBe(404);
    expect(await items()).toEqual([]);
  });

  it('holds at most 50', async () => {
    const days = (at: number) => String(1 + (at % 28)).padStart(2, '0');
    for (let at = 0; at < 50; at++) {
      const month = at < 28 ? '03' : '05';
      await add({
        check_in: `2027-${month}-${days(at)}T14:00:00`,
        check_out: `2027-${month === '03' ? '04' : '06'}-01T12:00:00`,
      });
    }
    const refusal = await calls.refusal(me, 'addToCart', { body: stay() });
    expect([refusal.status, refusal.paths]).toEqual([400, ['listing_id']]);
  });

  it.each([
    [{ check_out: '2027-02-03T12:00:00' }, ['check_out']],
    [{ guests: 99 }, ['guests']],
    [{ guests: 0, check_in: '2027-02-30T14:00:00' }, ['check_in', 'guests']],
    [{ listing_id: 'villa' }, ['listing_id']],
    [{ check_in: '2026-01-01T14:00:00', check_out: '2026-01-02T12:00:00' }, ['check_in']],
  ])('names the problems of %j as it was asked', async (given, paths) => {
    const refusal = await calls.refusal(me, 'addToCart', { body: stay(given) });
    expect([refusal.code, [...new Set(refusal.paths)].sort()]).toEqual(['VALIDATION_ERROR', paths]);
  });

  it('refuses hours that the price does not cover, as the checkout would', async () => {
    const asked = { check_in: '2027-02-04T00:00:00', check_out: '2027-02-05T23:00:00' };
    expect(await calls.refusal(me, 'addToCart', { body: stay(asked) })).toMatchObject({
      code: 'VALIDATION_ERROR',
      paths: ['check_in', 'check_out'],
    });
  });

  it('knows only listings that the caller sees', async () => {
    const hidden = await testListing(deps, { team_id: listing.team_id, state: 'DRAFT' });
    for (const listing_id of [String(hidden.id), '4711'])
      expect(await calls.refusal(me, 'addToCart', { body: stay({ listing_id }) })).toMatchObject({
        status: 404,
        code: 'LISTING_NOT_FOUND',
      });
  });
});

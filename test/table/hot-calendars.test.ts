import { beforeEach, describe, expect, it } from 'vitest';
import { cancelBooking } from '../../shared/domain/booking/cancel-booking.ts';
import { blockTime, unblockTime } from '../../shared/domain/calendar/block-time.ts';
import { readFamily } from '../../shared/domain/calendar/calendar.store.ts';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import { createCheckout, extendCheckout } from '../../shared/domain/checkout/create-checkout.ts';
import { releaseCheckout } from '../../shared/domain/checkout/release-checkout.ts';
import { archiveListing } from '../../shared/domain/listing/archive-listing.ts';
import { updateListing } from '../../shared/domain/listing/update-listing.ts';
import type { Context } from '../../shared/platform/context.ts';
import type { QueryOptions, Table } from '../../shared/platform/table/index.ts';
import { interrupted } from '../support/interrupted.ts';
import { minute, type PaymentScene, paymentScene } from '../support/payment-scene.ts';
import { testContext, testUser } from '../support/table.ts';

const month = '2027-02';

let s: PaymentScene;
let house: { id: number };
let rooms: { id: number }[];
beforeEach(async () => {
  s = await paymentScene();
  await s.clear();
  ({ house, rooms } = await s.house(2));
});

const night = ({ id }: { id: number }, day: number) => ({
  listing_id: id,
  check_in_date: `${month}-${String(day).padStart(2, '0')}`,
  check_out_date: `${month}-${String(day + 1).padStart(2, '0')}`,
  guest_number: 1,
});
const confirmAs = (ctx: typeof s.guest, ...items: ReturnType<typeof night>[]) =>
  confirmCheckout(ctx, { items, payment_method: 'CASH' });
const confirm = (...items: ReturnType<typeof night>[]) => confirmAs(s.guest, ...items);
const refused = { code: 'LISTING_NOT_AVAILABLE' };

/** A context that counts the transactions of a verb, between whose reads and first write something else happens. */
const counting = <C extends Context>(ctx: C, meanwhile: () => Promise<unknown>) => {
  const sent = { transactions: 0 };
  const table = new Proxy(ctx.table, {
    get: (target, name) => {
      if (name === 'transact') sent.transactions++;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  return { sent, ctx: interrupted({ ...ctx, table }, meanwhile) };
};

describe('between the reads and the write of a confirm', () => {
  it('siblings and other nights are booked, and the confirm does not begin anew', async () => {
    await confirm(night(rooms[0]!, 20), night(rooms[1]!, 20));
    const { ctx, sent } = counting(s.guest, () => confirm(night(rooms[1]!, 4), night(rooms[0]!, 6)));
    await confirmAs(ctx, night(rooms[0]!, 4));
    expect(sent.transactions).toBe(1);
  });

  it.each([
    ['the same night', () => [rooms[0]!, rooms[0]!]],
    ['the house, of a night in its room', () => [rooms[0]!, house]],
    ['a room, of a night in its house', () => [house, rooms[0]!]],
  ] as const)('another buyer books %s: it is refused', async (_, chosen) => {
    await confirm(night(rooms[0]!, 20), night(rooms[1]!, 20));
    await confirm(night(house, 22));
    const [asked, other] = chosen() as [{ id: number }, { id: number }];
    const ctx = interrupted(s.guest, () => confirm(night(other, 4)));
    await expect(confirmAs(ctx, night(asked, 4))).rejects.toMatchObject(refused);
  });

  it.each(['a room, of a night in its house', 'the house, of a night in its room'])(
    'another buyer books %s in a month without any: it is refused',
    async (which) => {
      const [asked, other] = which.startsWith('a room') ? [house, rooms[0]!] : [rooms[0]!, house];
      const ctx = interrupted(s.guest, () => confirm(night(other, 4)));
      await expect(confirmAs(ctx, night(asked, 4))).rejects.toMatchObject(refused);
    },
  );

  it.each(['extended', 'confirmed'])(
    'a soft lock that the confirm of the house has found expired is %s by an instance whose clock is behind',
    async (done) => {
      const other = testContext(s.deps, (await testUser(s.deps)).caller);
      const { checkout_id } = await createCheckout(s.guest, { items: [night(rooms[0]!, 4)] });
      s.clock.advance(16 * minute);
      const ctx = interrupted(other, async () => {
        s.clock.advance(-2 * minute);
        if (done === 'extended') await extendCheckout(s.guest, checkout_id);
        else await confirmCheckout(s.guest, { checkout_id, payment_method: 'CASH' });
        s.clock.advance(2 * minute);
      });
      await expect(confirmAs(ctx, night(house, 4))).rejects.toMatchObject(refused);
    },
  );
});

describe('a soft lock that an instance whose clock is behind sees as live', () => {
  it.each([
    ['extended', 'of a room, after a booking of the house', () => [rooms[0]!, house]],
    ['confirmed', 'of a room, after a booking of the house', () => [rooms[0]!, house]],
    ['extended', 'of the house, after a booking of a room', () => [house, rooms[0]!]],
    ['confirmed', 'of the house, after a booking of a room', () => [house, rooms[0]!]],
  ] as const)('is not %s: %s', async (done, _, chosen) => {
    const [held, booked] = chosen() as [{ id: number }, { id: number }];
    const { checkout_id } = await createCheckout(s.guest, { items: [night(held, 4)] });
    s.clock.advance(16 * minute);
    await confirmAs(testContext(s.deps, (await testUser(s.deps)).caller), night(booked, 4));
    s.clock.advance(-2 * minute);
    const late =
      done === 'extended'
        ? extendCheckout(s.guest, checkout_id)
        : confirmCheckout(s.guest, { checkout_id, payment_method: 'CASH' });
    await expect(late).rejects.toMatchObject({ code: 'CHECKOUT_EXPIRED' });
  });

  // A confirm without its lock books at the present price, and an extension does not.
  it.each([
    ['an older one', 10 * minute],
    ['one that ended a millisecond before it', 1],
  ])('is extended although %s has expired for a booking of the house', async (_, apart) => {
    const { checkout_id: first } = await createCheckout(s.guest, { items: [night(rooms[0]!, 4)] });
    s.clock.advance(apart);
    const { checkout_id: second } = await createCheckout(s.guest, { items: [night(rooms[1]!, 8)] });
    s.clock.advance(15 * minute - apart);
    await confirmAs(testContext(s.deps, (await testUser(s.deps)).caller), night(house, 4));
    s.clock.advance(-1);
    const late = extendCheckout(s.guest, first);
    await expect(late).rejects.toMatchObject({ code: 'CHECKOUT_EXPIRED' });
    await expect(extendCheckout(s.guest, second)).resolves.toMatchObject({ checkout_id: second });
  });

  it.each(['after', 'during'])(
    'is not confirmed in the hours of a house that were booked %s a booking by such an instance',
    async (when) => {
      const other = testContext(s.deps, (await testUser(s.deps)).caller);
      await createCheckout(other, { items: [night(rooms[1]!, 8)] });
      s.clock.advance(2 * minute);
      const { checkout_id } = await createCheckout(s.guest, { items: [night(rooms[0]!, 4)] });
      s.clock.advance(14 * minute);
      const early = async () => {
        s.clock.advance(2 * minute);
        await confirmAs(other, night(house, 4));
        s.clock.advance(-2 * minute);
      };
      if (when === 'after') await early();
      await confirmAs(when === 'after' ? other : interrupted(other, early), night(house, 8));
      const late = confirmCheckout(s.guest, { checkout_id, payment_method: 'CASH' });
      await expect(late).rejects.toMatchObject({ code: 'CHECKOUT_EXPIRED' });
    },
  );

  it('is not confirmed in the house that its room has left', async () => {
    const { checkout_id } = await createCheckout(s.guest, { items: [night(rooms[0]!, 4)] });
    s.clock.advance(16 * minute);
    await updateListing(s.owner, rooms[0]!.id, { parent_listing_id: null });
    await confirmAs(testContext(s.deps, (await testUser(s.deps)).caller), night(rooms[0]!, 4));
    s.clock.advance(-2 * minute);
    const late = confirmCheckout(s.guest, { checkout_id, payment_method: 'CASH' });
    await expect(late).rejects.toMatchObject({ code: 'CHECKOUT_EXPIRED' });
  });

  it('is not confirmed by a request that the booking of the house has overtaken', async () => {
    const { checkout_id } = await createCheckout(s.guest, { items: [night(rooms[0]!, 4)] });
    s.clock.advance(14 * minute);
    const other = testContext(s.deps, (await testUser(s.deps)).caller);
    const ctx = interrupted(s.guest, () => {
      s.clock.advance(2 * minute);
      return confirmAs(other, night(house, 4));
    });
    const late = confirmCheckout(ctx, { checkout_id, payment_method: 'CASH' });
    await expect(late).rejects.toMatchObject({ code: 'CHECKOUT_EXPIRED' });
  });
});

/** A table of which the first family that is read lacks a child's months, as if its transaction were becoming visible. */
const torn = (table: Table, child: number): Table => {
  let isOver = false;
  return new Proxy(table, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (name !== 'queryAll') return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      return async (kind: never, options: QueryOptions) => {
        const items = await target.queryAll<{ listing_id?: number }>(kind, options);
        if (isOver || !items.some(({ listing_id }) => listing_id === child)) return items;
        isOver = true;
        return items.filter(({ listing_id }) => listing_id !== child);
      };
    },
  });
};

it('a house that sees the count of its room and not yet the booking reads again', async () => {
  await confirm(night(rooms[0]!, 4));
  const ctx = { ...s.guest, table: torn(s.guest.table, rooms[0]!.id) };
  await expect(confirmAs(ctx, night(house, 4))).rejects.toMatchObject(refused);
});

it('a listing is not archived over a booking that comes in meanwhile', async () => {
  await confirm(night(rooms[0]!, 20)).then(({ master_reservation_id: id }) => cancelBooking(s.guest, id));
  const ctx = interrupted(s.owner, () => confirm(night(rooms[0]!, 4)));
  await expect(archiveListing(ctx, rooms[0]!.id)).rejects.toMatchObject({ code: 'INVALID_STATE_TRANSITION' });
});

it('a booking of a room that leaves its house meanwhile goes to its own calendar', async () => {
  await confirm(night(rooms[0]!, 20));
  const ctx = interrupted(s.guest, () => updateListing(s.owner, rooms[0]!.id, { parent_listing_id: null }));
  await confirmAs(ctx, night(rooms[0]!, 4));
  const own = await readFamily(s.deps.table, rooms[0]!.id, { first: month, last: month });
  expect(own.map(({ days }) => Object.keys(days).toSorted())).toEqual([['04', '05', '20', '21']]);
});

it('a room does not leave a house that is booked meanwhile', async () => {
  const ctx = interrupted(s.owner, () => confirm(night(house, 4)));
  await expect(updateListing(ctx, rooms[0]!.id, { parent_listing_id: null })).rejects.toMatchObject(refused);
});

it('the month of a house counts every change of its rooms, whatever makes it', async () => {
  const { master_reservation_id } = await confirm(night(rooms[0]!, 4), night(rooms[1]!, 4));
  await cancelBooking(s.guest, master_reservation_id);
  const { id } = await blockTime(s.owner, rooms[0]!.id, { block_date: `${month}-04` });
  await unblockTime(s.owner, rooms[0]!.id, id);
  const held = [];
  for (const day of [4, 5, 6])
    held.push(await createCheckout(s.guest, { items: [night(rooms[0]!, day), night(rooms[1]!, day)] }));
  await extendCheckout(s.guest, held[0]!.checkout_id);
  await confirmCheckout(s.guest, { checkout_id: held[1]!.checkout_id, payment_method: 'CASH' });
  await releaseCheckout(s.guest, held[2]!.checkout_id);
  s.clock.advance(31 * minute);
  await updateListing(s.owner, rooms[1]!.id, { parent_listing_id: null });
  const months = await readFamily(s.deps.table, house.id, { first: month, last: month });
  const home = months.find(({ listing_id }) => listing_id === house.id);
  const counts: Record<string, number> = {};
  for (const { listing_id, changes } of months)
    if (listing_id !== house.id)
      for (const [day, count] of Object.entries(changes)) counts[day] = (counts[day] ?? 0) + count;
  expect(home?.child_changes).toEqual(counts);
  expect(counts['04']).toBeGreaterThan(6);
});

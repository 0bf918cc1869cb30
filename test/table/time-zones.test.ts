import { beforeAll, describe, expect, it } from 'vitest';
import { findOrder } from '../../shared/domain/booking/booking.store.ts';
import { cancelBooking } from '../../shared/domain/booking/cancel-booking.ts';
import { moveBooking } from '../../shared/domain/booking/move-booking.ts';
import { blockTime } from '../../shared/domain/calendar/block-time.ts';
import { CalendarMonthEntity, readFamily } from '../../shared/domain/calendar/calendar.store.ts';
import { changeBooking } from '../../shared/domain/checkout/index.ts';
import { bookExternally } from '../../shared/domain/checkout/book-externally.ts';
import { bookForGuest } from '../../shared/domain/checkout/book-for-guest.ts';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import { createCheckout } from '../../shared/domain/checkout/create-checkout.ts';
import { createQuote, holdQuote } from '../../shared/domain/checkout/quotes.ts';
import { previewCheckout } from '../../shared/domain/checkout/preview-checkout.ts';
import type { Listing } from '../../shared/domain/listing/listing.entity.ts';
import { updateListing } from '../../shared/domain/listing/update-listing.ts';
import type { Context } from '../../shared/platform/context.ts';
import { orderIdOf } from '../../shared/platform/ids.ts';
import { bookStay } from '../support/events.ts';
import { hostWorld } from '../support/host-world.ts';
import { interrupted } from '../support/interrupted.ts';
import { minute, paymentScene } from '../support/payment-scene.ts';
import { besideFunctions } from '../support/rights/as-function.ts';
import { testContext, type TestDependencies, testDependencies, testKey } from '../support/table.ts';

let deps: TestDependencies;
beforeAll(async () => {
  deps = await testDependencies();
});
const { host, guest, create, patch, read, take, book } = hostWorld(() => deps);

const invalidAt = (path: string) => ({ code: 'VALIDATION_ERROR', details: { issues: [{ path }] } });
const hanoi = 'Asia/Ho_Chi_Minh';
const paris = 'Europe/Paris';

describe('the time zone of a family', () => {
  it('is the parent’s for a child that names none', async () => {
    const ctx = await host();
    const parent = await create(ctx, { timezone: paris });
    expect((await create(ctx, { parent_listing_id: parent.id })).timezone).toBe(paris);
    expect((await create(ctx)).timezone).toBe(hanoi);
  });

  it('is one: a child that names another is refused, by whatever name of the same it is not', async () => {
    const ctx = await host();
    const parent = await create(ctx);
    const child = (timezone: string) => create(ctx, { parent_listing_id: parent.id, timezone });
    await expect(child(paris)).rejects.toMatchObject(invalidAt('timezone'));
    await expect(child('Asia/Bangkok')).rejects.toMatchObject(invalidAt('timezone'));
    await child('asia/ho_chi_minh');
    await child('Asia/Saigon');
    expect((await read(parent.id)).child_listing_ids).toHaveLength(2);
  });

  it('is not left for a parent of another one, and may come along with the move', async () => {
    const ctx = await host();
    const [parent, room] = [await create(ctx, { timezone: paris }), await create(ctx)];
    await expect(patch(ctx, room.id, { parent_listing_id: parent.id })).rejects.toMatchObject(
      invalidAt('parent_listing_id'),
    );
    const both = (timezone: string) => patch(ctx, room.id, { parent_listing_id: parent.id, timezone });
    await expect(both('Europe/London')).rejects.toMatchObject(invalidAt('timezone'));
    expect(await both(paris)).toMatchObject({ parent_listing_id: parent.id, timezone: paris });
    expect(await patch(ctx, room.id, { parent_listing_id: null, timezone: hanoi })).toMatchObject({
      parent_listing_id: null,
      timezone: hanoi,
    });
  });

  it('is not changed by one of it alone, parent or child', async () => {
    const ctx = await host();
    const parent = await create(ctx);
    const child = await create(ctx, { parent_listing_id: parent.id });
    for (const { id } of [parent, child]) {
      await expect(patch(ctx, id, { timezone: paris })).rejects.toMatchObject(invalidAt('timezone'));
      expect((await patch(ctx, id, { timezone: 'Asia/Saigon' })).timezone).toBe('Asia/Saigon');
      expect((await patch(ctx, id, { timezone: hanoi, beds: 2 })).beds).toBe(2);
    }
    await patch(ctx, child.id, { state: 'ARCHIVED' });
    expect((await patch(ctx, parent.id, { timezone: paris })).timezone).toBe(paris);
  });

  it('is one also when parent and child change at once', async () => {
    const ctx = await host();
    for (let round = 0; round < 10; round++) {
      const [parent, room] = [await create(ctx), await create(ctx)];
      await Promise.allSettled([
        patch(ctx, parent.id, { timezone: paris }),
        patch(ctx, room.id, { parent_listing_id: parent.id }),
        create(ctx, { parent_listing_id: parent.id }),
      ]);
      const { timezone, child_listing_ids } = await read(parent.id);
      for (const id of child_listing_ids) expect((await read(id)).timezone).toBe(timezone);
    }
  });

  it('does not change with the archiving', async () => {
    const ctx = await host();
    const { id } = await create(ctx);
    await expect(patch(ctx, id, { state: 'ARCHIVED', timezone: paris })).rejects.toMatchObject(
      invalidAt('timezone'),
    );
  });
});

describe('a change of the time zone', () => {
  const toParis = async (listing: Pick<Listing, 'id'>, ctx: Awaited<ReturnType<typeof host>>) =>
    patch(ctx, listing.id, { timezone: paris });
  const refused = {
    code: 'INVALID_STATE_TRANSITION',
    message: expect.stringContaining('lie ahead') as string,
  };

  it.each(['BOOKED', 'BLOCKED', 'SOFT_LOCK'] as const)('waits while time is %s', async (state) => {
    const ctx = await host();
    const listing = await create(ctx);
    const { entry, writes } = await take(listing, state, ['2027-02-04', '2027-02-07']);
    await deps.table.transact(writes);
    await expect(toParis(listing, ctx)).rejects.toMatchObject({
      ...refused,
      details: {
        booking_ids: state === 'BOOKED' ? [17] : [],
        availability_ids: [entry.availability_id],
      },
    });
    expect((await read(listing.id)).timezone).toBe(hanoi);
  });

  it('waits for a block beyond every booking, and for a child’s stay that comes along', async () => {
    const ctx = await host();
    const listing = await create(ctx);
    await blockTime(ctx, listing.id, { block_date: '2033-02-04' });
    await expect(toParis(listing, ctx)).rejects.toMatchObject(refused);
    const parent = await create(ctx);
    const child = await create(ctx, { parent_listing_id: parent.id });
    await book(child, 'BOOKED');
    const leave = patch(ctx, child.id, { parent_listing_id: null, timezone: paris });
    await expect(leave).rejects.toMatchObject(refused);
    expect(await read(child.id)).toMatchObject({ parent_listing_id: parent.id, timezone: hanoi });
  });

  it('does not mind what is over: past stays, lapsed locks, a guest who has left early', async () => {
    const scene = await testDependencies();
    const world = hostWorld(() => scene);
    const [ctx, visitor] = [await world.host(), await world.guest()];
    const listing = await world.create(ctx);
    await world.book(listing, 'BOOKED', ['2027-01-10', '2027-01-12']);
    const { booking_id } = await bookStay(visitor, {
      listing_id: listing.id,
      check_in_date: '2027-01-15',
      check_out_date: '2027-01-30',
    });
    await world.book(listing, 'SOFT_LOCK', ['2027-03-04', '2027-03-06']);
    await moveBooking(ctx, booking_id, 'check_in');
    await expect(toParis(listing, ctx)).rejects.toMatchObject(refused);
    scene.clock.advance(16 * 60_000);
    await expect(toParis(listing, ctx)).rejects.toMatchObject({ details: { booking_ids: [booking_id] } });
    await moveBooking(ctx, booking_id, 'check_out');
    expect((await world.patch(ctx, listing.id, { timezone: paris })).timezone).toBe(paris);
  });

  it.each(['2027-01-15', '2027-07-01', '2029-01-14'])(
    'overtakes a booking in flight that begins on %s',
    async (day) => {
      const ctx = await host();
      const listing = await create(ctx);
      const inFlight = await take(listing, 'BOOKED', [day, '2029-12-01']);
      await toParis(listing, ctx);
      await expect(deps.table.transact(inFlight.writes)).rejects.toMatchObject({ name: 'ConflictError' });
    },
  );

  it('and a booking at once: the stay is shown in the zone of the listing', async () => {
    const [ctx, visitor] = [await host(), await guest()];
    for (let round = 0; round < 10; round++) {
      const { id } = await create(ctx);
      const items = [
        { listing_id: id, check_in_date: '2027-02-04', check_out_date: '2027-02-07', guest_number: 2 },
      ];
      const [changed, booked] = await Promise.allSettled([
        toParis({ id }, ctx),
        confirmCheckout(visitor, { items, payment_method: 'CASH' }),
      ]);
      if (booked.status === 'rejected') throw booked.reason as Error;
      const cancelled = await cancelBooking(visitor, booked.value.reservations[0]!.id);
      expect(cancelled.timezone).toBe((await read(id)).timezone);
      expect(cancelled.timezone).toBe(changed.status === 'fulfilled' ? paris : hanoi);
    }
  });

  it('leaves the months as they are, and names itself in them', async () => {
    const ctx = await host();
    const listing = await create(ctx);
    await book(listing, 'BOOKED', ['2027-01-10', '2027-01-12']);
    const ids = { calendar_id: listing.id, listing_id: listing.id, month: '2027-01' };
    const month = () => deps.table.get(CalendarMonthEntity, ids);
    const { changes: before, ...hours } = (await month())!;
    await toParis(listing, ctx);
    const { changes, ...same } = (await month())!;
    expect(same).toEqual({ ...hours, timezone: paris });
    expect(changes['10']).toBe((before['10'] ?? 0) + 1);
    expect(Object.keys(changes)).toHaveLength(31);
    await expect(book(listing, 'BOOKED')).resolves.toBeUndefined();
  });
});

describe('time that is taken by who has read the listing before its zone changed, and its months after it', () => {
  const stayAt = (listing_id: number) => ({
    listing_id,
    check_in_date: '2027-02-04',
    check_out_date: '2027-02-07',
    guest_number: 2,
  });
  const guest_info = {
    full_name: 'Trần Thị Bình',
    phone: '+84 912 345 678',
    email: 'binh@example.com',
    language: undefined,
  };
  const cash = { payment_method: 'CASH' } as const;
  type Host = Awaited<ReturnType<typeof host>>;
  /** Returns the zone of the only stay of an order. */
  const zoneOf = async (id: number) => {
    const { order } = await findOrder(deps.table, orderIdOf(id));
    return order?.items[0]?.timezone;
  };
  const firstOf = ({ reservations }: { reservations: readonly { id: number }[] }) => reservations[0]!.id;
  const changing = <C extends Context>(ctx: C, meanwhile: () => Promise<unknown>): C =>
    interrupted(ctx, meanwhile, { before: 'CalendarMonth' });

  it.each([
    [
      'booked',
      async (id: number, change: () => Promise<unknown>) =>
        firstOf(await confirmCheckout(changing(await guest(), change), { items: [stayAt(id)], ...cash })),
    ],
    [
      'held',
      async (id: number, change: () => Promise<unknown>) =>
        (await createCheckout(changing(await guest(), change), { items: [stayAt(id)] })).checkout_id,
    ],
    [
      'booked by the host',
      async (id: number, change: () => Promise<unknown>, ctx: Host) =>
        firstOf(await bookForGuest(changing(ctx, change), { items: [stayAt(id)], guest_info, ...cash })),
    ],
    [
      'held by a partner’s quote',
      async (id: number, change: () => Promise<unknown>, { caller }: Host) => {
        const team_ids = caller.memberships.map(({ team_id }) => team_id);
        const partner = testContext(deps, (await testKey(deps, { team_ids })).caller);
        const { quote_id } = await createQuote(partner, { items: [stayAt(id)] });
        await holdQuote(changing(partner, change), quote_id);
        return quote_id;
      },
    ],
    [
      'booked by a partner',
      async (id: number, change: () => Promise<unknown>, { caller }: Host) => {
        const team_ids = caller.memberships.map(({ team_id }) => team_id);
        const partner = testContext(deps, (await testKey(deps, { team_ids })).caller);
        const nights = { ...stayAt(id), nights: 3, guest_info, ...cash };
        const { booking } = await bookExternally(
          changing(partner, change),
          nights as unknown as Parameters<typeof bookExternally>[1],
        );
        return booking.master_reservation_id;
      },
    ],
  ])('has the zone of the listing: %s', async (_, take) => {
    const ctx = await host();
    const { id } = await create(ctx);
    const orderId = await take(id, () => patch(ctx, id, { timezone: paris }), ctx);
    expect(await zoneOf(orderId)).toBe(paris);
  });

  it('is priced again where nothing is taken: in a preview', async () => {
    const ctx = await host();
    const { id } = await create(ctx);
    const late = changing(await guest(), () => patch(ctx, id, { timezone: paris }));
    const { items } = await previewCheckout(late, { items: [stayAt(id)] });
    expect(items).toMatchObject([{ available: true }]);
  });

  it('has the zone of the other home that a stay moves to', async () => {
    const ctx = await host();
    const [from, to] = [await create(ctx), await create(ctx)];
    const booked = await confirmCheckout(await guest(), { items: [stayAt(from.id)], ...cash });
    let isOver = false;
    const table = new Proxy(deps.table, {
      get: (target, name) => {
        if (name === 'queryAll')
          return async (of: never, range: { pk: string }) => {
            if (range.pk === `CALENDAR#${to.id}` && !isOver) {
              isOver = true;
              await besideFunctions(() => patch(ctx, to.id, { timezone: paris }));
            }
            return target.queryAll(of, range);
          };
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    await changeBooking({ ...ctx, table }, firstOf(booked), { listing_id: to.id });
    expect(await zoneOf(firstOf(booked))).toBe(paris);
  });

  it('is not that of a family which it has left, and which has moved before it comes again', async () => {
    const ctx = await host();
    const [house, room] = [await create(ctx), await create(ctx)];
    await patch(ctx, room.id, { parent_listing_id: house.id });
    const late = changing(await guest(), async () => {
      await patch(ctx, room.id, { parent_listing_id: null });
      await patch(ctx, house.id, { timezone: paris });
      await patch(ctx, room.id, { parent_listing_id: house.id, timezone: paris });
    });
    const booked = await confirmCheckout(late, { items: [stayAt(room.id)], ...cash });
    expect(await zoneOf(firstOf(booked))).toBe(paris);
  });

  it('is not that from before it was in a family of another zone', async () => {
    const ctx = await host();
    const [house, room] = [await create(ctx, { timezone: paris }), await create(ctx)];
    const late = changing(await guest(), async () => {
      await patch(ctx, room.id, { parent_listing_id: house.id, timezone: paris });
      await patch(ctx, room.id, { parent_listing_id: null });
    });
    const booked = await confirmCheckout(late, { items: [stayAt(room.id)], ...cash });
    expect(await zoneOf(firstOf(booked))).toBe(paris);
  });
});

it('a charge found after the end of its lock, and after a change of the zone, is refunded', async () => {
  const s = await paymentScene();
  const home = await s.listing();
  const { checkout_id } = await s.hold([home]);
  s.wire.fault = (path) => (path === '/charge' ? 'after' : undefined);
  const pay = { checkout_id, payment_method: 'ONLINE_GATEWAY', payment_gateway_token: 'tok_ok' } as const;
  await expect(confirmCheckout(s.guest, pay)).rejects.toMatchObject({
    code: 'PAYMENT_GATEWAY_UNAVAILABLE',
  });
  s.wire.fault = undefined;
  s.clock.advance(20 * minute);
  await updateListing(s.owner, home.id, { timezone: paris });
  await s.reconcile();
  const { order, reservations } = await s.order(checkout_id);
  expect({ state: order?.state, reservations }).toEqual({ state: 'RELEASED', reservations: [] });
  const { charged, back } = s.money(checkout_id);
  expect(charged).toBeGreaterThan(0);
  expect(back).toBe(charged);
});

describe('a listing whose zone has changed again', () => {
  const booked = async (listing_id: number, check_in_date: string, check_out_date: string) =>
    confirmCheckout(await guest(), {
      items: [{ listing_id, check_in_date, check_out_date, guest_number: 2 }],
      payment_method: 'CASH',
    });

  it('is booked in every month, the last ones of an earlier change too', async () => {
    const scene = await testDependencies();
    const world = hostWorld(() => scene);
    const ctx = await world.host();
    scene.clock.set('2027-02-01T20:00:00Z');
    const { id } = await world.create(ctx);
    // In Hà Nội it is the 2nd; in Honolulu it is the 1st still, and what can be booked ends a month earlier.
    await world.patch(ctx, id, { timezone: 'Pacific/Honolulu' });
    await world.patch(ctx, id, { timezone: paris });
    const months = await readFamily(scene.table, id, { first: '2026-01', last: '2030-01' });
    expect(months.at(-1)?.month).toBe('2029-02');
    expect(new Set(months.map(({ timezone }) => timezone))).toEqual(new Set([paris]));
  });

  it('is booked as it comes out of a family with the zone of that', async () => {
    const ctx = await host();
    const [house, room] = [await create(ctx, { timezone: paris }), await create(ctx)];
    await patch(ctx, room.id, { timezone: 'Asia/Tokyo' });
    await patch(ctx, room.id, { parent_listing_id: house.id, timezone: paris });
    await booked(room.id, '2027-02-04', '2027-02-07');
    await patch(ctx, room.id, { parent_listing_id: null });
    await booked(room.id, '2027-03-04', '2027-03-07');
    await booked(house.id, '2027-03-04', '2027-03-07');
    await booked(room.id, '2028-12-20', '2029-01-20');
  });

  it('is booked by another name of its zone', async () => {
    const ctx = await host();
    const { id } = await create(ctx, { timezone: paris });
    await patch(ctx, id, { timezone: 'Asia/Saigon' });
    await patch(ctx, id, { timezone: hanoi });
    await booked(id, '2027-02-04', '2027-02-07');
  });
});

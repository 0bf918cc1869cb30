import { beforeAll, describe, expect, it } from 'vitest';
import { cancelBooking } from '../../shared/domain/booking/cancel-booking.ts';
import { moveBooking } from '../../shared/domain/booking/move-booking.ts';
import { blockTime } from '../../shared/domain/calendar/block-time.ts';
import { CalendarMonthEntity } from '../../shared/domain/calendar/calendar.store.ts';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import type { Listing } from '../../shared/domain/listing/listing.entity.ts';
import { bookStay } from '../support/events.ts';
import { hostWorld } from '../support/host-world.ts';
import { type TestDependencies, testDependencies } from '../support/table.ts';

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

  it('leaves the months as they are', async () => {
    const ctx = await host();
    const listing = await create(ctx);
    await book(listing, 'BOOKED', ['2027-01-10', '2027-01-12']);
    const ids = { calendar_id: listing.id, listing_id: listing.id, month: '2027-01' };
    const month = () => deps.table.get(CalendarMonthEntity, ids);
    const { changes: before, ...hours } = (await month())!;
    await toParis(listing, ctx);
    const { changes, ...same } = (await month())!;
    expect(same).toEqual(hours);
    expect(changes['10']).toBe((before['10'] ?? 0) + 1);
    expect(Object.keys(changes)).toHaveLength(31);
    await expect(book(listing, 'BOOKED')).resolves.toBeUndefined();
  });
});

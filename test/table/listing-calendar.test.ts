import { beforeAll, describe, expect, it } from 'vitest';
import { moveBooking } from '../../shared/domain/booking/move-booking.ts';
import { AvailabilityEntryEntity, CalendarMonthEntity } from '../../shared/domain/calendar/calendar.store.ts';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import { createCheckout } from '../../shared/domain/checkout/create-checkout.ts';
import { archiveListing } from '../../shared/domain/listing/archive-listing.ts';
import { ListingQuery } from '../../shared/domain/listing/listing-query.schema.ts';
import { ListingEntity } from '../../shared/domain/listing/listing.entity.ts';
import { listListings } from '../../shared/domain/listing/read-listings.ts';
import { put } from '../../shared/platform/table/index.ts';
import { bookStay } from '../support/events.ts';
import { at, hostWorld } from '../support/host-world.ts';
import { freshId, type TestDependencies, testDependencies } from '../support/table.ts';

let deps: TestDependencies;
beforeAll(async () => {
  deps = await testDependencies();
});
const { host, guest, create, detail, patch, read, take, book } = hostWorld(() => deps);

describe('a family', () => {
  it('has one level, one team and room for forty', async () => {
    const ctx = await host();
    const parent = await create(ctx);
    const child = await create(ctx, { parent_listing_id: parent.id });
    expect(await read(parent.id)).toMatchObject({ child_listing_ids: [child.id] });
    const [stranger, other] = [await host(), await create(ctx)];
    const refusals = [
      () => create(ctx, { parent_listing_id: child.id }),
      () => create(ctx, { parent_listing_id: freshId() }),
      () => create(stranger, { parent_listing_id: parent.id }),
      () => patch(ctx, parent.id, { parent_listing_id: other.id }),
      () => patch(ctx, parent.id, { parent_listing_id: parent.id }),
    ];
    for (const refused of refusals)
      await expect(refused()).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        details: { issues: [{ path: 'parent_listing_id' }] },
      });
    const full = { ...(await read(parent.id)), child_listing_ids: Array.from({ length: 40 }, freshId) };
    await deps.table.transact([put(ListingEntity, full)]);
    await expect(create(ctx, { parent_listing_id: parent.id })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });

  it('takes in a listing with a free calendar and lets it go', async () => {
    const ctx = await host();
    const [parent, room] = [await create(ctx), await create(ctx)];
    expect((await patch(ctx, room.id, { parent_listing_id: parent.id })).parent_listing_id).toBe(parent.id);
    expect((await read(parent.id)).child_listing_ids).toEqual([room.id]);
    expect((await patch(ctx, room.id, { parent_listing_id: null })).parent_listing_id).toBeNull();
    expect((await read(parent.id)).child_listing_ids).toEqual([]);
  });

  it.each(['BOOKED', 'BLOCKED', 'SOFT_LOCK'] as const)(
    'refuses to take in a listing over time that is %s in the family',
    async (state) => {
      const ctx = await host();
      const [parent, room] = [await create(ctx), await create(ctx)];
      await book(parent, state, ['2033-02-04', '2033-02-06']);
      await book(room, 'BLOCKED', ['2033-02-05', '2033-02-07']);
      await expect(patch(ctx, room.id, { parent_listing_id: parent.id })).rejects.toMatchObject({
        code: 'LISTING_NOT_AVAILABLE',
        details: {
          unavailable: [
            { listing_id: room.id, start_at: '2033-02-05T14:00:00', end_at: '2033-02-06T12:00:00' },
          ],
        },
      });
    },
  );

  it('refuses to move a listing under a live soft lock', async () => {
    const ctx = await host();
    const [parent, room] = [await create(ctx), await create(ctx)];
    await book(room, 'SOFT_LOCK', ['2033-02-04', '2033-02-06']);
    await expect(patch(ctx, room.id, { parent_listing_id: parent.id })).rejects.toMatchObject({
      code: 'LISTING_NOT_AVAILABLE',
      details: { unavailable: [{ listing_id: room.id, start_at: '2033-02-04T14:00:00' }] },
    });
  });

  it('looks at what is to come only', async () => {
    const ctx = await host();
    const [parent, room] = [await create(ctx), await create(ctx)];
    await book(room, 'BOOKED', ['2027-01-02', '2027-01-05']);
    expect((await patch(ctx, room.id, { parent_listing_id: parent.id })).parent_listing_id).toBe(parent.id);
  });

  it('makes a booking in flight lose its race when the listing moves', async () => {
    const ctx = await host();
    const [parent, room] = [await create(ctx), await create(ctx)];
    const inFlight = await take(room, 'BOOKED', ['2028-12-30', '2029-01-02']);
    await patch(ctx, room.id, { parent_listing_id: parent.id });
    await expect(deps.table.transact(inFlight.writes)).rejects.toMatchObject({ name: 'ConflictError' });
  });
});

describe('archiving a listing', () => {
  it('makes it unknown, frees the slug and its place in the family', async () => {
    const ctx = await host();
    const parent = await create(ctx);
    const { id } = await create(ctx, { slug: 'villa', parent_listing_id: parent.id });
    expect(await archiveListing(ctx, at(id).params.listing_id)).toMatchObject({ listing_id: id });
    await expect(detail(ctx, id)).rejects.toMatchObject({ code: 'LISTING_NOT_FOUND' });
    await expect(archiveListing(ctx, at(id).params.listing_id)).rejects.toMatchObject({
      code: 'LISTING_NOT_FOUND',
    });
    expect((await listListings(ctx, ListingQuery.parse({}))).total).toBe(1);
    expect((await create(ctx, { slug: 'villa' })).slug).toBe('villa');
    expect((await read(parent.id)).child_listing_ids).toEqual([]);
  });

  it('can be asked for by PATCH too', async () => {
    const ctx = await host();
    const { id } = await create(ctx, { slug: 'villa' });
    expect((await patch(ctx, id, { state: 'ARCHIVED' })).state).toBe('ARCHIVED');
    await expect(detail(ctx, id)).rejects.toMatchObject({ code: 'LISTING_NOT_FOUND' });
    expect((await create(ctx, { slug: 'villa' })).slug).toBe('villa');
  });

  it('is refused while a stay has not ended, and allowed after it, or with a block', async () => {
    const ctx = await host();
    const [running, over, blocked] = [await create(ctx), await create(ctx), await create(ctx)];
    await book(running, 'BOOKED', ['2027-01-13', '2027-01-16']);
    await book(over, 'BOOKED', ['2027-01-12', '2027-01-14']);
    await book(blocked, 'BLOCKED');
    await expect(archiveListing(ctx, at(running.id).params.listing_id)).rejects.toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
      details: { booking_ids: [17] },
    });
    await archiveListing(ctx, at(over.id).params.listing_id);
    await archiveListing(ctx, at(blocked.id).params.listing_id);
  });

  it('is hindered by stays that are to come or are there, not by one that ended before its time', async () => {
    const scene = await testDependencies();
    const world = hostWorld(() => scene);
    const [ctx, visitor] = [await world.host(), await world.guest()];
    const { id } = await world.create(ctx, { instant_book_enabled: false });
    const { booking_id } = await bookStay(visitor, {
      listing_id: id,
      check_in_date: '2027-01-15',
      check_out_date: '2027-01-30',
    });
    const refused = () =>
      expect(archiveListing(ctx, at(id).params.listing_id)).rejects.toMatchObject({
        code: 'INVALID_STATE_TRANSITION',
        details: { booking_ids: [booking_id] },
      });
    await refused();
    for (const move of ['confirm', 'check_in'] as const) {
      await moveBooking(ctx, booking_id, move);
      await refused();
    }
    await moveBooking(ctx, booking_id, 'check_out');
    expect(await archiveListing(ctx, at(id).params.listing_id)).toMatchObject({ listing_id: id });
    expect((await moveBooking(ctx, booking_id, 'complete')).state).toBe('COMPLETED');
    const other = await world.create(ctx);
    const done = await bookStay(visitor, {
      listing_id: other.id,
      check_in_date: '2027-01-15',
      check_out_date: '2027-01-30',
    });
    for (const move of ['check_in', 'check_out', 'complete'] as const)
      await moveBooking(ctx, done.booking_id, move);
    expect(await archiveListing(ctx, at(other.id).params.listing_id)).toMatchObject({ listing_id: other.id });
  });

  it('is not hindered by the bookings of the rest of the family', async () => {
    const ctx = await host();
    const parent = await create(ctx);
    const [one, two] = [
      await create(ctx, { parent_listing_id: parent.id }),
      await create(ctx, { parent_listing_id: parent.id }),
    ];
    await book(one, 'BOOKED');
    await archiveListing(ctx, at(two.id).params.listing_id);
    await archiveListing(ctx, at(parent.id).params.listing_id);
    await expect(archiveListing(ctx, at(one.id).params.listing_id)).rejects.toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
    });
    const ids = { calendar_id: parent.id, listing_id: one.id, month: '2027-02' };
    const month = await deps.table.get(CalendarMonthEntity, ids);
    expect(Object.keys(month!.days).toSorted()).toEqual(['04', '05', '06', '07']);
  });

  it('drops live soft locks, so that they cannot be confirmed', async () => {
    const ctx = await host();
    const { id } = await create(ctx);
    const { entry, writes } = await take({ id }, 'SOFT_LOCK');
    await deps.table.transact(writes);
    await archiveListing(ctx, at(id).params.listing_id);
    const ids = { calendar_id: id, listing_id: id, month: '2027-02' };
    expect(await deps.table.get(CalendarMonthEntity, ids)).toMatchObject({ days: {}, locks: {}, left: true });
    expect(await deps.table.get(AvailabilityEntryEntity, entry)).toBeUndefined();
  });

  it.each(['2027-01-15', '2027-07-01', '2029-01-14'])(
    'overtakes a booking in flight that begins on %s',
    async (day) => {
      const ctx = await host();
      const { id } = await create(ctx);
      const inFlight = await take({ id }, 'BOOKED', [day, '2029-12-01']);
      await archiveListing(ctx, at(id).params.listing_id);
      await expect(deps.table.transact(inFlight.writes)).rejects.toMatchObject({ name: 'ConflictError' });
    },
  );

  it('never ends with both an archived listing and a booking, however they meet', async () => {
    const ctx = await host();
    for (let round = 0; round < 10; round++) {
      const { id } = await create(ctx);
      const inFlight = await take({ id }, 'BOOKED');
      const [archived, booked] = await Promise.allSettled([
        archiveListing(ctx, at(id).params.listing_id),
        deps.table.transact(inFlight.writes),
      ]);
      expect([archived.status, booked.status].sort()).toEqual(['fulfilled', 'rejected']);
    }
  });

  it.each(['held', 'free'] as const)('and a confirm of %s time never both succeed', async (kind) => {
    const ctx = await host();
    const visitor = await guest();
    const outcomes: (string | undefined)[] = [];
    for (let round = 0; round < 10; round++) {
      const { id } = await create(ctx);
      const items = [
        { listing_id: id, check_in_date: '2027-02-04', check_out_date: '2027-02-07', guest_number: 2 },
      ];
      const held = kind === 'held' ? await createCheckout(visitor, { items }) : undefined;
      const [archived, confirmed] = await Promise.allSettled([
        archiveListing(ctx, at(id).params.listing_id),
        confirmCheckout(visitor, {
          items,
          payment_method: 'CASH',
          ...(held ? { checkout_id: held.checkout_id } : {}),
        }),
      ]);
      expect([archived.status, confirmed.status].sort()).toEqual(['fulfilled', 'rejected']);
      const { reason } = [archived, confirmed].find(({ status }) => status === 'rejected') as {
        reason: { code: string };
      };
      outcomes.push(reason.code);
    }
    expect(['INVALID_STATE_TRANSITION', 'LISTING_NOT_FOUND']).toEqual(expect.arrayContaining(outcomes));
  });
});

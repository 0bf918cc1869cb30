import { beforeAll, describe, expect, it } from 'vitest';
import { cancelBooking } from '../../shared/domain/booking/cancel-booking.ts';
import { getBooking, listMyBookings } from '../../shared/domain/booking/read-bookings.ts';
import { readRange } from '../../shared/domain/calendar/read-calendar.ts';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import { createCheckout, extendCheckout } from '../../shared/domain/checkout/create-checkout.ts';
import { previewCheckout } from '../../shared/domain/checkout/preview-checkout.ts';
import { releaseCheckout } from '../../shared/domain/checkout/release-checkout.ts';
import type { Listing } from '../../shared/domain/listing/listing.entity.ts';
import { testListing } from '../support/listings.ts';
import { testContext, testDependencies, testTeam, testUser } from '../support/table.ts';

const stay = (
  listing: Pick<Listing, 'id'>,
  check_in_date: string,
  check_out_date: string,
  more: object = {},
) => ({
  listing_id: listing.id,
  check_in_date,
  check_out_date,
  guest_number: 2,
  ...more,
});

const cash = (items: ReturnType<typeof stay>[], more: object = {}) => ({
  items,
  payment_method: 'CASH' as const,
  ...more,
});

const scene = async () => {
  const deps = await testDependencies();
  const { team_id } = await testTeam(deps);
  const listing = await testListing(deps, { team_id });
  const [an, binh, host] = await Promise.all([
    testUser(deps),
    testUser(deps),
    testUser(deps, { memberships: [{ team_id, role: 'OWNER' }] }),
  ]);
  return {
    deps,
    team_id,
    listing,
    an: testContext(deps, an.caller),
    binh: testContext(deps, binh.caller),
    host: testContext(deps, host.caller),
  };
};

describe('confirm', () => {
  let s: Awaited<ReturnType<typeof scene>>;
  beforeAll(async () => {
    s = await scene();
  });

  it('books free nights at once and shows them in the calendar, to the guest and to the host', async () => {
    const booked = await confirmCheckout(s.an, cash([stay(s.listing, '2027-02-04', '2027-02-07')]));
    expect(booked.reservations).toMatchObject([
      { listing_id: s.listing.id, status: 'CONFIRMED', total_price: 3_200_000 },
    ]);
    expect(booked.payment_status).toBe('PENDING');
    const reservation = booked.reservations[0]!;
    const entries = await readRange(s.host, s.listing.id, {});
    expect(entries).toMatchObject([
      {
        state: 'BOOKED',
        reservation_id: reservation.id,
        start_at: '2027-02-04T14:00:00',
        end_at: '2027-02-07T12:00:00',
      },
    ]);
    expect((await readRange(s.binh, s.listing.id, {}))[0]?.reservation_id).toBeNull();
    expect((await listMyBookings(s.an, {}, { page: 1, limit: 20 })).items).toMatchObject([
      { id: reservation.id, total_price: 3_200_000, state: 'CONFIRMED' },
    ]);
    for (const [ctx, id] of [
      [s.an, reservation.id],
      [s.an, booked.master_reservation_id],
      [s.host, reservation.id],
    ] as const) {
      expect(await getBooking(ctx, id)).toMatchObject({
        master_reservation_id: booked.master_reservation_id,
        nights: 3,
      });
    }
    await expect(getBooking(s.binh, reservation.id)).rejects.toMatchObject({ code: 'BOOKING_NOT_FOUND' });
  });

  it('refuses a second booking of the same night and says which hours are taken', async () => {
    await expect(
      confirmCheckout(s.binh, cash([stay(s.listing, '2027-02-06', '2027-02-08')])),
    ).rejects.toMatchObject({
      code: 'LISTING_NOT_AVAILABLE',
      details: {
        unavailable: [
          { listing_id: s.listing.id, start_at: '2027-02-06T14:00:00', end_at: '2027-02-07T12:00:00' },
        ],
      },
    });
  });

  it('lets one guest arrive on the day another leaves', async () => {
    const booked = await confirmCheckout(s.binh, cash([stay(s.listing, '2027-02-07', '2027-02-08')]));
    expect(booked.reservations).toHaveLength(1);
  });

  it('frees the time of a cancelled booking, once', async () => {
    const booked = await confirmCheckout(s.an, cash([stay(s.listing, '2027-03-30', '2027-04-02')]));
    const cancelled = await cancelBooking(s.an, booked.master_reservation_id, 'changed plans');
    expect(cancelled).toMatchObject({ state: 'CANCELLED', refund: { amount: 0, status: 'NONE' } });
    await expect(cancelBooking(s.an, booked.master_reservation_id)).rejects.toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
    });
    const again = await confirmCheckout(s.binh, cash([stay(s.listing, '2027-03-31', '2027-04-01')]));
    expect(again.reservations).toHaveLength(1);
  });

  it('books all of an order or nothing', async () => {
    const other = await testListing(s.deps, { team_id: s.team_id });
    await confirmCheckout(s.an, cash([stay(other, '2027-05-01', '2027-05-02')]));
    const both = [stay(s.listing, '2027-05-01', '2027-05-02'), stay(other, '2027-05-01', '2027-05-02')];
    await expect(confirmCheckout(s.binh, cash(both))).rejects.toMatchObject({
      code: 'LISTING_NOT_AVAILABLE',
    });
    expect(
      await readRange(s.host, s.listing.id, { start_date: '2027-05-01', end_date: '2027-05-02' }),
    ).toEqual([]);
  });

  it('refuses with the new price when the expected total differs', async () => {
    const request = cash([stay(s.listing, '2027-06-01', '2027-06-02')], { expected_total: 999 });
    await expect(confirmCheckout(s.an, request)).rejects.toMatchObject({
      code: 'PRICE_CHANGED',
      details: {
        preview: { estimated_total: 1_200_000 },
        changes: [{ field: 'estimated_total', was: 999, now: 1_200_000 }],
      },
    });
  });

  it('lets exactly one of 50 simultaneous confirms of a night through', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, () =>
        confirmCheckout(s.an, cash([stay(s.listing, '2027-07-01', '2027-07-02')])),
      ),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const codes = results.flatMap((result) =>
      result.status === 'rejected' ? [(result.reason as { code: string }).code] : [],
    );
    expect(new Set(codes)).toEqual(new Set(['LISTING_NOT_AVAILABLE']));
    expect(
      await readRange(s.host, s.listing.id, { start_date: '2027-07-01', end_date: '2027-07-01' }),
    ).toHaveLength(1);
  });
});

describe('soft lock', () => {
  it('holds the time for its caller alone, until the clock says otherwise', async () => {
    const s = await scene();
    const items = [stay(s.listing, '2027-02-10', '2027-02-12')];
    const checkout = await createCheckout(s.an, { items });
    expect(checkout.locked_until).toBe('2027-01-15T03:15:00.000Z');
    await expect(createCheckout(s.binh, { items })).rejects.toMatchObject({ code: 'LISTING_NOT_AVAILABLE' });
    expect((await previewCheckout(s.an, { items })).items[0]?.available).toBe(true);
    expect((await previewCheckout(s.binh, { items })).items[0]?.available).toBe(false);
    s.deps.clock.advance(15 * 60_000);
    expect((await previewCheckout(s.binh, { items })).items[0]?.available).toBe(true);
    const booked = await confirmCheckout(s.binh, cash(items));
    expect(booked.reservations).toHaveLength(1);
    await expect(
      confirmCheckout(s.an, { checkout_id: checkout.checkout_id, payment_method: 'CASH' }),
    ).rejects.toMatchObject({
      code: 'CHECKOUT_EXPIRED',
    });
  });

  it('is consumed by the confirm at the held price, whatever the host does to the prices meanwhile', async () => {
    const s = await scene();
    const items = [stay(s.listing, '2027-02-10', '2027-02-12')];
    const { checkout_id, preview } = await createCheckout(s.an, { items });
    await testListing(s.deps, { ...s.listing, full_rate: 9_000_000 });
    const request = { checkout_id, payment_method: 'CASH' as const, expected_total: preview.estimated_total };
    const booked = await confirmCheckout(s.an, request);
    expect(booked).toMatchObject({ master_reservation_id: checkout_id, estimated_total: 2_200_000 });
    await expect(confirmCheckout(s.an, request)).rejects.toMatchObject({ code: 'INVALID_STATE_TRANSITION' });
    expect(await readRange(s.host, s.listing.id, {})).toMatchObject([{ state: 'BOOKED' }]);
    await expect(confirmCheckout(s.binh, cash(items))).rejects.toMatchObject({
      code: 'LISTING_NOT_AVAILABLE',
    });
  });

  it('is found without its id when the same stay is confirmed', async () => {
    const s = await scene();
    const items = [stay(s.listing, '2027-02-10', '2027-02-12')];
    const { checkout_id } = await createCheckout(s.an, { items });
    const booked = await confirmCheckout(s.an, cash(items));
    expect(booked.master_reservation_id).toBe(checkout_id);
  });

  it('gives way to the same caller confirming another stay over it', async () => {
    const s = await scene();
    await createCheckout(s.an, { items: [stay(s.listing, '2027-02-10', '2027-02-12')] });
    await confirmCheckout(s.an, cash([stay(s.listing, '2027-02-11', '2027-02-13')]));
    expect(await readRange(s.host, s.listing.id, {})).toMatchObject([
      { state: 'BOOKED', start_at: '2027-02-11T14:00:00' },
    ]);
  });

  it('is replaced by a newer one of the same caller, released, and extended once', async () => {
    const s = await scene();
    const items = [stay(s.listing, '2027-02-10', '2027-02-12')];
    const first = await createCheckout(s.an, { items });
    const second = await createCheckout(s.an, { items });
    expect(await readRange(s.host, s.listing.id, {})).toMatchObject([
      { state: 'SOFT_LOCK', id: second.items[0]?.availability_id },
    ]);
    await expect(extendCheckout(s.an, first.checkout_id)).rejects.toMatchObject({ code: 'CHECKOUT_EXPIRED' });
    await expect(extendCheckout(s.binh, second.checkout_id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await extendCheckout(s.an, second.checkout_id)).locked_until).toBe('2027-01-15T03:30:00.000Z');
    await expect(extendCheckout(s.an, second.checkout_id)).rejects.toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
    });
    s.deps.clock.advance(20 * 60_000);
    await expect(createCheckout(s.binh, { items })).rejects.toMatchObject({ code: 'LISTING_NOT_AVAILABLE' });
    await releaseCheckout(s.an, second.checkout_id);
    await releaseCheckout(s.an, second.checkout_id);
    expect(await readRange(s.host, s.listing.id, {})).toEqual([]);
    await createCheckout(s.binh, { items });
  });

  it('is booked late at the present price while the time is still free', async () => {
    const s = await scene();
    const { checkout_id } = await createCheckout(s.an, {
      items: [stay(s.listing, '2027-02-10', '2027-02-12')],
    });
    s.deps.clock.advance(60 * 60_000);
    const booked = await confirmCheckout(s.an, { checkout_id, payment_method: 'BANK_TRANSFER' });
    expect(booked.master_reservation_id).toBe(checkout_id);
    expect(await readRange(s.host, s.listing.id, {})).toMatchObject([{ state: 'BOOKED' }]);
  });

  it('is limited to 5 live ones a caller; confirmed and released ones do not count', async () => {
    const s = await scene();
    const lock = (day: number) =>
      createCheckout(s.an, { items: [stay(s.listing, `2027-03-0${day}`, `2027-03-0${day + 1}`)] });
    const made = [await lock(1), await lock(2), await lock(3), await lock(4), await lock(5)];
    await expect(lock(6)).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', retryAfterSeconds: 900 });
    await confirmCheckout(s.an, { checkout_id: made[0]!.checkout_id, payment_method: 'CASH' });
    await lock(6);
    await expect(lock(7)).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
    s.deps.clock.advance(15 * 60_000);
    await lock(7);
  });
});

describe('parent and child', () => {
  const family = async () => {
    const s = await scene();
    const child = () => testListing(s.deps, { team_id: s.team_id, parent_listing_id: s.listing.id });
    const [one, two] = await Promise.all([child(), child()]);
    return { ...s, one, two };
  };

  it('a parent excludes its children, a child its parent, siblings leave each other free', async () => {
    const { an, binh, listing, one, two, host } = await family();
    const nights = ['2027-02-10', '2027-02-12'] as const;
    const first = await confirmCheckout(an, cash([stay(one, ...nights)]));
    await expect(confirmCheckout(binh, cash([stay(listing, ...nights)]))).rejects.toMatchObject({
      code: 'LISTING_NOT_AVAILABLE',
    });
    const second = await confirmCheckout(binh, cash([stay(two, ...nights)]));
    expect(await readRange(host, listing.id, {})).toMatchObject([
      { state: 'BOOKED', reservation_id: null },
      { state: 'BOOKED' },
    ]);
    await cancelBooking(an, first.master_reservation_id);
    await expect(confirmCheckout(an, cash([stay(listing, ...nights)]))).rejects.toMatchObject({
      code: 'LISTING_NOT_AVAILABLE',
    });
    await cancelBooking(binh, second.master_reservation_id);
    await confirmCheckout(an, cash([stay(listing, ...nights)]));
    await expect(confirmCheckout(binh, cash([stay(two, ...nights)]))).rejects.toMatchObject({
      code: 'LISTING_NOT_AVAILABLE',
    });
    await expect(
      confirmCheckout(
        binh,
        cash([stay(one, '2027-03-01', '2027-03-02'), stay(listing, '2027-03-01', '2027-03-02')]),
      ),
    ).rejects.toMatchObject({
      code: 'LISTING_NOT_AVAILABLE',
    });
  });

  it('confirms a lock on two children of one calendar in one transaction', async () => {
    const { an, one, two, host, listing } = await family();
    const items = [stay(one, '2027-02-27', '2027-03-02'), stay(two, '2027-02-27', '2027-03-02')];
    const { checkout_id } = await createCheckout(an, { items });
    await extendCheckout(an, checkout_id);
    const booked = await confirmCheckout(an, { checkout_id, payment_method: 'CASH' });
    expect(booked.reservations).toHaveLength(2);
    expect(await readRange(host, listing.id, {})).toHaveLength(2);
  });
});

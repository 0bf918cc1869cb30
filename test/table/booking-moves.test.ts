import { describe, expect, it } from 'vitest';
import { cancelBooking } from '../../shared/domain/booking/cancel-booking.ts';
import { moveBooking } from '../../shared/domain/booking/move-booking.ts';
import { markPaid } from '../../shared/domain/booking/take-payment.ts';
import { getBooking, listTeamBookings } from '../../shared/domain/booking/read-bookings.ts';
import { readRange } from '../../shared/domain/calendar/read-calendar.ts';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import { moveDueBookings } from '../../shared/domain/payment/move-due-bookings.ts';
import { fixedClock } from '../../shared/platform/time/clock.ts';
import { testListing } from '../support/listings.ts';
import { freshId, testContext, testDependencies, testStart, testTeam, testUser } from '../support/table.ts';

const paging = { page: 1, limit: 20 };

/** Each scene has a day of its own, since the bookings that wait for a host stand in one queue. */
const scene = async (instant_book_enabled: boolean) => {
  const clock = fixedClock(testStart);
  clock.advance((freshId() % 500) * 60_000);
  const deps = await testDependencies({ clock });
  const { team_id } = await testTeam(deps);
  const listing = await testListing(deps, { team_id, instant_book_enabled });
  const person = async (role?: 'OWNER' | 'STAFF') =>
    testContext(deps, (await testUser(deps, role ? { memberships: [{ team_id, role }] } : {})).caller, {
      teamHeader: team_id,
    });
  const [guest, owner, staff] = [await person(), await person('OWNER'), await person('STAFF')];
  const booked = await confirmCheckout(guest, {
    items: [
      { listing_id: listing.id, check_in_date: '2027-02-04', check_out_date: '2027-02-06', guest_number: 2 },
    ],
    payment_method: 'CASH',
  });
  return { deps, clock, listing, guest, owner, staff, id: booked.reservations[0]!.id, booked };
};

const day = 24 * 60 * 60_000;

describe('a booking that waits for the host', () => {
  it('holds its time, is confirmed by a manager and not by staff', async () => {
    const s = await scene(false);
    expect(s.booked.reservations[0]?.status).toBe('PENDING');
    expect(await readRange(s.owner, s.listing.id, {})).toMatchObject([{ state: 'BOOKED' }]);
    await expect(moveBooking(s.staff, s.id, 'confirm')).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(moveBooking(s.guest, s.id, 'confirm')).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect((await moveBooking(s.owner, s.id, 'confirm')).state).toBe('CONFIRMED');
    await expect(moveBooking(s.owner, s.id, 'confirm')).rejects.toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
    });
    s.clock.advance(2 * day);
    await moveDueBookings(s.deps);
    expect((await getBooking(s.guest, s.id)).state).toBe('CONFIRMED');
  });

  it('is cancelled after 24 hours, not before, and frees its time', async () => {
    const s = await scene(false);
    s.clock.advance(day - 1000);
    await moveDueBookings(s.deps);
    expect((await getBooking(s.guest, s.id)).state).toBe('PENDING');
    s.clock.advance(1000);
    await moveDueBookings(s.deps);
    expect((await getBooking(s.guest, s.id)).state).toBe('CANCELLED');
    expect(await readRange(s.owner, s.listing.id, {})).toEqual([]);
    await moveDueBookings(s.deps);
  });

  it('is confirmed by its payment, and does not end after 24 hours', async () => {
    const s = await scene(false);
    expect(await markPaid(s.owner, s.id)).toMatchObject({ state: 'CONFIRMED', payment_status: 'PAID' });
    s.clock.advance(2 * day);
    await moveDueBookings(s.deps);
    expect(await getBooking(s.guest, s.id)).toMatchObject({ state: 'CONFIRMED', payment_status: 'PAID' });
  });

  it('is left alone by the expiry once the guest has cancelled it', async () => {
    const s = await scene(false);
    await cancelBooking(s.guest, s.id);
    s.clock.advance(2 * day);
    await moveDueBookings(s.deps);
    expect((await getBooking(s.guest, s.id)).state).toBe('CANCELLED');
  });
});

describe('a stay', () => {
  it('goes from check-in, not before its day, over check-out to completion', async () => {
    const s = await scene(true);
    await expect(moveBooking(s.staff, s.id, 'check_in')).rejects.toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
    });
    await expect(moveBooking(s.staff, s.id, 'check_out')).rejects.toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
    });
    s.clock.set('2027-02-03T17:00:00Z'); // midnight of the check-in date in Ho Chi Minh City
    expect((await moveBooking(s.staff, s.id, 'check_in')).state).toBe('CHECKED_IN');
    await expect(cancelBooking(s.guest, s.id)).rejects.toMatchObject({ code: 'INVALID_STATE_TRANSITION' });
    expect((await moveBooking(s.staff, s.id, 'check_out')).state).toBe('CHECKED_OUT');
    expect((await moveBooking(s.staff, s.id, 'complete')).state).toBe('COMPLETED');
  });

  it('is paid once, by a manager, and refunded in full when the host cancels', async () => {
    const s = await scene(true);
    await expect(markPaid(s.staff, s.id)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect((await markPaid(s.owner, s.id)).payment_status).toBe('PAID');
    await expect(markPaid(s.owner, s.id)).rejects.toMatchObject({ code: 'INVALID_STATE_TRANSITION' });
    s.clock.set('2027-02-04T06:00:00Z');
    expect(await cancelBooking(s.owner, s.id)).toMatchObject({
      state: 'CANCELLED',
      payment_status: 'REFUNDED',
      refund: { amount: 2_200_000, status: 'REFUNDED' },
    });
  });

  it('is in the list of its team by state, listing and dates', async () => {
    const s = await scene(true);
    const ids = async (filter: Parameters<typeof listTeamBookings>[1]) =>
      (await listTeamBookings(s.staff, filter, paging)).items.map(({ id }) => id);
    expect(await ids({})).toEqual([s.id]);
    expect(
      await ids({ state: 'CONFIRMED', listing_id: s.listing.id, from: '2027-02-04', to: '2027-02-06' }),
    ).toEqual([s.id]);
    expect(await ids({ state: 'CANCELLED' })).toEqual([]);
    expect(await ids({ from: '2027-02-07' })).toEqual([]);
    expect(await ids({ to: '2027-02-03' })).toEqual([]);
    await expect(listTeamBookings(s.guest, {}, paging)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});

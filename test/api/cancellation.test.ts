import type * as z from 'zod';
import { describe, expect, it } from 'vitest';
import type { bookingRoutes } from '../../functions/bookings/routes.ts';
import { nights, ok, refusal, stay, stopClock, type Who, useOrderScene } from '../support/order-scene.ts';
import { testListing } from '../support/listings.ts';

const s = useOrderScene();

type Cancellation = z.output<(typeof bookingRoutes)['routes']['getCancellation']['reply']>;
const cancellationOf = (who: Who, id: number) =>
  s.get<Cancellation>(who, `/api/v1/bookings/${id}/cancellation`);
const toldOut = (who: Who, id: number) =>
  s.get<Cancellation>(who, `/api/v1/external/bookings/${id}/cancellation`);
const book = async (who: Who, ...items: object[]) => {
  const booked = ok(await s.confirm(who, { items, payment_method: 'CASH' }), 201);
  return { id: booked.reservations[0]!.id, master: booked.master_reservation_id, all: booked.reservations };
};
const pay = async (id: number, who: Who = s.host) =>
  void ok(await s.call('POST', `/api/v1/bookings/${id}/mark-paid`, { token: who.token! }));

describe('GET /bookings/{booking_id}/cancellation', () => {
  it('shows the guest what is refunded now and after the deadline', async () => {
    const { id } = await book(s.guest, stay(await s.listing()));
    await pay(id);
    expect(ok(await cancellationOf(s.guest, id))).toEqual({
      booking_id: id,
      state: 'CONFIRMED',
      can_cancel: true,
      refusal: null,
      paid: 2_200_000,
      refund_now: { amount: 2_200_000, status: 'REFUNDED' },
      schedule: [
        { until: '2027-02-07T07:00:00.000Z', refund: 2_200_000 },
        { until: null, refund: 0 },
      ],
      currency: 'VND',
    });
    stopClock('2027-02-07T07:00:00.000Z');
    expect(ok(await cancellationOf(s.guest, id)).refund_now.amount).toBe(2_200_000);
    stopClock('2027-02-07T07:00:00.001Z');
    expect(ok(await cancellationOf(s.guest, id))).toMatchObject({
      can_cancel: true,
      paid: 2_200_000,
      refund_now: { amount: 0, status: 'NONE' },
      schedule: [{ until: null, refund: 0 }],
    });
    expect(ok(await s.cancel(s.guest, id)).refund).toEqual({ amount: 0, status: 'NONE' });
  });

  it('holds to the terms of the booking, whatever the listing says since', async () => {
    const listing = await s.listing({ refund_rule: 'Refund until 3 days before' });
    const { id } = await book(s.guest, stay(listing));
    await pay(id);
    const before = ok(await cancellationOf(s.guest, id));
    await testListing(s.deps, { ...listing, refund_rule: 'Non-refundable', timezone: 'UTC' });
    expect(ok(await cancellationOf(s.guest, id))).toEqual(before);
    expect(ok(await s.cancel(s.guest, id)).refund).toEqual(before.refund_now);
  });

  it.each([
    ['America/New_York', '2027-03-14', '2027-03-15', '2027-03-13T18:00:00.000Z'],
    ['Europe/Paris', '2027-10-31', '2027-11-01', '2027-10-30T13:00:00.000Z'],
  ])('counts days of 24 hours where %s changes its clocks', async (timezone, date, next, until) => {
    const listing = await s.listing({ timezone, refund_rule: '1 day' });
    const { id } = await book(s.guest, stay(listing, nights(date, next)));
    expect(ok(await cancellationOf(s.guest, id)).schedule[0]?.until).toBe(until);
  });

  it('shows the deadline of a booking that is not paid, and nothing to refund', async () => {
    const { id } = await book(s.guest, stay(await s.listing()));
    expect(ok(await cancellationOf(s.guest, id))).toMatchObject({
      paid: 0,
      refund_now: { amount: 0, status: 'NONE' },
      schedule: [
        { until: '2027-02-07T07:00:00.000Z', refund: 0 },
        { until: null, refund: 0 },
      ],
    });
  });

  it('of a master speaks for every open stay, as its cancellation does (D49)', async () => {
    const [early, late] = [
      await s.listing({ refund_rule: '7 days' }),
      await s.listing({ refund_rule: '1 day' }),
    ];
    const { master, all } = await book(s.guest, stay(early), stay(late, { guest_number: 4 }));
    await pay(master);
    const schedule = [
      { until: '2027-02-03T07:00:00.000Z', refund: 4_600_000 },
      { until: '2027-02-09T07:00:00.000Z', refund: 2_400_000 },
      { until: null, refund: 0 },
    ];
    expect(ok(await cancellationOf(s.guest, master))).toMatchObject({
      booking_id: master,
      paid: 4_600_000,
      schedule,
    });
    stopClock('2027-02-04T00:00:00.000Z');
    expect(ok(await cancellationOf(s.guest, master))).toMatchObject({
      refund_now: { amount: 2_400_000 },
      schedule: schedule.slice(1),
    });
    ok(await s.cancel(s.guest, all[0]!.id));
    const left = ok(await cancellationOf(s.guest, master));
    expect(left).toMatchObject({ can_cancel: true, paid: 4_600_000, refund_now: { amount: 2_400_000 } });
    expect(ok(await s.cancel(s.guest, master)).refund).toEqual(left.refund_now);
  });

  it('says of a booking that cannot be cancelled what a cancellation is answered', async () => {
    const { id } = await book(s.guest, stay(await s.listing()));
    await pay(id);
    ok(await s.cancel(s.guest, id));
    const reply = ok(await cancellationOf(s.guest, id));
    expect(reply).toEqual({
      booking_id: id,
      state: 'CANCELLED',
      can_cancel: false,
      refusal: {
        code: 'INVALID_STATE_TRANSITION',
        message: 'A booking that is CANCELLED does not allow cancel.',
      },
      paid: 0,
      refund_now: { amount: 0, status: 'NONE' },
      schedule: [],
      currency: 'VND',
    });
    expect((await s.cancel(s.guest, id)).body).toMatchObject(reply.refusal!);
  });

  it('is readable by every caller who sees the booking: in full for managers, marked as forbidden for STAFF', async () => {
    const { id } = await book(s.guest, stay(await s.listing({ refund_rule: 'Non-refundable' })));
    await pay(id);
    expect(ok(await cancellationOf(s.guest, id)).refund_now.amount).toBe(0);
    expect(ok(await cancellationOf(s.host, id))).toMatchObject({
      refund_now: { amount: 2_200_000 },
      schedule: [{ until: null, refund: 2_200_000 }],
    });
    const staff = ok(await cancellationOf(s.staff, id));
    expect(staff).toMatchObject({ can_cancel: false, refusal: { code: 'FORBIDDEN' }, schedule: [] });
    expect((await s.cancel(s.staff, id)).body).toMatchObject(staff.refusal!);
    for (const who of [s.other, s.otherHost])
      expect(refusal(await cancellationOf(who, id)).code).toBe('BOOKING_NOT_FOUND');
    expect(refusal(await cancellationOf(s.guest, 5)).code).toBe('BOOKING_NOT_FOUND');
  });
});

describe('GET /external/bookings/{booking_id}/cancellation', () => {
  const bookOut = async (who: Who) => {
    const guest_info = { full_name: 'Trần Thị Bình', phone: '+84 912 345 678', email: 'binh@example.com' };
    const body = { ...stay(await s.listing()), nights: 2, guest_info, payment_method: 'CASH' };
    return ok(await s.bookOut(who, body), 201).id;
  };

  it('shows the partner that made the booking what is refunded', async () => {
    const partner = await s.partner({ collects_payment: true });
    const id = await bookOut(partner);
    const reply = ok(await toldOut(partner, id));
    expect(reply).toMatchObject({
      can_cancel: true,
      paid: 2_200_000,
      schedule: [
        { until: '2027-02-07T07:00:00.000Z', refund: 2_200_000 },
        { until: null, refund: 0 },
      ],
    });
    expect(ok(await s.cancelOut(partner, id)).refund).toEqual(reply.refund_now);
    expect(ok(await toldOut(partner, id))).toMatchObject({
      can_cancel: false,
      refusal: { code: 'INVALID_STATE_TRANSITION' },
    });
  });

  it('marks it as forbidden for another key of the team, and answers 404 to one of another team', async () => {
    const id = await bookOut(await s.partner());
    const colleague = await s.partner();
    const reply = ok(await toldOut(colleague, id));
    expect(reply).toMatchObject({
      can_cancel: false,
      refusal: { code: 'FORBIDDEN' },
      schedule: [],
    });
    expect((await s.cancelOut(colleague, id)).body).toMatchObject(reply.refusal!);
    const stranger = await s.partner({ team_ids: [s.b.team_id] });
    expect(refusal(await toldOut(stranger, id)).code).toBe('EXTERNAL_BOOKING_NOT_ACCESSIBLE');
  });
});

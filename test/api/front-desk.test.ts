import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import type { bookingRoutes } from '../../functions/bookings/routes.ts';
import { moveBooking } from '../../shared/domain/booking/move-booking.ts';
import { markPaid } from '../../shared/domain/booking/take-payment.ts';
import {
  nights,
  ok,
  type ReplyOf,
  refusal,
  stay,
  stopClock,
  type Who,
  useOrderScene,
} from '../support/order-scene.ts';
import { testContext, testUser } from '../support/table.ts';

const s = useOrderScene();

type Routes = (typeof bookingRoutes)['routes'];
type Ended = ReplyOf<z.output<Routes['declineBooking']['reply']>>;
const at =
  (verb: string) =>
  (id: number, who: Who, body?: object, headers?: Record<string, string>): Promise<Ended> => {
    const asked = { ...who, ...(body ? { body } : {}), ...(headers ? { headers } : {}) };
    return s.call('POST', `/api/v1/bookings/${id}/${verb}`, asked);
  };
const [declineBooking, markNoShow, undoCheckIn] = [at('decline'), at('no-show'), at('undo-check-in')];
const checkIn = at('check-in');

const book = async (given: object = {}, who: Who = s.guest) => {
  const items = [stay(await s.listing(given))];
  return ok(await s.confirm(who, { items, payment_method: 'CASH' }), 201).reservations[0]!.id;
};
const owner = async () =>
  testContext(
    s.deps,
    (await testUser(s.deps, { memberships: [{ team_id: s.a.team_id, role: 'OWNER' }] })).caller,
  );
/** Midnight after the check-in date in Ho Chi Minh City. */
const cutOff = '2027-02-10T17:00:00.000Z';

describe('the verbs of the front desk', () => {
  it('are for those who may: BOOKING_NOT_FOUND for strangers, FORBIDDEN for guests, and for staff what costs', async () => {
    const id = await book();
    for (const verb of [declineBooking, markNoShow, undoCheckIn]) {
      expect(refusal(await verb(5, s.host)).code).toBe('BOOKING_NOT_FOUND');
      expect(refusal(await verb(id, s.otherHost)).code).toBe('BOOKING_NOT_FOUND');
      expect(refusal(await verb(id, s.guest)).code).toBe('FORBIDDEN');
      expect(refusal(await verb(id, s.host)).code).toBe('INVALID_STATE_TRANSITION');
    }
    for (const verb of [declineBooking, markNoShow])
      expect(refusal(await verb(id, s.staff)).code).toBe('FORBIDDEN');
    stopClock(cutOff);
    ok(await checkIn(id, s.staff));
    expect(ok(await undoCheckIn(id, s.staff)).state).toBe('CONFIRMED');
  });

  it('say from when to when they are possible', async () => {
    const id = await book();
    stopClock('2027-02-10T16:59:59.999Z');
    const window = { no_show_from: cutOff, no_show_until: '2027-03-12T17:00:00.000Z' };
    expect(refusal(await markNoShow(id, s.host))).toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
      details: window,
    });
    stopClock('2027-02-10T01:00:00.000Z');
    ok(await checkIn(id, s.host));
    stopClock('2027-02-11T01:00:00.001Z');
    expect(refusal(await undoCheckIn(id, s.host))).toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
      details: { checked_in_at: '2027-02-10T01:00:00.000Z' },
    });
  });

  it('go by the cut-off of the listing', async () => {
    const id = await book({ no_checkin_after_hour: '21:00:00' });
    stopClock('2027-02-10T13:59:59.999Z');
    expect(refusal(await markNoShow(id, s.host)).details).toMatchObject({
      no_show_from: '2027-02-10T14:00:00.000Z',
    });
    stopClock('2027-02-10T14:00:00.000Z');
    expect(ok(await markNoShow(id, s.host)).state).toBe('NO_SHOW');
  });
});

describe('an early check-in', () => {
  it('is for staff too; refused, it names the booking in the way to whom has it', async () => {
    const listing = await s.listing();
    const book = async (dates: object) =>
      ok(await s.confirm(s.guest, { items: [stay(listing, dates)], payment_method: 'CASH' }), 201)
        .reservations[0]!.id;
    const [first, next] = [
      await book(nights('2027-02-09', '2027-02-10')),
      await book(nights('2027-02-10', '2027-02-12')),
    ];
    stopClock('2027-02-10T03:00:00.000Z');
    ok(await checkIn(first, s.host));
    expect(refusal(await checkIn(next, s.staff))).toMatchObject({
      code: 'LISTING_NOT_AVAILABLE',
      details: {
        unavailable: [
          { listing_id: listing.id, start_at: '2027-02-10T10:00:00', end_at: '2027-02-10T12:00:00' },
        ],
        taken_by: [{ kind: 'STAY', booking_id: first, listing_id: listing.id }],
      },
    });
    expect(ok(await s.booking(s.host, next)).allowed_actions).toContain('CHECK_IN');
    ok(await at('check-out')(first, s.host));
    const key = { 'Idempotency-Key': `early-${next}` };
    const arrived = ok(await checkIn(next, s.staff, undefined, key));
    expect(arrived).toMatchObject({ state: 'CHECKED_IN', start_at: '2027-02-10T14:00:00' });
    expect(ok(await checkIn(next, s.staff, undefined, key))).toEqual(arrived);
  });
});

describe('a declined booking', () => {
  it('is CANCELLED with its reason, once for a repeated key, and its nights can be booked', async () => {
    const listing = await s.listing({ instant_book_enabled: false });
    const items = [stay(listing)];
    const id = ok(await s.confirm(s.guest, { items, payment_method: 'CASH' }), 201).reservations[0]!.id;
    const key = { 'Idempotency-Key': `decline-${id}` };
    const first = ok(await declineBooking(id, s.host, { reason: 'Painting' }, key));
    expect(first).toMatchObject({
      ...{ state: 'CANCELLED', status: 'CANCELLED', cancel_reason: 'Painting' },
      refund: { amount: 0, status: 'NONE' },
    });
    expect(ok(await declineBooking(id, s.host, { reason: 'Painting' }, key))).toEqual(first);
    expect(refusal(await declineBooking(id, s.host)).code).toBe('INVALID_STATE_TRANSITION');
    const { items: history } = ok(
      await s.get<z.output<Routes['listBookingHistory']['reply']>>(s.host, `/api/v1/bookings/${id}/history`),
    );
    expect(history.map(({ event_type, why, who }) => [event_type, why, who.kind])).toEqual([
      ['booking.created', null, 'guest'],
      ['booking.declined', 'Painting', 'host'],
    ]);
    ok(await s.confirm(s.other, { items, payment_method: 'CASH' }), 201);
  });

  it('declines of an order the stays that wait, and keeps the others', async () => {
    const [waits, instant] = [await s.listing({ instant_book_enabled: false }), await s.listing()];
    const order = ok(
      await s.confirm(s.guest, { items: [stay(waits), stay(instant)], payment_method: 'CASH' }),
      201,
    );
    const answer = ok(await declineBooking(order.master_reservation_id, s.host));
    expect(answer.state).toBe('CONFIRMED');
    expect(answer.reservations.map(({ state }) => state)).toEqual(['CANCELLED', 'CONFIRMED']);
  });
});

describe('a no-show', () => {
  it('is refunded by the terms, or more: a refund_amount above what was paid is a VALIDATION_ERROR', async () => {
    const id = await book();
    await markPaid(await owner(), id);
    stopClock(cutOff);
    for (const refund_amount of [2_200_001, 0.5, -1])
      expect(refusal(await markNoShow(id, s.host, { refund_amount }))).toMatchObject({
        ...{ code: 'VALIDATION_ERROR', paths: ['refund_amount'] },
      });
    expect(ok(await markNoShow(id, s.host, { refund_amount: 200_000 }))).toMatchObject({
      ...{ state: 'NO_SHOW', payment_status: 'PAID' },
      refund: { amount: 200_000, status: 'REFUNDED' },
    });
  });

  it('of an order is refused while one of its stays is too early, and recorded stay by stay', async () => {
    const next = nights('2027-02-11', '2027-02-12');
    const items = [stay(await s.listing()), stay(await s.listing(), next)];
    const order = ok(await s.confirm(s.guest, { items, payment_method: 'CASH' }), 201);
    stopClock(cutOff);
    expect(refusal(await markNoShow(order.master_reservation_id, s.host))).toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
      details: { no_show_from: '2027-02-11T17:00:00.000Z' },
    });
    const [first, second] = order.reservations;
    expect(ok(await markNoShow(first!.id, s.host)).state).toBe('NO_SHOW');
    expect(ok(await s.booking(s.guest, second!.id)).state).toBe('CONFIRMED');
  });

  it('is shown to guest and partner, in lists by state too, and is final', async () => {
    const partner = await s.partner();
    const listing = await s.listing();
    const { id } = ok(
      await s.bookOut(partner, {
        ...stay(listing),
        ...{
          nights: 2,
          payment_method: 'CASH',
          external_system: 'stayhub',
          external_booking_id: `no-show-${listing.id}`,
        },
        guest_info: { full_name: 'Trần Thị Bình', phone: '+84 912 345 678', email: 'binh@example.com' },
      }),
      201,
    );
    stopClock(cutOff);
    expect(refusal(await markNoShow(id, partner)).code).toBe('UNAUTHORIZED');
    ok(await markNoShow(id, s.host));
    const seen = ok(
      await s.get<{ state: string; status: string }>(partner, `/api/v1/external/bookings/${id}`),
    );
    expect(seen).toMatchObject({ state: 'NO_SHOW', status: 'NO_SHOW' });
    const list = ok(
      await s.get<{ items: { id: number }[] }>(partner, '/api/v1/external/bookings', {
        ...{ state: 'NO_SHOW', listing_id: String(listing.id) },
      }),
    );
    expect(list.items.map((one) => one.id)).toEqual([id]);
    for (const verb of [markNoShow, checkIn, undoCheckIn, declineBooking])
      expect(refusal(await verb(id, s.host)).code).toBe('INVALID_STATE_TRANSITION');
    expect(refusal(await s.cancel(s.host, id)).code).toBe('INVALID_STATE_TRANSITION');
  });

  it('of an order leaves the state to the stays that took place', async () => {
    const listings = [await s.listing(), await s.listing()];
    const order = ok(
      await s.confirm(s.guest, { items: listings.map((one) => stay(one)), payment_method: 'CASH' }),
      201,
    );
    const [one, other] = order.reservations;
    stopClock(cutOff);
    ok(await markNoShow(one!.id, s.host));
    await moveBooking(await owner(), other!.id, 'check_in');
    expect(ok(await s.booking(s.guest, order.master_reservation_id)).state).toBe('CHECKED_IN');
    stopClock();
    const second = ok(
      await s.confirm(s.guest, {
        items: [stay(await s.listing()), stay(await s.listing())],
        payment_method: 'CASH',
      }),
      201,
    );
    ok(await s.cancel(s.guest, second.reservations[0]!.id));
    stopClock(cutOff);
    expect(ok(await markNoShow(second.master_reservation_id, s.host)).state).toBe('NO_SHOW');
  });
});

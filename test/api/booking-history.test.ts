import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import type { bookingRoutes } from '../../functions/bookings/routes.ts';
import type { BookingDetail } from '../../shared/domain/booking/booking.schema.ts';
import { moveDueBookings } from '../../shared/domain/payment/move-due-bookings.ts';
import { EventEntity } from '../../shared/platform/events/index.ts';
import { orderIdOf, orderPartition } from '../../shared/platform/ids.ts';
import { stored } from '../../shared/platform/table/stored-item.ts';
import type { Asked } from '../support/api.ts';
import {
  advanceMinutes,
  ok,
  refusal,
  stay,
  stopClock,
  type ReplyOf,
  type Who,
  useOrderScene,
} from '../support/order-scene.ts';

const s = useOrderScene();

type History = z.output<(typeof bookingRoutes)['routes']['listBookingHistory']['reply']>;
const history = (who: Who, id: number) => s.get<History>(who, `/api/v1/bookings/${id}/history`);
const historyOut = (who: Who, id: number) => s.get<History>(who, `/api/v1/external/bookings/${id}/history`);
type Move = (id: number, who?: Pick<Asked, 'token'>) => Promise<ReplyOf<BookingDetail>>;
const host = () => ({ token: s.host.token });
const confirm: Move = (id, who = host()) => s.call('POST', `/api/v1/bookings/${id}/confirm`, who);
const checkIn: Move = (id, who = host()) => s.call('POST', `/api/v1/bookings/${id}/check-in`, who);
const checkOut: Move = (id, who = host()) => s.call('POST', `/api/v1/bookings/${id}/check-out`, who);
const complete: Move = (id, who = host()) => s.call('POST', `/api/v1/bookings/${id}/complete`, who);
const markPaid: Move = (id, who = host()) => s.call('POST', `/api/v1/bookings/${id}/mark-paid`, who);

const book = async (...items: object[]) => {
  const booked = ok(await s.confirm(s.guest, { items, payment_method: 'CASH' }), 201);
  return { id: booked.reservations[0]!.id, master: booked.master_reservation_id, all: booked.reservations };
};
const guestName = 'Nguyễn Văn An';
const asGuest = () => ({ kind: 'guest', id: s.guest.user_id, name: guestName });
const asHost = (who: { user_id: number }) => ({ kind: 'host', id: who.user_id, name: guestName });

describe('the moves of a host', () => {
  it('succeed once, each from the state before it, for no other caller', async () => {
    const { id } = await book(stay(await s.listing({ instant_book_enabled: false })));
    stopClock('2027-02-10T00:00:00.000Z');
    const states = ['CONFIRMED', 'CHECKED_IN', 'CHECKED_OUT', 'COMPLETED'];
    for (const [position, move] of [confirm, checkIn, checkOut, complete].entries()) {
      expect(refusal(await move(5)).code).toBe('BOOKING_NOT_FOUND');
      expect(refusal(await move(id, { token: s.otherHost.token })).code).toBe('BOOKING_NOT_FOUND');
      expect(refusal(await move(id, { token: s.guest.token })).code).toBe('FORBIDDEN');
      expect(ok(await move(id)).state).toBe(states[position]);
      expect(refusal(await move(id)).code).toBe('INVALID_STATE_TRANSITION');
    }
    expect(refusal(await markPaid(5)).code).toBe('BOOKING_NOT_FOUND');
    expect(refusal(await markPaid(id, { token: s.staff.token })).code).toBe('FORBIDDEN');
    expect(ok(await markPaid(id)).payment_status).toBe('PAID');
    expect(refusal(await markPaid(id)).code).toBe('INVALID_STATE_TRANSITION');
  });
});

describe('GET /bookings/{booking_id}/history', () => {
  it('lists every change in its order: when, what, who', async () => {
    const { id } = await book(stay(await s.listing({ instant_book_enabled: false })));
    advanceMinutes(1);
    ok(await confirm(id));
    advanceMinutes(1);
    ok(await markPaid(id));
    stopClock('2027-02-10T08:00:00.000Z');
    ok(await checkIn(id, { token: s.staff.token }));
    stopClock('2027-02-12T04:00:00.000Z');
    ok(await checkOut(id, { token: s.staff.token }));
    ok(await complete(id));
    const { items } = ok(await history(s.host, id));
    expect(items.map(({ occurred_at, event_type, who }) => [occurred_at, event_type, who])).toEqual([
      ['2027-01-15T03:00:00.000Z', 'booking.created', asGuest()],
      ['2027-01-15T03:01:00.000Z', 'booking.confirmed', asHost(s.host)],
      ['2027-01-15T03:02:00.000Z', 'payment.paid', asHost(s.host)],
      ['2027-02-10T08:00:00.000Z', 'booking.checked_in', asHost(s.staff)],
      ['2027-02-12T04:00:00.000Z', 'booking.checked_out', asHost(s.staff)],
      ['2027-02-12T04:00:00.000Z', 'booking.completed', asHost(s.host)],
    ]);
    expect(items.map(({ state, payment_status }) => `${state} ${payment_status}`)).toEqual([
      'PENDING PENDING',
      'CONFIRMED PENDING',
      'CONFIRMED PAID',
      'CHECKED_IN PAID',
      'CHECKED_OUT PAID',
      'COMPLETED PAID',
    ]);
    expect(items.every((item) => item.booking_id === id && item.why === null && item.refund === null)).toBe(
      true,
    );
    expect(ok(await history(s.staff, id)).items).toEqual(items);
  });

  it('says why a booking was cancelled, by whom and what went back', async () => {
    const { id } = await book(stay(await s.listing()));
    ok(await markPaid(id));
    ok(await s.cancel(s.guest, id, { reason: 'Đổi kế hoạch' }));
    const change = {
      booking_id: id,
      who: asGuest(),
      why: 'Đổi kế hoạch',
      state: 'CANCELLED',
      payment_status: 'REFUNDED',
      refund: 2_200_000,
      currency: 'VND',
    };
    expect(ok(await history(s.host, id)).items.slice(2)).toMatchObject([
      { ...change, event_type: 'booking.cancelled' },
      { ...change, event_type: 'payment.refunded' },
    ]);
  });

  it('says what a payment confirmed, the payment first', async () => {
    const { id } = await book(stay(await s.listing({ instant_book_enabled: false })));
    ok(await markPaid(id));
    const { items } = ok(await history(s.host, id));
    expect(items.map(({ event_type }) => event_type)).toEqual([
      'booking.created',
      'payment.paid',
      'booking.confirmed',
    ]);
  });

  it('says that the time was over when no host accepted', async () => {
    const { id } = await book(stay(await s.listing({ instant_book_enabled: false })));
    advanceMinutes(24 * 60);
    await moveDueBookings(s.deps);
    expect(ok(await history(s.host, id)).items.at(-1)).toMatchObject({
      occurred_at: '2027-01-16T03:00:00.000Z',
      event_type: 'booking.cancelled',
      who: { kind: 'system', id: null, name: null },
      why: 'The host did not accept in time.',
    });
  });

  it('distinguishes a host who stays in the own house from the guest', async () => {
    const listing = await s.listing();
    const booked = ok(await s.confirm(s.host, { items: [stay(listing)], payment_method: 'CASH' }), 201);
    const { id } = booked.reservations[0]!;
    ok(await markPaid(id));
    expect(ok(await history(s.host, id)).items.map(({ who }) => who.kind)).toEqual(['guest', 'host']);
  });

  it('of a master holds the stays of the own team alone', async () => {
    const [ours, theirs] = [await s.listing(), await s.listing({ team_id: s.b.team_id })];
    const { master, all } = await book(stay(ours), stay(theirs));
    const [one, two] = all.map(({ id }) => id);
    ok(await s.cancel(s.guest, two!));
    const idsOf = async (who: Who) => ok(await history(who, master)).items.map((item) => item.booking_id);
    expect(await idsOf(s.host)).toEqual([one]);
    expect(await idsOf(s.otherHost)).toEqual([two, two]);
    expect(refusal(await history(s.host, two!)).code).toBe('BOOKING_NOT_FOUND');
  });

  it('is for hosts: not for the guest, and unknown to others', async () => {
    const { id } = await book(stay(await s.listing()));
    expect(refusal(await history(s.guest, id)).code).toBe('FORBIDDEN');
    for (const who of [s.other, s.otherHost])
      expect(refusal(await history(who, id)).code).toBe('BOOKING_NOT_FOUND');
    expect(refusal(await history(s.host, 5)).code).toBe('BOOKING_NOT_FOUND');
  });

  it('never ends: an event of a booking has no expiry', async () => {
    const { id } = await book(stay(await s.listing()));
    const [change] = ok(await history(s.host, id)).items;
    const event = await s.deps.table.get(EventEntity, {
      subject: orderPartition(orderIdOf(id)),
      id: change!.id,
    });
    expect(stored(EventEntity, event!)).not.toHaveProperty('expires_at');
  });
});

describe('GET /external/bookings/{booking_id}/history', () => {
  const guest_info = { full_name: 'Trần Thị Bình', phone: '+84 912 345 678', email: 'binh@example.com' };
  const bookOut = async (who: Who) => {
    const body = { ...stay(await s.listing()), nights: 2, guest_info, payment_method: 'CASH' };
    return ok(await s.bookOut(who, body), 201).id;
  };

  it('shows the partner the same changes, without the people of the host', async () => {
    const partner = await s.partner();
    const id = await bookOut(partner);
    ok(await markPaid(id));
    ok(await s.cancelOut(partner, id, { reason: 'Guest fell ill' }));
    const reply = await historyOut(partner, id);
    const { items } = ok(reply);
    const own = { kind: 'partner', id: expect.any(Number) as number, name: null };
    expect(items.map(({ event_type, who, why }) => [event_type, who, why])).toEqual([
      ['booking.created', own, null],
      ['payment.paid', { kind: 'host', id: null, name: null }, null],
      ['booking.cancelled', own, 'Guest fell ill'],
      ['payment.refunded', own, 'Guest fell ill'],
    ]);
    expect(reply.text).not.toContain(String(s.host.user_id));
    const shown = ok(await history(s.host, id)).items;
    expect(shown.map((item) => item.id)).toEqual(items.map((item) => item.id));
    expect(shown.map(({ who }) => who.kind)).toEqual(['partner', 'host', 'partner', 'partner']);
  });

  it('keeps a key’s id from other keys of the team', async () => {
    const id = await bookOut(await s.partner());
    const { items } = ok(await historyOut(await s.partner(), id));
    expect(items.map(({ who }) => who)).toEqual([{ kind: 'partner', id: null, name: null }]);
  });

  it('is of the key’s teams alone', async () => {
    const { id } = await book(stay(await s.listing()));
    const partner = await s.partner({ team_ids: [s.a.team_id] });
    expect(ok(await historyOut(partner, id)).items).toMatchObject([{ who: asGuest() }]);
    const stranger = await s.partner({ team_ids: [s.b.team_id] });
    expect(refusal(await historyOut(stranger, id)).code).toBe('EXTERNAL_BOOKING_NOT_ACCESSIBLE');
    expect(refusal(await historyOut(partner, 5)).code).toBe('EXTERNAL_BOOKING_NOT_ACCESSIBLE');
  });
});

import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import type { bookingRoutes } from '../../functions/bookings/routes.ts';
import { orderIdOf } from '../../shared/platform/ids.ts';
import { eventsOf } from '../support/events.ts';
import {
  ok,
  type ReplyOf,
  refusal,
  stay,
  stopClock,
  useOrderScene,
  type Who,
} from '../support/order-scene.ts';

type Routes = (typeof bookingRoutes)['routes'];
type Detail = z.output<Routes['releaseAccess']['reply']>;

const s = useOrderScene();
const secrets = { wifi_name: 'Pines', wifi_password: 'rung-thong', door_code: { gate: '4711' } };
const within = '2027-02-09T08:00:00.000Z';

const post = <Body>(
  who: Who,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<ReplyOf<Body>> => s.call('POST', path, { ...who, ...(body && { body }), headers });
const at =
  (verb: string) =>
  (id: number, who: Who, headers: Record<string, string> = {}) =>
    post<Detail>(who, `/api/v1/bookings/${id}/${verb}`, undefined, headers);
const [release, checkIn, undoCheckIn] = [at('release-access'), at('check-in'), at('undo-check-in')];

const book = async (given: object = {}, payment_method = 'CASH'): Promise<number> => {
  const items = [stay(await s.listing({ ...secrets, ...given }))];
  return ok(await s.confirm(s.guest, { items, payment_method }), 201).reservations[0]!.id;
};
const accessFor = async (id: number, who: Who = s.guest) => {
  const { access, access_info } = ok(await s.booking(who, id));
  return { state: access?.state, access_info };
};
const shown = { state: 'SHOWN', access_info: secrets };
const typesOf = async (id: number) =>
  (await eventsOf(s.deps.table, `ORDER#${orderIdOf(id)}`)).map(({ event_type }) => event_type);

describe('the access to a home', () => {
  it('is not shown for an unpaid stay until it is marked as paid', async () => {
    const id = await book();
    stopClock(within);
    expect(await accessFor(id)).toEqual({ state: 'WAITS_FOR_HOST', access_info: null });
    ok(await at('mark-paid')(id, s.host));
    expect(await accessFor(id)).toEqual(shown);
    expect(await accessFor(id, s.host)).toEqual({ state: 'SHOWN', access_info: null });
  });

  it('is shown once STAFF releases it, in an event that is in the history', async () => {
    const id = await book({}, 'BANK_TRANSFER');
    expect(ok(await release(id, s.staff)).access).toEqual({ state: 'AT', at: '2027-02-09T07:00:00.000Z' });
    stopClock(within);
    expect(await accessFor(id)).toEqual(shown);
    const history = await s.get<{ items: { event_type: string; who: { kind: string } }[] }>(
      s.host,
      `/api/v1/bookings/${id}/history`,
    );
    expect(ok(history).items.at(-1)).toMatchObject({
      event_type: 'booking.access_released',
      who: { kind: 'host' },
    });
  });

  it('is released once, for a repeated request and key too', async () => {
    const id = await book();
    const key = { 'Idempotency-Key': `release-${id}` };
    const first = ok(await release(id, s.host, key));
    expect(ok(await release(id, s.host, key))).toEqual(first);
    expect(ok(await release(id, s.host)).access).toEqual(first.access);
    expect((await typesOf(id)).filter((type) => type === 'booking.access_released')).toHaveLength(1);
  });

  it('is released with one event by several at once', async () => {
    const id = await book();
    const replies = await Promise.all([s.host, s.staff, s.host].map((who) => release(id, who)));
    for (const reply of replies) ok(reply);
    expect((await typesOf(id)).filter((type) => type === 'booking.access_released')).toHaveLength(1);
  });

  it('where the host releases it waits for that although the stay is paid', async () => {
    const id = await book({ access_release: 'HOST' });
    ok(await at('mark-paid')(id, s.host));
    stopClock(within);
    expect(await accessFor(id)).toEqual({ state: 'WAITS_FOR_HOST', access_info: null });
    ok(await release(id, s.host));
    expect(await accessFor(id)).toEqual(shown);
  });

  it('comes with the check-in and goes when it is undone, unless it was released before', async () => {
    for (const isReleased of [false, true]) {
      stopClock();
      const id = await book();
      if (isReleased) ok(await release(id, s.host));
      stopClock('2027-02-10T01:00:00.000Z');
      ok(await checkIn(id, s.host));
      expect(await accessFor(id)).toEqual(shown);
      ok(await undoCheckIn(id, s.host));
      expect((await accessFor(id)).state).toBe(isReleased ? 'SHOWN' : 'WAITS_FOR_HOST');
    }
  });

  it('of another home or time is not released with that of before', async () => {
    const other = await s.listing({ door_code: { gate: '9999' } });
    for (const change of [{ listing_id: other.id }, { check_out_date: '2027-02-13' }]) {
      const id = await book();
      ok(await release(id, s.host));
      ok(await post(s.guest, `/api/v1/bookings/${id}/change`, change));
      stopClock(within);
      expect(await accessFor(id)).toEqual({ state: 'WAITS_FOR_HOST', access_info: null });
      stopClock();
      if (!('listing_id' in change)) continue;
      ok(await s.cancel(s.guest, id));
    }
  });

  it('stays released when the party alone changes', async () => {
    const id = await book();
    ok(await release(id, s.host));
    ok(await post(s.guest, `/api/v1/bookings/${id}/change`, { guest_number: 1 }));
    stopClock(within);
    expect(await accessFor(id)).toEqual(shown);
  });

  it('is released for no stay that waits, has ended or does not take place', async () => {
    const waiting = await book({ instant_book_enabled: false });
    expect(refusal(await release(waiting, s.host))).toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
      details: { state: 'PENDING', allowed_from: ['CONFIRMED', 'CHECKED_IN'] },
    });
    const cancelled = await book();
    ok(await s.cancel(s.guest, cancelled));
    expect(refusal(await release(cancelled, s.host)).code).toBe('INVALID_STATE_TRANSITION');
    const ended = await book();
    stopClock('2027-02-12T05:00:00.000Z');
    expect(refusal(await release(ended, s.host)).code).toBe('INVALID_STATE_TRANSITION');
  });

  it('is not released by the guest, another team or a partner', async () => {
    const id = await book();
    expect(refusal(await release(id, s.guest)).code).toBe('FORBIDDEN');
    for (const who of [s.other, s.otherHost])
      expect(refusal(await release(id, who)).code).toBe('BOOKING_NOT_FOUND');
    expect(refusal(await release(id, await s.partner())).code).toBe('UNAUTHORIZED');
  });
});

describe('a cancellation', () => {
  const cancelledEvent = async (id: number) =>
    (await eventsOf(s.deps.table, `ORDER#${orderIdOf(id)}`)).find(
      ({ event_type }) => event_type === 'booking.cancelled',
    );

  it.each([
    ['after the code could be read', within, true, 'SECURED', true],
    ['from the moment on when it could be read', '2027-02-09T07:00:00.000Z', true, 'SECURED', true],
    ['before its time', '2027-02-09T06:59:59.999Z', true, 'SECURED', undefined],
    ['of an unpaid stay', within, false, 'SECURED', undefined],
    ['where the host had not released it', within, true, 'HOST', undefined],
  ])('%s says so to the host', async (_, instant, isPaid, access_release, expected) => {
    const id = await book({ access_release });
    if (isPaid) ok(await at('mark-paid')(id, s.host));
    stopClock(instant);
    ok(await s.cancel(s.host, id));
    const { data } = (await cancelledEvent(id))!;
    expect((data as { access_shown?: boolean }).access_shown).toBe(expected);
  });
});

describe('access_release of a listing', () => {
  it('is SECURED unless it is given, and is changed by its host', async () => {
    const listing = await s.listing();
    const path = `/api/v1/listings/${listing.id}`;
    expect(ok(await s.get<{ access_release: string }>(s.host, path)).access_release).toBe('SECURED');
    const changed = await s.call('PATCH', path, { ...s.host, body: { access_release: 'HOST' } });
    expect(changed.body).toMatchObject({ access_release: 'HOST' });
    const refused = await s.call('PATCH', path, { ...s.host, body: { access_release: 'NEVER' } });
    expect(refused).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
  });
});

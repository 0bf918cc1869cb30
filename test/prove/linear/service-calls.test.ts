import { describe, expect, it } from 'vitest';
import type { Request, Sent } from '../service/client.ts';
import { linearProblems } from './problems.ts';
import { serviceFamilies } from './service-calls.ts';
import type { KnownHome } from './service-homes.ts';

const minuteMs = 60_000;
const start = Date.parse('2027-01-15T03:00:00Z');
const home = (id: number, more: Partial<KnownHome> = {}): KnownHome => ({
  ...{ id, family: String(id), parent: null, isAccepted: false, isShared: false },
  ...more,
});
const homes = [home(10), home(11, { family: '10', parent: 10 }), home(20), home(30, { isShared: true })];

let moment = 0;
interface Given {
  who?: string;
  status?: number;
  code?: string;
  json?: object;
  /** Minutes since the start. */
  at?: number;
  key?: string;
  isLost?: boolean;
}

const sent = (verb: string, path: string, body: object, given: Given = {}): Sent => {
  const { who = 'an', status = 201, code, json = {}, at = 0, key, isLost = false } = given;
  const request: Request = { verb, method: 'POST', path, body, ...(key === undefined ? {} : { key }) };
  const since = start + at * minuteMs;
  const begun = { who: { name: who }, request, begin: moment++, since };
  if (isLost) return { ...begun, end: Infinity, by: Infinity, reply: undefined };
  const reply = { status, headers: {}, text: '', json, code };
  return { ...begun, end: moment++, by: since + 100, reply };
};

const date = (day: number): string => `2027-02-${String(day).padStart(2, '0')}`;
const night = (listing_id: number, day = 8) => ({
  listing_id,
  check_in_date: date(day),
  check_out_date: date(day + 1),
});

let orders = 96;
const confirm = (ids: number[], given: Given & { method?: string; token?: string } = {}): Sent => {
  const { method = 'CASH', token, ...more } = given;
  orders += 16;
  const reservations = ids.map((id, at) => ({ ...night(id), id: orders + 1 + at }));
  const items = ids.map((id) => night(id));
  const tokens = token === undefined ? {} : { payment_gateway_token: token };
  const body = { items, payment_method: method, ...tokens };
  const json = { master_reservation_id: orders, reservations };
  return sent('confirmCheckout', '/checkout/confirm', body, { json, ...more });
};
const taken = { status: 409, code: 'LISTING_NOT_AVAILABLE' };
const cancel = (id: number, given: Given = {}): Sent =>
  sent('cancelBooking', `/bookings/${id}/cancel`, {}, { status: 200, ...given });
/** The host accepts one stay of an order; the answer names this stay alone. */
const accept = (stay: number, listing_id: number, order: number): Sent => {
  const json = { id: stay, master_reservation_id: order, reservations: [{ ...night(listing_id), id: stay }] };
  return sent('confirmBooking', `/bookings/${stay}/confirm`, {}, { who: 'host', status: 200, json });
};
const hold = (ids: number[], given: Given = {}): Sent => {
  orders += 16;
  const json = { checkout_id: orders, locked_until: new Date(start + 15 * minuteMs).toISOString() };
  return sent('createCheckout', '/checkout', { items: ids.map((id) => night(id)) }, { json, ...given });
};
const previewFree = (id: number, given: Given = {}): Sent =>
  sent(
    'previewCheckout',
    '/checkout/preview',
    { items: [night(id)] },
    { status: 200, json: { items: [{ available: true }] }, ...given },
  );

/** A change of dates, or to another home; `to` is the home and the day of the stay as it is then, and where it is by its answer. */
const changeStay = (
  id: number,
  to: { home: number; day?: number; last?: number },
  given: Given = {},
): Sent => {
  const { home: listing_id, day = 8, last = day + 1 } = to;
  const dates = { check_in_date: date(day), check_out_date: date(last) };
  const times = { start_at: `${dates.check_in_date}T14:00:00`, end_at: `${dates.check_out_date}T12:00:00` };
  const order = id - (id % 16);
  const reservations = [{ id, listing_id, ...dates }];
  const json = { id, master_reservation_id: order, reservations, listing_id, ...times };
  const body = { ...dates, listing_id };
  return sent('changeBooking', `/bookings/${id}/change`, body, { status: 200, json, ...given });
};
const shift = (id: number, body: object, given: Given): Sent =>
  sent('changeBooking', `/bookings/${id}/change`, body, given);
const on = (listing_id: number, day: number, given: Given = {}): Sent => {
  orders += 16;
  const stay = { ...night(listing_id, day), id: orders + 1 };
  const json = { master_reservation_id: orders, reservations: [stay] };
  const body = { items: [night(listing_id, day)], payment_method: 'CASH' };
  return sent('confirmCheckout', '/checkout/confirm', body, { who: 'binh', json, ...given });
};

const problemsOf = (...all: Sent[]): string[] => linearProblems(serviceFamilies({ sent: all }, homes));

describe('as the clients of the service saw the calendars', () => {
  it.each<[string, () => Sent[]]>([
    ['homes of two families are taken at one time', () => [confirm([10]), confirm([20])]],
    ['a room is refused because of its house', () => [confirm([10]), confirm([11], taken)]],
    ['what was cancelled is taken again', () => [confirm([20]), cancel(orders), confirm([20])]],
    [
      'both homes of an order that was cancelled are taken again, after its host accepted one stay',
      () => [
        confirm([10, 20]),
        accept(orders + 2, 20, orders),
        cancel(orders),
        confirm([10], { who: 'binh' }),
        confirm([20], { who: 'chi' }),
      ],
    ],
    [
      'a lock that has expired makes way, for others too',
      () => [hold([20]), confirm([20], { who: 'binh', at: 16 })],
    ],
    ['an own lock counts as free in a preview', () => [hold([20]), previewFree(20)]],
    [
      'what was not paid in time is taken again',
      () => [confirm([20], { method: 'ONLINE_GATEWAY' }), confirm([20], { at: 31 })],
    ],
    [
      'a request without an answer may have taken the time, and may not',
      () => [confirm([20], { isLost: true }), confirm([20], taken), confirm([20])],
    ],
    [
      'a request without an answer is repeated with its key',
      () => [confirm([20], { isLost: true, key: 'k' }), confirm([20], { key: 'k' })],
    ],
    [
      'a card is declined while another asks, who is refused',
      () => {
        const declined = confirm([20], { status: 402, token: 'tok_declined' });
        const other = confirm([20], { who: 'binh', ...taken });
        return [{ ...declined, end: moment++ }, other];
      },
    ],
    ['a platform takes time without a request', () => [confirm([30], taken)]],
    [
      'a caller who replaces a lock of two families frees both',
      () => [hold([10, 20]), hold([10]), confirm([20], { who: 'binh' })],
    ],
    [
      'a room that has left its house is taken beside it',
      () => [
        confirm([10]),
        sent('updateListing', '/listings/11', { parent_listing_id: null }, { status: 200 }),
        confirm([11]),
      ],
    ],
    [
      'a stay that was changed leaves its time to others, and takes hours that it had',
      () => [confirm([20]), changeStay(orders + 1, { home: 20, day: 7, last: 9 }), on(20, 9)],
    ],
    [
      'a stay goes from a house into its room, and the house stays taken',
      () => [confirm([10]), changeStay(orders + 1, { home: 11 }), on(10, 8, taken)],
    ],
    [
      'a stay goes to a home of another family, and leaves its time to others',
      () => [confirm([10]), changeStay(orders + 1, { home: 20 }), on(11, 8), on(20, 8, taken)],
    ],
    [
      'a change is refused because of another stay',
      () => [
        on(20, 9),
        confirm([20]),
        shift(orders + 1, { check_out_date: '2027-02-10' }, taken),
        shift(orders + 1, { listing_id: 11 }, { status: 409, code: 'STAY_NOT_ALLOWED' }),
      ],
    ],
    [
      'a change without an answer was made, or not',
      () => [
        confirm([20]),
        changeStay(orders + 1, { home: 10 }, { isLost: true }),
        on(20, 8),
        on(10, 8, taken),
        on(10, 8),
      ],
    ],
    [
      'a stay of an order that was changed is cancelled with its order',
      () => [confirm([20]), changeStay(orders + 1, { home: 10 }), cancel(orders), on(10, 8)],
    ],
    [
      'a stay is changed whose booking had no answer',
      () => [confirm([20], { isLost: true }), changeStay(500, { home: 20, day: 7 }), on(20, 8)],
    ],
  ])('it may be that %s', (_, all) => {
    expect(problemsOf(...all())).toEqual([]);
  });

  it.each<[string, () => Sent[]]>([
    ['a home is taken twice', () => [confirm([20]), confirm([20], { who: 'binh' })]],
    ['a house and its room are taken at one time', () => [confirm([11]), confirm([10])]],
    ['time under a live lock is taken', () => [hold([20]), confirm([20], { who: 'binh', at: 14 })]],
    ['free time is refused', () => [confirm([20]), cancel(orders), confirm([20], taken)]],
    ['taken time is shown as free', () => [confirm([20]), previewFree(20, { who: 'binh' })]],
    [
      'what is not paid yet is taken',
      () => [confirm([20], { method: 'ONLINE_GATEWAY' }), confirm([20], { at: 29 })],
    ],
    [
      'a declined card still takes the time later',
      () => [confirm([20], { status: 402 }), confirm([20], { ...taken, at: 1 })],
    ],
    [
      'a stay is taken after another stay of its order was cancelled',
      () => [confirm([10, 20]), cancel(orders + 2), confirm([10], { who: 'binh' })],
    ],
    [
      'a stay is changed to time that is taken',
      () => [on(20, 9), confirm([20]), changeStay(orders + 1, { home: 20, day: 9 })],
    ],
    [
      'the new time of a stay is taken',
      () => [confirm([20]), changeStay(orders + 1, { home: 20, day: 7 }), on(20, 7)],
    ],
    [
      'the time that a stay has left is refused',
      () => [confirm([20]), changeStay(orders + 1, { home: 10 }), on(20, 8, taken)],
    ],
    [
      'a change is refused because of the stay itself',
      () => [confirm([20]), shift(orders + 1, { check_out_date: '2027-02-10' }, taken)],
    ],
    [
      'a room is refused to a stay that leaves its house',
      () => [confirm([10]), shift(orders + 1, { listing_id: 11 }, taken)],
    ],
    [
      'a stay that was cancelled is changed',
      () => [confirm([20]), cancel(orders), changeStay(orders + 1, { home: 20, day: 7 })],
    ],
    ['a home that a platform follows is taken twice', () => [confirm([30]), confirm([30])]],
  ])('it cannot be that %s', (_, all) => {
    expect(problemsOf(...all())).toHaveLength(1);
  });
});

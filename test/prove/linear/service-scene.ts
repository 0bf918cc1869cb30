import type { Request, Sent } from '../service/client.ts';
import { linearProblems } from './problems.ts';
import { serviceFamilies } from './service-calls.ts';
import type { KnownHome } from './service-homes.ts';

const minuteMs = 60_000;
const start = Date.parse('2027-01-15T03:00:00Z');
const home = (id: number, more: Partial<KnownHome> = {}): KnownHome => ({
  ...{ id, family: String(id), parent: null, isAccepted: false, isShared: false, isHourly: false },
  ...more,
});
const homes = [home(10), home(11, { family: '10', parent: 10 }), home(20), home(30, { isShared: true })];

let moment = 0;
/** The place of a request or an answer among all. */
export const nextMoment = (): number => moment++;
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

export const sent = (verb: string, path: string, body: object, given: Given = {}): Sent => {
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

/** The id of the order that was made last. */
export let orders = 96;
export const confirm = (ids: number[], given: Given & { method?: string; token?: string } = {}): Sent => {
  const { method = 'CASH', token, ...more } = given;
  orders += 16;
  const reservations = ids.map((id, at) => ({ ...night(id), id: orders + 1 + at }));
  const items = ids.map((id) => night(id));
  const tokens = token === undefined ? {} : { payment_gateway_token: token };
  const body = { items, payment_method: method, ...tokens };
  const json = { master_reservation_id: orders, reservations };
  return sent('confirmCheckout', '/checkout/confirm', body, { json, ...more });
};
export const taken = { status: 409, code: 'LISTING_NOT_AVAILABLE' };
export const cancel = (id: number, given: Given = {}): Sent =>
  sent('cancelBooking', `/bookings/${id}/cancel`, {}, { status: 200, ...given });
/** The host accepts one stay of an order; the answer names this stay alone. */
export const accept = (stay: number, listing_id: number, order: number): Sent => {
  const json = { id: stay, master_reservation_id: order, reservations: [{ ...night(listing_id), id: stay }] };
  return sent('confirmBooking', `/bookings/${stay}/confirm`, {}, { who: 'host', status: 200, json });
};
export const hold = (ids: number[], given: Given = {}): Sent => {
  orders += 16;
  const json = { checkout_id: orders, locked_until: new Date(start + 15 * minuteMs).toISOString() };
  return sent('createCheckout', '/checkout', { items: ids.map((id) => night(id)) }, { json, ...given });
};
export const previewFree = (id: number, given: Given = {}): Sent =>
  sent(
    'previewCheckout',
    '/checkout/preview',
    { items: [night(id)] },
    { status: 200, json: { items: [{ available: true }] }, ...given },
  );

/** A change of dates, or to another home; `to` is the home and the day of the stay as it is then, and where it is by its answer. */
export const changeStay = (
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
export const shift = (id: number, body: object, given: Given): Sent =>
  sent('changeBooking', `/bookings/${id}/change`, body, given);
export const on = (listing_id: number, day: number, given: Given = {}): Sent => {
  orders += 16;
  const stay = { ...night(listing_id, day), id: orders + 1 };
  const json = { master_reservation_id: orders, reservations: [stay] };
  const body = { items: [night(listing_id, day)], payment_method: 'CASH' };
  return sent('confirmCheckout', '/checkout/confirm', body, { who: 'binh', json, ...given });
};

export const range = (day: number, last = day) => ({
  date_from: date(day),
  date_to: date(last),
  weekdays: null,
});
interface Bulk {
  undo_id?: number;
  error?: string;
  before?: string;
}
export const bulk = (state: string, homes: number[], ranges: object[], more: Bulk & Given = {}): Sent => {
  const { undo_id = null, error, before = state === 'BLOCKED' ? 'AVAILABLE' : 'BLOCKED', ...given } = more;
  const body = { listing_ids: homes, date_ranges: ranges, change: { state } };
  const items = homes.map((listing_id) => ({
    ...{ listing_id, error: error === undefined ? null : { code: error } },
    ranges: error === undefined ? ranges.map((one) => ({ ...one, before, after: state })) : [],
  }));
  return sent('bulkBlocks', '/listings/bulk-blocks', body, {
    who: 'host',
    status: 200,
    json: { undo_id, items },
    ...given,
  });
};
export const undo = (undo_id: number, listing_id: number, blocks: object[], given: Given = {}): Sent => {
  const json = { undo_id, items: [{ listing_id, blocks, error: null }] };
  return sent('undoBulk', '/listings/bulk-undo', { undo_id }, { who: 'host', status: 200, json, ...given });
};

export const problemsOf = (...all: Sent[]): string[] => linearProblems(serviceFamilies({ sent: all }, homes));

import { expect, it } from 'vitest';
import type { Sent } from '../service/client.ts';
import { withTimes } from './service-links.ts';

const at = Date.parse('2027-01-15T03:00:00Z');
const asked = (change: object, key = 'key-1'): Sent => ({
  who: { name: 'link-0', link: 'x', stay: 17 },
  request: { verb: 'changeGuestBooking', method: 'POST', path: '/api/v1/guest/change', key },
  ...{ begin: 1, end: 2, since: at, by: at + 500 },
  reply: { status: 200, headers: {}, text: '', json: { id: 17, change }, code: undefined },
});
const now = {
  total_price: 900,
  listing_id: 5,
  start_at: '2027-02-06T14:00:00',
  end_at: '2027-02-07T12:00:00',
};
const moved = (id = 17, seconds = 0) => ({
  ...{ entity: 'Event', event_type: 'booking.changed' },
  occurred_at: new Date(at + 1000 * seconds).toISOString(),
  data: { id, was: { total_price: 900 }, now },
});
const timesOf = (one: Sent, ...items: object[]) => withTimes([one], items as never)[0]?.reply?.json;

it('gives the answer to a change by a link the times of its only event', () => {
  const { listing_id, start_at, end_at } = now;
  const change = { difference: 0 };
  const found = timesOf(asked(change), moved(), moved(18), moved(17, 60));
  expect(found).toEqual({ id: 17, change, master_reservation_id: 16, listing_id, start_at, end_at });
});

it('knows that without an event nothing has changed, and not which of two it was', () => {
  expect(timesOf(asked({ difference: 0 }), moved(18))).toMatchObject({ isUnchanged: true });
  expect(timesOf(asked({ difference: 0 }), moved(), moved())).not.toHaveProperty('start_at');
  expect(timesOf(asked({ difference: 0, payment_url: 'https://bank' }))).not.toHaveProperty('isUnchanged');
});

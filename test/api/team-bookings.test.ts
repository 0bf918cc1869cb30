import { expect, it } from 'vitest';
import type * as z from 'zod';
import type { bookingRoutes } from '../../functions/bookings/routes.ts';
import { nights, ok, refusal, stay, useOrderScene } from '../support/order-scene.ts';

const s = useOrderScene();

type Page = z.output<typeof bookingRoutes.routes.listTeamBookings.reply>;
const list = (query: Record<string, string | number> = {}) => s.get<Page>(s.host, '/api/v1/bookings', query);

it('GET /bookings takes a range of dates, both included, in their order', async () => {
  const listing = await s.listing();
  for (const [first, last] of [
    ['2027-02-10', '2027-02-12'],
    ['2027-02-20', '2027-02-22'],
  ] as const)
    ok(
      await s.confirm(s.guest, { items: [stay(listing, nights(first, last))], payment_method: 'CASH' }),
      201,
    );
  const total = async (from: string, to: string) =>
    ok(await list({ listing_id: listing.id, from, to })).total;
  expect(await total('2027-02-12', '2027-02-20')).toBe(2);
  expect(await total('2027-02-13', '2027-02-19')).toBe(0);
  expect(await total('2027-02-20', '2027-02-20')).toBe(1);
  expect(refusal(await list({ from: '2027-02-20', to: '2027-02-19' }))).toMatchObject({
    code: 'VALIDATION_ERROR',
    paths: ['to'],
  });
});

it('GET /bookings continues by a cursor with the same filter alone', async () => {
  const [listing, other] = [await s.listing(), await s.listing()];
  for (const day of ['10', '12', '14'])
    for (const home of [listing, other]) {
      const dates = nights(`2027-02-${day}`, `2027-02-${Number(day) + 1}`);
      ok(await s.confirm(s.guest, { items: [stay(home, dates)], payment_method: 'CASH' }), 201);
    }
  const filter = { listing_id: listing.id, from: '2027-02-01', limit: 1 };
  const cursor = ok(await list(filter)).next_cursor ?? '';
  expect(ok(await list({ ...filter, limit: 9, cursor }))).toMatchObject({ total: 3, page: 2, limit: 9 });
  for (const query of [
    { cursor },
    { ...filter, listing_id: other.id, cursor },
    { ...filter, from: '2027-02-02', cursor },
    { ...filter, state: 'CONFIRMED', cursor },
    { ...filter, cursor: `${cursor.slice(0, -2)}AA` },
  ])
    expect(refusal(await list(query))).toMatchObject({ code: 'VALIDATION_ERROR', paths: ['cursor'] });
});

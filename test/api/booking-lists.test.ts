import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type * as z from 'zod';
import type { bookingRoutes } from '../../functions/bookings/routes.ts';
import {
  advanceMinutes,
  nights,
  ok,
  type OrderScene,
  orderScene,
  refusal,
  stay,
  stopClock,
} from '../support/order-scene.ts';

type Page = z.output<typeof bookingRoutes.routes.listTeamBookings.reply>;
type Query = Record<string, string | number>;

const people = [
  ['Nguyễn Văn An', '+84 901 234 567', 'an@example.com'],
  ['Trần Thị Bình', '0912 345 678', 'Binh@Example.com'],
  ['Nguyễn Ánh Dương', '+84 903 000 111', 'duong@example.com'],
] as const;

/** Three bookings of a partner, made a minute apart, and one that was cancelled afterwards. */
const scene = async () => {
  const s: OrderScene = await orderScene();
  const [home, other] = [await s.listing(), await s.listing()];
  const partner = await s.partner();
  const ids: number[] = [];
  for (const [at, [full_name, phone, email]] of people.entries()) {
    const [first, last] = [`2027-02-${20 - at}`, `2027-02-${22 + at}`];
    const body = {
      listing_id: [home, other, other][at]!.id,
      guest_info: { full_name, phone, email },
      ...{ check_in_date: first, check_out_date: last, nights: 2 + 2 * at, guest_number: 2 },
      ...{ payment_method: 'CASH', external_booking_id: `SH-${at}` },
    };
    if (at === 2) Object.assign(body, { listing_id: (await s.listing()).id });
    ids.push(ok(await s.bookOut(partner, body), 201).id);
    advanceMinutes(1);
  }
  ok(await s.cancelOut(partner, ids[0]!));
  const asHost = (query: Query) => s.get<Page>(s.host, '/api/v1/bookings', query);
  const asPartner = (query: Query) => s.get<Page>(partner, '/api/v1/external/bookings', query);
  return { s, ids, home, asHost, asPartner };
};

let world: Awaited<ReturnType<typeof scene>>;
beforeAll(async () => {
  stopClock();
  world = await scene();
});
afterAll(() => void vi.useRealTimers());

const filters: [query: Query, found: number[]][] = [
  [{}, [2, 1, 0]],
  [{ state: 'CANCELLED' }, [0]],
  [{ status: 'CONFIRMED' }, [2, 1]],
  [{ payment_status: 'PENDING' }, [2, 1, 0]],
  [{ payment_status: 'PAID' }, []],
  [{ check_in_from: '2027-02-19' }, [1, 0]],
  [{ check_in_to: '2027-02-19' }, [2, 1]],
  [{ check_in_from: '2027-02-19', check_in_to: '2027-02-19' }, [1]],
  [{ check_out_from: '2027-02-23' }, [2, 1]],
  [{ check_out_to: '2027-02-23' }, [1, 0]],
  [{ updated_since: '2027-01-15T03:02:00.000Z' }, [2, 0]],
  [{ updated_since: '2027-01-15T10:03:00+07:00' }, [0]],
  [{ updated_since: '2027-01-15T03:03:00.001Z' }, []],
  [{ external_booking_id: 'SH-1' }, [1]],
  [{ external_booking_id: 'SH-' }, []],
  [{ q: 'nguyen' }, [2, 0]],
  [{ q: 'NGUYỄN a' }, [2, 0]],
  [{ q: 'an nguyen' }, [2, 0]],
  [{ q: 'an van' }, [0]],
  [{ q: 'guyen' }, []],
  [{ q: 'binh@example.COM' }, [1]],
  [{ q: 'binh@example' }, []],
  [{ q: '0901 234 567' }, [0]],
  [{ q: '+84912345678' }, [1]],
  [{ q: '0901' }, []],
  [{ q: 'duong', state: 'CONFIRMED', sort_by: 'check_in' }, [2]],
  [{ sort_by: 'check_in' }, [0, 1, 2]],
  [{ sort_by: 'check_in', sort_order: 'asc' }, [2, 1, 0]],
  [{ sort_by: 'updated_at' }, [0, 2, 1]],
  [{ sort_by: 'updated_at', sort_order: 'asc' }, [1, 2, 0]],
  [{ sort_by: 'created_at', sort_order: 'asc' }, [0, 1, 2]],
];

describe.each(['asHost', 'asPartner'] as const)('a list of bookings, %s', (reader) => {
  it.each(filters)('answers %o', async (query, found) => {
    const { items, ...page } = ok(await world[reader](query));
    expect(items.map(({ id }) => world.ids.indexOf(id))).toEqual(found);
    expect(page).toMatchObject({ total: found.length, total_is_exact: true, next_cursor: null });
  });

  it('finds a booking by its id and by that of its order', async () => {
    const [id = 0] = world.ids;
    for (const q of [id, id - 1])
      expect(ok(await world[reader]({ q })).items.map((one) => one.id)).toEqual([id]);
    expect(ok(await world[reader]({ q: id + 1 })).items).toEqual([]);
  });

  it.each(['created_at', 'updated_at', 'check_in'])(
    'continues by a cursor, sorted by %s',
    async (sort_by) => {
      const whole = ok(await world[reader]({ sort_by })).items.map(({ id }) => id);
      const seen: number[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const page: Page = ok(await world[reader]({ sort_by, limit: 1, ...(cursor ? { cursor } : {}) }));
        seen.push(...page.items.map(({ id }) => id));
        cursor = page.next_cursor;
      }
      expect(seen).toEqual(whole);
    },
  );

  it('refuses a cursor of another filter or order, ranges that end before they begin, and two states', async () => {
    const cursor = ok(await world[reader]({ limit: 1, sort_by: 'check_in' })).next_cursor ?? '';
    for (const query of [
      { cursor },
      { cursor, sort_by: 'updated_at' },
      { cursor, sort_by: 'check_in', sort_order: 'asc' },
      { cursor, sort_by: 'check_in', q: 'an' },
      { cursor, sort_by: 'check_in', updated_since: '2027-01-15T03:02:00.000Z' },
    ])
      expect(refusal(await world[reader](query)).paths).toEqual(['cursor']);
    for (const range of ['check_in', 'check_out']) {
      const query = { [`${range}_from`]: '2027-02-02', [`${range}_to`]: '2027-02-01' };
      expect(refusal(await world[reader](query)).paths).toEqual([`${range}_to`]);
    }
    expect(refusal(await world[reader]({ state: 'PENDING', status: 'CONFIRMED' })).paths).toEqual(['status']);
  });
});

it('a partner’s bad dates and states have the published codes', async () => {
  for (const name of ['check_in_from', 'check_in_to', 'check_out_from', 'check_out_to', 'updated_since'])
    expect(refusal(await world.asPartner({ [name]: 'soon' })).code).toBe('EXTERNAL_INVALID_DATE_FORMAT');
  expect(refusal(await world.asPartner({ status: 'open' })).code).toBe('EXTERNAL_INVALID_STATE');
});

it('a guest’s own list is paged, filtered and sorted; the paging is in the headers', async () => {
  const { s, home } = world;
  const ids: number[] = [];
  for (const day of ['12', '10', '14']) {
    const dates = nights(`2027-03-${day}`, `2027-03-${Number(day) + 1}`);
    const reply = await s.confirm(s.guest, { items: [stay(home, dates)], payment_method: 'CASH' });
    ids.push(ok(reply, 201).reservations[0]!.id);
  }
  const mine = (query: Query) => s.get<{ id: number }[]>(s.guest, '/api/v1/bookings/my', query);
  const first = await mine({ limit: 2, sort_by: 'check_in', sort_order: 'asc' });
  expect(ok(first).map(({ id }) => id)).toEqual([ids[1], ids[0]]);
  expect(first.headers).toMatchObject({ 'x-total-count': '3' });
  const cursor = first.headers['x-next-cursor'] ?? '';
  const second = await mine({ limit: 2, sort_by: 'check_in', sort_order: 'asc', cursor });
  expect(ok(second).map(({ id }) => id)).toEqual([ids[2]]);
  expect(second.headers['x-next-cursor']).toBeUndefined();
  expect(ok(await mine({ check_in_from: '2027-03-12' })).map(({ id }) => id)).toEqual([ids[2], ids[0]]);
  expect(ok(await mine({ state: 'CANCELLED' }))).toEqual([]);
  expect(refusal(await mine({ limit: 2, cursor })).paths).toEqual(['cursor']);
  expect(refusal(await mine({ colour: 'blue' })).code).toBe('VALIDATION_ERROR');
});

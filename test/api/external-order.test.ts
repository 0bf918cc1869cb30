import { beforeAll, describe, expect, it } from 'vitest';
import { type Api, api } from '../support/api.ts';
import { testListing } from '../support/listings.ts';
import { testKey, testTeam } from '../support/table.ts';

const path = '/api/v1/external/listings';
const count = 23;

let service: Api;
let key: string;
beforeAll(async () => {
  service = await api();
  const teams = [await testTeam(service.deps), await testTeam(service.deps)];
  key = (await testKey(service.deps, { team_ids: teams.map(({ team_id }) => team_id) })).api_key;
  for (let at = 0; at < count; at++)
    await testListing(service.deps, {
      team_id: teams[at % 2]?.team_id ?? 0,
      name: `Nhà ${(at * 7) % count}`,
      search_name: `nha ${String((at * 7) % count).padStart(2, '0')}`,
      full_rate: 100_000 * ((at * 5) % 9),
      updated_at: new Date(Date.UTC(2027, 0, 1 + ((at * 11) % count))).toISOString(),
      rating_average: at % 4 === 0 ? null : (at % 4) + 0.5,
      capacity: at % 3,
      province_code: at % 5 === 0 ? 'HN' : 'LD',
    });
});

interface Page {
  items: Record<string, number | string | null>[];
  total: number;
  total_pages: number;
  next_cursor: string | null;
}
const list = async (query: Record<string, string | number>) => {
  const reply = await service.call('GET', path, { key, query });
  expect(reply.status, reply.text).toBe(200);
  return reply.body as Page;
};

describe.each(['updated_at', 'name', 'full_rate', 'capacity', 'rating_average', 'created_at'])(
  'sort_by %s',
  (sort_by) => {
    it.each(['asc', 'desc'])(
      '%s pages without gaps or repeats, by page and by cursor',
      async (sort_order) => {
        const order = { sort_by, sort_order };
        const whole = await list({ ...order, limit: 100 });
        expect(whole.total).toBe(count);
        const values = whole.items.map((item) => item[sort_by] ?? 0);
        const sorted = values.toSorted((one, other) =>
          typeof one === 'number'
            ? one - Number(other)
            : one.localeCompare(String(other), 'en', { numeric: true }),
        );
        expect(values).toEqual(sort_order === 'asc' ? sorted : sorted.toReversed());
        const ids = whole.items.map(({ id }) => id);
        const [byPage, byCursor]: (typeof ids)[] = [[], []];
        for (let page = 1; page <= 5; page++) {
          const found = await list({ ...order, limit: 5, page });
          expect(found).toMatchObject({ page, total: count, total_pages: 5 });
          byPage?.push(...found.items.map(({ id }) => id));
        }
        let cursor: string | null = '';
        while (cursor !== null) {
          const found: Page = await list({ ...order, limit: 4, ...(cursor === '' ? {} : { cursor }) });
          byCursor?.push(...found.items.map(({ id }) => id));
          cursor = found.next_cursor;
        }
        expect([byPage, byCursor]).toEqual([ids, ids]);
      },
    );
  },
);

it('sorts what the filters leave', async () => {
  const page = await list({ sort_by: 'full_rate', province_code: 'hn', country_code: 'VN', state: 'ACTIVE' });
  expect(page.total).toBe(5);
});

it('refuses a cursor of another order, and an unknown order', async () => {
  const { next_cursor } = await list({ sort_by: 'name', limit: 2 });
  for (const query of [
    { sort_by: 'full_rate', cursor: next_cursor ?? '' },
    { sort_by: 'name', sort_order: 'asc', cursor: next_cursor ?? '' },
    { sort_by: 'name', cursor: 'bm9wZQ' },
    { sort_by: 'commission_rate' },
    { sort_order: 'sideways' },
  ]) {
    const reply = await service.call('GET', path, { key, query });
    expect([reply.status, (reply.body as { code: string }).code]).toEqual([400, 'VALIDATION_ERROR']);
  }
});

import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type * as z from 'zod';
import type { externalRoutes } from '../../functions/external/routes.ts';
import type { Listing } from '../../shared/domain/listing/listing.entity.ts';
import { testListing } from '../support/listings.ts';
import {
  ok,
  type OrderScene,
  orderScene,
  refusal,
  type Slot,
  stay,
  stopClock,
  type Who,
} from '../support/order-scene.ts';
import { testKey, testTeam } from '../support/table.ts';

const path = '/api/v1/external/listings';

let s: OrderScene;
let teams: number[];
let partner: Who;
let made: Listing[];

beforeAll(async () => {
  s = await orderScene();
  teams = [await testTeam(s.deps), await testTeam(s.deps), await testTeam(s.deps)].map(
    ({ team_id }) => team_id,
  );
  partner = { key: (await testKey(s.deps, { team_ids: teams })).api_key };
  made = [];
  for (let at = 0; at < 25; at++)
    made.push(
      await testListing(s.deps, {
        team_id: teams[at % 3]!,
        id: 1_000_000 + at,
        province_code: at % 5 === 0 ? 'HN' : 'LD',
        wifi_password: 'rung-thong',
        door_code: { gate: '4711' },
        commission_rate: 0.15,
      }),
    );
  await testListing(s.deps, { team_id: teams[0]!, state: 'DRAFT', id: 2_000_000 });
  await testListing(s.deps, { team_id: teams[0]!, state: 'ARCHIVED', id: 2_000_001 });
});
beforeEach(() => stopClock());
afterAll(() => void vi.useRealTimers());

type Page = z.output<typeof externalRoutes.routes.listExternalListings.reply>;
const list = (query: Record<string, string | number | null> = {}, who: Who = partner) =>
  s.get<Page>(who, path, query as Record<string, string>);
const idsOf = (page: { items: { id: number }[] }): number[] => page.items.map(({ id }) => id);

describe('GET /external/listings', () => {
  it('is the ACTIVE listings of the key’s teams, newest first, in the paged envelope', async () => {
    const page = ok(await list());
    expect(page).toMatchObject({ total: 25, page: 1, limit: 20, total_pages: 2 });
    expect(page.next_cursor).toEqual(expect.any(String));
    expect(Object.keys(page).sort()).toEqual([
      'items',
      'limit',
      'next_cursor',
      'page',
      'total',
      'total_is_exact',
      'total_pages',
    ]);
    expect(idsOf(page)).toEqual(idsOf({ items: made }).reverse().slice(0, 20));
    expect(idsOf(ok(await list({ sort_order: 'asc', sort_by: 'created_at', limit: 3 })))).toEqual(
      idsOf({ items: made }).slice(0, 3),
    );
  });

  it('keeps the host’s secrets', async () => {
    const { text, body } = await list({ limit: 100 });
    expect(text).not.toContain('rung-thong');
    expect(text).not.toContain('4711"');
    for (const listing of body.items)
      expect(listing).toMatchObject({
        wifi_name: null,
        wifi_password: null,
        door_code: null,
        commission_rate: null,
      });
  });

  it('pages without gaps or repeats over several teams, by page and by cursor', async () => {
    const all = idsOf({ items: made }).reverse();
    for (const limit of [1, 4, 7, 25, 100]) {
      const pages = Math.ceil(25 / limit);
      const byPage: number[] = [];
      for (let page = 1; page <= pages; page++) {
        const found = ok(await list({ page, limit }));
        expect(found).toMatchObject({ page, limit, total: 25, total_pages: pages });
        expect(found.next_cursor === null).toBe(page === pages);
        byPage.push(...idsOf(found));
      }
      expect(byPage).toEqual(all);
      const byCursor: number[] = [];
      let cursor: string | null | undefined;
      for (let page = 1; cursor !== null; page++) {
        const found = ok(await list({ limit, ...(cursor === undefined ? {} : { cursor }) }));
        expect(found).toMatchObject({ page, total: 25, total_pages: pages });
        byCursor.push(...idsOf(found));
        cursor = found.next_cursor;
      }
      expect(byCursor).toEqual(all);
    }
    expect(ok(await list({ page: 9, limit: 20 }))).toMatchObject({
      items: [],
      total: 25,
      page: 9,
      next_cursor: null,
    });
  });

  it('walks with filters and upwards too', async () => {
    const wanted = made.filter(({ province_code }) => province_code === 'HN');
    const seen: number[] = [];
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const query = { limit: 2, sort_order: 'asc', province_code: 'HN', ...(cursor ? { cursor } : {}) };
      const page = ok(await list(query));
      expect(page).toMatchObject({ total: 5, total_pages: 3 });
      seen.push(...idsOf(page));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(idsOf({ items: wanted }));
    expect(ok(await list({ country_code: 'TH' }))).toMatchObject({ items: [], total: 0, total_pages: 0 });
  });

  it('continues from a cursor though listings came and went meanwhile', async () => {
    const team = await testTeam(s.deps);
    const who = { key: (await testKey(s.deps, { team_ids: [team.team_id] })).api_key };
    const some: Listing[] = [];
    for (let at = 0; at < 6; at++)
      some.push(await testListing(s.deps, { team_id: team.team_id, id: 3_000_000 + at }));
    const first = ok(await list({ limit: 2 }, who));
    await testListing(s.deps, { ...some[4]!, state: 'INACTIVE' });
    await testListing(s.deps, { team_id: team.team_id, id: 3_000_009 });
    const second = ok(await list({ limit: 10, cursor: first.next_cursor }, who));
    expect(idsOf(second)).toEqual(idsOf({ items: some.slice(0, 4) }).reverse());
  });

  it('takes team_ids as JSON and only the key’s own', async () => {
    const [one, two] = teams as [number, number];
    const total = async (team_ids: string) => ok(await list({ team_ids })).total;
    expect(await total(`[${one}]`)).toBe(9);
    expect(await total(`[ ${two} , ${one} ]`)).toBe(17);
    expect(await total(`[${one},${one}]`)).toBe(9);
    expect(await total(`[${one},${s.a.team_id}]`)).toBe(9);
    expect(await total(`[${s.a.team_id}]`)).toBe(0);
    expect(await total('[]')).toBe(0);
    for (const team_ids of [
      '1,2,3',
      '1',
      '{}',
      '{"0":1}',
      '["1"]',
      '[1.5]',
      '[0]',
      '[-1]',
      '[null]',
      '[[1]]',
      '[1',
      'null',
      '',
      `[${'1,'.repeat(3000)}1]`,
    ])
      expect(refusal(await list({ team_ids })).code, team_ids.slice(0, 20)).toBe('EXTERNAL_INVALID_REQUEST');
  });

  it('shows other states when asked, the archived too', async () => {
    expect(idsOf(ok(await list({ state: 'DRAFT' })))).toEqual([2_000_000]);
    expect(ok(await list({ state: 'INACTIVE' })).total).toBe(0);
    expect(idsOf(ok(await list({ state: 'ARCHIVED' })))).toEqual([2_000_001]);
    for (const state of ['active', 'OPEN', ''])
      expect(refusal(await list({ state })).code).toBe('EXTERNAL_INVALID_STATE');
  });

  it('keeps to 1 to 100 a page, and names every problem at once', async () => {
    expect(ok(await list({ limit: 100 })).items).toHaveLength(25);
    for (const [query, paths] of [
      [{ limit: 0 }, ['limit']],
      [{ limit: 101 }, ['limit']],
      [{ page: 0 }, ['page']],
      [{ page: '1e2', limit: 'all', order: 1 }, ['limit', 'order', 'page']],
      [{ limit: 1.5, sort_by: 'price', sort_order: 'up' }, ['limit', 'sort_by', 'sort_order']],
      [{ country_code: 'VNM', province_code: 'x'.repeat(33) }, ['country_code', 'province_code']],
    ] as const) {
      const refused = refusal(await list(query));
      expect([refused.code, refused.paths.sort()]).toEqual(['VALIDATION_ERROR', paths]);
    }
  });

  it('knows no acting team: X-Team-ID is a header of people', async () => {
    for (const team of ['x', '0', String(s.b.team_id)]) {
      const reply = await s.call('GET', path, { ...partner, headers: { 'X-Team-ID': team } });
      expect(ok<Page>(reply).total).toBe(25);
    }
  });

  it('refuses a cursor that is not one of ours', async () => {
    const text = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    for (const cursor of [
      'x',
      'eyJ',
      text(null),
      text([]),
      text({ after: '1' }),
      text({ after: '', total: 1, page: 1 }),
      text({ after: '1', total: -1, page: 1 }),
      text({ after: 5, total: 1, page: 0 }),
    ])
      expect(refusal(await list({ cursor })), cursor).toMatchObject({
        code: 'VALIDATION_ERROR',
        paths: ['cursor'],
      });
    expect(refusal(await list({ cursor: '' })).paths).toEqual(['cursor']);
  });

  it('answers a page beyond every listing with nothing', async () => {
    for (const page of [10_000, 1_000_000])
      expect(ok(await list({ page, limit: 100 }))).toMatchObject({
        items: [],
        total: 25,
        page,
        next_cursor: null,
      });
  });

  it('refuses a cursor of another key, another filter and another order', async () => {
    const asked = { limit: 2, province_code: 'LD', sort_order: 'asc' };
    const { next_cursor: cursor } = ok(await list(asked));
    ok(await list({ ...asked, limit: 7, cursor }));
    const { key } = await s.partner({ team_ids: [s.a.team_id] });
    const replies = [
      await list({ ...asked, cursor }, { key: key }),
      await list({ cursor }),
      await list({ ...asked, province_code: 'HN', cursor }),
      await list({ ...asked, state: 'INACTIVE', cursor }),
      await list({ ...asked, sort_order: 'desc', cursor }),
      await list({ ...asked, sort_by: 'name', cursor }),
      await list({ ...asked, team_ids: `[${teams[0]}]`, cursor }),
    ];
    for (const reply of replies)
      expect(refusal(reply)).toMatchObject({ code: 'VALIDATION_ERROR', paths: ['cursor'] });
  });
});

describe('GET /external/listings/{listing_id}/availability', () => {
  const ask = (listing: Pick<Listing, 'id'>, query: Record<string, string> = {}, who: Who = partner) =>
    s.get<{ items: Slot[] }>(who, `${path}/${listing.id}/availability`, query);

  it('is what a guest sees', async () => {
    await s.renew();
    const listing = await s.listing();
    const { key } = await s.partner();
    ok(await s.confirm(s.guest, { items: [stay(listing)], payment_method: 'CASH' }), 201);
    for (const query of [{}, { start_date: '2027-02-09', end_date: '2027-02-13' }, { granularity: 'hour' }]) {
      const seen = await ask(listing, query, { key: key });
      expect(ok(seen)).toEqual(ok(await s.days(s.guest, listing, query)));
    }
    const days = ok(await ask(listing, { start_date: '2027-02-09', end_date: '2027-02-12' }, { key: key }));
    expect(days.items.map(({ available }) => available)).toEqual([true, false, false, true]);
  });

  it('is there for listings of the key’s teams in any state but ARCHIVED', async () => {
    ok(await ask({ id: 2_000_000 }));
    for (const id of [2_000_001, (await s.listing()).id, 5])
      expect(refusal(await ask({ id })).code).toBe('EXTERNAL_LISTING_NOT_ACCESSIBLE');
  });

  it('says EXTERNAL_INVALID_DATE_FORMAT for a bad date, VALIDATION_ERROR for the rest', async () => {
    const listing = made[0]!;
    for (const query of [
      { start_date: '2027-02-30' },
      { end_date: '10/02/2027' },
      { start_date: '' },
      { start_date: '2027-2-1', granularity: 'week' },
    ])
      expect(refusal(await ask(listing, query as Record<string, string>)).code).toBe(
        'EXTERNAL_INVALID_DATE_FORMAT',
      );
    for (const query of [
      { granularity: 'week' },
      { start_date: '2027-02-02', end_date: '2027-02-01' },
      { start_date: '2027-02-01', end_date: '2028-02-02' },
      { start_date: '9999-12-30', end_date: '9999-12-31' },
      { days: '7' },
    ])
      expect(refusal(await ask(listing, query as Record<string, string>)).code).toBe('VALIDATION_ERROR');
    const all = await ask(listing, { start_date: 'x', end_date: 'y', granularity: 'z', w: '1' });
    expect(refusal(all).paths.sort()).toEqual(['end_date', 'granularity', 'start_date', 'w']);
  });

  it.each(['0', 'x', '-1', '1.5'])('refuses the id %s', async (id) => {
    expect(refusal(await s.get(partner, `${path}/${id}/availability`)).paths).toEqual(['listing_id']);
  });

  it('counts today by the listing’s clock', async () => {
    const listing = await testListing(s.deps, {
      team_id: teams[0]!,
      timezone: 'America/New_York',
      id: 2_000_100,
    });
    stopClock('2027-03-14T03:30:00.000Z');
    expect(ok(await ask(listing)).items[0]!.date).toBe('2027-03-13');
  });
});

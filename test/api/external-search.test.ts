import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SearchResult } from '../../shared/domain/search/search.schema.ts';
import { ok, refusal, stopClock, type Who } from '../support/order-scene.ts';
import { at, freshSpot, idsOf, north, type SearchScene, searchScene } from '../support/search-scene.ts';

const path = '/api/v1/external/search';
const dates = { check_in: '2027-02-10', check_out: '2027-02-12' };

let s: SearchScene;
let spot: ReturnType<typeof freshSpot>;
let partner: Who;
beforeAll(async () => {
  s = await searchScene();
});
beforeEach(async () => {
  stopClock();
  spot = freshSpot();
  partner = await s.partner({ team_ids: [s.a.team_id] });
});
afterAll(() => void vi.useRealTimers());

const here = () => ({ location: at(spot), ...dates, guests: 2 });
const search = (query: Record<string, string | number> = here(), who: Who = partner) =>
  s.get<SearchResult>(who, path, query);
const inB = () => ({ team_id: s.b.team_id });

describe('GET /external/search', () => {
  it('finds what a customer finds, of the key’s teams alone', async () => {
    const own = await s.home(spot);
    const other = await s.home({ ...north(spot, 1), ...inB() });
    expect(idsOf(await s.found(here())).sort()).toEqual([own.id, other.id].sort());
    const found = ok(await search());
    expect(found).toMatchObject({ total: 1, total_is_exact: true, next_cursor: null });
    const [customers] = (await s.found(here())).items.filter(({ id }) => id === own.id);
    expect(found.items).toEqual([customers]);
  });

  it('of the named teams of the key; a team of another key is none of them', async () => {
    const first = await s.home(spot);
    const second = await s.home({ ...north(spot, 1), ...inB() });
    const both = await s.partner();
    expect(idsOf(ok(await search(here(), both)))).toEqual([first.id, second.id]);
    const named = (team: number, who: Who) => search({ ...here(), team_ids: `[${team}]` }, who);
    expect(idsOf(ok(await named(s.b.team_id, both)))).toEqual([second.id]);
    expect(ok(await named(s.b.team_id, partner))).toMatchObject({ items: [], total: 0, combos: [] });
  });

  it('by price, text and province too, and page by page', async () => {
    const homes = [];
    for (let km = 0; km < 3; km++)
      homes.push(await s.home({ ...north(spot, km), full_rate: 1_000_000 + km * 100_000 }));
    await s.home({ ...north(spot, 0.5), ...inB(), full_rate: 900_000 });
    const query = { ...here(), sort: 'price', limit: 2 };
    const first = ok(await search(query));
    expect(idsOf(first)).toEqual([homes[0]!.id, homes[1]!.id]);
    const last = ok(await search({ ...query, cursor: first.next_cursor! }));
    expect(idsOf(last)).toEqual([homes[2]!.id]);
    // A cursor belongs to the teams that were searched.
    const both = await s.partner();
    const strange = refusal(await search({ ...query, cursor: first.next_cursor! }, both));
    expect(strange).toMatchObject({ code: 'VALIDATION_ERROR', paths: ['cursor'] });
  });

  it('groups neighbours of the key’s teams alone', async () => {
    const rooms = [await s.home(spot), await s.home(north(spot, 0.2))];
    await s.home({ ...north(spot, 0.1), ...inB() });
    const { items, combos } = ok(await search({ ...here(), guests: 10 }));
    expect(items).toEqual([]);
    expect(combos.map(({ listings }) => listings.map(({ id }) => id).sort())).toEqual([
      rooms.map(({ id }) => id).sort(),
    ]);
  });

  it('states the price that the booking costs, and no longer finds what is booked', async () => {
    const home = await s.home({ ...spot, full_rate: 1_000_000, cleaning_fee: 200_000 });
    const [found] = ok(await search()).items;
    const booked = await s.call('POST', '/api/v1/external/bookings', {
      ...partner,
      body: {
        listing_id: home.id,
        check_in_date: dates.check_in,
        check_out_date: dates.check_out,
        ...{ guest_number: 2, nights: 2, payment_method: 'CASH', expected_total: found!.total_price },
        guest_info: { full_name: 'Trần Thị Bình', phone: '+84 912 345 678', email: 'binh@example.com' },
      },
    });
    expect(booked.status).toBe(201);
    await s.index(home);
    expect(idsOf(ok(await search()))).toEqual([]);
  });

  it.each([
    [{ check_in: '10.02.2027' }, 400, 'EXTERNAL_INVALID_DATE_FORMAT'],
    [{ check_out: 'x' }, 400, 'EXTERNAL_INVALID_DATE_FORMAT'],
    [{ team_ids: '7' }, 400, 'EXTERNAL_INVALID_REQUEST'],
    [{ guests: 0 }, 400, 'VALIDATION_ERROR'],
    [{ check_out: '2027-02-09' }, 400, 'VALIDATION_ERROR'],
    [{ place: 'x' }, 400, 'VALIDATION_ERROR'],
  ])('refuses %j: %i %s', async (given, status, code) => {
    const answer = await search({ ...here(), ...given });
    expect([answer.status, refusal(answer).code]).toEqual([status, code]);
  });

  it('is for keys: a token is refused, and a key at the customers’ search too', async () => {
    expect((await s.get(s.guest, path, here())).status).toBe(401);
    expect((await s.get(partner, '/api/v1/search', here())).status).toBe(401);
  });
});

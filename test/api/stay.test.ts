import { afterEach, beforeAll, beforeEach, afterAll, describe, expect, it, vi } from 'vitest';
import { stay as stayPages } from '../../functions/stay/index.ts';
import { stayRoutes } from '../../functions/stay/routes.ts';
import { ListingEntity } from '../../shared/domain/listing/listing.entity.ts';
import { ReviewEntity } from '../../shared/domain/listing/review.store.ts';
import { revokeKey } from '../../shared/domain/people/keys.ts';
import { TeamEntity } from '../../shared/domain/people/team.store.ts';
import { change, type Consumption, present, put } from '../../shared/platform/table/index.ts';
import type { Asked } from '../support/api.ts';
import { testPublishableKey } from '../support/builders.ts';
import { groupCalls } from '../support/group-calls.ts';
import { advanceMinutes, ok, refusal, stay, stopClock } from '../support/order-scene.ts';
import { freshId } from '../support/table.ts';
import { freshSpot, type SearchScene, searchScene } from '../support/search-scene.ts';

const site = 'https://www.hoanang.example';
const elsewhere = 'https://evil.example';

let s: SearchScene;
let key: string;
let key_id: number;
let other: string;
beforeAll(async () => {
  s = await searchScene();
});
beforeEach(async () => {
  stopClock();
  ({
    api_key: key,
    key: { key_id },
  } = await testPublishableKey(s.deps, s.a.team_id, { allowed_origins: [site] }));
  other = (await testPublishableKey(s.deps, s.b.team_id)).api_key;
});
afterEach(() => {
  for (const name of ['RATE_LIMIT_ADDRESS', 'RATE_LIMIT_KEY', 'GUEST_CLIENT_ID', 'ISSUER', 'AUDIENCE'])
    Reflect.deleteProperty(process.env, name);
});
afterAll(() => void vi.useRealTimers());

/** What the tests look at in an answer. */
interface Answer {
  items: { id: number }[];
  code?: string;
  message: string;
}
const shownIds = ({ items }: Answer): number[] => items.map(({ id }) => id);
type Reply = Omit<Awaited<ReturnType<SearchScene['call']>>, 'body'> & { body: Answer };

const ask = (path: string, asked: Asked = {}): Promise<Reply> =>
  s.call(asked.body === undefined ? 'GET' : 'POST', `/api/v1/stay/${path}`, { key, ...asked });
const from = (origin: string | undefined, asked: Asked = {}): Asked => ({
  ...asked,
  headers: origin === undefined ? {} : { Origin: origin },
});
const corsOf = ({ headers }: Reply): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => /^(access-control-allow-|vary)/.test(name)));

/** What names one listing, with the request that reads it. */
const ofListing: [string, (id: number) => Promise<Reply>][] = [
  ['getStayListing', (id) => ask(`listings/${id}`)],
  ['readStayAvailability', (id) => ask(`listings/${id}/availability`)],
  ['listStayReviews', (id) => ask(`listings/${id}/reviews`)],
  ['quoteStay', (id) => ask('quote', { body: { items: [stay({ id })] } })],
];

describe('a page with a publishable key', () => {
  it('shows its team, and how guests sign in where they can (getStayTeam)', async () => {
    const set = {
      ...{ name: 'Hoa Nắng', contact_name: 'Trần Thị Hoa', contact_phone: '+84 912 345 678' },
      ...{ contact_email: 'xin-chao@hoanang.example', logo_url: 'https://images.example.com/logo.png' },
    };
    await s.deps.table.transact([change(TeamEntity, { team_id: s.a.team_id }, { set }, { when: present() })]);
    const { contact_name: _, ...shown } = set;
    const team = { team_id: s.a.team_id, language: null, ...shown };
    expect((await ask('team')).body).toEqual({ ...team, sign_in: null });
    Object.assign(process.env, {
      ...{ ISSUER: 'https://id.example/', AUDIENCE: 'api', GUEST_CLIENT_ID: 'guests' },
    });
    const sign_in = { issuer: 'https://id.example/', audience: 'api', client_id: 'guests' };
    expect((await ask('team')).body).toEqual({ ...team, sign_in });
  });

  it('finds the open homes of its team alone, with or without a place (searchStays)', async () => {
    const spot = freshSpot();
    const own = await s.home({ ...spot, address: '12 Ngõ Vắng' });
    const far = await s.home(freshSpot());
    const foreign = await s.home({ ...spot, team_id: s.b.team_id });
    const query = { check_in: '2027-02-10', check_out: '2027-02-12', guests: 2, limit: 100 };
    const here = ok(
      await ask('search', { query: { ...query, location: `${spot.latitude},${spot.longitude}` } }),
    );
    expect(shownIds(here)).toEqual([own.id]);
    const all = ok(await ask('search', { query }));
    expect(shownIds(all)).toEqual(expect.arrayContaining([own.id, far.id]));
    expect(shownIds(all)).not.toContain(foreign.id);
    expect(all.items[0]).toMatchObject({ total_price: 2_200_000, nights: 2 });
    ok(await s.confirm(s.guest, { items: [stay(far)], payment_method: 'CASH' }), 201);
    await s.index(far);
    expect(shownIds(ok(await ask('search', { query })))).not.toContain(far.id);
    expect(shownIds(ok(await ask('search', { key: other, query })))).toEqual([foreign.id]);
  });

  it('finds a home no more that belongs to another team or is closed', async () => {
    const home = await s.home(freshSpot());
    const found = async () => shownIds(ok(await ask('search', { query: { limit: 100 } })));
    expect(await found()).toContain(home.id);
    await s.deps.table.transact([
      change(ListingEntity, { id: home.id }, { set: { state: 'INACTIVE' } }, { when: present() }),
    ]);
    await s.index(home);
    expect(await found()).not.toContain(home.id);
  });

  it('shows a home with what a page needs, near where it is (getStayListing)', async () => {
    const place = { latitude: 11.940_412, longitude: 108.458_313, address: '12 Trần Hưng Đạo' };
    const { id } = await s.listing({ ...place, wifi_password: 'hoang-hon-2027', commission_rate: 0.15 });
    const reply = await ask(`listings/${id}`);
    expect(ok(reply)).toMatchObject({
      id,
      latitude: 11.94,
      longitude: 108.46,
      policies: {},
      extra_services: [],
    });
    for (const hidden of [
      place.address,
      'hoang-hon',
      'address',
      'wifi',
      'door_code',
      'commission',
      '11.9404',
    ])
      expect(reply.text).not.toContain(hidden);
  });

  it('rounds the place of what it finds', async () => {
    const home = await s.home({ latitude: 61.234_567, longitude: 21.234_567 });
    const { items } = ok(await ask('search', { query: { location: '61.23,21.23' } }));
    expect(items).toMatchObject([{ id: home.id, latitude: 61.23, longitude: 21.23 }]);
  });

  it('shows when a home is free (readStayAvailability)', async () => {
    const { id } = await s.listing();
    const query = { start_date: '2027-02-04', end_date: '2027-02-05' };
    const { items } = ok<{ items: object[] }>(await ask(`listings/${id}/availability`, { query }));
    expect(items).toMatchObject([
      { date: '2027-02-04', available: true, price: 1_000_000 },
      { date: '2027-02-05', available: true },
    ]);
  });

  it('shows what guests say (listStayReviews)', async () => {
    const listing = await s.listing({ review_count: 1 });
    const review = {
      ...{ review_id: freshId(), listing_id: listing.id, team_id: s.a.team_id, reservation_id: freshId() },
      ...{ user_id: s.guest.user_id, guest_name: 'An', rating: 5, comment: null },
    };
    await s.deps.table.put(put(ReviewEntity, { ...review, created_at: '2027-01-15T03:00:00.000Z' }));
    expect(ok(await ask(`listings/${listing.id}/reviews`))).toMatchObject({
      items: [{ guest_name: 'An', rating: 5 }],
      total: 1,
    });
  });

  it('shows what a guest pays, and holds nothing (quoteStay)', async () => {
    const listing = await s.listing({ deposit_percent: 30, commission_rate: 0.15 });
    const items = [stay(listing)];
    const quoted = ok(await ask('quote', { body: { items } }));
    expect(quoted).toEqual(
      ok(await s.call('POST', '/api/v1/checkout/preview', { ...s.guest, body: { items } })),
    );
    expect(quoted.items[0]).toMatchObject({ available: true, commission_rate: null });
    ok(await s.confirm(s.guest, { items, payment_method: 'CASH' }), 201);
    expect(ok(await ask('quote', { body: { items } })).items[0]).toMatchObject({ available: false });
  });

  it('gets STAY_NOT_ALLOWED where the rules of the home refuse the stay (quoteStay)', async () => {
    const listing = await s.listing();
    const body = { default: { min_nights: 9 } };
    ok(await s.call('PUT', `/api/v1/listings/${listing.id}/stay-rules`, { token: s.host.token, body }));
    expect(refusal(await ask('quote', { body: { items: [stay(listing)] } }))).toMatchObject({
      code: 'STAY_NOT_ALLOWED',
    });
  });

  it.each(ofListing)('%s has LISTING_NOT_FOUND for what is not open, or not of the team', async (_, read) => {
    const closed = [
      s.listing({ team_id: s.b.team_id }),
      s.listing({ state: 'INACTIVE' }),
      s.listing({ state: 'DRAFT' }),
      s.listing({ unlisted: true }),
    ];
    for (const { id } of await Promise.all(closed)) {
      const reply = await read(id);
      expect([reply.status, reply.body.code], String(id)).toEqual([404, 'LISTING_NOT_FOUND']);
    }
    expect((await read(freshId())).status).toBe(404);
  });
});

describe('the key', () => {
  const status = async (asked: Asked, path = 'team') => {
    const reply = await ask(path, asked);
    return [reply.status, reply.body.code ?? 'OK'];
  };

  it('is required, and none that is secret, unknown or mistyped will do', async () => {
    const secret = (await s.partner()).key;
    expect((await s.call('GET', '/api/v1/stay/team')).status).toBe(401);
    const reply = await ask('team', { key: secret });
    expect(reply).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } });
    expect(reply.body.message).toContain('publishable key');
    const { api_key: unknown } = await testPublishableKey(s.deps, s.a.team_id, { hash: 'of-another' });
    for (const text of [unknown, `${key.slice(0, -1)}~`, key.replace('_test_', '_live_'), 'pk_'])
      expect(await status({ key: text }), text).toEqual([401, 'UNAUTHORIZED']);
    const { token } = s.guest;
    expect((await s.call('GET', '/api/v1/stay/team', { token })).status).toBe(401);
  });

  it('opens nothing of partners and persons', async () => {
    for (const path of ['/api/v1/external/listings', '/api/v1/listings', '/api/v1/team/keys'])
      expect((await s.call('GET', path, { key })).status, path).toBe(401);
    expect((await s.call('POST', '/api/v1/checkout', { key, body: {} })).status).toBe(401);
    expect((await s.call('GET', '/api/v1/listings', { token: key })).status).toBe(401);
  });

  it('is refused within a minute of its revocation, and at its end', async () => {
    expect(await status({})).toEqual([200, 'OK']);
    await revokeKey(s.deps, { key_id });
    advanceMinutes(1);
    expect(await status({})).toEqual([401, 'UNAUTHORIZED']);
    const ends = { valid_until: '2027-01-15T03:02:00.000Z' };
    const { api_key: ending } = await testPublishableKey(s.deps, s.a.team_id, ends);
    expect(await status({ key: ending })).toEqual([200, 'OK']);
    vi.setSystemTime(Date.parse(ends.valid_until));
    expect(await status({ key: ending })).toEqual([401, 'UNAUTHORIZED']);
  });

  it('is read once a minute, for a read unit, and its use is recorded', async () => {
    const spent: Consumption[] = [];
    const table = s.deps.table.measured((one) => spent.push(one));
    process.env['RATE_LIMIT_ADDRESS'] = 'off';
    process.env['RATE_LIMIT_KEY'] = 'off';
    const calls = groupCalls(
      stayPages(() => ({ ...s.deps, table })),
      stayRoutes,
    );
    const read = async () => {
      await calls.ok(undefined, 'getStayTeam', { headers: { 'X-API-Key': key } });
      return spent.splice(0).reduce((sum, { readUnits }) => sum + readUnits, 0);
    };
    const [first, second] = [await read(), await read()];
    expect(first - second).toBe(1);
    expect(second).toBe(1);
    advanceMinutes(1);
    expect(await read()).toBe(2);
  });
});

describe('browsers', () => {
  it('of an origin of the key read the answer, of another get 403', async () => {
    const allowed = await ask('team', from(site));
    expect([allowed.status, corsOf(allowed)]).toEqual([
      200,
      { 'access-control-allow-origin': site, vary: 'Origin' },
    ]);
    for (const origin of [elsewhere, 'null', 'http://www.hoanang.example', `${site}:8443`]) {
      const reply = await ask('team', from(origin));
      expect([origin, reply.status, reply.body.code, corsOf(reply)]).toEqual([
        ...[origin, 403, 'FORBIDDEN', { vary: 'Origin' }],
      ]);
    }
    const direct = await ask('team', from(undefined));
    expect([direct.status, corsOf(direct)]).toEqual([200, { vary: 'Origin' }]);
    expect((await ask('team', from(site, { key: other }))).status).toBe(403);
  });

  it('read what is wrong with a request of the page', async () => {
    for (const path of ['listings/1', 'search?nonsense=1'])
      expect(corsOf(await ask(path, from(site)))).toMatchObject({ 'access-control-allow-origin': site });
  });

  it('of any origin pass the preflight, without a function', async () => {
    const reply = await s.call('OPTIONS', '/api/v1/stay/quote', from(elsewhere));
    expect(reply.status).toBe(204);
    expect(corsOf(reply)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST',
    });
    expect(reply.headers['access-control-allow-headers']).toMatch(/(^|, )X-API-Key(,|$)/);
    expect(reply.headers['access-control-allow-credentials']).toBeUndefined();
  });
});

describe('too many requests', () => {
  const statuses = async (asked: Asked[]) => {
    const found: number[] = [];
    for (const one of asked) found.push((await ask('team', one)).status);
    return found;
  };

  it('of one address, with whatever keys, are refused until the minute is over', async () => {
    process.env['RATE_LIMIT_ADDRESS'] = '2';
    const sourceIp = '198.51.100.1';
    const unknown = 'pk_test_nothing';
    expect(
      await statuses([{ sourceIp }, { sourceIp, key: unknown }, { sourceIp }, { sourceIp, key: other }]),
    ).toEqual([200, 401, 429, 429]);
    expect(await statuses([{ sourceIp, key: unknown }, { sourceIp: '198.51.100.2' }])).toEqual([429, 200]);
    const late = await ask('team', from(site, { sourceIp }));
    expect(late.headers).toMatchObject({ 'access-control-allow-origin': site, 'x-ratelimit-limit': '2' });
    expect(Number(late.headers['retry-after'])).toBeGreaterThan(0);
    advanceMinutes(1);
    expect(await statuses([{ sourceIp }])).toEqual([200]);
  });

  it('of one IPv6 network count together', async () => {
    process.env['RATE_LIMIT_ADDRESS'] = '1';
    const of = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::2', '2001:db8:1:3::1'].map((sourceIp) => ({
      sourceIp,
    }));
    expect(await statuses(of)).toEqual([200, 429, 200]);
  });

  it('of one key are refused wherever they come from', async () => {
    process.env['RATE_LIMIT_KEY'] = '2';
    const of = [1, 2, 3].map((at) => ({ sourceIp: `198.51.100.${10 + at}` }));
    expect(await statuses([...of, { sourceIp: '198.51.100.20', key: other }])).toEqual([200, 200, 429, 200]);
  });

  it('of a key with a limit of its own are counted by that', async () => {
    const { api_key: narrow } = await testPublishableKey(s.deps, s.a.team_id, { rate_limit: 1 });
    expect(await statuses([{ key: narrow }, { key: narrow }])).toEqual([200, 429]);
  });

  it('read nothing', async () => {
    process.env['RATE_LIMIT_KEY'] = '1';
    const listing = await s.listing();
    await ask(`listings/${listing.id}`);
    const spent: Consumption[] = [];
    const table = s.deps.table.measured((one) => spent.push(one));
    const calls = groupCalls(
      stayPages(() => ({ ...s.deps, table })),
      stayRoutes,
    );
    const asked = { headers: { 'X-API-Key': key }, params: { listing_id: listing.id } };
    await calls.refusal(undefined, 'getStayListing', asked);
    spent.splice(0);
    expect(await calls.refusal(undefined, 'getStayListing', asked)).toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
    });
    expect(spent.filter(({ readUnits }) => readUnits > 0)).toEqual([]);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { routeGroups } from '../../functions/routes.ts';
import type { Route } from '../../shared/platform/http/route.ts';
import { api, type Api, type Asked, type Reply } from '../support/api.ts';
import { testKey, testTeam, testUser } from '../support/builders.ts';

const app = 'https://app.example.com';
const desk = 'https://desk.example.com:8443';
const foreign = [
  'https://evil.example',
  'https://app.example.com.evil.example',
  'null',
  'http://localhost:3000',
];
const mayRead =
  'X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, Idempotent-Replayed, ETag, X-Total-Count, X-Next-Cursor';

const rows = routeGroups.flatMap(({ routes }) => Object.entries<Route>(routes));
const open = rows.filter(([, { access }]) => access !== 'partner' && access !== 'publishable');
const ofKeys = rows.filter(([, { access }]) => access === 'partner');
const pathOf = ({ path }: Pick<Route, 'path'>) => path.replace(/\{\w+\}/g, '1');

let service: Api;
let token: string;
let key: string;
beforeAll(async () => {
  process.env['CORS_ORIGINS'] = `${app}, ${desk}`;
  service = await api();
  const { team_id } = await testTeam(service.deps);
  key = (await testKey(service.deps, { team_ids: [team_id] })).api_key;
});
// One of the routes logs its caller out.
beforeEach(async () => {
  token = (await testUser(service.deps)).caller.subject;
});
afterAll(() => {
  delete process.env['CORS_ORIGINS'];
  delete process.env['RATE_LIMIT_USER'];
  delete process.env['RATE_LIMIT_KEY'];
});

const from = (origin: string | undefined, asked: Asked = {}): Asked => ({
  ...asked,
  headers: { ...asked.headers, ...(origin === undefined ? {} : { Origin: origin }) },
});
const corsOf = ({ headers }: Reply): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => /^(access-control-|vary)/.test(name)));
const shared = (origin: string) => ({
  'access-control-allow-origin': origin,
  'access-control-expose-headers': mayRead,
  vary: 'Origin',
});

/** Expects that browsers of the allowed origins, and of no other, may read what the call answers. */
const expectShared = async (method: string, path: string, asked: Asked, status?: number): Promise<void> => {
  for (const origin of [app, desk, foreign[0], undefined]) {
    const reply = await service.call(method, path, from(origin, asked));
    if (status !== undefined) expect([path, reply.status]).toEqual([path, status]);
    expect([path, corsOf(reply)]).toEqual([
      path,
      origin === app || origin === desk ? shared(origin) : { vary: 'Origin' },
    ]);
  }
};
const expectClosed = async (method: string, path: string, asked: Asked, status?: number): Promise<void> => {
  for (const origin of [app, foreign[0], undefined]) {
    const reply = await service.call(method, path, from(origin, asked));
    if (status !== undefined) expect(reply.status).toBe(status);
    expect([path, corsOf(reply)]).toEqual([path, {}]);
  }
};

const preflight = (path: string, origin: string | undefined, method: string) =>
  service.call(
    'OPTIONS',
    path,
    from(origin, {
      headers: { 'Access-Control-Request-Method': method, 'Access-Control-Request-Headers': 'authorization' },
    }),
  );

describe.each(open)('%s, which a browser may call', (_, route) => {
  const path = pathOf(route);

  it('answers a preflight without credentials', async () => {
    const reply = await preflight(path, app, route.method);
    expect([reply.status, reply.text]).toEqual([204, '']);
    const { 'access-control-allow-methods': methods = '', ...others } = corsOf(reply);
    expect(others).toEqual({
      'access-control-allow-origin': app,
      'access-control-allow-headers':
        'Authorization, Content-Type, Idempotency-Key, X-Team-ID, If-None-Match, X-Sandbox-Scenario',
      'access-control-max-age': '7200',
      vary: 'Origin',
    });
    expect(methods.split(', ')).toContain(route.method);
    for (const origin of [...foreign, undefined])
      expect(corsOf(await preflight(path, origin, route.method))).toEqual({ vary: 'Origin' });
  });

  it('answers the allowed origins alone', async () => {
    await expectShared(route.method, path, route.access === 'public' ? {} : { token });
    if (route.access !== 'public') await expectShared(route.method, path, {}, 401);
    await expectShared('TRACE', path, {}, 405);
  });
});

describe.each(ofKeys)('%s, which takes an API key', (_, route) => {
  const path = pathOf(route);

  it('is closed to every origin', async () => {
    for (const origin of [app, desk, foreign[0], undefined]) {
      const reply = await preflight(path, origin, route.method);
      expect([reply.status, corsOf(reply)]).toEqual([405, {}]);
    }
    await expectClosed(route.method, path, { key });
    await expectClosed(route.method, path, {}, 401);
    await expectClosed('TRACE', path, {}, 405);
  });
});

it('shows an allowed origin success, the wrong path, and that a path is unknown', async () => {
  await expectShared('GET', '/healthz', {}, 200);
  await expectShared('GET', '/api/v1/bookings/my', { token }, 200);
  await expectShared('HEAD', '/api/v1/bookings/my', { token }, 200);
  await expectShared('GET', '/api/v1/listings/x', { token }, 400);
  for (const path of ['/nope', '/api/v1', '/api/v1/nope']) {
    await expectShared('GET', path, {}, 404);
    expect((await preflight(path, app, 'GET')).headers['access-control-allow-methods']).toBe(
      'DELETE, GET, HEAD, PATCH, POST, PUT',
    );
  }
  await expectClosed('GET', '/api/v1/external/listings', { key }, 200);
});

it('shows an allowed origin that the body is too large, for the function and for the gateway', async () => {
  const withBody = rows.filter(([, { body }]) => body);
  const large = { 'Content-Type': 'application/json' };
  for (const [, route] of withBody) {
    const expectation = route.access === 'partner' ? expectClosed : expectShared;
    const others = route.access === 'guest' ? { link: 'x' } : { token };
    const page = { key: 'pk_test_x' };
    const credential = { partner: { key }, publishable: page }[route.access as string] ?? others;
    const asked = { ...credential, headers: large, body: `{"x":"${'x'.repeat(270_000)}"}` };
    await expectation(route.method, pathOf(route), asked, 413);
  }
  const huge = Buffer.alloc(10 * 1024 * 1024 + 1);
  await expectShared('POST', '/api/v1/bookings', { token, body: huge }, 413);
  await expectClosed('POST', '/api/v1/external/bookings', { key, body: huge }, 413);
});

it('shows an allowed origin when to come back after too many requests', async () => {
  process.env['RATE_LIMIT_USER'] = '1';
  process.env['RATE_LIMIT_KEY'] = '1';
  await service.call('GET', '/api/v1/bookings', { token });
  await service.call('GET', '/api/v1/external/listings', { key });
  await expectShared('GET', '/api/v1/bookings', { token }, 429);
  await expectClosed('GET', '/api/v1/external/listings', { key }, 429);
});

it('says that OPTIONS is allowed where it is', async () => {
  expect((await service.call('TRACE', '/healthz')).headers['allow']).toBe('GET, HEAD, OPTIONS');
  expect((await service.call('TRACE', '/api/v1/external/listings')).headers['allow']).not.toContain(
    'OPTIONS',
  );
});

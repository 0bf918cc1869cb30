import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { routeGroups } from '../../functions/routes.ts';
import { ServiceError } from '../../shared/platform/errors.ts';
import { authorizerOf } from '../../shared/platform/http/gateway-document.ts';
import { defineRoutes } from '../../shared/platform/http/route.ts';
import { serve } from '../../shared/platform/http/serve.ts';
import type { GroupFunction } from '../../infra/local/gateway/index.ts';
import { type Api, api, type Reply, type TestGroup } from '../support/api.ts';
import { testKey, testTeam, testUser } from '../support/table.ts';

const Lamp = z.strictObject({ watts: z.int().min(1), name: z.string().max(300_000).optional() });
const lampRoutes = defineRoutes('lamps', {
  createLamp: {
    method: 'POST',
    path: '/test/lamps',
    access: 'customer',
    tag: 'Test',
    summary: 'Makes a lamp',
    body: Lamp,
    status: 201,
    reply: z.object({ id: z.int(), watts: z.int() }),
    errors: ['INVALID_STATE_TRANSITION'],
    idempotent: true,
    examples: { body: { watts: 7 }, reply: { id: 1, watts: 7 } },
  },
  getLamp: {
    method: 'GET',
    path: '/test/lamps/{lamp_id}',
    access: 'public',
    tag: 'Test',
    summary: 'Shows a lamp',
    params: z.strictObject({ lamp_id: z.string().max(20) }),
    query: z.strictObject({ shade: z.string().optional() }),
    status: 200,
    reply: z.object({ lamp_id: z.string(), shade: z.string().nullable() }),
    errors: [],
    examples: { reply: { lamp_id: 'a', shade: null } },
  },
  getBrightest: {
    method: 'GET',
    path: '/test/lamps/brightest',
    access: 'public',
    tag: 'Test',
    summary: 'Shows the brightest lamp',
    status: 200,
    reply: z.object({ brightest: z.boolean() }),
    errors: [],
    examples: { reply: { brightest: true } },
  },
});

let made = 0;
const lamps = (deps: Api['deps']): TestGroup => {
  const handler = serve(lampRoutes, {
    createLamp: async (ctx, { body: { watts } }) => {
      made += 1;
      if (watts === 13) throw new ServiceError('INVALID_STATE_TRANSITION');
      if (watts === 666) throw new Error('a fault with a secret in it');
      return ctx.commit([], { id: made, watts });
    },
    getLamp: async (_, { params: { lamp_id }, query: { shade } }) => ({ lamp_id, shade: shade ?? null }),
    getBrightest: async () => ({ brightest: true }),
  })(() => deps) as unknown as GroupFunction;
  return { group: lampRoutes, handler };
};

const brokenRoute = (path: `/${string}`) => ({
  method: 'GET' as const,
  path,
  access: 'public' as const,
  tag: 'Test',
  summary: 'Never answers well',
  status: 200 as const,
  reply: z.object({}),
  errors: [],
  examples: { reply: {} },
});
const broken: TestGroup = {
  group: defineRoutes('broken', {
    crash: brokenRoute('/test/crash'),
    hang: brokenRoute('/test/hang'),
    gibberish: brokenRoute('/test/gibberish'),
  }),
  handler: async ({ resource }) => {
    if (resource === '/test/hang') return new Promise(() => undefined);
    if (resource === '/test/gibberish') return { status: 'fine' };
    throw new Error('out of memory');
  },
};

let service: Api;
let call: Api['call'];
let token: string;
beforeAll(async () => {
  service = await api({ extra: (deps) => [lamps(deps), broken], timeoutMs: 6000 });
  call = service.call;
  token = (await testUser(service.deps)).caller.subject;
});

/** The documented shape of errors, of the gateway and of functions alike (D5). */
const expectError = (reply: Reply, status: number, code: string): void => {
  expect(reply.body).toEqual({
    code,
    message: expect.any(String) as string,
    details: expect.any(Object) as object,
    request_id: reply.headers['x-request-id'],
  });
  expect(reply.status).toBe(status);
  expect(reply.headers['x-request-id']).toMatch(/^[\w-]{10,}$/);
  expect(reply.headers['content-type']).toContain('application/json');
};
const issuesOf = (reply: Reply): string[] =>
  (reply.body as { details: { issues: { path: string }[] } }).details.issues.map(({ path }) => path);

describe('what the gateway refuses by itself', () => {
  it.each(['/nope', '/api', '/api/v1', '/api/v1/listings/1/nope', '/healthz/', '//'])(
    'answers the unknown path %s with NOT_FOUND, with and without credentials',
    async (path) => {
      expectError(await call('GET', path), 404, 'NOT_FOUND');
      expectError(await call('GET', path, { token: 'auth0|x' }), 404, 'NOT_FOUND');
    },
  );

  it.each([
    ['/api/v1/listing', '/api/v1/listings'],
    ['/api/v1/listings/', '/api/v1/listings'],
    ['/listings', '/api/v1/listings'],
    ['/listings/4711/availabilty', '/api/v1/listings/4711/availability'],
    ['/api/v1/external/booking/7', '/api/v1/external/bookings/7'],
    ['/helthz', '/healthz'],
  ])('answers %s with the path that is probably meant', async (path, meant) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const reply = await call(method, path);
      expectError(reply, 404, 'NOT_FOUND');
      expect(reply.body).toMatchObject({
        message: `There is no path ${path}. Did you mean ${meant}?`,
        details: { did_you_mean: meant },
      });
    }
  });

  it.each(['/wp-login.php', `/${'x'.repeat(5000)}`, '/a'.repeat(2000)])(
    'guesses nothing of %s',
    async (path) => {
      const reply = await call('GET', path);
      expectError(reply, 404, 'NOT_FOUND');
      expect(reply.text).not.toContain('Did you mean');
      expect(reply.text.length).toBeLessThan(500);
    },
  );

  it('answers a wrong method with METHOD_NOT_ALLOWED and says what is allowed', async () => {
    const reply = await call('DELETE', '/test/lamps/7', { token });
    expectError(reply, 405, 'METHOD_NOT_ALLOWED');
    expect(reply.headers['allow']).toBe('GET, HEAD');
    const post = await call('HEAD', '/test/lamps', { token });
    expect([post.status, post.headers['allow']]).toEqual([405, 'POST']);
  });

  it('answers HEAD as GET, behind the same authorizer, without the body', async () => {
    const shown = ['/healthz', '/api/v1/catalogs', '/test/lamps/7', '/api/v1/listings/1', '/nope'];
    for (const path of shown) {
      const [get, head] = [await call('GET', path, { token }), await call('HEAD', path, { token })];
      expect([path, head.status, head.text]).toEqual([path, get.status, '']);
      expect(head.headers['content-type']).toBe(get.headers['content-type']);
      expect(head.headers['etag']).toBe(get.headers['etag']);
    }
    expect((await call('HEAD', '/api/v1/listings/1')).status).toBe(401);
    expect((await call('HEAD', '/api/v1/listings/x', { token })).status).toBe(400);
  });

  it('says which credential goes where, the same of a key that exists and one that does not', async () => {
    const missing = await call('GET', '/api/v1/external/bookings');
    const { message } = missing.body as { message: string };
    expect(message).toContain('X-API-Key');
    expect(message).toContain('Authorization: Bearer');
    const unknown = await call('GET', '/api/v1/external/bookings', { key: 'nl_test_unknown' });
    expect(unknown.body).toMatchObject({ code: 'UNAUTHORIZED', message });
  });

  it('leads from / to the docs', async () => {
    const reply = await call('GET', '/');
    expect([reply.status, reply.headers['location'], reply.text]).toEqual([302, 'docs', '']);
  });

  const guarded = routeGroups
    .flatMap(({ routes }) => Object.entries(routes))
    .filter(([, { access }]) => authorizerOf[access] !== undefined);
  it.each(guarded)('%s refuses a caller without credentials, or with the wrong kind', async (_, route) => {
    const path = route.path.replace(/\{\w+\}/g, '1');
    expectError(await call(route.method, path), 401, 'UNAUTHORIZED');
    expectError(
      await call(route.method, path, { key: 'nl_test_nonsense', token: 'nonsense' }),
      401,
      'UNAUTHORIZED',
    );
    const other = authorizerOf[route.access] === 'ApiKey' ? { token } : { key: 'nl_test_nonsense' };
    expectError(await call(route.method, path, other), 401, 'UNAUTHORIZED');
  });

  it('refuses a key from a wrong address with FORBIDDEN, and says why, but not which addresses are allowed', async () => {
    const { team_id } = await testTeam(service.deps);
    const { api_key } = await testKey(service.deps, { team_ids: [team_id], allow_ip: ['198.51.100.0/24'] });
    const path = '/api/v1/external/listings';
    const reply = await call('GET', path, { key: api_key, sourceIp: '203.0.113.9' });
    expectError(reply, 403, 'FORBIDDEN');
    expect((await call('GET', path, { key: api_key, sourceIp: '198.51.100.9' })).status).toBe(200);
    expect(reply.body).toMatchObject({
      message: expect.stringMatching(/X-API-Key may not be used from 203\.0\.113\.9/) as string,
    });
    expect(reply.text).not.toContain('198.51.100');
  });

  it('refuses a body that no gateway would carry', async () => {
    const body = 'x'.repeat(10 * 1024 * 1024 + 1);
    expectError(await call('POST', '/test/lamps', { token, body }), 413, 'PAYLOAD_TOO_LARGE');
  });

  it('hides a function that crashes, answers nonsense or hangs', async () => {
    expectError(await call('GET', '/test/crash'), 500, 'INTERNAL_ERROR');
    expectError(await call('GET', '/test/gibberish'), 500, 'INTERNAL_ERROR');
    const late = await call('GET', '/test/hang');
    expectError(late, 503, 'SERVICE_UNAVAILABLE');
    expect(late.headers['retry-after']).toBe('1');
  });
});

describe('what a function refuses', () => {
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    call('POST', '/test/lamps', { token, body, headers });

  it('names every problem of a body at once, unknown fields included', async () => {
    const reply = await post({ watts: 0, colour: 'red' });
    expectError(reply, 400, 'VALIDATION_ERROR');
    expect(issuesOf(reply).sort()).toEqual(['colour', 'watts']);
  });

  it.each(['{', '', 'null', '[]', '"text"'])('refuses the body %j', async (body) => {
    expectError(await post(body), 400, 'VALIDATION_ERROR');
  });

  it('refuses another media type, or none', async () => {
    expectError(await post('{"watts":7}', { 'Content-Type': 'text/plain' }), 415, 'UNSUPPORTED_MEDIA_TYPE');
    expectError(await post('{"watts":7}', { 'Content-Type': '' }), 415, 'UNSUPPORTED_MEDIA_TYPE');
  });

  it('accepts JSON media types with parameters and in any case', async () => {
    for (const type of ['application/json', 'Application/JSON; charset=UTF-8', 'application/problem+json'])
      expect((await post('{"watts":7}', { 'Content-Type': type })).status).toBe(201);
  });

  it('refuses a body over 256 KiB', async () => {
    expectError(await post({ watts: 7, name: 'x'.repeat(270_000) }), 413, 'PAYLOAD_TOO_LARGE');
  });

  it('hides what went wrong inside', async () => {
    const reply = await post({ watts: 666 });
    expectError(reply, 500, 'INTERNAL_ERROR');
    expect(reply.text).not.toContain('secret');
  });

  it.each(['0', '-1', '1.5', 'abc', '9007199254740993', '1e3', '%00', '%E0%A4%A'])(
    'refuses %s as an id',
    async (id) => {
      const reply = await call('GET', `/api/v1/bookings/${id}`, { token });
      expectError(reply, 400, 'VALIDATION_ERROR');
      expect(issuesOf(reply)).toEqual(['booking_id']);
    },
  );

  it('refuses a query parameter that is given twice, rather than choose one of its values', async () => {
    const reply = await call('GET', '/test/lamps/7?shade=red&shade=blue');
    expectError(reply, 400, 'VALIDATION_ERROR');
    expect(reply.body).toMatchObject({ message: 'shade: is given 2 times: give it once' });
    expect((await call('GET', '/test/lamps/7?shade=red')).status).toBe(200);
    const { team_id } = await testTeam(service.deps);
    const { api_key } = await testKey(service.deps, { team_ids: [team_id] });
    const twice = await call('GET', '/api/v1/external/listings?state=ACTIVE&state=DRAFT', { key: api_key });
    expectError(twice, 400, 'EXTERNAL_INVALID_STATE');
    expect(twice.body).toMatchObject({ message: expect.stringMatching(/^state: /) as string });
  });

  it('names the field in the message, with the codes of the external API too', async () => {
    const { team_id } = await testTeam(service.deps);
    const { api_key } = await testKey(service.deps, { team_ids: [team_id] });
    const listed = (query: string) => call('GET', `/api/v1/external/listings?${query}`, { key: api_key });
    expect((await listed('state=OPEN')).body).toMatchObject({
      code: 'EXTERNAL_INVALID_STATE',
      message: expect.stringMatching(/^state: must be one of /) as string,
    });
    expect((await listed('limit=0&state=OPEN')).body).toMatchObject({
      code: 'EXTERNAL_INVALID_STATE',
      message: expect.stringMatching(/^state: .*and 1 more/) as string,
    });
    const headers = { 'Content-Type': 'application/json' };
    const sent = async (body: string): Promise<unknown> =>
      (await call('POST', '/test/lamps', { token, body, headers })).body;
    expect(await sent('[]')).toMatchObject({ message: 'The body must be an object' });
    expect(await sent('{}')).toMatchObject({ message: 'watts: is required: a number' });
  });

  it('refuses an unknown query parameter', async () => {
    const reply = await call('GET', '/test/lamps/7', { query: { colour: 'red' } });
    expectError(reply, 400, 'VALIDATION_ERROR');
    expect(issuesOf(reply)).toEqual(['colour']);
  });
});

describe('what reaches a function', () => {
  it('is decoded: parameters of the path and the query', async () => {
    const reply = await call('GET', '/test/lamps/%C4%90%C3%A0%20L%E1%BA%A1t', {
      query: { shade: 'xanh lá' },
    });
    expect(reply.body).toEqual({ lamp_id: 'Đà Lạt', shade: 'xanh lá' });
  });

  it('prefers a fixed step of the path to a parameter', async () => {
    expect((await call('GET', '/test/lamps/brightest')).body).toEqual({ brightest: true });
  });

  it('carries the same request id to the caller', async () => {
    const ids = await Promise.all(
      [1, 2, 3].map(async () => (await call('GET', '/test/lamps/7')).headers['x-request-id']),
    );
    expect(new Set(ids).size).toBe(3);
  });
});

describe('Idempotency-Key (D6)', () => {
  const post = (key: string, body: unknown, as = token) =>
    call('POST', '/test/lamps', { token: as, body, headers: { 'Idempotency-Key': key } });

  it('answers a repetition with the first answer, byte for byte', async () => {
    const first = await post('lamp-1', { watts: 7 });
    expect(first.status).toBe(201);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    const before = made;
    const again = await post('lamp-1', { watts: 7 });
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(made - before).toBeLessThanOrEqual(1);
  });

  it('takes the same fields in another order for the same body, at any depth', async () => {
    const first = await post('order', '{"watts": 7, "name": "a"}');
    const again = await post('order', '{"name":"a","watts":7}');
    expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([
      first.status,
      first.text,
      'true',
    ]);
    expect((await post('order', '{"name":"b","watts":7}')).status).toBe(422);
  });

  it('refuses the key with another body', async () => {
    await post('lamp-2', { watts: 7 });
    expectError(await post('lamp-2', { watts: 8 }), 422, 'IDEMPOTENCY_KEY_REUSED');
  });

  it('answers 20 at once with one answer', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => post('lamp-3', { watts: 9 })));
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(replies.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1);
  });

  it('keeps a refusal of the verb, but never a fault', async () => {
    expectError(await post('lamp-4', { watts: 13 }), 409, 'INVALID_STATE_TRANSITION');
    expect((await post('lamp-4', { watts: 13 })).headers['idempotent-replayed']).toBe('true');
    expectError(await post('lamp-5', { watts: 666 }), 500, 'INTERNAL_ERROR');
    expect((await post('lamp-5', { watts: 666 })).headers['idempotent-replayed']).toBeUndefined();
  });

  it('belongs to the caller', async () => {
    const other = (await testUser(service.deps)).caller.subject;
    const [mine, theirs] = [await post('lamp-6', { watts: 7 }), await post('lamp-6', { watts: 8 }, other)];
    expect([mine.status, theirs.status]).toEqual([201, 201]);
  });

  it.each(['has space', 'ü', 'x'.repeat(256), ''])('refuses the key %j', async (key) => {
    expectError(await post(key, { watts: 7 }), 400, 'VALIDATION_ERROR');
  });
});

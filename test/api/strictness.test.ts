import { beforeAll, describe, expect, it } from 'vitest';
import { routeGroups } from '../../functions/routes.ts';
import { browserSafety } from '../../shared/platform/http/reply.ts';
import type { Route } from '../../shared/platform/http/route.ts';
import { type Api, api, type Asked, type Reply } from '../support/api.ts';
import { type World, world } from '../support/world.ts';

/** Every operation, from the route table: what none of them takes, and what each answer carries (D5, D10, D112). */
const rows = routeGroups.flatMap(({ routes }) =>
  Object.entries(routes).map(([id, route]) => ({ id, route })),
);

let service: Api;
let here: World;
beforeAll(async () => {
  service = await api();
  Object.assign(process.env, {
    RATE_LIMIT_USER: '100000',
    RATE_LIMIT_KEY: '100000',
    RATE_LIMIT_GUEST: '100000',
    RATE_LIMIT_ADDRESS: '100000',
  });
  here = await world(service);
}, 60_000);

const rightful = ({ access }: Route): Asked => {
  if (access === 'partner') return { key: here.partner.key };
  if (access === 'publishable') return { key: here.page.key };
  if (access === 'public') return {};
  if (access === 'guest') return { link: here.link };
  return access === 'host' ? { token: here.host.token, team: here.host.team } : { token: here.guest.token };
};

const pathOf = ({ path, examples }: Route): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    String(here.ids[name] ?? examples.params?.[name] ?? 'x'),
  );

const ask = (route: Route, asked: Asked): Promise<Reply> =>
  service.call(route.method, pathOf(route), { ...rightful(route), ...asked });

const expectComplete = ({ access }: Route, reply: Reply): void => {
  expect(reply.headers['x-request-id']).toBeTruthy();
  for (const [name, value] of Object.entries(browserSafety))
    expect(reply.headers[name.toLowerCase()], name).toBe(value);
  if (access === 'public' || reply.status === 401) return;
  for (const name of ['limit', 'remaining', 'reset'])
    expect(reply.headers[`x-ratelimit-${name}`], name).toMatch(/^\d+$/);
};

const pathsOf = (reply: Reply): string[] =>
  ((reply.body as { details?: { issues?: { path: string }[] } }).details?.issues ?? []).map(
    ({ path }) => path,
  );

/** Rows whose parameters are another party's: those of a payment gateway, a calendar program and the identity provider. */
const isOpenQuery = ({ raw, query }: Route): boolean => {
  if (raw || !query) return raw === true;
  const issues = query.safeParse({ nonsense: '1' }).error?.issues ?? [];
  return !issues.some(({ code }) => code === 'unrecognized_keys');
};
const judged = rows.filter(({ route }) => !route.raw);

it('leaves parameters to others in five operations', () => {
  const open = rows.filter(({ route }) => isOpenQuery(route)).map(({ id }) => id);
  const raw = rows.filter(({ route }) => route.raw).map(({ id }) => id);
  expect(open.toSorted()).toEqual(['exportCalendar', 'getGuestPage', 'getInvitationPage', ...raw].toSorted());
});

describe.each(rows.filter(({ route }) => !isOpenQuery(route)))('$id', ({ route }) => {
  it('refuses a query parameter that it does not know', async () => {
    const reply = await ask(route, { query: { nonsense: 1 }, ...(route.body ? { body: {} } : {}) });
    expectComplete(route, reply);
    expect(reply, reply.text).toMatchObject({ status: 400 });
    expect(pathsOf(reply)).toContain('nonsense');
  });
});

describe.each(judged)('$id', ({ route }) => {
  it('refuses a field of the body that it does not know', async () => {
    const reply = await ask(route, { body: { nonsense: 1 } });
    expectComplete(route, reply);
    expect(reply, reply.text).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
    expect(pathsOf(reply)).toContain('nonsense');
  });
});

describe.each(judged.filter(({ route }) => !route.body))('$id, which takes no body', ({ route }) => {
  it('refuses one that is no object', async () => {
    for (const body of ['[]', '[1]', 'text', '1', 'null', '"x"', '{"a":']) {
      const reply = await ask(route, { body, headers: { 'Content-Type': 'application/json' } });
      expect(reply, body).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
    }
  });
});

describe.each(rows.filter(({ route }) => route.access !== 'public'))('$id', ({ route }) => {
  it('has its headers in a refusal of missing credentials', async () => {
    const reply = await service.call(route.method, pathOf(route));
    expect(reply.status).toBe(401);
    expectComplete(route, reply);
  });
});

describe('a body where none is expected', () => {
  it('may be empty, white space or an empty object', async () => {
    const path = '/api/v1/auth/me';
    for (const body of ['', '  ', '{}', ' { } ']) {
      const asked = { token: here.guest.token, body, headers: { 'Content-Type': 'application/json' } };
      expect((await service.call('GET', path, asked)).status, body).toBe(200);
    }
  });

  it('has at most twenty of its fields named', async () => {
    const body = Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`field_${at}`, at]));
    const reply = await service.call('GET', '/api/v1/auth/me', { token: here.guest.token, body });
    expect(reply.status).toBe(400);
    expect(pathsOf(reply)).toHaveLength(20);
  });
});

describe('what the gateway answers by itself', () => {
  it.each([
    ['an unknown path', 'GET', '/api/v1/nothing'],
    ['another method', 'PUT', '/api/v1/auth/me'],
    ['a preflight', 'OPTIONS', '/api/v1/auth/me'],
  ])('%s carries it too', async (_, method, path) => {
    const reply = await service.call(method, path);
    expect(
      reply.headers['x-request-id'] ?? (method === 'OPTIONS' ? 'no origin is allowed' : ''),
    ).toBeTruthy();
    for (const [name, value] of Object.entries(browserSafety))
      if (reply.status !== 204) expect(reply.headers[name.toLowerCase()], name).toBe(value);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routeGroups } from '../../functions/routes.ts';
import type { RunningIdentityProvider } from '../../infra/local/identity/index.ts';
import { errorCatalogue } from '../../shared/platform/errors.ts';
import type { Route } from '../../shared/platform/http/route.ts';
import { type Api, api, type Asked, type Reply } from '../support/api.ts';
import { audience, client, start } from '../support/embedded-identity.ts';
import { badBodies, badCursors, badHeaders, badIds, badValues } from '../support/malformed.ts';
import { testTableName } from '../support/table.ts';
import { type World, world } from '../support/world.ts';

/** Requests as they come from broken clients and from curious ones: never a fault of ours, never a look inside. */
const rows = routeGroups.flatMap(({ routes }) =>
  Object.entries(routes).map(([id, route]) => ({ id, route })),
);
const withBody = rows.filter(({ route }) => route.examples.body !== undefined);
const withQuery = rows.filter(({ route }) => route.query);
const withIds = rows.filter(({ route }) => /\{\w+_id\}/.test(route.path));
const paged = rows.filter(({ route }) => 'cursor' in (route.query?.shape ?? {}));

let service: Api;
let here: World;
let provider: RunningIdentityProvider;
beforeAll(async () => {
  provider = await start();
  Object.assign(process.env, {
    ISSUER: provider.issuer,
    AUDIENCE: audience,
    HOST_CLIENT_IDS: 'hosts',
    IDP_CLIENT_ID: client.client_id,
    IDP_CLIENT_SECRET: client.client_secret,
    IDP_CONNECTION: provider.connection,
    IDP_MANAGEMENT_AUDIENCE: provider.managementAudience,
  });
  service = await api();
  process.env['STAGE'] = 'local';
  here = await world(service);
}, 60_000);
afterAll(() => provider.stop());

/** What no answer may contain. */
const inside =
  /node_modules|node:internal|\.ts:\d|\n\s+at |Exception|dynamo|ZodError|TypeError|RangeError|SyntaxError|attribute_|Unexpected token/i;

const expectSound = async (reply: Reply): Promise<void> => {
  expect(reply.status, reply.text.slice(0, 300)).toBeLessThan(500);
  expect(reply.text).not.toContain(await testTableName());
  if (reply.status < 400) return;
  expect(reply.text.slice(0, 3000)).not.toMatch(inside);
  expect(
    Object.keys(reply.body as object)
      .filter((key) => key !== 'error')
      .sort(),
  ).toEqual(['code', 'details', 'message', 'request_id']);
  const { code } = reply.body as { code: keyof typeof errorCatalogue };
  expect(errorCatalogue[code].status).toBe(reply.status);
  expect(reply.headers['x-request-id']).toBeTruthy();
};

const as = ({ access }: Route): Asked => {
  if (access === 'partner') return { key: here.partner.key };
  if (access === 'publishable') return { key: here.page.key };
  if (access === 'guest') return { link: here.link };
  return access === 'public' ? {} : { token: access === 'host' ? here.host.token : here.guest.token };
};
const pathOf = ({ path }: Route, id?: string): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => id ?? String(here.ids[name] ?? 4711));
const ask = (route: Route, asked: Asked, id?: string) =>
  service.call(route.method, pathOf(route, id), { ...as(route), ...asked });
const good = ({ examples }: Route) => here.withOwnIds(examples.body) as Record<string, unknown>;

const turn = <T>(list: readonly T[], at: number): T => list[at % list.length] as T;

/** A field of an example, at whatever depth, with a bad value in its place. */
const fieldsOf = (value: unknown, path: (string | number)[] = []): (string | number)[][] => {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([key, item]) => [
    [...path, key],
    ...(typeof item === 'object' && item !== null ? fieldsOf(item, [...path, key]) : []),
  ]);
};
const placed = (value: unknown, [step, ...rest]: (string | number)[], bad: unknown): unknown => {
  if (step === undefined) return bad;
  const copy = structuredClone(value) as Record<string | number, unknown>;
  copy[step] = placed(copy[step], rest, bad);
  return copy;
};
const fields = withBody
  .flatMap(({ id, route }) => fieldsOf(route.examples.body).map((path) => ({ id, route, path })))
  .map((field, at) => ({
    ...field,
    name: field.path.join('.'),
    what: turn(badValues, at)[0],
    bad: turn(badValues, at)[1],
  }));

describe('a field', () => {
  it.each(fields)('$name of $id that is $what', async ({ route, path, bad }) => {
    await expectSound(await ask(route, { body: placed(good(route), path, bad) }));
  });
});

const bodies = badBodies.flatMap(([what, make], at) =>
  [0, 1, 2].map((more) => ({ what, make, ...turn(withBody, at * 3 + more) })),
);
describe('a body', () => {
  it.each(bodies)('that $what, for $id', async ({ route, make }) => {
    await expectSound(await ask(route, { body: make(JSON.stringify(good(route))) }));
  });

  it('of 10 MB, and of more', async () => {
    const route = turn(withBody, 0).route;
    for (const size of [10_000_000, 10 * 1024 * 1024 + 1]) {
      const reply = await ask(route, { body: `{"name":"${'x'.repeat(size)}"}` });
      await expectSound(reply);
      expect(reply.status).toBe(413);
    }
  });
});

const queries = withQuery.flatMap(({ id, route }, at) =>
  Object.keys(route.query?.shape ?? {}).map((name, position) => {
    const [what, bad] = turn(badValues, at * 5 + position);
    return { id, route, name, what, value: typeof bad === 'string' ? bad : JSON.stringify(bad) };
  }),
);
describe('a query parameter', () => {
  it.each(queries)('$name of $id that is $what', async ({ route, name, value }) => {
    await expectSound(await ask(route, { query: { [name]: value } }));
  });

  const cursors = badCursors.map((cursor, at) => ({ cursor, at, ...turn(paged, at) }));
  it.each(cursors)('forged cursor $at of $id', async ({ route, cursor }) => {
    await expectSound(await ask(route, { query: { cursor } }));
  });

  it.each(['__proto__', 'constructor', 'toString', 'limit[]', 'limit[$gt]', '', '\u0000'])(
    'named %j',
    async (name) => {
      for (const { route } of paged) await expectSound(await ask(route, { query: { [name]: '1' } }));
    },
  );
});

describe('an id', () => {
  const ids = badIds.flatMap((bad, at) =>
    [0, 1, 2].map((more) => ({ bad, ...turn(withIds, at * 3 + more) })),
  );
  it.each(ids)('$bad of $id', async ({ route, bad }) => {
    const example = route.examples.body;
    const reply = await ask(route, example === undefined ? {} : { body: good(route) }, bad);
    await expectSound(reply);
    expect(reply.status).toBeGreaterThanOrEqual(400);
  });
});

describe('a header', () => {
  const headers = badHeaders.flatMap((bad, at) =>
    [0, 1].map((more) => ({ bad, at, ...turn(withBody, at + 7 * more) })),
  );
  it.each(headers)('$at for $id', async ({ route, bad }) => {
    await expectSound(await ask(route, { body: good(route), headers: bad }));
  });

  it.each(['', 'Bearer', `Bearer ${'x'.repeat(100_000)}`, 'Bearer a.b.c', 'Basic dTpw', 'Bearer \u0000'])(
    'Authorization %#',
    async (Authorization) => {
      const reply = await service.call('GET', '/api/v1/auth/me', { headers: { Authorization } });
      await expectSound(reply);
      expect(reply.status).toBe(401);
    },
  );
});

import { beforeAll, describe, expect, it } from 'vitest';
import { routeGroups } from '../../functions/routes.ts';
import type { Route } from '../../shared/platform/http/route.ts';
import { type Api, api, type Asked } from '../support/api.ts';
import { ownRecords, partnerGroups } from '../support/partner-rows.ts';
import { testContext, testKey } from '../support/table.ts';
import { type World, world } from '../support/world.ts';

/**
 * A rightful caller of team A who names something of team B, below A's own things in the path, in the query or in the body: made
 * from the route table and the examples, so a new row is in it.
 */
let service: Api;
let here: World;
let there: World;
let partner: { key: string; ids: World['ids'] };
beforeAll(async () => {
  service = await api({ extra: partnerGroups() });
  [here, there] = [await world(service), await world(service)];
  const made = await testKey(service.deps, { team_ids: [here.host.team] });
  partner = { key: made.api_key, ids: await ownRecords(service, made.caller, here) };
  const foreign = await testKey(service.deps, { team_ids: [there.host.team] });
  there.ids = {
    ...there.ids,
    ...(await ownRecords(service, testContext(service.deps, foreign.caller).caller, there)),
  };
}, 120_000);

const rows = routeGroups.flatMap(({ routes }) =>
  Object.entries(routes).map(([id, route]) => ({ id, route: route })),
);
const sides = rows.filter(({ route }) => route.access === 'host' || route.access === 'partner');

const callerOf = ({ access }: Route): Asked =>
  access === 'partner' ? { key: partner.key } : { token: here.host.token, team: here.host.team };
const ownIds = ({ access }: Route): World['ids'] =>
  access === 'partner' ? { ...here.ids, ...partner.ids } : here.ids;

const paramsOf = ({ path }: Route): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
const pathWith = (route: Route, ids: World['ids']): string =>
  route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(ids[name] ?? 4711));

const bodyOf = (route: Route): { body?: unknown } =>
  route.examples.body === undefined ? {} : { body: here.withOwnIds(route.examples.body) };

/** Fields of a body that name something of a team, with the id that B has for each. */
const foreignIn = (name: string): number | string | undefined => {
  const one = name.replace(/_ids$/, '_id');
  if (one === 'parent_listing_id') return there.ids['listing_id'];
  if (one === 'extra_service_id') return there.ids['service_id'];
  return there.ids[one];
};

/** Returns the body once for each of its fields that names something, with B's id in that place. */
const foreignBodies = (value: unknown): unknown[] => {
  if (Array.isArray(value))
    return value.flatMap((item, at) =>
      foreignBodies(item).map((changed) => (value as unknown[]).with(at, changed)),
    );
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => {
    const foreign = /_ids?$/.test(name) ? foreignIn(name) : undefined;
    if (foreign !== undefined && item !== null)
      return [{ ...value, [name]: Array.isArray(item) ? [...(item as unknown[]), foreign] : foreign }];
    return foreignBodies(item).map((changed) => ({ ...value, [name]: changed }));
  });
};

const nested = sides.filter(({ route }) => paramsOf(route).length > 1);

describe.each(nested)('$id', ({ route }) => {
  it('finds nothing of another team below its own', async () => {
    const last = paramsOf(route).at(-1) ?? '';
    const path = pathWith(route, { ...ownIds(route), [last]: there.ids[last] ?? 4711 });
    const reply = await service.call(route.method, path, { ...callerOf(route), ...bodyOf(route) });
    expect([400, 403, 404], reply.text).toContain(reply.status);
  });
});

const named = sides.filter(({ route }) => /_ids?"/.test(JSON.stringify(route.examples.body ?? {})));

describe.each(named)('$id', ({ id, route }) => {
  it('takes nothing of another team in its body', async () => {
    const bodies = foreignBodies(here.withOwnIds(route.examples.body));
    if (namesNothing.has(id)) {
      expect(bodies).toEqual([]);
      return;
    }
    expect(bodies.length, 'the body names nothing that the other world has').toBeGreaterThan(0);
    for (const body of bodies) {
      const path = pathWith(route, ownIds(route));
      const reply = await service.call(route.method, path, { ...callerOf(route), body });
      if (route.path.includes('/bulk-')) {
        expect(JSON.stringify(reply.body)).toMatch(/NOT_FOUND|FORBIDDEN|NOT_ACCESSIBLE/);
        continue;
      }
      expect(reply.status, `${JSON.stringify(body)} ${reply.text}`).toBeGreaterThanOrEqual(400);
      expect(reply.status, reply.text).toBeLessThan(500);
    }
  });
});

/** Their bodies name amenities of the catalog, and a bulk change, which another team is refused in `bulk.test.ts`. */
const namesNothing = new Set(['createListing', 'undoBulk']);

const filtered = sides.filter(
  ({ route }) => route.query && Object.keys(route.query.shape).some((name) => /_ids?$/.test(name)),
);

describe.each(filtered)('$id', ({ route }) => {
  it('shows nothing of another team by its query', async () => {
    const names = Object.keys(route.query?.shape ?? {}).filter((name) => /_ids?$/.test(name));
    for (const name of names) {
      const foreign = foreignIn(name);
      if (foreign === undefined) continue;
      const query = { ...needed[route.path], [name]: name.endsWith('_ids') ? `[${foreign}]` : foreign };
      const reply = await service.call(route.method, pathWith(route, ownIds(route)), {
        ...callerOf(route),
        query,
      });
      expect(reply.status, reply.text).toBeLessThan(500);
      for (const kind of ['listing_id', 'booking_id', 'user_id'] as const)
        if (reply.status < 400 && name !== kind) expect(reply.text).not.toContain(String(there.ids[kind]));
      if (reply.status < 400) expect(itemsOf(reply.body), `${name} ${reply.text}`).toEqual([]);
    }
  });
});

/** Parameters that a row cannot do without. */
const needed: Record<string, Record<string, string>> = {
  '/api/v1/external/search': { location: 'HN' },
};

const itemsOf = (body: unknown): unknown[] => (body as { items?: unknown[] }).items ?? [];

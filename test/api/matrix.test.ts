import { beforeAll, describe, expect, it } from 'vitest';
import { routeGroups } from '../../functions/routes.ts';
import { ApiKeyEntity } from '../../shared/domain/people/key.store.ts';
import { blockUser } from '../../shared/domain/people/block-user.ts';
import { revokeKey } from '../../shared/domain/people/keys.ts';
import { change, present } from '../../shared/platform/table/index.ts';
import { errorCatalogue } from '../../shared/platform/errors.ts';
import { errorsOf, type Route } from '../../shared/platform/http/route.ts';
import { type Api, api, type Asked, type Reply } from '../support/api.ts';
import { testPublishableKey } from '../support/builders.ts';
import { testKey, testUser } from '../support/table.ts';
import { type World, world } from '../support/world.ts';

/** Every row against every kind of caller that should not have it: made from the route table, so a new row is in it. */
const rows = routeGroups.flatMap(({ routes }) =>
  Object.entries(routes).map(([id, route]) => ({ id, route, title: `${id}: ${route.method} ${route.path}` })),
);
const closed = rows.filter(({ route }) => route.access !== 'public');
const withIds = closed.filter(({ route }) => /\{\w+_id\}/.test(route.path) || route.access === 'host');

/** Rows that any signed-in caller may read of an open listing (D15): a stranger gets an answer, without the host's part. */
const openToAll = new Set([
  'getListing',
  'readMonth',
  'readRange',
  'listUnavailableHours',
  'readAvailability',
  'listListingAmenities',
  'listComboPrices',
  'listExtraServices',
  'listParkingRules',
  'listPricingRules',
  'readStayRules',
  'getPolicies',
  'listReviews',
  'previewPrice',
]);

/** Query parameters that a row cannot do without. */
const queries: Record<string, Asked['query']> = {
  '/api/v1/search': { location: 'HN' },
  '/api/v1/calendar/team': { from: '2027-02-01', to: '2027-02-28' },
  '/api/v1/imported-stays': { from: '2027-02-01', to: '2027-02-28' },
  '/api/v1/statements': { month: '2027-02' },
  '/api/v1/listing-availability/listings/{listing_id}/calendars/unavailable': {
    start_time: '2027-02-04T1400',
    end_time: '2027-02-05T1400',
  },
  '/api/v1/bookings/{booking_id}/payments/{posting_id}': { reason: 'By mistake' },
  '/api/v1/bookings/{booking_id}/charges/{posting_id}': { reason: 'By mistake' },
};

const secrets = ['hoang-hon-2027', 'only-the-host-knows', 'guest-of-team-a@example.com', 'hook-of-team-a'];

let service: Api;
let here: World;
let ended: Record<'revoked' | 'expired' | 'page' | 'blocked' | 'loggedOut', string>;
beforeAll(async () => {
  service = await api();
  here = await world(service);
  ended = await endedCredentials();
}, 60_000);

/** Credentials of team A that were good: keys that are revoked or have expired, tokens of owners who are blocked or logged out. */
const endedCredentials = async () => {
  const { deps, call } = service;
  const team_id = here.host.team;
  const [revoked, expired] = [
    await testKey(deps, { team_ids: [team_id] }),
    await testKey(deps, { team_ids: [team_id] }),
  ];
  await revokeKey(deps, { key_id: revoked.key.key_id });
  const page = await testPublishableKey(deps, team_id);
  await revokeKey(deps, { key_id: page.key.key_id });
  const owner = () => testUser(deps, { memberships: [{ team_id, role: 'OWNER' }] });
  const [blocked, loggedOut] = [await owner(), await owner()];
  await blockUser(deps, { user_id: blocked.user.user_id });
  const out = await call('POST', '/api/v1/auth/logout', { token: loggedOut.caller.subject });
  if (out.status !== 200) throw new Error(out.text);
  await deps.table.transact([
    change(
      ApiKeyEntity,
      expired.key,
      { set: { valid_until: '2020-01-01T00:00:00.000Z' } },
      { when: present() },
    ),
  ]);
  return {
    ...{ revoked: revoked.api_key, expired: expired.api_key, page: page.api_key },
    ...{ blocked: blocked.caller.subject, loggedOut: loggedOut.caller.subject },
  };
};

const pathOf = (route: Route): string =>
  route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const id = here.ids[name];
    if (id === undefined)
      throw new Error(`the world has no ${name}: say in test/support/world.ts what stands there`);
    return String(id);
  });

const ask = (route: Route, asked: Asked): Promise<Reply> => {
  const example = route.examples.body;
  const body = example === undefined ? undefined : here.withOwnIds(example);
  const query = queries[route.path];
  return service.call(route.method, pathOf(route), {
    ...(body === undefined ? {} : { body }),
    ...(query ? { query } : {}),
    ...asked,
  });
};

const expectRefused = (route: Route, reply: Reply, statuses: readonly number[]): void => {
  expect(statuses, reply.text).toContain(reply.status);
  const { code, message, details } = reply.body as {
    code: keyof typeof errorCatalogue;
    message: string;
    details: object;
  };
  expect(errorCatalogue[code].status).toBe(reply.status);
  expect(errorsOf(route)).toContain(code);
  expect(typeof message).toBe('string');
  expect(details).toBeTypeOf('object');
  expect(reply.headers['x-request-id']).toBeTruthy();
};

describe.each(closed)('$title', ({ route }) => {
  it('refuses a caller without credentials', async () => {
    expectRefused(route, await ask(route, {}), [401]);
  });

  it('refuses the other kind of credentials', async () => {
    const other: Asked =
      route.access === 'partner' ? { token: here.stranger.token } : { key: here.partner.key };
    expectRefused(route, await ask(route, other), [401]);
  });

  it('refuses credentials that were never issued', async () => {
    const { key } = route.access === 'publishable' ? here.page : here.partner;
    const forged: Asked =
      route.access === 'partner' || route.access === 'publishable'
        ? { key: key.replace(/.$/, (last) => (last === 'x' ? 'y' : 'x')) }
        : { token: 'never-issued' };
    expectRefused(route, await ask(route, forged), [401]);
  });
});

describe.each(closed)('$title', ({ route }) => {
  it('refuses credentials that have ended', async () => {
    const asked: Asked[] =
      route.access === 'publishable'
        ? [{ key: ended.page }]
        : route.access === 'partner'
          ? [{ key: ended.revoked }, { key: ended.expired }]
          : [{ token: ended.blocked }, { token: ended.loggedOut }];
    for (const one of asked) expectRefused(route, await ask(route, one), [401]);
  });
});

describe.each(withIds)('$title', ({ id, route }) => {
  const callers = (): [string, Asked][] =>
    route.access === 'publishable'
      ? [['a page of another team', { key: here.otherPage.key }]]
      : route.access === 'partner'
        ? [['a partner of another team', { key: here.otherPartner.key }]]
        : [
            ['a customer', { token: here.stranger.token }],
            ['a host of another team', { token: here.otherHost.token }],
            [
              'a host of another team who names the own one',
              { token: here.otherHost.token, team: here.otherHost.team },
            ],
            ['the owner by an application for guests', { token: here.host.token, claims: { azp: 'guests' } }],
            [
              'the owner by an application for guests who names the team',
              { token: here.host.token, team: here.host.team, claims: { azp: 'guests' } },
            ],
            ['the owner without a second factor', { token: here.host.token, claims: { amr: ['pwd'] } }],
          ];

  it('gives nothing of one team to those outside it', async () => {
    for (const [who, asked] of callers()) {
      const reply = await ask(route, asked);
      for (const secret of secrets) expect(reply.text, who).not.toContain(secret);
      if (openToAll.has(id)) expect(reply.status, `${who}: ${reply.text}`).toBeLessThan(300);
      else if (/\{\w+_id\}/.test(route.path) || id.includes('ComboPrice'))
        expectRefused(route, reply, [403, 404]);
      else if (who === 'a customer' || who.startsWith('the owner')) expectRefused(route, reply, [403]);
    }
  });
});

const managed = withIds.filter(({ route }) => route.permission === 'manage' || route.permission === 'own');

describe.each(managed)('$title', ({ route }) => {
  it('is not for STAFF', async () => {
    expectRefused(route, await ask(route, { token: here.staff.token, team: here.host.team }), [403]);
  });
});

import { beforeAll, describe, expect, it } from 'vitest';
import { hasScope, type KeyScope, keyScopes } from '../../shared/platform/auth.ts';
import { type Api, api, type Reply } from '../support/api.ts';
import {
  goodRequest,
  type OwnIds,
  ownRecords,
  partnerGroups,
  partnerRows,
  pathWith,
} from '../support/partner-rows.ts';
import { testKey } from '../support/table.ts';
import { type World, world } from '../support/world.ts';

/** Every row for keys against every scope: made from the route table, so a new row is in it. */
let service: Api;
let here: World;
beforeAll(async () => {
  service = await api({ extra: partnerGroups() });
  here = await world(service);
}, 60_000);

interface Partner {
  key: string;
  ids: OwnIds;
}

/** Creates a key with these scopes and records of its own. */
const partnerWith = async (scopes: KeyScope[], team_id = here.host.team): Promise<Partner> => {
  const { api_key, caller } = await testKey(service.deps, { team_ids: [team_id], scopes });
  const isHere = team_id === here.host.team;
  return { key: api_key, ids: isHere ? await ownRecords(service, caller, here) : {} };
};

const ask = (row: (typeof partnerRows)[number], key: string, ids: World['ids']): Promise<Reply> =>
  service.call(row.route.method, pathWith(row.route, ids), { ...goodRequest(service, row, here), key });

const expectScopeAsked = (reply: Reply, scope: KeyScope): void => {
  expect(reply.status, reply.text).toBe(403);
  expect(reply.body).toMatchObject({
    code: 'FORBIDDEN',
    message: expect.stringContaining(`scope \`${scope}\``) as string,
    details: { required_scope: scope },
  });
};

describe.each(keyScopes)('a key with the scope %s alone', (scope) => {
  let partner: Partner;
  beforeAll(async () => void (partner = await partnerWith([scope])), 30_000);

  it.each(partnerRows)('$id', async (row) => {
    const reply = await ask(row, partner.key, { ...here.ids, ...partner.ids });
    if (hasScope({ scopes: [scope] }, row.route.scope))
      expect([200, 201, 202], reply.text).toContain(reply.status);
    else expectScopeAsked(reply, row.route.scope);
  });
});

describe.each(keyScopes.filter((scope) => scope !== 'personal'))('a key with every scope but %s', (scope) => {
  let partner: Partner;
  beforeAll(async () => {
    const others = keyScopes.filter((other) => other !== scope && !(scope === 'read' && other === 'book'));
    partner = await partnerWith(others);
  }, 30_000);

  it.each(partnerRows.filter(({ route }) => route.scope === scope))('is refused $id', async (row) => {
    expectScopeAsked(await ask(row, partner.key, { ...here.ids, ...partner.ids }), scope);
  });
});

/** What a key is answered about another team's record, by the last id in the path or the one in the body. */
const notAccessible: Record<string, [number, string]> = {
  booking_id: [404, 'EXTERNAL_BOOKING_NOT_ACCESSIBLE'],
  listing_id: [404, 'EXTERNAL_LISTING_NOT_ACCESSIBLE'],
  user_id: [403, 'EXTERNAL_CUSTOMER_NOT_ACCESSIBLE'],
  webhook_id: [404, 'NOT_FOUND'],
  quote_id: [404, 'NOT_FOUND'],
};

const foreignIdOf = ({ route }: (typeof partnerRows)[number]): string | undefined => {
  const [, inPath] = /\{(\w+_id)\}/.exec(route.path) ?? [];
  const body = route.examples.body as object | undefined;
  return inPath ?? (body && 'listing_id' in body ? 'listing_id' : undefined);
};

const withForeignIds = partnerRows.filter((row) => foreignIdOf(row) !== undefined);

describe.each(withForeignIds)('$id of another team', (row) => {
  const granting = [
    ...keyScopes.filter((scope) => hasScope({ scopes: [scope] }, row.route.scope)).map((scope) => [scope]),
    [...keyScopes],
  ];

  it.each(granting.map((scopes) => ({ scopes })))('does not exist for $scopes', async ({ scopes }) => {
    const { key } = await partnerWith(scopes, here.otherHost.team);
    const reply = await ask(row, key, here.ids);
    const [status, code] = notAccessible[foreignIdOf(row) ?? ''] ?? [];
    expect([reply.status, (reply.body as { code: string }).code], reply.text).toEqual([status, code]);
  });
});

const ofWebhooks = partnerRows.filter(({ route }) => route.path.includes('{webhook_id}'));

it.each(ofWebhooks)('$id of another key of the team does not exist', async (row) => {
  const { ids } = await partnerWith([...keyScopes]);
  const { key } = await partnerWith([...keyScopes]);
  expect((await ask(row, key, { ...here.ids, ...ids })).body).toMatchObject({ code: 'NOT_FOUND' });
});

describe('a repeated request', () => {
  it('of a rotated key, which has the same scopes, gets the first answer', async () => {
    const { api_key, key } = await testKey(service.deps, { team_ids: [here.host.team], scopes: ['book'] });
    const rotated = await testKey(service.deps, {
      team_ids: key.team_ids,
      scopes: ['book'],
      partner_key_id: key.partner_key_id,
    });
    const row = partnerRows.find(({ id }) => id === 'createExternalBooking')!;
    const asked = { ...goodRequest(service, row, here), headers: { 'Idempotency-Key': 'again' } };
    const first = await service.call('POST', row.route.path, { ...asked, key: api_key });
    const again = await service.call('POST', row.route.path, { ...asked, key: rotated.api_key });
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.text).toBe(first.text);
  });

  it('gets no stored answer without the scope', async () => {
    const { api_key, key, caller } = await testKey(service.deps, {
      team_ids: [here.host.team],
      scopes: ['book'],
    });
    const reading = await testKey(service.deps, {
      team_ids: key.team_ids,
      scopes: ['read'],
      partner_key_id: key.partner_key_id,
    });
    const row = partnerRows.find(({ id }) => id === 'cancelExternalBooking')!;
    const booked = await ownRecords(service, caller, here);
    const asked = { headers: { 'Idempotency-Key': 'cancel' } };
    const path = pathWith(row.route, booked);
    expect((await service.call('POST', path, { ...asked, key: api_key })).status).toBe(200);
    expectScopeAsked(await service.call('POST', path, { ...asked, key: reading.api_key }), 'book');
  });
});

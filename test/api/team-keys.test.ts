import { beforeEach, describe, expect, it } from 'vitest';
import { authenticateKey } from '../../shared/domain/people/authenticate-key.ts';
import { ApiKeyEntity, ApiKeyIdEntity, PartnerKeyEntity } from '../../shared/domain/people/key.store.ts';
import { findKey, listKeys, revokeKey, rotateKey } from '../../shared/domain/people/keys.ts';
import { PublishableKeys } from '../../shared/domain/people/read-publishable-key.ts';
import { createTeamKey, revokeTeamKey, rotateTeamKey } from '../../shared/domain/people/team-keys.ts';
import { MembershipEntity } from '../../shared/domain/people/user.store.ts';
import { keyScopes, type UserCaller } from '../../shared/platform/auth.ts';
import { IdempotencyEntity } from '../../shared/platform/http/idempotency.entity.ts';
import { put, remove } from '../../shared/platform/table/index.ts';
import { eventsOf } from '../support/events.ts';
import { interrupted, interruptedTable } from '../support/interrupted.ts';
import {
  testContext,
  type TestDependencies,
  testDependencies,
  testKey,
  testTeam,
  testUser,
} from '../support/table.ts';
import { type TeamCalls, teamCalls } from '../support/team-calls.ts';

const hourMs = 3_600_000;

let deps: TestDependencies;
let calls: TeamCalls;
let team_id: number;
let owner: UserCaller;
beforeEach(async () => {
  deps = await testDependencies();
  calls = teamCalls(deps);
  ({ team_id } = await testTeam(deps));
  owner = await ownerOf(team_id);
});

const ownerOf = async (id: number) =>
  (await testUser(deps, { memberships: [{ team_id: id, role: 'OWNER' }] })).caller;
const body = (given: object = {}) => ({ name: 'Channel manager', scopes: ['webhooks', 'book'], ...given });
const make = (given: object = {}, who = owner) => calls.ok(who, 'createTeamKey', { body: body(given) });
const list = async (who = owner) => (await calls.ok(who, 'listTeamKeys')).items;
const at = (key_id: number) => ({ params: { key_id } });
const use = (text: string) =>
  authenticateKey(deps, { text, address: async () => '203.0.113.7', stage: 'test' });
const unauthorized = { code: 'UNAUTHORIZED' };

/** A key that the operator issued for this team and another, with the owner of the other. */
const sharedKey = async () => {
  const other = await testTeam(deps);
  const issued = await testKey(deps, { team_ids: [team_id, other.team_id], scopes: ['read'] });
  return { ...issued, other: other.team_id, otherOwner: await ownerOf(other.team_id) };
};

describe('a key that an owner makes', () => {
  it('is for the acting team alone, with its scopes, and shown once', async () => {
    const { api_key, ...made } = await make({ allow_ip: ['203.0.113.0/24'] });
    expect(await use(api_key)).toMatchObject({
      ...{ key_id: made.partner_key_id, team_ids: [team_id], scopes: ['book', 'webhooks'] },
      ...{ rate_limit: null, collects_payment: false },
    });
    expect(made).toMatchObject({ created_by: owner.user_id, is_shared: false, state: 'ACTIVE' });
    const [listed] = await list();
    expect(listed).toEqual({ ...made, api_key: null, last_used: '2027-01-15T03:00:00.000Z' });
    expect(JSON.stringify(listed)).not.toContain(api_key.split('_')[2]);
  });

  it('is for the team that X-Team-ID names', async () => {
    const second = await testTeam(deps);
    const memberships = [team_id, second.team_id].map((id) => ({ team_id: id, role: 'OWNER' as const }));
    const { caller } = await testUser(deps, { memberships });
    const headers = { 'X-Team-ID': String(second.team_id) };
    const { api_key } = await calls.ok(caller, 'createTeamKey', { body: body(), headers });
    expect((await use(api_key)).team_ids).toEqual([second.team_id]);
    expect(await list()).toEqual([]);
  });

  it('has what is an owner’s to decide, and no more', async () => {
    for (const field of ['rate_limit', 'collects_payment', 'team_ids', 'partner_key_id']) {
      const refusal = await calls.refusal(owner, 'createTeamKey', { body: body({ [field]: 1 }) });
      expect(refusal).toMatchObject({ code: 'VALIDATION_ERROR', paths: [field] });
    }
    for (const given of [{ scopes: [] }, { scopes: ['write'] }, { scopes: undefined }, { name: '' }]) {
      const { paths } = await calls.refusal(owner, 'createTeamKey', { body: body(given) });
      expect(paths[0]).toMatch(Object.keys(given)[0]!);
    }
    const late = { body: body({ expires_at: '2027-01-15T03:00:00Z' }) };
    expect(await calls.refusal(owner, 'createTeamKey', late)).toMatchObject({ paths: ['expires_at'] });
  });

  it('is in no stored answer', async () => {
    const headers = { 'Idempotency-Key': 'once' };
    await calls.ok(owner, 'createTeamKey', { body: body(), headers });
    const scope = `user:${owner.user_id}#once`;
    expect(await deps.table.get(IdempotencyEntity, { scope })).toBeUndefined();
  });

  it('is made, rotated and taken out by no owner who was removed a moment ago', async () => {
    const { key_id } = await make();
    const { key: shared } = await sharedKey();
    await deps.table.transact([remove(MembershipEntity, { team_id, user_id: owner.user_id })]);
    const before = await list(await ownerOf(team_id));
    for (const refused of [
      calls.refusal(owner, 'createTeamKey', { body: body() }),
      calls.refusal(owner, 'rotateTeamKey', at(key_id)),
      calls.refusal(owner, 'revokeTeamKey', at(key_id)),
      calls.refusal(owner, 'revokeTeamKey', at(shared.key_id)),
    ])
      expect((await refused).code).toBe('FORBIDDEN');
    expect(await list(await ownerOf(team_id))).toEqual(before);
  });

  it('is refused to an owner whose membership rests', async () => {
    const { user_id } = owner;
    const created_at = '2027-01-15T03:00:00.000Z';
    await deps.table.put(
      put(MembershipEntity, { user_id, team_id, role: 'OWNER', state: 'INACTIVE', created_at }),
    );
    expect((await calls.refusal(owner, 'createTeamKey', { body: body() })).code).toBe('FORBIDDEN');
  });

  it('is one of at most 25 valid ones; rotated keys count once', async () => {
    const first = await make();
    for (let at = 0; at < 3; at++)
      await testKey(deps, { team_ids: [team_id], partner_key_id: first.partner_key_id });
    for (let at = 0; at < 23; at++) await testKey(deps, { team_ids: [team_id] });
    const last = await make();
    const { code } = await calls.refusal(owner, 'createTeamKey', { body: body() });
    expect(code).toBe('INVALID_STATE_TRANSITION');
    await calls.ok(owner, 'revokeTeamKey', at(last.key_id));
    await make();
  });

  it('is one of at most 25 valid ones when several are made at once too', async () => {
    for (let at = 0; at < 23; at++) await testKey(deps, { team_ids: [team_id] });
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => calls.call(owner, 'createTeamKey', { body: body() })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409, 409]);
  });

  it('is one of at most 25 valid ones when another takes the last place while they are counted', async () => {
    for (let made = 0; made < 24; made++) await testKey(deps, { team_ids: [team_id] });
    const ctx = interrupted(testContext(deps, owner), make, { listed: 'TeamKey' });
    const late = createTeamKey(ctx, 'test', {
      name: 'Late',
      scopes: ['read'],
      allow_ip: [],
      expires_at: null,
    });
    await expect(late).rejects.toMatchObject({ code: 'INVALID_STATE_TRANSITION' });
  });

  it('of a team that does not exist is refused to platform staff', async () => {
    const { caller } = await testUser(deps, { system_role: 'ADMIN' });
    const headers = { 'X-Team-ID': '5' };
    const refusal = await calls.refusal(caller, 'createTeamKey', { body: body(), headers });
    expect(refusal.code).toBe('NOT_FOUND');
  });
});

describe('a rotation by an owner', () => {
  it('keeps partner, scopes and settings, and lets the old key work for 24 hours', async () => {
    const old = await make({ allow_ip: ['203.0.113.0/24'] });
    const next = await calls.ok(owner, 'rotateTeamKey', at(old.key_id));
    expect(next).toMatchObject({
      ...{ old_key_id: old.key_id, old_expires_at: '2027-01-16T03:00:00.000Z' },
      ...{ scopes: old.scopes, allow_ip: old.allow_ip, partner_key_id: old.partner_key_id },
      created_by: owner.user_id,
    });
    expect(await use(next.api_key)).toMatchObject({ key_id: old.partner_key_id, team_ids: [team_id] });
    await use(old.api_key);
    deps.clock.advance(24 * hourMs);
    await expect(use(old.api_key)).rejects.toMatchObject(unauthorized);
    await use(next.api_key);
    expect((await list()).map(({ key_id, state }) => [key_id, state])).toEqual([
      [next.key_id, 'ACTIVE'],
      [old.key_id, 'EXPIRED'],
    ]);
  });

  it('keeps what the operator gave the key', async () => {
    const { key } = await testKey(deps, { team_ids: [team_id], rate_limit: 9, collects_payment: true });
    const next = await calls.ok(owner, 'rotateTeamKey', at(key.key_id));
    expect(next).toMatchObject({ rate_limit: 9, collects_payment: true, scopes: [...keyScopes] });
  });

  it('is refused for a key that has ended, is unknown or another team’s', async () => {
    const made = await make();
    await calls.ok(owner, 'revokeTeamKey', at(made.key_id));
    expect((await calls.refusal(owner, 'rotateTeamKey', at(made.key_id))).code).toBe(
      'INVALID_STATE_TRANSITION',
    );
    const other = await testKey(deps, { team_ids: [(await testTeam(deps)).team_id] });
    for (const id of [5, other.key.key_id])
      for (const verb of ['rotateTeamKey', 'revokeTeamKey'] as const)
        expect((await calls.refusal(owner, verb, at(id))).code).toBe('NOT_FOUND');
    expect((await use(other.api_key)).team_ids).toEqual(other.key.team_ids);
  });
});

describe('a revocation by an owner', () => {
  it('ends the key, says who did it, and may be repeated', async () => {
    const { key_id, api_key } = await make();
    const answer = { message: 'The key is revoked.', id: key_id };
    expect(await calls.ok(owner, 'revokeTeamKey', at(key_id))).toEqual(answer);
    await expect(use(api_key)).rejects.toMatchObject(unauthorized);
    const revoked = { state: 'REVOKED', revoked_by: owner.user_id, revoked_at: '2027-01-15T03:00:00.000Z' };
    expect(await list()).toMatchObject([revoked]);
    deps.clock.advance(hourMs);
    expect(await calls.ok(owner, 'revokeTeamKey', at(key_id))).toEqual(answer);
    expect(await list()).toMatchObject([revoked]);
  });
});

it('a key that the operator revokes at the same moment was revoked by the operator', async () => {
  const { key_id } = await make();
  const ctx = interrupted(testContext(deps, owner), () => revokeKey(deps, { key_id }));
  await revokeTeamKey(ctx, key_id);
  expect(await list()).toMatchObject([{ state: 'REVOKED', revoked_by: null }]);
});

describe('a publishable key', () => {
  const origin = 'https://www.hoanang.example';
  const page = (given: object = {}) => ({
    body: { kind: 'PUBLISHABLE', name: 'Our site', allowed_origins: [origin], ...given },
  });

  it('is for pages of its origins, and shown at any time', async () => {
    const made = await calls.ok(owner, 'createTeamKey', page());
    expect(made.api_key).toMatch(/^pk_test_/);
    expect(made).toMatchObject({
      ...{ kind: 'PUBLISHABLE', allowed_origins: [origin], scopes: [], hint: made.api_key.slice(0, 12) },
    });
    expect(await list()).toEqual([made]);
    const found = await new PublishableKeys().find(deps, 'test', made.api_key);
    expect(found).toEqual({
      caller: { kind: 'publishable', key_id: made.key_id, team_id, rate_limit: null },
      origins: [origin],
    });
    await expect(use(made.api_key)).rejects.toMatchObject(unauthorized);
    const events = await eventsOf(deps.table, `TEAM#${team_id}`);
    expect(events.at(-1)).toMatchObject({ event_type: 'team.key_created', data: { kind: 'PUBLISHABLE' } });
    expect(await listKeys(deps, { team_id })).toMatchObject([{ kind: 'PUBLISHABLE', scopes: [] }]);
    expect(await findKey(deps, 'test', made.api_key)).toMatchObject({ key_id: made.key_id });
  });

  it('has what is of pages alone, and origins as browsers send them', async () => {
    const wrong: [object, string][] = [
      [page({ scopes: ['read'] }), 'scopes'],
      [page({ guest_links: false }), 'guest_links'],
      [page({ allow_ip: ['203.0.113.7'] }), 'allow_ip'],
      [page({ allowed_origins: undefined }), 'allowed_origins'],
      [{ body: body({ allowed_origins: [origin] }) }, 'allowed_origins'],
      ...['*', 'null', `${origin}/`, 'http://www.hoanang.example', 'https://A.example', `${origin}:443`].map(
        (text): [object, string] => [page({ allowed_origins: [text] }), 'allowed_origins[0]'],
      ),
    ];
    for (const [asked, path] of wrong)
      expect(await calls.refusal(owner, 'createTeamKey', asked), JSON.stringify(asked)).toMatchObject({
        ...{ code: 'VALIDATION_ERROR', paths: [path] },
      });
    const allowed_origins = ['http://localhost:5173', 'https://xn--hoanng-1ta.example:8443'];
    expect(await calls.ok(owner, 'createTeamKey', page({ allowed_origins }))).toMatchObject({
      allowed_origins,
    });
    expect(await calls.ok(owner, 'createTeamKey', page({ allowed_origins: [] }))).toMatchObject({
      allowed_origins: [],
    });
  });

  it('is revoked and not rotated', async () => {
    const { key_id, api_key } = await calls.ok(owner, 'createTeamKey', page());
    expect((await calls.refusal(owner, 'rotateTeamKey', at(key_id))).code).toBe('INVALID_STATE_TRANSITION');
    await calls.ok(owner, 'revokeTeamKey', at(key_id));
    await expect(new PublishableKeys().find(deps, 'test', api_key)).rejects.toMatchObject(unauthorized);
  });
});

describe('a key of several teams', () => {
  it('is listed without its other teams, and is not an owner’s to rotate', async () => {
    const { key, other } = await sharedKey();
    const [listed] = await list();
    expect(listed).toMatchObject({ key_id: key.key_id, is_shared: true, created_by: null });
    expect(JSON.stringify(listed)).not.toContain(String(other));
    expect((await calls.refusal(owner, 'rotateTeamKey', at(key.key_id))).code).toBe('FORBIDDEN');
  });

  it('loses the team whose owner deletes it, and is the other team’s then', async () => {
    const { key, api_key, other, otherOwner } = await sharedKey();
    const { message } = await calls.ok(owner, 'revokeTeamKey', at(key.key_id));
    expect(message).toContain('stays valid for its other teams');
    expect((await use(api_key)).team_ids).toEqual([other]);
    expect(await list()).toEqual([]);
    expect((await calls.refusal(owner, 'revokeTeamKey', at(key.key_id))).code).toBe('NOT_FOUND');
    expect(await list(otherOwner)).toMatchObject([{ key_id: key.key_id, is_shared: false }]);
    await calls.ok(otherOwner, 'rotateTeamKey', at(key.key_id));
  });

  it('is revoked when the owners of both delete it at once', async () => {
    const { key, api_key, otherOwner } = await sharedKey();
    const ctx = interrupted(testContext(deps, owner), () =>
      revokeTeamKey(testContext(deps, otherOwner), key.key_id),
    );
    await revokeTeamKey(ctx, key.key_id);
    await expect(use(api_key)).rejects.toMatchObject(unauthorized);
  });

  it('has no successor with a team that was taken out during the rotation', async () => {
    const { key, other } = await sharedKey();
    const table = interruptedTable(deps.table, 'transact', () =>
      revokeTeamKey(testContext(deps, owner), key.key_id),
    );
    const next = await rotateKey({ ...deps, table }, 'test', { key_id: key.key_id, overlapHours: 1 });
    expect((await use(next.api_key)).team_ids).toEqual([other]);
    expect(await list()).toEqual([]);
  });
});

it('a key that is revoked while an owner rotates it has no successor', async () => {
  const { key_id } = await make();
  const ctx = interrupted(testContext(deps, owner), () => revokeTeamKey(testContext(deps, owner), key_id));
  await expect(rotateTeamKey(ctx, 'test', key_id)).rejects.toMatchObject({
    code: 'INVALID_STATE_TRANSITION',
  });
  expect(await list()).toHaveLength(1);
});

it('a key from before scopes is listed from its first use on', async () => {
  const { key, api_key } = await testKey(deps, { team_ids: [(await testTeam(deps)).team_id] });
  const { key_id, partner_key_id, hash } = key;
  await deps.table.transact([
    put(ApiKeyEntity, { ...key, team_ids: [team_id] }),
    put(ApiKeyIdEntity, { key_id, hash }),
    put(PartnerKeyEntity, { partner_key_id, key_id, hash }),
  ]);
  expect(await list()).toEqual([]);
  await Promise.all(Array.from({ length: 5 }, () => use(api_key)));
  expect(await list()).toMatchObject([{ key_id, scopes: [...keyScopes], created_by: null }]);
  expect((await deps.table.get(ApiKeyEntity, { hash }))?.scopes).toEqual(keyScopes);
});

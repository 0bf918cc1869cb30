import { beforeEach, describe, expect, test } from 'vitest';
import { authenticateKey } from '../../shared/domain/people/authenticate-key.ts';
import { KeySettings } from '../../shared/domain/people/key.schema.ts';
import { ApiKeyEntity, keyHash, newKeyText, partnerTeamsNow } from '../../shared/domain/people/key.store.ts';
import { createKey, limitKey, listKeys, revokeKey, rotateKey } from '../../shared/domain/people/keys.ts';
import { keyScopes } from '../../shared/platform/auth.ts';
import type { Consumption } from '../../shared/platform/table/index.ts';
import { interruptedTable } from '../support/interrupted.ts';
import { type TestDependencies, testDependencies, testKey, testTeam } from '../support/table.ts';

const stage = 'test';
const hourMs = 3_600_000;

let deps: TestDependencies;
let team_id: number;
beforeEach(async () => {
  deps = await testDependencies();
  ({ team_id } = await testTeam(deps));
});

const issue = (settings: Partial<KeySettings> = {}) =>
  createKey(deps, stage, KeySettings.parse({ team_ids: [team_id], ...settings }));
const use = (text: string, sourceIp = '203.0.113.7') =>
  authenticateKey(deps, { text, address: async () => sourceIp, stage });
const stored = (text: string) => deps.table.get(ApiKeyEntity, { hash: keyHash(text) });
const unauthorized = expect.objectContaining({ code: 'UNAUTHORIZED' }) as unknown;

describe('a new key', () => {
  test('names its partner', async () => {
    const { key_id, api_key } = await issue({ rate_limit: 5, collects_payment: true });
    const caller = {
      ...{ kind: 'partner', key_id, team_ids: [team_id], scopes: [...keyScopes] },
      ...{ rate_limit: 5, collects_payment: true },
    };
    expect(await use(api_key)).toEqual(caller);
  });

  test('is nowhere in the table', async () => {
    const { api_key } = await issue();
    const secret = api_key.split('_')[2]!;
    expect(JSON.stringify(await stored(api_key))).not.toContain(secret);
    expect(JSON.stringify(await listKeys(deps))).not.toContain(secret);
    expect(JSON.stringify(await listKeys(deps))).not.toContain(keyHash(api_key));
  });

  test('is refused for a team that does not exist, and with an end in the past', async () => {
    await expect(issue({ team_ids: [team_id, 1] })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(issue({ expires_at: '2027-01-15T03:00:00Z' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });

  test('is listed for its teams', async () => {
    const { key_id } = await issue({ name: 'Channel manager', allow_ip: ['203.0.113.0/24'] });
    const other = await testTeam(deps);
    const [key, ...others] = await listKeys(deps, { team_id });
    expect(others).toEqual([]);
    expect(key).toMatchObject({ key_id, name: 'Channel manager', state: 'ACTIVE', expires_at: null });
    expect(await listKeys(deps, { team_id: other.team_id })).toEqual([]);
  });
});

describe('the scopes of a key', () => {
  test('are those it was issued with, in their order and each once', async () => {
    const { key_id, api_key } = await issue({ scopes: ['personal', 'book', 'book'] });
    expect((await use(api_key)).scopes).toEqual(['book', 'personal']);
    expect(await listKeys(deps, { team_id })).toMatchObject([{ key_id, scopes: ['book', 'personal'] }]);
  });

  test('are all on a key from before scopes', async () => {
    const { api_key, key } = await testKey(deps, { team_ids: [team_id] });
    expect(key.scopes).toBeUndefined();
    expect((await use(api_key)).scopes).toEqual(keyScopes);
    const next = await rotateKey(deps, stage, { key_id: key.key_id, overlapHours: 1 });
    expect((await use(next.api_key)).scopes).toEqual(keyScopes);
  });

  test('stay through a rotation', async () => {
    const old = await issue({ scopes: ['read', 'webhooks'] });
    const next = await rotateKey(deps, stage, { key_id: old.key_id, overlapHours: 1 });
    expect((await use(next.api_key)).scopes).toEqual(['read', 'webhooks']);
  });

  test('cost the authorizer no further request', async () => {
    const { api_key } = await issue({ scopes: ['read'] });
    await use(api_key);
    const costs: Consumption[] = [];
    deps.table = deps.table.measured((cost) => costs.push(cost));
    await use(api_key);
    expect(costs).toHaveLength(1);
  });
});

describe('a key is refused', () => {
  test('unread when it cannot be one', async () => {
    const costs: Consumption[] = [];
    deps.table = deps.table.measured((cost) => costs.push(cost));
    const { api_key } = await testKey(deps, { team_ids: [team_id] });
    costs.length = 0;
    for (const text of ['', 'secret', `${api_key}0`, newKeyText('production'), 'x'.repeat(100_000)])
      await expect(use(text)).rejects.toEqual(unauthorized);
    expect(costs).toEqual([]);
  });

  test('when it is unknown', () => expect(use(newKeyText(stage))).rejects.toEqual(unauthorized));

  test('from the moment it expires', async () => {
    const { api_key } = await issue({ expires_at: '2027-01-15T10:30:00+07:00' });
    deps.clock.set('2027-01-15T03:29:59.999Z');
    await expect(use(api_key)).resolves.toBeDefined();
    deps.clock.set('2027-01-15T03:30:00Z');
    await expect(use(api_key)).rejects.toEqual(unauthorized);
  });

  test('when it is revoked, permanently', async () => {
    const { key_id, api_key } = await issue();
    expect(await revokeKey(deps, { key_id })).toMatchObject({ state: 'REVOKED' });
    await expect(use(api_key)).rejects.toEqual(unauthorized);
    expect(await revokeKey(deps, { key_id })).toMatchObject({ state: 'REVOKED' });
    await expect(revokeKey(deps, { key_id: 1 })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('with FORBIDDEN from an address that is not on its list', async () => {
    const { api_key } = await issue({ allow_ip: ['203.0.113.0/24', '2001:db8::/32'] });
    for (const address of ['203.0.113.7', '2001:db8::7', '::ffff:203.0.113.7'])
      await expect(use(api_key, address)).resolves.toBeDefined();
    for (const address of ['203.0.114.7', '2001:db9::7', ''])
      await expect(use(api_key, address)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});

describe('a rotation', () => {
  test('issues a key of the same partner with the same settings', async () => {
    const old = await issue({ rate_limit: 5, allow_ip: ['203.0.113.0/24'] });
    const next = await rotateKey(deps, stage, { key_id: old.key_id, overlapHours: 24 });
    expect(next.key_id).not.toBe(old.key_id);
    expect(await use(next.api_key)).toEqual({ ...(await use(old.api_key)), valid_until: undefined });
    await expect(use(next.api_key, '198.51.100.1')).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  test('lets the old key work for its overlap', async () => {
    const old = await issue();
    const next = await rotateKey(deps, stage, { key_id: old.key_id, overlapHours: 2 });
    expect(next.old_expires_at).toBe('2027-01-15T05:00:00.000Z');
    deps.clock.advance(2 * hourMs);
    await expect(use(old.api_key)).rejects.toEqual(unauthorized);
    await expect(use(next.api_key)).resolves.toBeDefined();
  });

  test('without an end leaves the old key until it is revoked', async () => {
    const old = await issue();
    const next = await rotateKey(deps, stage, { key_id: old.key_id, overlapHours: null });
    deps.clock.advance(1000 * hourMs);
    await expect(use(old.api_key)).resolves.toBeDefined();
    await revokeKey(deps, { key_id: old.key_id });
    await expect(use(old.api_key)).rejects.toEqual(unauthorized);
    await expect(use(next.api_key)).resolves.toBeDefined();
  });

  test('never lengthens the life of a key', async () => {
    const expires_at = '2027-01-15T04:00:00.000Z';
    const old = await issue({ expires_at });
    const next = await rotateKey(deps, stage, { key_id: old.key_id, overlapHours: 24 });
    expect(next.old_expires_at).toBe(expires_at);
  });

  test('is made once for a key, also when twenty come at once: its successor is what is rotated next', async () => {
    for (const overlapHours of [24, null]) {
      const old = await issue();
      const all = await Promise.allSettled(
        Array.from({ length: 20 }, () => rotateKey(deps, stage, { key_id: old.key_id, overlapHours })),
      );
      const made = all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      expect(made).toHaveLength(1);
      const [next] = made;
      await expect(rotateKey(deps, stage, { key_id: old.key_id, overlapHours })).rejects.toMatchObject({
        code: 'INVALID_STATE_TRANSITION',
        details: { key_id: next?.key_id },
      });
      const third = await rotateKey(deps, stage, { key_id: next?.key_id ?? 0, overlapHours });
      expect(await use(third.api_key)).toMatchObject({ key_id: old.key_id });
    }
  });

  test('as the operator limits the key gives its successor the new limit', async () => {
    const { key_id } = await issue({ rate_limit: 6000 });
    const table = interruptedTable(deps.table, 'transact', () => limitKey(deps, { key_id, rate_limit: 10 }));
    const { api_key } = await rotateKey({ ...deps, table }, stage, { key_id, overlapHours: 24 });
    expect((await stored(api_key))?.rate_limit).toBe(10);
  });

  test('of a revoked or expired key is refused', async () => {
    const refused = { code: 'INVALID_STATE_TRANSITION' };
    const revoked = await issue();
    await revokeKey(deps, revoked);
    await expect(rotateKey(deps, stage, { ...revoked, overlapHours: 1 })).rejects.toMatchObject(refused);
    const expired = await issue({ expires_at: '2027-01-15T04:00:00Z' });
    deps.clock.advance(hourMs);
    await expect(rotateKey(deps, stage, { ...expired, overlapHours: 1 })).rejects.toMatchObject(refused);
  });
});

test('the use of a key is noted at most once in ten minutes', async () => {
  const { api_key } = await issue();
  await Promise.all(Array.from({ length: 10 }, () => use(api_key)));
  expect((await stored(api_key))?.last_used).toBe('2027-01-15T03:00:00.000Z');
  deps.clock.advance(9 * 60_000);
  await use(api_key);
  expect((await stored(api_key))?.last_used).toBe('2027-01-15T03:00:00.000Z');
  deps.clock.advance(60_000);
  await use(api_key);
  expect((await stored(api_key))?.last_used).toBe('2027-01-15T03:10:00.000Z');
});

test('the teams of a partner are those of a key that takes the place of another as they are read', async () => {
  const { key_id } = await issue();
  const meanwhile = async () => {
    await rotateKey(deps, stage, { key_id, overlapHours: 1 });
    await revokeKey(deps, { key_id });
  };
  const table = interruptedTable(deps.table, { listed: 'PartnerKey' }, meanwhile);
  expect(await partnerTeamsNow({ ...deps, table }, key_id)).toEqual([team_id]);
});

import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { authorize } from '../../functions/authorizer/authorize.ts';
import type { EdgeSecret } from '../../shared/platform/http/caller-address.ts';
import { newKeyText } from '../../shared/domain/people/key.store.ts';
import { revokeKey } from '../../shared/domain/people/keys.ts';
import { removeMember } from '../../shared/domain/people/members.ts';
import type { Caller } from '../../shared/platform/auth.ts';
import { type Clock, fixedClock } from '../../shared/platform/time/clock.ts';
import { ServiceError } from '../../shared/platform/errors.ts';
import type { TokenVerifier } from '../../shared/platform/identity/index.ts';
import { fixedSecret, type Secret } from '../../shared/platform/secrets/index.ts';
import type { Consumption } from '../../shared/platform/table/index.ts';
import { hostClaims, hosts } from '../support/api.ts';
import { type TestDependencies, testDependencies, testKey, testTeam, testUser } from '../support/table.ts';

const api = 'arn:aws:execute-api:ap-southeast-1:123456789012:abc123/test';
const internal = '/api/v1/auth/me';
const external = '/api/v1/external/listings';

let deps: TestDependencies;
beforeEach(async () => void (deps = await testDependencies()));

/** Tokens of these tests are `token of <subject>`. */
const verify: TokenVerifier = async (token) => {
  const [, subject] = /^token-of-(.+)$/.exec(token) ?? [];
  if (token === 'provider-down') throw new ServiceError('IDENTITY_PROVIDER_UNAVAILABLE');
  if (subject === undefined) throw new ServiceError('UNAUTHORIZED');
  return { subject, claims: { ...hostClaims, sub: subject, exp: 4_102_444_800 } };
};

const eventOf = (resource: string, headers: Record<string, string>, sourceIp = '203.0.113.7') =>
  ({
    type: 'REQUEST',
    methodArn: `${api}/GET${resource}`,
    resource,
    path: resource,
    httpMethod: 'GET',
    headers,
    requestContext: { requestId: 'r', identity: { sourceIp } },
  }) as unknown as APIGatewayRequestAuthorizerEvent;

const ask = (resource: string, headers: Record<string, string>, sourceIp?: string) =>
  authorize({ deps, verify, hosts, stage: 'test' })(eventOf(resource, headers, sourceIp));
const withKey = (text: string, sourceIp?: string) => ask(external, { 'x-api-key': text }, sourceIp);
const withToken = (subject: string) => ask(internal, { Authorization: `Bearer token-of-${subject}` });
const callerIn = (result: APIGatewayAuthorizerResult) =>
  JSON.parse(String(result.context?.['caller'])) as Caller;

/** Whether the policy opens a path, as API Gateway reads it. */
const opens = ({ policyDocument }: APIGatewayAuthorizerResult, path: string): boolean => {
  const effects = (policyDocument.Statement as { Effect: string; Resource: string }[])
    .filter(({ Resource }) => new RegExp(`^${Resource.replaceAll('*', '.*')}$`).test(`${api}/GET${path}`))
    .map(({ Effect }) => Effect);
  return effects.includes('Allow') && !effects.includes('Deny');
};

describe('a key', () => {
  test('names the partner and opens external routes alone', async () => {
    const { team_id } = await testTeam(deps);
    const { api_key, caller } = await testKey(deps, { team_ids: [team_id] });
    const result = await withKey(api_key);
    expect(callerIn(result)).toEqual(caller);
    expect(result.principalId).toBe(`key:${caller.key_id}`);
    expect(opens(result, external)).toBe(true);
    expect(opens(result, '/api/v1/external/bookings/1/cancel')).toBe(true);
    expect(opens(result, internal)).toBe(false);
    expect(opens(result, '/api/v1/listings')).toBe(false);
  });

  test('from an address that is not allowed is a denial that says why', async () => {
    const { api_key } = await testKey(deps, { team_ids: [1], allow_ip: ['198.51.100.0/24'] });
    const result = await withKey(api_key);
    expect(result.context).toEqual({
      code: 'FORBIDDEN',
      message:
        'The key in X-API-Key may not be used from 203.0.113.7: the address is not on its list of allowed addresses.',
    });
    expect(opens(result, external)).toBe(false);
    expect(opens(await withKey(api_key, '198.51.100.9'), external)).toBe(true);
  });

  describe('behind CloudFront', () => {
    const edge = fixedSecret({ current: 'new', previous: 'old' });
    const allowed = '198.51.100.9';
    const opened = async (headers: Record<string, string>, secret: Secret<EdgeSecret> | undefined = edge) => {
      const { api_key } = await testKey(deps, { team_ids: [1], allow_ip: ['198.51.100.0/24'] });
      const event = eventOf(external, { 'X-API-Key': api_key, ...headers });
      return opens(await authorize({ deps, verify, hosts, stage: 'test', edge: secret })(event), external);
    };

    test('is judged by the address of the viewer, with the present secret or the one before', async () => {
      for (const secret of ['new', 'old'])
        expect(await opened({ 'x-viewer-address': allowed, 'x-origin-verify': secret })).toBe(true);
      expect(await opened({ 'x-viewer-address': '203.0.113.7', 'x-origin-verify': 'new' })).toBe(false);
    });

    test('is judged by the address that the gateway sees, if the request is not from CloudFront', async () => {
      for (const secret of ['', 'other', 'ne', 'newer'])
        expect(await opened({ 'x-viewer-address': allowed, 'x-origin-verify': secret })).toBe(false);
      expect(await opened({ 'x-viewer-address': allowed })).toBe(false);
      const { api_key } = await testKey(deps, { team_ids: [1], allow_ip: ['198.51.100.0/24'] });
      const claimed = { 'X-API-Key': api_key, 'x-viewer-address': allowed, 'x-origin-verify': 'new' };
      expect(opens(await ask(external, claimed), external)).toBe(false);
    });

    test('reads the secret for keys with a list of addresses alone, and lets no one in without it', async () => {
      const down = { read: vi.fn(() => Promise.reject(new Error('down'))), renew: vi.fn() };
      const headers = { 'x-viewer-address': allowed, 'x-origin-verify': 'new' };
      await expect(opened(headers, down)).rejects.toThrow('down');
      const { api_key } = await testKey(deps, { team_ids: [1] });
      const event = eventOf(external, { 'X-API-Key': api_key, ...headers });
      const result = await authorize({ deps, verify, hosts, stage: 'test', edge: down })(event);
      expect(opens(result, external)).toBe(true);
      expect(down.read).toHaveBeenCalledTimes(1);
    });
  });

  test('that is missing, unknown, of another stage or revoked is Unauthorized', async () => {
    const { api_key, key } = await testKey(deps, { team_ids: [1] });
    await revokeKey(deps, key);
    for (const text of ['', 'x', newKeyText('test'), newKeyText('production'), api_key])
      await expect(withKey(text)).rejects.toThrow(/^Unauthorized$/);
  });

  test('says nothing on an internal route, nor a token on an external one', async () => {
    const { api_key } = await testKey(deps, { team_ids: [1] });
    const { user } = await testUser(deps);
    const token = `Bearer token-of-${user.auth0_id ?? ''}`;
    await expect(ask(internal, { 'X-API-Key': api_key })).rejects.toThrow(/^Unauthorized$/);
    await expect(ask(external, { Authorization: token })).rejects.toThrow(/^Unauthorized$/);
  });
});

describe('a token', () => {
  test('names the person with the host roles and opens every route but the external ones', async () => {
    const memberships = [{ team_id: 71, role: 'OWNER' as const }];
    const { user, caller } = await testUser(deps, {
      memberships: [...memberships, { team_id: 72, role: 'CUSTOMER' }],
    });
    const result = await withToken(caller.subject);
    expect(callerIn(result)).toEqual({ ...caller, memberships, valid_until: 4_102_444_800_000 });
    expect(result.principalId).toBe(`user:${user.user_id}`);
    expect(opens(result, internal)).toBe(true);
    expect(opens(result, '/api/v1/listings/1')).toBe(true);
    expect(opens(result, external)).toBe(false);
  });

  test('crosses the gateway in ASCII', async () => {
    const { caller } = await testUser(deps, { full_name: 'Nguyễn 😀' });
    const result = await withToken(caller.subject);
    expect(result.context?.['caller']).toMatch(/^[\x20-\x7e]+$/);
    expect(callerIn(result)).toMatchObject({ full_name: 'Nguyễn 😀' });
  });

  test('of a new account makes the record', async () => {
    const { subject, email } = deps.provider.add();
    expect(callerIn(await withToken(subject))).toMatchObject({ subject, email, email_verified: true });
  });

  test('follows the memberships', async () => {
    const { team_id } = await testTeam(deps);
    const { user, caller } = await testUser(deps, { memberships: [{ team_id, role: 'STAFF' }] });
    expect(callerIn(await withToken(caller.subject))).toMatchObject({
      memberships: [{ team_id, role: 'STAFF' }],
    });
    await removeMember(deps, { team_id, email: user.email });
    expect(callerIn(await withToken(caller.subject))).toMatchObject({ memberships: [] });
  });

  test('knows of a verification since the record was made, and works while the provider is away', async () => {
    const account = deps.provider.add({ email_verified: false });
    expect(callerIn(await withToken(account.subject))).toMatchObject({ email_verified: false });
    deps.provider.isDown = true;
    expect(callerIn(await withToken(account.subject))).toMatchObject({ email_verified: false });
    deps.provider.isDown = false;
    deps.provider.add({ ...account, email_verified: true });
    expect(callerIn(await withToken(account.subject))).toMatchObject({ email_verified: true });
  });

  test.each(['', 'Bearer', 'Bearer ', 'Basic dTpw', 'Bearer forged', 'Bearer a b', 'token-of-x'])(
    '%o is Unauthorized',
    async (Authorization) => {
      await expect(ask(internal, { Authorization })).rejects.toThrow(/^Unauthorized$/);
    },
  );

  test('of an account that the provider deleted, or of an ended record, is Unauthorized', async () => {
    const { caller } = await testUser(deps, { status: 'DELETED' });
    await expect(withToken(caller.subject)).rejects.toThrow(/^Unauthorized$/);
    await expect(withToken('auth0|gone')).rejects.toThrow(/^Unauthorized$/);
  });
});

test('a provider or table that is down is a failure, not a refusal', async () => {
  const down = ask(internal, { Authorization: 'Bearer provider-down' });
  await expect(down).rejects.toMatchObject({ code: 'IDENTITY_PROVIDER_UNAVAILABLE' });
  const account = deps.provider.add();
  deps.provider.isDown = true;
  await expect(withToken(account.subject)).rejects.toMatchObject({ code: 'IDENTITY_PROVIDER_UNAVAILABLE' });
});

test('a known caller costs two reads', async () => {
  const clock: Clock = fixedClock('2027-01-15T03:00:00Z');
  const { caller } = await testUser(deps);
  const { api_key } = await testKey(deps, { team_ids: [1], last_used: '2027-01-15T03:00:00.000Z' });
  const costs: Consumption[] = [];
  const measured = { ...deps, clock, table: deps.table.measured((cost) => costs.push(cost)) };
  const answer = authorize({ deps: measured, verify, hosts, stage: 'test' });
  await answer(eventOf(internal, { Authorization: `Bearer token-of-${caller.subject}` }));
  expect(costs.map(({ operation }) => operation)).toEqual(['get', 'query']);
  costs.length = 0;
  await answer(eventOf(external, { 'X-API-Key': api_key }));
  expect(costs.map(({ operation }) => operation)).toEqual(['get']);
});

import type { APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { beforeAll, describe, expect, it } from 'vitest';
import { authorize } from '../../functions/authorizer/authorize.ts';
import { SignedOutTokenEntity } from '../../shared/domain/people/user.store.ts';
import { authorizerTtlSeconds } from '../../shared/platform/http/gateway-document.ts';
import type { Consumption } from '../../shared/platform/table/index.ts';
import { type Api, api, hostClaims, hosts } from '../support/api.ts';
import { testUser } from '../support/table.ts';

let service: Api;
beforeAll(async () => void (service = await api()));

const me = '/api/v1/auth/me';
const logout = '/api/v1/auth/logout';

describe('POST /auth/logout (D57)', () => {
  it('ends the token at once where nothing is remembered, at every function instance', async () => {
    const token = (await testUser(service.deps)).caller.subject;
    expect((await service.call('GET', me, { token })).status).toBe(200);
    const reply = await service.call('POST', logout, { token });
    expect([reply.status, reply.body]).toEqual([200, { message: 'You are logged out.' }]);
    for (const [method, path] of [
      ['GET', me],
      ['GET', '/api/v1/bookings/my'],
      ['POST', logout],
    ] as const)
      expect(await service.call(method, path, { token })).toMatchObject({
        status: 401,
        body: { code: 'UNAUTHORIZED' },
      });
    expect(authorizerTtlSeconds).toBeLessThanOrEqual(60);
  });

  it('takes no body and keeps the sessions of all others', async () => {
    const [one, other] = [await testUser(service.deps), await testUser(service.deps)];
    await service.call('POST', logout, { token: one.caller.subject });
    expect((await service.call('GET', me, { token: other.caller.subject })).status).toBe(200);
    expect((await service.call('POST', logout)).status).toBe(401);
  });

  it('keeps no token, and its mark far longer than a token lives', async () => {
    const { caller } = await testUser(service.deps);
    await service.call('POST', logout, { token: caller.subject });
    const items = await service.deps.table.queryAll(SignedOutTokenEntity, {
      pk: SignedOutTokenEntity.key({ user_id: caller.user_id, token_hash: '' }).pk,
      prefix: 'SIGNED_OUT#',
    });
    expect(items).toHaveLength(1);
    expect(JSON.stringify(items)).not.toContain(caller.subject);
    const now = service.deps.clock.now() / 1000;
    const mark = items[0]!;
    expect(mark.lives_until).toBeGreaterThan(now + 86_000);
    expect(SignedOutTokenEntity.expiresAt?.(mark)).toBeGreaterThan(now + 86_400);
  });

  it('ends one token of a person, not the others', async () => {
    const { caller } = await testUser(service.deps);
    const verify = async (token: string) => ({
      subject: caller.subject,
      claims: { ...hostClaims, sub: token, exp: 4_102_444_800 },
    });
    const ask = (token: string, costs: Consumption[] = []) =>
      authorize({
        deps: { ...service.deps, table: service.deps.table.measured((cost) => costs.push(cost)) },
        verify,
        stage: 'test',
        hosts,
      })({
        resource: me,
        methodArn: `arn:aws:execute-api:r:1:a/test/GET${me}`,
        headers: { Authorization: `Bearer ${token}` },
        requestContext: { requestId: 'r', identity: { sourceIp: '203.0.113.7' } },
      } as unknown as APIGatewayRequestAuthorizerEvent);
    await service.call('POST', logout, { token: caller.subject });
    await expect(ask(caller.subject)).rejects.toThrow(/^Unauthorized$/);
    const costs: Consumption[] = [];
    await expect(ask('another-token', costs)).resolves.toBeDefined();
    expect(costs.map(({ operation }) => operation)).toEqual(['get', 'query']);
  });
});

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Api, api } from '../support/api.ts';
import { advanceMinutes, stopClock } from '../support/order-scene.ts';
import { testKey, testStart, testTeam, testUser } from '../support/table.ts';

const minuteMs = 60_000;
const start = Date.parse(testStart);
const listings = '/api/v1/external/listings';
const me = '/api/v1/auth/me';

/** A gateway that remembers who is calling, by its own time: it asks the authorizer once in all of these tests. */
let service: Api;
beforeAll(async () => {
  stopClock();
  service = await api({ authorizerTtlMs: 10 * minuteMs, tokensEnd: (start + 2 * minuteMs) / 1000 });
});
afterAll(() => void vi.useRealTimers());

describe('a caller that the gateway remembers', () => {
  it('by a key is refused from the instant of its end on', async () => {
    stopClock();
    const { team_id } = await testTeam(service.deps);
    const valid_until = new Date(start + minuteMs).toISOString();
    const { api_key } = await testKey(service.deps, { team_ids: [team_id], valid_until });
    expect((await service.call('GET', listings, { key: api_key })).status).toBe(200);
    vi.setSystemTime(start + minuteMs - 1);
    expect((await service.call('GET', listings, { key: api_key })).status).toBe(200);
    vi.setSystemTime(start + minuteMs);
    expect(await service.call('GET', listings, { key: api_key })).toMatchObject({
      status: 401,
      body: { code: 'UNAUTHORIZED' },
    });
  });

  it('by a key without an end stays valid', async () => {
    stopClock();
    const { team_id } = await testTeam(service.deps);
    const { api_key } = await testKey(service.deps, { team_ids: [team_id] });
    expect((await service.call('GET', listings, { key: api_key })).status).toBe(200);
    advanceMinutes(600_000);
    expect((await service.call('GET', listings, { key: api_key })).status).toBe(200);
  });

  it('by a token is refused from its exp on, by the time of the machine and not of the test clock', async () => {
    stopClock();
    const token = (await testUser(service.deps)).caller.subject;
    expect((await service.call('GET', me, { token })).status).toBe(200);
    process.env['CLOCK_OFFSET_MS'] = String(10 * minuteMs);
    expect((await service.call('GET', me, { token })).status).toBe(200);
    delete process.env['CLOCK_OFFSET_MS'];
    vi.setSystemTime(start + 2 * minuteMs - 1);
    expect((await service.call('GET', me, { token })).status).toBe(200);
    vi.setSystemTime(start + 2 * minuteMs);
    expect(await service.call('GET', me, { token })).toMatchObject({
      status: 401,
      body: { code: 'UNAUTHORIZED' },
    });
  });
});

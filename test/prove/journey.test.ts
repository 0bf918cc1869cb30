import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getHealth } from '../../functions/system/get-health.ts';
import { serviceVersion } from '../../infra/bundling.ts';
import { commitVariables } from '../../infra/commit.ts';
import { playJourney } from '../../infra/release/journey.ts';
import { type StartedService, startService } from '../support/local-service.ts';

/** The journey that a release plays at a deployed service, against the one of this computer. */
describe('the journey of a release', { timeout: 120_000 }, () => {
  let service: StartedService;
  beforeAll(async () => void (service = await startService({ RATE_LIMIT_KEY: '600' })), 60_000);
  afterAll(async () => {
    await service.stop();
  });

  const journey = (more: object = {}) => {
    const { api_url, demo } = service.ready;
    return { api: api_url, apiKey: demo.api_key, patienceMs: 20_000, ...more };
  };

  it('books a night as a partner, and leaves it free', async () => {
    const lines: string[] = [];
    await playJourney(journey({ log: (line: string) => lines.push(line) }));
    expect(lines.map((line) => line.replace(/ \(\d+ ms\)$/, ''))).toEqual([
      'ok   the service answers',
      'ok   a night is free',
      'ok   it has a price',
      'ok   it is held',
      'ok   no one else can book it',
      'ok   it is booked',
      'ok   the same request books it once',
      'ok   it can be read',
      'ok   the feed has it',
      'ok   it is cancelled',
      'ok   the feed has the cancellation',
      'ok   the night is free again',
    ]);
  });

  type Change = (answer: string, earlier: number) => string | [number, string];
  /** The service, with the answers of one request changed. */
  const changed = async (of: RegExp, change: Change) => {
    let earlier = 0;
    const server = createServer((request, reply) => {
      void (async () => {
        const { method = 'GET', url = '/', headers } = request;
        const body = await text(request);
        const answer = await fetch(new URL(url, service.ready.api_url), {
          method,
          headers: {
            'X-API-Key': String(headers['x-api-key']),
            'Content-Type': 'application/json',
            'Idempotency-Key': String(headers['idempotency-key'] ?? ''),
          },
          ...(method === 'GET' ? {} : { body }),
        });
        const original = await answer.text();
        const given = of.test(`${method} ${url}`) ? change(original, earlier++) : original;
        const [status, sent] = Array.isArray(given) ? given : [answer.status, given];
        reply.writeHead(status, { 'Content-Type': 'application/json' }).end(sent);
      })();
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    return { api, [Symbol.dispose]: () => server.close() };
  };

  it.each<[string, RegExp, Change, RegExp]>([
    [
      'a night can be booked while it is held',
      /^POST .*\/external\/bookings$/,
      (answer, earlier) => (earlier === 0 ? [201, '{}'] : answer),
      /^no one else can book it: expected 409 LISTING_NOT_AVAILABLE, got 201/,
    ],
    [
      'a repeated request is answered in another way',
      /^POST .*\/external\/bookings$/,
      (answer, earlier) => (earlier === 2 ? answer.replace('CONFIRMED', 'PENDING') : answer),
      /^the same request books it once: the repeated answer is/,
    ],
    [
      'a booking costs another price than its quote',
      /^GET .*\/external\/bookings\/\d+$/,
      (answer) => answer.replace(/"total_price":\d+/, '"total_price":1'),
      /^it can be read: the price is 1, expected \d+$/,
    ],
    [
      'events are missing in the feed',
      /^GET .*\/external\/events/,
      () => '{"items":[],"next_cursor":null,"has_more":false}',
      /^the feed has it: of booking \d+ the feed has nothing, not booking.created$/,
    ],
    [
      'a cancelled night stays taken',
      /^GET .*\/availability/,
      (answer, earlier) => (earlier === 0 ? answer : answer.replace(/"items":\[.*\]/, '"items":[]')),
      /^the night is free again: the first free night is undefined/,
    ],
  ])('fails where %s', async (_, of, change, message) => {
    using service = await changed(of, change);
    await expect(playJourney(journey({ api: service.api, patienceMs: 1500 }))).rejects.toThrow(message);
  });

  it('is answered by the commit of this work tree', async () => {
    const health = (await (await fetch(`${service.ready.api_url}/healthz`)).json()) as object;
    const { SERVICE_COMMIT: commit } = commitVariables();
    expect(health).toEqual({
      status: 'ok',
      version: serviceVersion(),
      ...(commit === undefined ? {} : { commit }),
    });
    await expect(getHealth()).resolves.toEqual({ status: 'ok', version: '0.0.0' });
  });

  it('fails where another commit answers', async () => {
    await expect(playJourney(journey({ commit: 'f'.repeat(40), patienceMs: 100 }))).rejects.toThrow(
      /^the service answers: commit \S+ answers, not f{40}$/,
    );
  });

  it('fails where the key is refused', async () => {
    await expect(playJourney(journey({ apiKey: 'nl_local_none' }))).rejects.toThrow(
      /^a night is free: expected 200, got 401 /,
    );
  });
});

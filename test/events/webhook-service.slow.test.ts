import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StartedService, startService } from '../support/local-service.ts';
import { waitUntil } from '../support/wait-until.ts';

interface Received {
  headers: Record<string, string>;
  text: string;
}

/** An endpoint on this machine: answers a status, or nothing at all. */
const endpoint = async (status: () => number | undefined) => {
  const received: Received[] = [];
  const server: Server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      received.push({ headers: request.headers as Record<string, string>, text });
      const answer = status();
      if (answer !== undefined) response.writeHead(answer).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  return { url, received, stop: () => (server.closeAllConnections(), server.close()) };
};

interface Hook {
  id: number;
  secret: string;
  state: string;
}

describe('webhooks of a running service', { timeout: 90_000 }, () => {
  let service: StartedService;
  const endpoints: { stop: () => void }[] = [];
  beforeAll(async () => {
    service = await startService({ RATE_LIMIT_KEY: 'off' });
  }, 60_000);
  afterAll(async () => {
    for (const { stop } of endpoints) stop();
    await service.stop();
  });

  const call = async (method: string, path: string, body?: object) => {
    const reply = await fetch(`${service.ready.api_url}/api/v1/external${path}`, {
      method,
      headers: { 'X-API-Key': service.ready.demo.api_key, 'Content-Type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const answer = (await reply.json()) as never;
    if (!reply.ok) throw new Error(JSON.stringify(answer));
    return answer;
  };
  const advance = (duration: string) =>
    fetch(`${service.ready.home_url}clock`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ advance: duration }),
    });
  const opened = async (status: () => number | undefined) => {
    const made = await endpoint(status);
    endpoints.push(made);
    const body = { url: made.url, event_types: ['booking.created'] };
    const hook: Hook = await call('POST', '/webhooks', body);
    return { ...made, hook };
  };
  let day = 30;
  const book = async (): Promise<number> => {
    const from = new Date(performance.timeOrigin + performance.now() + ++day * 86_400_000);
    const to = new Date(from.getTime() + 86_400_000);
    const booked: { id: number } = await call('POST', '/bookings', {
      listing_id: service.ready.demo.listing_ids[0],
      check_in_date: from.toISOString().slice(0, 10),
      check_out_date: to.toISOString().slice(0, 10),
      nights: 1,
      guest_number: 1,
      payment_method: 'CASH',
      guest_info: { full_name: 'Bình', phone: '+84 912 345 678', email: 'binh@example.com' },
    });
    return booked.id;
  };

  /** The events of the feed, those of the demo data first. */
  const wholeFeed = async (): Promise<object[]> => {
    const found: object[] = [];
    let after = '';
    let hasMore = true;
    while (hasMore) {
      const page: { items: object[]; next_cursor: string; has_more: boolean } = await call(
        'GET',
        `/events?limit=100${after}`,
      );
      found.push(...page.items);
      after = `&after=${page.next_cursor}`;
      hasMore = page.has_more;
    }
    return found;
  };

  it('arrive signed within two seconds, beside endpoints that are silent', async () => {
    const silent = await opened(() => undefined);
    const well = await opened(() => 204);
    const ids = [await book()];
    await waitUntil('the first has arrived', () => well.received.length === 1, 2000);
    // The silent endpoint has a request in hand and holds it for ten seconds; no other request waits for it.
    await waitUntil('the silent one was asked', () => silent.received.length >= 1, 2000);
    ids.push(await book());
    await waitUntil('the second has arrived', () => well.received.length === 2, 2000);
    for (const [at, { headers, text }] of well.received.entries())
      expect(new Verifier(well.hook.secret).verify(text, headers)).toMatchObject({
        event_type: 'booking.created',
        data: { id: ids[at] },
      });
    await call('DELETE', `/webhooks/${silent.hook.id}`);
  });

  it('are tried again as the test clock moves, until the owner has a mail; the feed has it all', async () => {
    let status = 500;
    const failing = await opened(() => status);
    const booking = await book();
    const count = async (wanted: number) => {
      await waitUntil(`attempt ${wanted} was made`, () => failing.received.length >= wanted, 10_000);
      expect(failing.received).toHaveLength(wanted);
    };
    await count(1);
    const waits = ['PT1M', 'PT6M', 'PT31M', 'PT121M', 'PT301M', 'PT601M', 'PT841M', 'PT1201M', 'PT1441M'];
    for (const [at, wait] of waits.entries()) {
      // What came of the attempt is kept before the clock moves on.
      await waitUntil('the attempt is on record', async () => {
        const { items }: { items: { attempts: object[] }[] } = await call(
          'GET',
          `/webhooks/${failing.hook.id}/deliveries`,
        );
        return items[0]?.attempts.length === at + 1;
      });
      await advance(wait);
      await count(at + 2);
    }
    const last = failing.received.at(-1)!;
    expect(new Verifier(failing.hook.secret).verify(last.text, last.headers)).toMatchObject({
      data: { id: booking },
    });
    expect(new Set(failing.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    await waitUntil('the owner has a mail', async () => {
      const mails = (await (await fetch(`${service.ready.home_url}mailbox.json`)).json()) as {
        to: string;
        text: string;
      }[];
      return mails.some(({ to, text }) => to === service.ready.demo.host.email && text.includes(failing.url));
    });
    const hook: Hook = await call('GET', `/webhooks/${failing.hook.id}`);
    expect(hook.state).toBe('FAILING');
    status = 200;
    expect(await call('POST', `/webhooks/${failing.hook.id}/test`)).toMatchObject({ state: 'DELIVERED' });
    expect(((await call('GET', `/webhooks/${failing.hook.id}`)) as Hook).state).toBe('ACTIVE');
    expect(await wholeFeed()).toContainEqual(
      expect.objectContaining({
        event_type: 'booking.created',
        data: expect.objectContaining({ id: booking }) as unknown,
      }),
    );
  });
});

import type * as Client from '@nightlatch/client';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publicEventTypes } from '../../shared/events.ts';
import { packageIn, projectWithClient, publishedClient } from '../support/client-package.ts';
import { textOf } from '../support/docs.ts';
import { type StartedService, startService } from '../support/local-service.ts';
import { waitUntil } from '../support/wait-until.ts';

/** An endpoint of a partner, which can be down. */
const endpoint = async () => {
  const received: { headers: Record<string, string | string[] | undefined>; body: string }[] = [];
  const state = { isDown: false };
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      if (!state.isDown) received.push({ headers: request.headers, body });
      response.writeHead(state.isDown ? 503 : 204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  return { url, received, state, stop: () => (server.closeAllConnections(), server.close()) };
};

/** The package as partners install it, against the service as `npm start` runs it. */
describe('the client', { timeout: 60_000 }, () => {
  let service: StartedService;
  let library: typeof Client;
  let command: string;
  let partner: Client.PartnerClient;
  let hooks: Awaited<ReturnType<typeof endpoint>>;
  beforeAll(async () => {
    service = await startService({ RATE_LIMIT_KEY: 'off', RATE_LIMIT_USER: 'off' });
    library = await publishedClient();
    command = join(packageIn(await projectWithClient()), 'nightlatch.js');
    const { api_url, demo } = service.ready;
    partner = new library.Nightlatch({ baseUrl: api_url, apiKey: demo.api_key });
    hooks = await endpoint();
  }, 60_000);
  afterAll(async () => {
    hooks.stop();
    await service.stop();
    rmSync(await projectWithClient(), { recursive: true, force: true });
  });

  const dateIn = (days: number): string =>
    new Date(performance.timeOrigin + performance.now() + days * 86_400_000).toISOString().slice(0, 10);
  const dayAfter = (date: string): string =>
    new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10);
  const stayOn = (listing_id: number, night: string) => ({
    listing_id,
    check_in_date: night,
    check_out_date: dayAfter(night),
    nights: 1,
    guest_number: 1,
    payment_method: 'CASH' as const,
    guest_info: { full_name: 'Trần Thị Bình', phone: '+84 912 345 678', email: 'binh@example.com' },
  });
  const eventsAfter = async (
    after: string | undefined,
  ): Promise<[Client.PartnerEvent[], string | undefined]> => {
    const found: Client.PartnerEvent[] = [];
    let cursor = after;
    const saveCursor = (next: string): void => void (cursor = next);
    for await (const event of partner.events({ after, follow: false, saveCursor })) found.push(event);
    return [found, cursor];
  };
  const typesOf = (events: readonly Client.PartnerEvent[], { id }: { id: number }): string[] =>
    events.filter(({ data }) => data.id === id).map(({ event_type }) => event_type);

  it('takes a partner from a listing to a booking, through an outage of its endpoint, to a cancellation', async () => {
    const listings: number[] = [];
    for await (const { id } of partner.listExternalListings({ limit: 2 })) listings.push(id);
    expect(listings.length).toBeGreaterThan(2);
    const listing_id = service.ready.demo.listing_ids[0]!;
    expect(listings).toContain(listing_id);

    const calendar = await partner.readExternalAvailability({
      listing_id,
      start_date: dateIn(60),
      end_date: dateIn(120),
    });
    if (calendar.granularity !== 'day') throw new Error('asked by day');
    const [first, second] = calendar.items.filter(({ available }) => available).map(({ date }) => date);
    const [, start] = await eventsAfter(undefined);
    const { secret } = await partner.createWebhook({
      url: hooks.url,
      event_types: ['booking.created', 'booking.cancelled'],
    });

    const stay = stayOn(listing_id, first!);
    const refusal = await partner
      .createExternalBooking({ ...stay, expected_total: 1 })
      .catch((error: unknown) => {
        if (error instanceof library.NightlatchError) return error;
        throw error;
      });
    const { code, details } = refusal as Client.NightlatchError & { code: 'PRICE_CHANGED' };
    expect(code).toBe('PRICE_CHANGED');
    const booked = await partner.createExternalBooking({
      ...stay,
      expected_total: details.preview.estimated_total,
    });
    expect(booked).toMatchObject({
      listing_id,
      check_in_date: first,
      total_price: details.preview.estimated_total,
    });

    await waitUntil('the webhook has arrived', () => hooks.received.length > 0);
    const [arrived] = hooks.received;
    const event = await library.verifyWebhook(secret, arrived!.headers, arrived!.body);
    expect(event).toMatchObject({ event_type: 'booking.created', data: { id: booked.id } });
    await expect(library.verifyWebhook(secret, arrived!.headers, `${arrived!.body} `)).rejects.toMatchObject({
      problem: 'SIGNATURE',
    });

    hooks.state.isDown = true;
    const missed = await partner.createExternalBooking(stayOn(listing_id, second!));
    const [caughtUp, cursor] = await eventsAfter(start);
    expect(typesOf(caughtUp, booked)).toEqual(['booking.created']);
    await waitUntil('the feed has the second booking', async () => {
      const [events] = await eventsAfter(start);
      return typesOf(events, missed).includes('booking.created');
    });

    const cancelled = await partner.cancelExternalBooking({ booking_id: missed.id, reason: 'Plans changed' });
    expect(cancelled).toMatchObject({ state: 'CANCELLED', cancel_reason: 'Plans changed' });
    await waitUntil('the feed has the cancellation', async () => {
      const [events] = await eventsAfter(cursor);
      return typesOf(events, missed).includes('booking.cancelled');
    });
    expect(hooks.received).toHaveLength(1);
  });

  it('repeats a booking with the same Idempotency-Key when the answer is lost, and books once', async () => {
    const { api_url, demo } = service.ready;
    let lost = 0;
    const losing: typeof fetch = async (address, init) => {
      const response = await fetch(address, init);
      if (lost++ > 0) return response;
      await response.arrayBuffer();
      throw new TypeError('fetch failed');
    };
    const unlucky = new library.Nightlatch({ baseUrl: api_url, apiKey: demo.api_key, fetch: losing });
    const stay = stayOn(service.ready.demo.listing_ids[1]!, dateIn(200));
    const { data, response } = await unlucky.createExternalBooking(stay).withResponse();
    expect(response.headers.get('Idempotent-Replayed')).toBe('true');
    expect(lost).toBe(2);
    const ids: number[] = [];
    const filter = { listing_id: stay.listing_id, check_in_from: stay.check_in_date };
    for await (const { id } of partner.listExternalBookings({ ...filter, check_in_to: stay.check_in_date }))
      ids.push(id);
    expect(ids).toEqual([data.id]);
  });

  it('lets a guest hold and book with an access token', async () => {
    const { api_url, auth_url, client, demo } = service.ready;
    const { email: username, password } = demo.guest;
    const accessToken = async (): Promise<string> => {
      const response = await fetch(`${auth_url}/oauth/token`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ grant_type: 'password', username, password, scope: 'openid', ...client }),
      });
      return ((await response.json()) as { access_token: string }).access_token;
    };
    const guest = new library.Nightlatch({ baseUrl: api_url, accessToken: await accessToken() });
    const night = dateIn(210);
    const item = {
      listing_id: demo.listing_ids[0]!,
      check_in_date: night,
      check_out_date: dayAfter(night),
      guest_number: 1,
    };
    const { checkout_id } = await guest.createCheckout({ items: [item] });
    const { reservations } = await guest.confirmCheckout({ checkout_id, payment_method: 'CASH' });
    const mine: number[] = [];
    for await (const { id } of guest.listMyBookings({ limit: 1 })) mine.push(id);
    expect(mine).toContain(reservations[0]?.id);
  });

  it('books with the lines that the docs print', async () => {
    const project = await projectWithClient();
    const [lines = ''] =
      textOf('docs/partners.md').match(/(?<=## With the client[\s\S]*?```js\n)[\s\S]*?(?=```)/) ?? [];
    writeFileSync(join(project, 'docs.mjs'), lines);
    const { api_url, demo } = service.ready;
    const env = { ...process.env, API_URL: api_url, API_KEY: demo.api_key };
    const { stdout } = await promisify(execFile)(process.execPath, ['docs.mjs'], { cwd: project, env });
    expect(stdout).toMatch(/^\d+ (CONFIRMED|PENDING) [\d.]+ [A-Z]{3}$/m);
    expect(stdout).toMatch(/^listing\.created \d+$/m);
  });

  describe('has a command that', () => {
    const target = () => ({
      ...process.env,
      NIGHTLATCH_URL: service.ready.api_url,
      NIGHTLATCH_API_KEY: service.ready.demo.api_key,
    });
    const run = (...args: string[]) =>
      promisify(execFile)(process.execPath, [command, ...args], { env: target() }).then(
        ({ stdout, stderr }) => ({ stdout, stderr, status: 0 }),
        (error: unknown) => error as { stdout: string; stderr: string; code: number },
      );

    it.each(['booking.created', 'booking.cancelled', 'chat.message_created', 'customer.registered'])(
      'makes %s happen',
      async (type) => {
        const { stdout, stderr } = await run('trigger', type);
        expect(stderr).toBe('');
        expect(JSON.parse(stdout)).toMatchObject({
          event_type: type,
          id: expect.stringMatching(/^evt_/) as string,
        });
      },
    );

    it.each(['payment.paid', 'payment.failed', 'payment.refunded'])('makes %s happen', async (type) => {
      const { stdout, stderr } = await run('trigger', type);
      expect(stderr).toBe('');
      expect(JSON.parse(stdout)).toMatchObject({ event_type: type });
    });

    it('says which events can be triggered where one cannot', async () => {
      const { stderr, code } = (await run('trigger', 'listing.created')) as { stderr: string; code: number };
      expect(code).toBe(1);
      expect(stderr).toContain('listing.created cannot be triggered');
      expect(stderr).toContain('booking.cancelled');
    });

    it('lists all events where the name is of none', async () => {
      const { stderr, code } = (await run('trigger', 'booking.creatd')) as { stderr: string; code: number };
      expect(code).toBe(1);
      expect(stderr).toContain('booking.creatd is no event.');
      for (const type of publicEventTypes) expect(stderr).toContain(type);
    });

    it('forwards the feed as signed webhooks, and goes on while the receiver is down', async () => {
      const laptop = await endpoint();
      const listening = spawn(process.execPath, [command, 'listen', '--forward-to', laptop.url], {
        env: target(),
      });
      const output = outputOf(listening);
      await waitUntil('it listens', () => output().includes('signed with whsec_'));
      const [, secret = ''] = /signed with (\S+)/.exec(output()) ?? [];
      await run('trigger', 'booking.created');
      await waitUntil('the event is forwarded', () => /booking\.created \S+ -> 204/.test(output()));
      const forwarded = laptop.received.find(({ body }) => body.includes('booking.created'));
      expect(await library.verifyWebhook(secret, forwarded!.headers, forwarded!.body)).toMatchObject({
        event_type: 'booking.created',
      });
      laptop.state.isDown = true;
      await run('trigger', 'booking.cancelled');
      await waitUntil('the failure is shown', () => /booking\.cancelled \S+ -> 503/.test(output()));
      const ended = new Promise((resolve) => listening.on('close', resolve));
      listening.kill('SIGINT');
      expect(await ended).toBe(0);
      laptop.stop();
    });

    it('lists the recent requests of the key, without what may be secret or name a person', async () => {
      const { api_url, demo } = service.ready;
      await partner.listExternalBookings({ q: 'Trần Thị Bình', limit: 1 });
      await partner.getExternalBooking({ booking_id: 5 }).catch(() => undefined);
      await fetch(`${api_url}/api/v1/external/bookings?limit=1`, { headers: { 'X-API-Key': 'nk_other' } });
      const { stdout } = await run('requests', 'tail', '--once');
      expect(stdout).toMatch(/ 200 GET {4}\/api\/v1\/external\/bookings\?q&limit \d+ ms \S+\n/);
      expect(stdout).toMatch(/ 404 GET {4}\/api\/v1\/external\/bookings\/5 EXTERNAL_BOOKING_NOT_ACCESSIBLE/);
      expect(stdout).toMatch(/ 201 POST {3}\/api\/v1\/external\/bookings replayed/);
      expect(stdout).not.toMatch(/ 401 /);
      for (const secret of [demo.api_key, 'B%C3%ACnh', 'binh@', 'whsec_'])
        expect(stdout).not.toContain(secret);
    });

    it.each([
      [['listen'], 'listen needs --forward-to <url>.'],
      [['fly'], 'nightlatch fly is no command'],
      [['trigger'], 'Which event?'],
      [['listen', '--forward-to', 'here'], '--forward-to here is no address.'],
      [['--nonsense'], "Unknown option '--nonsense'"],
      [['trigger', 'booking.created', '--key', 'nk_wrong'], '401 UNAUTHORIZED'],
    ])('explains the mistake in %j', async (args, message) => {
      const { stderr, code } = (await run(...args)) as { stderr: string; code: number };
      expect(code).toBe(1);
      expect(stderr).toContain(message);
      expect(stderr).not.toMatch(/^\s+at /m);
    });
  });
});

const outputOf = (child: ChildProcess): (() => string) => {
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return () => output;
};

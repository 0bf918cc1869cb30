import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { instantText, systemClock } from '../../shared/platform/time/clock.ts';
import { type StartedService, startService } from '../support/local-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'nightlatch-drill-'));
const env = { DATA_DIR: join(folder, 'data'), LOCAL_DIR: join(folder, 'local') };
const tableFiles = ['table.db', 'table.db-wal', 'table.db-shm'];

let service: StartedService;
let token: string;

const call = async <Body>(
  method: string,
  path: string,
  { body, key, expected }: { body?: object; key?: string; expected: number },
): Promise<Body> => {
  const { api_url, demo } = service.ready;
  const isPartner = path.startsWith('/external');
  const reply = await fetch(`${api_url}/api/v1${path}`, {
    method,
    headers: {
      ...(isPartner ? { 'X-API-Key': demo.api_key } : { Authorization: `Bearer ${token}` }),
      ...(body ? { 'Content-Type': 'application/json' } : {}),
      ...(key === undefined ? {} : { 'Idempotency-Key': key }),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await reply.text();
  expect({ path, status: reply.status, text: reply.status === expected ? '' : text }).toMatchObject({
    ...{ path, status: expected, text: '' },
  });
  return JSON.parse(text) as Body;
};

const start = async (): Promise<void> => {
  service = await startService(env);
  const { auth_url, client, demo } = service.ready;
  const grant = { grant_type: 'password', scope: 'openid profile email', ...client };
  const reply = await fetch(`${auth_url}/oauth/token`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...grant, username: demo.guest.email, password: demo.guest.password }),
  });
  token = ((await reply.json()) as { access_token: string }).access_token;
};

const operator = async (...args: string[]): Promise<unknown> => {
  const { stdout } = await run(process.execPath, ['bin/operator.ts', ...args], {
    env: { ...process.env, ...env },
    maxBuffer: 1e8,
  });
  return JSON.parse(stdout);
};

/** The n-th of some nights far ahead. */
const night = (n: number) => {
  const date = (days: number) => new Date(systemClock.now() + days * 86_400_000).toISOString().slice(0, 10);
  return { check_in_date: date(200 + 2 * n), check_out_date: date(201 + 2 * n) };
};

interface Booked {
  master_reservation_id: number;
  reservations: { id: number }[];
}

const confirm = async (n: number, payment: object, expected = 201): Promise<Booked> => {
  const item = { listing_id: service.ready.demo.listing_ids[0], guest_number: 2, ...night(n) };
  const body = { items: [item], currency: 'VND', ...payment };
  return call('POST', '/checkout/confirm', {
    body,
    key: `drill-${n}-${expected}-${token.slice(-9)}`,
    expected,
  });
};
const cash = { payment_method: 'CASH' };
const online = { payment_method: 'ONLINE_GATEWAY', payment_gateway_token: 'tok_ok' };
const stayOf = ({ reservations }: Booked): number => reservations[0]?.id ?? 0;
const statusOf = async (booked: Booked) => {
  const path = `/external/bookings/${stayOf(booked)}`;
  const { status, payment_status } = await call<Record<string, string>>('GET', path, { expected: 200 });
  return `${status} ${payment_status}`;
};

interface Feed {
  items: { event_type: string; data: { id: number } }[];
  next_cursor: string;
  has_more: boolean;
}
const readFeed = async (after?: string): Promise<Feed> => {
  const items: Feed['items'] = [];
  for (let cursor = after; ;) {
    const from = cursor === undefined ? '' : `&after=${cursor}`;
    const page: Feed = await call('GET', `/external/events?limit=100${from}`, { expected: 200 });
    items.push(...page.items);
    if (!page.has_more) return { ...page, items };
    cursor = page.next_cursor;
  }
};
const eventsOf = ({ items }: Feed, booked: Booked): string[] =>
  items.flatMap(({ event_type, data }) => (data.id === stayOf(booked) ? [event_type] : [])).sort();
const awaitEvent = (booked: Booked, type: string) =>
  waitUntil(`${type} is in the feed`, async () => eventsOf(await readFeed(), booked).includes(type), 20_000);
const isFound = async (n: number): Promise<boolean> => {
  const { check_in_date, check_out_date } = night(n);
  const [id] = service.ready.demo.listing_ids;
  const { name } = await call<{ name: string }>('GET', `/external/listings/${id}`, { expected: 200 });
  const query = new URLSearchParams({ location: name, check_in: check_in_date, check_out: check_out_date });
  const { items } = await call<{ items: { id: number }[] }>(
    'GET',
    `/external/search?${String(query)}&limit=100`,
    { expected: 200 },
  );
  return items.some((found) => found.id === id);
};

/** What a restore by AWS does: another table with the items of the point, an empty stream, and an identity of its own. */
const putTableBack = (point: string): void => {
  for (const name of tableFiles) {
    rmSync(join(env.DATA_DIR, name), { force: true });
    if (existsSync(join(point, name))) copyFileSync(join(point, name), join(env.DATA_DIR, name));
  }
  rmSync(join(env.DATA_DIR, 'stream-publisher.json'), { force: true });
  const file = new DatabaseSync(join(env.DATA_DIR, 'table.db'));
  const changed = file.prepare('UPDATE _tables SET table_id = ?, stream_label = ?');
  expect(changed.run('restored', instantText(systemClock.now()).slice(0, -1)).changes).toBe(1);
  file.exec('DELETE FROM _stream_records');
  file.close();
};

/**
 * The table goes back to a point; queues, mails, accounts and the gateway do not. Played over the service that `npm start`
 * runs, with a copy of the table's file in the place of a restore.
 */
describe('a restore of the table', { timeout: 120_000 }, () => {
  let before: { cash: Booked; paid: Booked };
  let after: { cash: Booked; paid: Booked };
  const sold: Booked[] = [];
  let at: string;
  let cursor: string;

  beforeAll(async () => {
    await start();
    before = { cash: await confirm(1, cash), paid: await confirm(2, online) };
    await awaitEvent(before.paid, 'payment.paid');
    await awaitEvent(before.cash, 'booking.created');
    await waitUntil('search knows both', async () => !(await isFound(1)) && !(await isFound(2)), 20_000);
    await service.stop();
    at = instantText(systemClock.now());
    const point = join(folder, 'point');
    mkdirSync(point);
    for (const name of tableFiles.filter((one) => existsSync(join(env.DATA_DIR, one))))
      copyFileSync(join(env.DATA_DIR, name), join(point, name));

    await start();
    after = { cash: await confirm(3, cash), paid: await confirm(4, online) };
    const id = stayOf(before.paid);
    await call('POST', `/bookings/${id}/cancel`, { body: {}, key: `drill-${id}`, expected: 200 });
    await awaitEvent(before.paid, 'payment.refunded');
    await awaitEvent(after.paid, 'payment.paid');
    await waitUntil('search knows it', async () => !(await isFound(4)), 20_000);
    cursor = (await readFeed()).next_cursor;
    await service.stop();
    putTableBack(point);
    await start();
  }, 180_000);
  afterAll(async () => {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('keeps every booking from before the point, and has none from after it', async () => {
    expect(await statusOf(before.cash)).toBe('CONFIRMED PENDING');
    expect(await statusOf(before.paid)).toBe('CONFIRMED PAID');
    for (const lost of [after.cash, after.paid])
      await call('GET', `/external/bookings/${stayOf(lost)}`, { expected: 404 });
  });

  it('reports the money that has moved since, to the payment', async () => {
    const { gateway } = (await operator('restore', 'compare', '--at', at)) as {
      gateway: { provider: string; unknown: object[] };
    };
    expect(gateway.provider).toBe('sandbox');
    expect(gateway.unknown).toHaveLength(2);
    expect(gateway.unknown).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          ...{ kind: 'charge', payment_id: after.paid.master_reservation_id, in_table: null },
        }),
        expect.objectContaining({
          ...{ kind: 'refund', payment_id: before.paid.master_reservation_id, in_table: null },
        }),
      ]),
    );
  });

  it('is noticed by readers of the feed, who read again from what they are given', async () => {
    const refused = await call<{ code: string; details: { cursor: string; missed_since: string } }>(
      'GET',
      `/external/events?after=${cursor}`,
      { expected: 410 },
    );
    expect(refused.code).toBe('CURSOR_OUT_OF_DATE');
    expect(Date.parse(refused.details.missed_since)).toBeGreaterThan(Date.parse(at));
    const again = await readFeed(refused.details.cursor);
    expect(eventsOf(again, before.cash)).toEqual(['booking.created']);
    expect(eventsOf(again, before.paid)).toEqual([...['booking.created', 'payment.paid']]);
    expect(eventsOf(again, after.cash)).toEqual([]);
  });

  it('is finished by one command, which may be repeated', async () => {
    type Finished = { published: number; indexed: number; feed_epoch: string };
    for (let times = 0; times < 2; times++) {
      const finished = (await operator('restore', 'finish', '--at', at)) as Finished;
      expect(finished.feed_epoch).toBe('restored');
      expect(finished.published).toBeGreaterThan(2);
      expect(finished.indexed).toBeGreaterThan(0);
    }
    const queues = `${service.ready.home_url}queues.json`;
    await waitUntil(
      'every event was handled',
      async () => {
        const depths = (await (await fetch(queues)).json()) as Record<string, number>[];
        return depths.every(({ depth, in_flight }) => depth === 0 && in_flight === 0);
      },
      30_000,
    );
    // Each event once, however often it was published.
    const feed = await readFeed();
    expect(eventsOf(feed, before.cash)).toEqual(['booking.created']);
    expect(eventsOf(feed, before.paid)).toEqual(['booking.created', 'payment.paid']);
  });

  it('sells what is free in the table, and that alone; search says the same', async () => {
    expect([await isFound(1), await isFound(2), await isFound(3), await isFound(4)]).toEqual([
      ...[false, false, true, true],
    ]);
    for (const taken of [1, 2]) await confirm(taken, cash, 409);
    for (const free of [3, 4]) sold.push(await confirm(free, cash));
  });

  it('leaves records that agree', async () => {
    const booked = [before.cash, before.paid, ...sold].map((one) => [
      'booking',
      '--booking',
      String(stayOf(one)),
    ]);
    const listing = ['listing', '--listing', String(service.ready.demo.listing_ids[0])];
    for (const args of [...booked, listing])
      expect(await operator('audit', ...args)).toMatchObject({ findings: [] });
  });
});

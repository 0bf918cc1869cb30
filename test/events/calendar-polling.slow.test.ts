import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callerOf, type Credentials, signIn } from '../prove/http/client.ts';
import { calendarWith, nights } from '../support/calendars.ts';
import { type StartedService, startService } from '../support/local-service.ts';
import { waitUntil } from '../support/wait-until.ts';

let service: StartedService;
let host: Credentials;
let server: Server;
let text = '';
let fetches = 0;
let url = '';

beforeAll(async () => {
  server = createServer((_, response) => {
    fetches += 1;
    response.setHeader('content-type', 'text/calendar').end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x.ics`;
  service = await startService();
  host = await signIn(service.ready, service.ready.demo.host);
}, 60_000);
afterAll(async () => {
  server.close();
  await service.stop();
});

const call = (...given: Parameters<ReturnType<typeof callerOf>>) => callerOf(service.ready)(...given);
const listing = (at: number): number => service.ready.demo.listing_ids[at] ?? 0;
const advance = (by: string) =>
  fetch(`${service.ready.home_url}clock`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ advance: by }),
  });
const day = (offset: number): string =>
  new Date(Math.floor(performance.timeOrigin / 86_400_000 + offset) * 86_400_000).toISOString().slice(0, 10);
const blockedOf = async (id: number): Promise<string[]> => {
  const { text } = await call(host, {
    method: 'GET',
    path: `/api/v1/listing-availability/listings/${id}?state=BLOCKED`,
  });
  return (JSON.parse(text) as { date: string; note: string }[])
    .filter(({ note }) => note.startsWith('Imported from'))
    .map(({ date }) => date);
};

describe('npm start', { timeout: 60_000 }, () => {
  it('follows a calendar on this machine, and polls it by the test clock', async () => {
    const id = listing(0);
    const path = `/api/v1/listings/${id}/calendar/ical`;
    text = calendarWith(nights('a', day(200), day(202)));
    const added = await call(host, { path, body: { url } });
    expect([added.status, added.json['status'], added.json['imported']]).toEqual([201, 'ACTIVE', 1]);
    expect(await blockedOf(id)).toEqual([day(200)]);
    text = calendarWith(nights('a', day(210), day(212)));
    await advance('PT10M');
    await waitUntil('the block has moved', async () => (await blockedOf(id))[0] === day(210));
    expect(fetches).toBe(2);
    const listed = await call(host, { method: 'GET', path });
    expect(listed.json).toMatchObject({ items: [{ url, status: 'ACTIVE', imported: 1 }] });
    const removed = await call(host, { method: 'DELETE', path: `${path}/${String(added.json['id'])}` });
    expect(removed.status).toBe(200);
    expect(await blockedOf(id)).toEqual([]);
  });

  it("takes another listing's export, and its rotation is noticed", async () => {
    const [one, other] = [listing(0), listing(1)];
    const block = { start_at: `${day(300)}T14:00:00`, end_at: `${day(303)}T12:00:00` };
    const blocked = await call(host, {
      path: `/api/v1/listing-availability/listings/${one}/blocks`,
      body: block,
    });
    expect(blocked.status).toBe(201);
    const path = (id: number) => `/api/v1/listings/${id}/calendar/ical`;
    const { json } = await call(host, { method: 'GET', path: path(one) });
    const export_url = String(json['export_url']);
    const added = await call(host, { path: path(other), body: { url: export_url } });
    expect([added.status, added.json['imported']], added.text).toEqual([201, 1]);
    expect(await blockedOf(other)).toEqual([day(300)]);
    expect((await call(host, { path: path(one), body: { url: export_url } })).status).toBe(400);
    const rotated = await call(host, { path: `${path(one)}/rotate-token` });
    expect(rotated.json['export_url']).not.toBe(export_url);
    await advance('PT10M');
    await waitUntil('the old address fails', async () => {
      const listed = await call(host, { method: 'GET', path: path(other) });
      return (listed.json['items'] as { status: string }[])[0]?.status === 'FAILING';
    });
    expect(await blockedOf(other)).toEqual([day(300)]);
  });
});

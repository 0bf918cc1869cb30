import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { instantText, systemClock } from '../../shared/platform/time/clock.ts';
import { type StartedService, startService } from '../support/local-service.ts';

interface Listing {
  id: number;
  name: string;
  description: string | null;
  images: { url: string }[];
  rating_average: number | null;
}
interface Booking {
  id: number;
  status: string;
  check_in_date: string;
}

describe('the full demo', () => {
  const localDir = mkdtempSync(join(tmpdir(), 'nightlatch-demo-'));
  let service: StartedService;
  let listings: Listing[];
  let bookings: Booking[];
  beforeAll(async () => {
    service = await startService({ DEMO: 'full', LOCAL_DIR: localDir });
    listings = (await asPartner<{ items: Listing[] }>('listings?limit=100')).items;
    bookings = (await asPartner<{ items: Booking[] }>('bookings?limit=100')).items;
    return async () => {
      await service.stop();
      rmSync(localDir, { recursive: true, force: true });
    };
  }, 60_000);
  const asPartner = async <Reply>(path: string): Promise<Reply> => {
    const { api_url, demo } = service.ready;
    const reply = await fetch(`${api_url}/api/v1/external/${path}`, {
      headers: { 'X-API-Key': demo.api_key },
    });
    expect(reply.status).toBe(200);
    return (await reply.json()) as Reply;
  };

  it('has a description and three to five pictures for every listing, which this service draws', async () => {
    expect(listings.length).toBeGreaterThan(12);
    expect(listings.filter(({ description }) => !description)).toEqual([]);
    for (const { images } of listings) {
      expect(images.length).toBeGreaterThanOrEqual(3);
      expect(images.length).toBeLessThanOrEqual(5);
      for (const { url } of images) {
        const { status, headers } = await fetch(url);
        expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml; charset=utf-8']);
        expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
      }
    }
  });

  it('has stays in every state, before and after today', () => {
    const states = ['PENDING', 'CONFIRMED', 'CHECKED_IN', 'CHECKED_OUT', 'COMPLETED', 'CANCELLED'];
    expect([...new Set(bookings.map(({ status }) => status))].sort()).toEqual([...states].sort());
    const today = new Date(performance.timeOrigin).toISOString().slice(0, 10);
    const coming = bookings.filter(({ check_in_date }) => check_in_date > today);
    expect(coming.length).toBeGreaterThan(8);
    expect(bookings.length - coming.length).toBeGreaterThan(6);
  });

  it('has reviewed homes, a conversation, and a feed with the event of every booking', async () => {
    expect(listings.filter(({ rating_average }) => rating_average !== null).length).toBeGreaterThan(3);
    const spoken = await Promise.all(
      bookings.map(({ id }) => asPartner<{ items: { sender_type: string }[] }>(`bookings/${id}/messages`)),
    );
    expect(spoken.filter(({ items }) => items.length > 1).length).toBe(2);
    // Each thread was opened once, although the worker comes later than the demo.
    const openings = spoken.map(
      ({ items }) => items.filter(({ sender_type }) => sender_type === 'SYSTEM').length,
    );
    expect(new Set(openings)).toEqual(new Set([1]));
    const created = new Set<number>();
    for (let after = ''; ;) {
      const page = await asPartner<{
        items: { event_type: string; data: { id: number } }[];
        next_cursor: string;
        has_more: boolean;
      }>(`events?limit=100${after}`);
      for (const { event_type, data } of page.items)
        if (event_type === 'booking.created') created.add(data.id);
      if (!page.has_more) break;
      after = `&after=${encodeURIComponent(page.next_cursor)}`;
    }
    expect(bookings.filter(({ id }) => !created.has(id))).toEqual([]);
  });

  it('has records that agree', async () => {
    const from = instantText(systemClock.now() - 60 * 24 * 60 * 60_000);
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['bin/operator.ts', 'audit', 'since', '--from', from],
      { env: { ...process.env, LOCAL_DIR: localDir } },
    );
    const { orders, findings } = JSON.parse(stdout) as { orders: number; findings: object[] };
    expect(findings).toEqual([]);
    expect(orders).toBeGreaterThan(20);
  });

  it('has sent no mail and leaves nothing in a queue', async () => {
    const { home_url } = service.ready;
    expect(await (await fetch(`${home_url}mailbox.json`)).json()).toEqual([]);
    const queues = (await (await fetch(`${home_url}queues.json`)).json()) as Record<string, number>[];
    const busy = queues.filter(({ depth, in_flight, dead_letters }) =>
      [depth, in_flight, dead_letters].some(Boolean),
    );
    expect(busy).toEqual([]);
  });
});

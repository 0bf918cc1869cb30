import type { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { beforeEach, describe, expect, it } from 'vitest';
import { pollCalendars } from '../../functions/schedules/poll-calendars/index.ts';
import { exportCalendar } from '../../shared/domain/ical/export-calendar.ts';
import { type FeedIds, feedsOf, FollowedFeedEntity } from '../../shared/domain/ical/ical.store.ts';
import { syncFeed } from '../../shared/domain/ical/sync-feed.ts';
import { workQueue } from '../../shared/platform/queue/work-queue.ts';
import { type Consumption, put } from '../../shared/platform/table/index.ts';
import { addDays } from '../../shared/platform/time/time.ts';
import { nights } from '../support/calendars.ts';
import { bookStay } from '../support/events.ts';
import { importScene } from '../support/import-scene.ts';
import { freshId } from '../support/table.ts';

let s: Awaited<ReturnType<typeof importScene>>;
let sent: FeedIds[];
let waiting: number;
beforeEach(async () => {
  s = await importScene();
  sent = [];
  waiting = 0;
});

const queue = () => ({
  waiting: async () => waiting,
  send: async (feeds: readonly FeedIds[]) => void sent.push(...feeds),
});
const poll = () => pollCalendars(() => ({ ...s.deps, queue: queue() }))();
const ours = () => sent.filter(({ listing_id }) => listing_id === s.listing.id);

describe('the look for due feeds', () => {
  it('finds a feed from the ninth minute on, until it is synchronised', async () => {
    s.publish(nights('a', '2027-02-04', '2027-02-06'));
    await s.follow();
    await poll();
    s.deps.clock.advance(8 * 60_000);
    await poll();
    expect(ours()).toEqual([]);
    s.deps.clock.advance(60_000);
    await poll();
    const [feed] = await feedsOf(s.deps.table, s.listing.id);
    expect(ours()).toEqual([{ listing_id: s.listing.id, url_hash: feed?.url_hash }]);
    await s.sync();
    await poll();
    expect(ours()).toHaveLength(1);
  });

  it('adds nothing while the workers are behind', async () => {
    await s.follow();
    s.deps.clock.advance(10 * 60_000);
    waiting = 5001;
    expect(await poll()).toEqual({ queued: 0 });
    waiting = 5000;
    await poll();
    expect(ours()).toHaveLength(1);
  });

  it('reads the due ones of thousands, and none of the others', async () => {
    await s.follow();
    const [feed] = await feedsOf(s.deps.table, s.listing.id);
    const many = Array.from({ length: 2000 }, (_, n) => {
      const next_sync_at = s.deps.clock.now() + (n < 500 ? -1000 : 600_000);
      return put(FollowedFeedEntity, {
        ...feed!,
        listing_id: freshId(),
        feed_id: freshId(),
        shard: n % 16,
        next_sync_at,
      });
    });
    for (let at = 0; at < many.length; at += 100) await s.deps.table.transact(many.slice(at, at + 100));
    const costs: Consumption[] = [];
    const table = s.deps.table.measured((cost) => costs.push(cost));
    const { queued } = await pollCalendars(() => ({ ...s.deps, table, queue: queue() }))();
    expect(queued).toBeGreaterThanOrEqual(500);
    expect(queued).toBeLessThan(600);
    const units = costs.reduce((sum, { readUnits }) => sum + readUnits, 0);
    // Half a unit for 4 KB: five due feeds.
    expect(units).toBeLessThan(150);
  });
});

describe('the queue of feeds', () => {
  it('is filled ten messages at a time', async () => {
    const requests: { Id?: string; MessageBody?: string }[][] = [];
    const client = {
      send: async ({ input }: SendMessageBatchCommand) => {
        requests.push(input.Entries as never);
        return {};
      },
    } as unknown as SQSClient;
    const feeds = Array.from({ length: 25 }, (_, n) => ({ listing_id: n + 1, url_hash: `h${n}` }));
    await workQueue(client, 'https://queue').send(feeds);
    expect(requests.map(({ length }) => length)).toEqual([10, 10, 5]);
    expect(requests.flat().map(({ MessageBody }) => JSON.parse(MessageBody ?? '') as unknown)).toEqual(feeds);
    for (const entries of requests) expect(new Set(entries.map(({ Id }) => Id)).size).toBe(entries.length);
  });
});

describe('the cost of a feed', () => {
  it('that has not changed is a handful of units, whatever it holds', async () => {
    s.remote.headers = { etag: '"1"' };
    s.publish(
      ...Array.from({ length: 30 }, (_, n) =>
        nights(
          String(n),
          `2027-03-${String(n + 1).padStart(2, '0')}`,
          n === 30 ? '2027-04-01' : `2027-03-${String(n + 2).padStart(2, '0')}`,
        ),
      ),
    );
    await s.follow();
    s.deps.clock.advance(600_000);
    const [feed] = await feedsOf(s.deps.table, s.listing.id);
    const costs: Consumption[] = [];
    const table = s.deps.table.measured((cost) => costs.push(cost));
    await syncFeed({ ...s.deps, table, fetchCalendar: s.fetchCalendar }, feed!);
    expect(s.remote.asked.at(-1)).toMatchObject({ 'If-None-Match': '"1"' });
    const sum = (units: (one: Consumption) => number) => costs.reduce((total, one) => total + units(one), 0);
    expect(costs.map(({ operation }) => operation)).toEqual(['batch-get', 'put']);
    // The item and its two places among the due ones.
    expect(sum(({ writeUnits }) => writeUnits)).toBeLessThanOrEqual(3);
    expect(sum(({ readUnits }) => readUnits)).toBeLessThanOrEqual(2);
  });

  it('whose text has other time stamps alone is that of one that has not changed', async () => {
    const stamped = (time: string) => [
      ...nights('a', '2027-03-01', '2027-03-04'),
      `DTSTAMP:20270101T${time}Z`,
    ];
    s.publish(stamped('000000'));
    await s.follow();
    await s.next();
    s.publish(stamped('001000'));
    s.deps.clock.advance(600_000);
    const [feed] = await feedsOf(s.deps.table, s.listing.id);
    const costs: Consumption[] = [];
    const table = s.deps.table.measured((cost) => costs.push(cost));
    await syncFeed({ ...s.deps, table, fetchCalendar: s.fetchCalendar }, feed!);
    expect(costs.map(({ operation }) => operation)).toEqual(['batch-get', 'put']);
    expect(costs.reduce((sum, { writeUnits }) => sum + writeUnits, 0)).toBeLessThanOrEqual(3);
  });

  it('whose follower knows 30 entries of ours: what a fetch and a poll cost', async () => {
    s.remote.headers = { etag: '"1"' };
    await s.follow();
    for (let n = 0; n < 30; n++) {
      const [from, to] = [
        `2027-03-${String(n + 1).padStart(2, '0')}`,
        addDays(`2027-03-${String(n + 1).padStart(2, '0')}`, 1),
      ];
      await bookStay(s.asGuest, { listing_id: s.listing.id, check_in_date: from, check_out_date: to });
    }
    const costs: Consumption[] = [];
    const table = s.deps.table.measured((cost) => costs.push(cost));
    const spent = async (work: () => Promise<unknown>) => {
      costs.length = 0;
      await work();
      return {
        // Those of one moment come in any order.
        calls: costs
          .map(({ operation }) => operation)
          .toSorted()
          .join(' '),
        read: costs.reduce((sum, { readUnits }) => sum + readUnits, 0),
        written: costs.reduce((sum, { writeUnits }) => sum + writeUnits, 0),
      };
    };
    const token = new URL((await s.list())[0]!.export_url).searchParams.get('token') ?? '';
    const params = { listing_id: s.listing.id };
    const fetchExport = () => exportCalendar({ ...s.deps, table }, params.listing_id, { token });
    const sync = async () => {
      s.deps.clock.advance(600_000);
      const [feed] = await feedsOf(s.deps.table, s.listing.id);
      return spent(() => syncFeed({ ...s.deps, table, fetchCalendar: s.fetchCalendar }, feed!));
    };
    const first = await spent(fetchExport);
    expect(first.calls).toBe('batch-get get put query query');
    expect(first.written).toBeLessThanOrEqual(2);
    const again = await spent(fetchExport);
    expect(again).toEqual({ calls: first.calls.replace(' put', ''), read: first.read, written: 0 });
    expect(again.read).toBeLessThanOrEqual(8);
    s.remote.headers = { etag: '"2"' };
    s.publish(nights('all', '2027-03-01', '2027-03-31'));
    // Of them three record that a changed text is about to be read.
    expect((await sync()).written).toBeLessThanOrEqual(11);
    expect((await s.list())[0]).toMatchObject({ echoes: 1, status: 'ACTIVE' });
    const unchanged = await sync();
    expect(unchanged.calls).toBe('batch-get get put');
    expect(unchanged.read).toBeLessThanOrEqual(3);
    expect(unchanged.written).toBeLessThanOrEqual(3);
  }, 60_000);
});

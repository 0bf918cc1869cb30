import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { webhookWorker } from '../../functions/workers/webhook/index.ts';
import { awsConfig } from '../../infra/local/aws-config.ts';
import { startBus } from '../../infra/local/bus.ts';
import type { JsonServer } from '../../infra/local/json-server.ts';
import type { DeadLetters } from '../../infra/operator/dead-letters.ts';
import { operate } from '../../infra/operator/operate.ts';
import { createOutbox } from '../../infra/operator/outbox.ts';
import { createStoredItems } from '../../infra/operator/stored-items.ts';
import { readEvents } from '../../shared/domain/webhook/read-events.ts';
import { systemClock } from '../../shared/platform/time/clock.ts';
import { type DomainEvent, EventEntity } from '../../shared/platform/events/index.ts';
import { maxWrites, put } from '../../shared/platform/table/index.ts';
import { subscriptions } from '../../shared/subscriptions.ts';
import { queueEvent } from '../support/events.ts';
import { freshId, testTableName } from '../support/table.ts';
import { type WebhookScene, webhookScene } from '../support/webhook-scene.ts';
import { noRecovery } from '../support/recovery.ts';

let s: WebhookScene;
let bus: JsonServer;
/** What came into each queue. */
let taken: { consumer: string; body: string }[];
/** How many messages the queues take before they refuse. */
let room: number;
const progress: string[] = [];
beforeEach(async () => {
  s = await webhookScene();
  taken = [];
  room = Infinity;
  bus = await startBus({
    subscriptions,
    clock: systemClock,
    log: () => undefined,
    deliver: (consumer, body) => {
      if (taken.length >= room) return Promise.reject(new Error('full'));
      taken.push({ consumer, body });
      return Promise.resolve();
    },
  });
});
afterEach(() => bus.stop());

const operator = async (...args: string[]) => {
  const client = new EventBridgeClient({ ...awsConfig(bus.endpoint), maxAttempts: 1 });
  const items = createStoredItems(await testTableName());
  const outbox = createOutbox({
    items,
    busName: 'local',
    bus: client,
    progress: (text) => progress.push(text),
  });
  const deadLetters = {} as DeadLetters;
  const target = () => Promise.resolve('the table of this test');
  return operate(['events', 'republish', ...args], () => ({
    deps: s.deps,
    stage: 'local',
    apiUrl: () => 'https://api.example.com',
    deadLetters,
    operator: () => Promise.resolve('operator of this test'),
    target,
    outbox,
    items,
    recovery: noRecovery,
  }));
};
const answerOf = async (...args: string[]) => {
  const { stdout, stderr } = await operator(...args);
  expect(stderr).toBe('');
  return JSON.parse(stdout) as Record<string, unknown>;
};
const refusalOf = async (...args: string[]) =>
  JSON.parse((await operator(...args)).stderr) as { message: string };

const at = (minute: number, second = 0) =>
  new Date(s.deps.clock.now() - 3_600_000 + minute * 60_000 + second * 1000).toISOString();
/** Events in the table that the stream never delivered. */
const unpublished = async (...times: string[]): Promise<DomainEvent[]> => {
  const events = times.map((occurred_at) => ({ ...s.event({ occurred_at }), subject: `ORDER#${freshId()}` }));
  for (let from = 0; from < events.length; from += maxWrites)
    await s.deps.table.transact(events.slice(from, from + maxWrites).map((event) => put(EventEntity, event)));
  return events;
};
const published = (consumer = 'webhook') =>
  taken
    .filter((one) => one.consumer === consumer)
    .map(({ body }) => (JSON.parse(body) as { detail: { id: string } }).detail.id);

describe('operator events republish', () => {
  it('publishes the events of the time again, both ends included, to every consumer, the earliest first', async () => {
    const events = await unpublished(at(14), at(10), at(9, 59), at(12), at(14, 1));
    const answer = await answerOf('--from', at(10), '--to', at(14));
    expect(answer).toEqual({ from: at(10), to: at(14), by_type: { 'booking.created': 3 }, published: 3 });
    const ids = [events[1]!, events[3]!, events[0]!].map(({ id }) => id);
    for (const consumer of ['webhook', 'notification', 'chat', 'ical', 'search-index'])
      expect(published(consumer)).toEqual(ids);
    expect(progress.at(-1)).toBe('3 of 3 events published');
  });

  it('brings what was lost into the feed once, however often it is published', async () => {
    const events = await unpublished(...Array.from({ length: 25 }, (_, second) => at(20, second)));
    const asked = { after: undefined, limit: 100, teams: [s.team_id] };
    await s.deliver(events[3]!);
    for (let time = 0; time < 2; time++) await answerOf('--from', at(20), '--to', at(21));
    expect(published()).toHaveLength(50);
    const bodies = taken.filter(({ consumer }) => consumer === 'webhook').map(({ body }) => body);
    const worker = webhookWorker(() => ({ ...s.deps, deliveries: s.first }));
    expect((await worker(queueEvent(...bodies))).batchItemFailures).toEqual([]);
    const { items } = await readEvents(s.deps, asked);
    expect(items.map(({ id }) => id).toSorted()).toEqual(events.map(({ id }) => id).toSorted());
  });

  it('with --dry-run counts and publishes nothing, and takes the types that are named', async () => {
    await unpublished(at(30), at(31));
    const answer = await answerOf('--from', at(30), '--to', at(32), '--dry-run');
    expect(answer).toMatchObject({ would_publish: 2 });
    const other = await answerOf('--from', at(30), '--to', at(32), '--event-type', 'booking.cancelled');
    expect(other).toMatchObject({ published: 0, by_type: {} });
    expect(taken).toEqual([]);
  });

  it('says from where to continue when the bus takes no more', async () => {
    await unpublished(...Array.from({ length: 12 }, (_, second) => at(40, second)));
    const takers = subscriptions.filter(({ event_types }) => event_types.includes('booking.created')).length;
    room = 10 * takers;
    const { message } = await refusalOf('--from', at(40), '--to', at(41));
    expect(message).toContain(`after 10 events: continue with --from ${at(40, 10)}`);
  }, 30_000);

  it('refuses a time that is none, that ends before it begins, or that consumers no longer remember', async () => {
    expect((await refusalOf('--from', 'yesterday')).message).toContain('--from');
    expect((await refusalOf('--from', at(5), '--to', at(4))).message).toContain('--to lies before --from');
    const soon = new Date(s.deps.clock.now() + 1000).toISOString();
    expect((await refusalOf('--from', soon)).message).toContain('--from lies in the future');
    const long = new Date(s.deps.clock.now() - 30 * 86_400_000).toISOString();
    expect((await refusalOf('--from', long)).message).toContain('29 days');
    expect((await refusalOf()).message).toContain('--from is required');
  });
});

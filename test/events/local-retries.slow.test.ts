import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { awsConfig } from '../../infra/local/aws-config.ts';
import { pauseSeconds, type Queues, startQueues } from '../../infra/local/queues/index.ts';
import { systemClock } from '../../shared/platform/time/clock.ts';
import { consume } from '../../shared/consume.ts';
import { bookingEvents } from '../../shared/domain/booking/booking.events.ts';
import { leaseMs, runOnce } from '../../shared/platform/events/run-once.ts';
import { visibilityTimeoutSeconds } from '../../shared/platform/events/queues.ts';
import { workQueues } from '../../shared/schedules.ts';
import { chatSubscription, subscriptions } from '../../shared/subscriptions.ts';
import { queueEvent } from '../support/events.ts';
import { freshId, testDependencies } from '../support/table.ts';
import { waitUntil } from '../support/wait-until.ts';

const rows = [...subscriptions, ...workQueues];
const pausesOf = (maxReceives: number): number[] =>
  Array.from({ length: maxReceives }, (_, at) => pauseSeconds(at + 1, maxReceives));
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

describe('the pauses after failed deliveries', () => {
  it.each(rows)('of $consumer begin soon, outlast a claim, and are shorter than on AWS', (row) => {
    const pauses = pausesOf(row.maxReceives);
    expect(pauses[0]).toBe(1);
    expect(pauses.at(-2)).toBeGreaterThan(leaseMs / 1000);
    expect(pauses.at(-1)).toBe(0);
    expect(sum(pauses)).toBeLessThan(row.maxReceives * visibilityTimeoutSeconds(row.timeoutSeconds));
  });

  it('are 1, 3, 15 and 65 seconds for five deliveries', () => {
    expect(pausesOf(5)).toEqual([1, 3, 15, 65, 0]);
  });
});

describe('a worker that was killed with a mail in hand', () => {
  let ends: AsyncDisposableStack;
  beforeEach(() => {
    ends = new AsyncDisposableStack();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2027-02-01T08:00:00Z') });
  });
  afterEach(async () => {
    await ends.disposeAsync();
    vi.useRealTimers();
  });

  /** Lets time go by until it holds, half a second at each look, and answers the seconds that it took. */
  const passUntil = async (what: string, holds: () => boolean): Promise<number> => {
    const startedAt = systemClock.now();
    await waitUntil(what, () => {
      if (holds()) return true;
      vi.setSystemTime(systemClock.now() + 500);
      return false;
    });
    return (systemClock.now() - startedAt) / 1000;
  };
  const letters = [{ consumer: 'letters', maxReceives: 5, timeoutSeconds: 30 }];
  const start = async (dataDir?: string): Promise<Queues> => {
    const kept = dataDir === undefined ? {} : { dataDir };
    const queues = await startQueues({ queues: letters, ...kept, log: () => undefined });
    let stopped: Promise<void> | undefined;
    const stop = () => (stopped ??= queues.stop());
    ends.defer(stop);
    return { ...queues, stop };
  };
  const newMessage = () => {
    const [record] = queueEvent({
      id: `evt_${freshId()}`,
      event_type: 'booking.created',
      occurred_at: '2027-02-01T08:00:00.000Z',
      team_id: 71,
      actor: 'user:1',
      data: { id: 17 },
    }).Records;
    return record!.body;
  };
  const idOf = (body: string) => (JSON.parse(body) as { detail: { id: string } }).detail.id;

  /** A worker that mails once for each event, and what it has mailed. */
  const mailer = async () => {
    const deps = await testDependencies({ clock: systemClock });
    const mailed: string[] = [];
    const handling = (event_id: string) => ({ consumer: 'letters', event_id, recipient: 'user:1' });
    const handler = consume<typeof deps, 'chat'>(chatSubscription, bookingEvents, (_, { id }) =>
      runOnce(deps, handling(id), async () => void mailed.push(id)).then(() => undefined),
    )(() => deps);
    const claim = (event_id: string) =>
      new Promise<void>((claimed) => {
        void runOnce(deps, handling(event_id), () => {
          claimed();
          return new Promise(() => undefined);
        });
      });
    return { handler, mailed, claim };
  };

  it('blocks no other worker for longer than its claim: the mail is sent and not abandoned', async () => {
    const { handler, mailed, claim } = await mailer();
    const queues = await start();
    const body = newMessage();
    await claim(idOf(body));
    await queues.send('letters', body);
    let deliveries = 0;
    const poller = queues.poll('letters', {
      handler: (event) => {
        deliveries++;
        return handler(event);
      },
    });
    ends.defer(poller.stop);
    await waitUntil('it is delivered', () => deliveries === 1);
    for (const [at, pause] of [1, 3, 15, 65].entries()) {
      expect(mailed).toEqual([]);
      const passed = await passUntil(`delivery ${at + 2}`, () => deliveries === at + 2);
      expect(passed).toBeGreaterThanOrEqual(pause);
    }
    await waitUntil('it is mailed', () => mailed.length === 1);
    await waitUntil('the queue is empty', () => queues.depths()[0]?.in_flight === 0);
    expect(queues.depths()).toMatchObject([{ depth: 0, dead_letters: 0 }]);
  });

  it.each([
    { receives: 1, waits: false },
    { receives: 3, waits: false },
    { receives: 4, waits: true },
    { receives: 5, waits: true },
  ])('in delivery $receives of 5 leaves another that comes after the claim', async ({ receives, waits }) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'nightlatch-test-'));
    ends.defer(() => rmSync(dataDir, { recursive: true, force: true }));
    const { handler, mailed, claim } = await mailer();
    const body = newMessage();
    const first = await start(dataDir);
    await first.send('letters', body);
    const client = new SQSClient({ ...awsConfig(first.endpoint), useQueueUrlAsEndpoint: false });
    ends.defer(() => client.destroy());
    const receive = async (VisibilityTimeout: number) =>
      client.send(new ReceiveMessageCommand({ QueueUrl: first.urlOf('letters'), VisibilityTimeout }));
    for (let at = 1; at < receives; at++) expect((await receive(0)).Messages).toHaveLength(1);
    expect((await receive(visibilityTimeoutSeconds(30))).Messages).toHaveLength(1);
    await claim(idOf(body));
    await first.stop();

    const second = await start(dataDir);
    expect(second.depths()).toMatchObject([
      waits ? { depth: 0, in_flight: 1, dead_letters: 0 } : { depth: 1, in_flight: 0, dead_letters: 0 },
    ]);
    const poller = second.poll('letters', { handler });
    ends.defer(poller.stop);
    const passed = await passUntil('it is mailed', () => mailed.length === 1);
    expect(passed).toBeGreaterThanOrEqual(leaseMs / 1000);
    expect(second.depths()).toMatchObject([{ dead_letters: 0 }]);
  });
});

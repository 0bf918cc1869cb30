import type { DynamoDBStreamEvent, EventBridgeEvent, SQSEvent } from 'aws-lambda';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { awsConfig } from '../../infra/local/aws-config.ts';
import { startQueues } from '../../infra/local/queues/index.ts';
import {
  type Chain,
  createTestTable,
  idsIn,
  startChain,
  subscriptions,
  type TestTable,
} from '../support/pipeline.ts';
import { waitUntil } from '../support/wait-until.ts';

let table: TestTable;
let ends: AsyncDisposableStack;

beforeEach(async () => {
  ends = new AsyncDisposableStack();
  table = await createTestTable();
});
afterEach(async () => {
  await ends.disposeAsync();
});

const chain = async (more: Omit<Parameters<typeof startChain>[0], 'table'> = {}): Promise<Chain> => {
  const started = await startChain({ table, ...more });
  ends.defer(started.stop);
  return started;
};
const consume = (of: Chain, ...args: Parameters<Chain['consume']>): ReturnType<Chain['consume']> => {
  const poller = of.consume(...args);
  ends.defer(poller.stop);
  return poller;
};
const dataFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'nightlatch-test-'));
  ends.defer(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};
const depthOf = (of: Chain, consumer: string) => of.queues.depths().find(({ name }) => name === consumer);
const numbered = (count: number, word = 'e'): string[] =>
  Array.from({ length: count }, (_, n) => `${word}${n}`);

test('an event reaches each of its consumers once when nothing fails, in the shapes of Lambda', async () => {
  const streamed: DynamoDBStreamEvent[] = [];
  const received: SQSEvent[] = [];
  const running = await chain({
    publish: (toBus) => (event) => {
      streamed.push(event);
      return toBus(event);
    },
  });
  consume(running, 'letters', async (event) => void received.push(event));
  const ledger: string[] = [];
  consume(running, 'ledger', async (event) => void ledger.push(...idsIn(event)));
  await table.write('Listing', 'no event');
  await table.write('Event', 'evt_1');
  await waitUntil('both consumers have it', () => received.length === 1 && ledger.length === 1);

  expect(streamed.flatMap(({ Records }) => Records)).toMatchObject([
    {
      eventName: 'INSERT',
      eventSource: 'aws:dynamodb',
      eventVersion: '1.1',
      eventSourceARN: table.streamArn,
      dynamodb: {
        ApproximateCreationDateTime: expect.any(Number) as number,
        Keys: { pk: { S: 'evt_1' } },
        NewImage: { pk: { S: 'evt_1' }, entity: { S: 'Event' } },
        SequenceNumber: '2',
        StreamViewType: 'NEW_AND_OLD_IMAGES',
      },
    },
  ]);
  const [record] = received[0]!.Records;
  expect(record).toMatchObject({
    eventSource: 'aws:sqs',
    eventSourceARN: expect.stringMatching(/^arn:aws:sqs:[^:]+:\d{12}:letters$/) as string,
    awsRegion: awsConfig('').region,
    attributes: { ApproximateReceiveCount: '1', SentTimestamp: expect.stringMatching(/^\d+$/) as string },
    messageAttributes: {},
  });
  const envelope = JSON.parse(record!.body) as EventBridgeEvent<string, unknown>;
  expect(Object.keys(envelope)).toEqual([
    'version',
    'id',
    'detail-type',
    'source',
    'account',
    'time',
    'region',
    'resources',
    'detail',
  ]);
  expect(envelope).toMatchObject({
    'detail-type': 'booking.created',
    source: 'nightlatch',
    detail: { id: 'evt_1' },
  });
});

test('an event is at its consumer within a tenth of a second when all was idle', async () => {
  const running = await chain();
  let arrived = 0;
  consume(running, 'letters', async () => void (arrived = performance.now()));
  await table.write('Event', 'warm');
  await waitUntil('the chain is warm', () => arrived > 0);
  const latencies: number[] = [];
  for (const id of numbered(5)) {
    await new Promise((resolve) => setTimeout(resolve, 150));
    arrived = 0;
    await table.write('Event', id);
    const written = performance.now();
    await waitUntil('it arrived', () => arrived > 0);
    latencies.push(arrived - written);
  }
  latencies.sort((a, b) => a - b);
  console.log(`stream to consumer, ms: ${latencies.map((ms) => ms.toFixed(1)).join(' ')}`);
  // The median, with room for a busy machine.
  expect(latencies[2]).toBeLessThan(process.env['NIGHTLATCH_TABLE_FILE'] === undefined ? 1000 : 250);
});

test('in a partial failure the rest is done and only the failed message comes again', async () => {
  const seen: string[] = [];
  let refused = false;
  const running = await chain();
  await table.write('Event', ...numbered(10));
  await waitUntil('all wait in the queue', () => depthOf(running, 'letters')?.depth === 10);
  consume(running, 'letters', async (event) => {
    const ids = idsIn(event);
    seen.push(...ids);
    const failed = refused ? -1 : ids.indexOf('e4');
    if (failed < 0) return { batchItemFailures: [] };
    refused = true;
    return { batchItemFailures: [{ itemIdentifier: event.Records[failed]!.messageId }] };
  });
  await waitUntil('the queue is empty', () => {
    const { depth, in_flight } = depthOf(running, 'letters')!;
    return depth + in_flight === 0;
  });
  expect(seen.toSorted()).toEqual([...numbered(10), 'e4'].toSorted());
});

test('a poison message ends in the dead-letter queue of its consumer alone', async () => {
  const ledger: string[] = [];
  const receives: string[] = [];
  const running = await chain();
  consume(running, 'ledger', async (event) => void ledger.push(...idsIn(event)));
  consume(running, 'letters', async (event) => {
    receives.push(...event.Records.map(({ attributes }) => attributes.ApproximateReceiveCount));
    throw new Error('poison');
  });
  await table.write('Event', 'poison');
  await waitUntil('it is given up', () => depthOf(running, 'letters')?.dead_letters === 1);
  expect(receives).toEqual(['1', '2', '3', '4', '5']);
  expect(ledger).toEqual(['poison']);
  expect(running.queues.depths()).toEqual([
    { name: 'letters', depth: 0, in_flight: 0, dead_letters: 1 },
    { name: 'ledger', depth: 0, in_flight: 0, dead_letters: 0 },
  ]);
});

test('a bus that is down and a publisher that fails lose nothing and keep the order', async () => {
  const published: string[] = [];
  let failures = 3;
  const running = await chain({
    publish: (toBus) => async (event) => {
      if (failures > 0) {
        failures -= 1;
        throw new Error('the bus is down');
      }
      const answer = await toBus(event);
      published.push(...event.Records.map(({ dynamodb }) => dynamodb?.NewImage?.['pk']?.S ?? ''));
      return answer;
    },
  });
  const received = new Set<string>();
  consume(running, 'letters', async (event) => {
    for (const id of idsIn(event)) received.add(id);
  });
  await table.write('Event', ...numbered(25));
  // A message may arrive before the publisher has its answer.
  await waitUntil('all have arrived', () => received.size === 25 && published.length >= 25);
  expect(published).toEqual(numbered(25));
});

test('after a partial failure the stream continues from the lowest record that failed', async () => {
  const batches: string[][] = [];
  await table.write('Event', ...numbered(6));
  await chain({
    publish: () => async (event) => {
      batches.push(event.Records.map(({ dynamodb }) => dynamodb?.NewImage?.['pk']?.S ?? ''));
      const failed = event.Records.slice(batches.length === 1 ? 3 : 1).map(
        ({ dynamodb }) => dynamodb!.SequenceNumber!,
      );
      return { batchItemFailures: failed.toReversed().map((itemIdentifier) => ({ itemIdentifier })) };
    },
  });
  await waitUntil('all are done', () => batches.length === 4);
  expect(batches).toEqual([numbered(6), ['e3', 'e4', 'e5'], ['e4', 'e5'], ['e5']]);
});

test('kill -9 of the whole chain, again and again in a storm of events, loses none', async () => {
  const dataDir = dataFolder();
  const notes = join(dataDir, 'consumed');
  const program = join(import.meta.dirname, '../support/pipeline-process.ts');
  const startChild = async () => {
    const child = spawn(process.execPath, [program, table.streamArn, dataDir, notes], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    ends.defer(() => void child.kill('SIGKILL'));
    await new Promise((resolve) => child.stdout.once('data', resolve));
    return child;
  };
  const storm = table.write('Event', ...numbered(600));
  for (let kill = 0; kill < 4; kill += 1) {
    const child = await startChild();
    await new Promise((resolve) => setTimeout(resolve, 40 + 60 * kill));
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('exit', resolve));
  }
  await storm;
  await startChild();
  const consumed = () => new Set(existsSync(notes) ? readFileSync(notes, 'utf8').trim().split('\n') : []);
  await waitUntil('all are consumed', () => consumed().size >= 600);
  expect(consumed()).toEqual(new Set(numbered(600)));
});

test('the checkpoint survives a restart: what was handled does not come again, what was not does', async () => {
  const dataDir = dataFolder();
  const first = await startChain({ table, dataDir });
  await table.write('Event', ...numbered(5, 'before'));
  await waitUntil('all wait in the queue', () => depthOf(first, 'letters')?.depth === 5);
  await first.stop();
  await table.write('Event', ...numbered(5, 'between'));

  const received: string[] = [];
  const second = await chain({ dataDir });
  consume(second, 'letters', async (event) => void received.push(...idsIn(event)));
  await waitUntil('all have arrived', () => received.length >= 10);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(received.toSorted()).toEqual([...numbered(5, 'before'), ...numbered(5, 'between')].toSorted());
});

test('messages that a queue has accepted survive kill -9, also those in hand', async () => {
  const dataDir = dataFolder();
  const module = join(import.meta.dirname, '../../infra/local/queues/index.ts');
  const script = `const { startQueues } = await import(${JSON.stringify(module)});
    const queues = await startQueues({ queues: ${JSON.stringify(subscriptions)}, dataDir: ${JSON.stringify(dataDir)}, log: console.error });
    for (let n = 0; n < 30; n += 1) await queues.send('letters', JSON.stringify({ detail: { id: 'e' + n } }));
    queues.poll('letters', { handler: () => { console.log('in hand'); return new Promise(() => undefined); } });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  child.kill('SIGKILL');
  await new Promise((resolve) => child.once('exit', resolve));

  const queues = await startQueues({ queues: subscriptions, dataDir, log: () => undefined });
  ends.defer(queues.stop);
  expect(queues.depths()[0]).toMatchObject({ depth: 30, in_flight: 0 });
  const received: string[] = [];
  const poller = queues.poll('letters', { handler: async (event) => void received.push(...idsIn(event)) });
  ends.defer(poller.stop);
  await waitUntil('all have arrived', () => received.length === 30);
  expect(received.toSorted()).toEqual(numbered(30).toSorted());
});

test('a message given up stays in the dead-letter queue over a restart', async () => {
  const dataDir = dataFolder();
  const queues = await startQueues({ queues: subscriptions, dataDir, log: () => undefined });
  await queues.send('letters', 'poison');
  const poller = queues.poll('letters', {
    pauseSeconds: () => 0,
    handler: () => Promise.reject(new Error('poison')),
  });
  await waitUntil('it is given up', () => queues.depths()[0]?.dead_letters === 1);
  await poller.stop();
  await queues.stop();
  const again = await startQueues({ queues: subscriptions, dataDir, log: () => undefined });
  ends.defer(again.stop);
  expect(again.depths()[0]).toEqual({ name: 'letters', depth: 0, in_flight: 0, dead_letters: 1 });
});

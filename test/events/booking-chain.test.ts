import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { chatWorker } from '../../functions/workers/chat/index.ts';
import { icalWorker } from '../../functions/workers/ical/index.ts';
import { notificationWorker } from '../../functions/workers/notification/index.ts';
import { publisher } from '../../functions/workers/publisher/index.ts';
import { awsConfig } from '../../infra/local/aws-config.ts';
import { startBus } from '../../infra/local/bus.ts';
import { type QueueHandler, type Queues, startQueues } from '../../infra/local/queues/index.ts';
import { startStream } from '../../infra/local/stream/index.ts';
import { ThreadEntity } from '../../shared/domain/chat/chat.entity.ts';
import { FeedRevisionEntity } from '../../shared/domain/ical/ical.entity.ts';
import type { Mail } from '../../shared/domain/notification/index.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { subscriptions } from '../../shared/subscriptions.ts';
import { tableEndpoint } from '../support/aws-env.ts';
import { bookStay, eventScene } from '../support/events.ts';
import { testTableName } from '../support/table.ts';
import { waitUntil } from '../support/wait-until.ts';

const quiet = () => undefined;
const undo: (() => unknown)[] = [];
let s: Awaited<ReturnType<typeof eventScene>>;
let sent: Mail[];
let queues: Queues;

beforeEach(async () => {
  s = await eventScene();
  sent = [];
  queues = await startQueues({ queues: subscriptions, log: quiet });
  const bus = await startBus({
    subscriptions,
    deliver: (...delivery) => queues.send(...delivery),
    clock: systemClock,
    log: quiet,
  });
  const client = new EventBridgeClient(awsConfig(bus.endpoint));
  const stream = startStream({
    name: 'publisher',
    endpoint: tableEndpoint(),
    streamArn: await streamArn(),
    handler: publisher(() => ({ bus: client, busName: 'test', log: s.deps.log })),
    log: quiet,
  });
  undo.push(queues.stop, bus.stop, stream.stop);
});
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

const streamArn = async (): Promise<string> => {
  const client = new DynamoDBClient(awsConfig(tableEndpoint()));
  const { Table } = await client.send(new DescribeTableCommand({ TableName: await testTableName() }));
  return Table?.LatestStreamArn ?? '';
};

const mailer = { send: async (mail: Mail) => void sent.push(mail) };
const workers = (): Record<string, QueueHandler> => ({
  notification: notificationWorker(() => ({ ...s.deps, mailer })),
  chat: chatWorker(() => s.deps),
  ical: icalWorker(() => s.deps),
});
const start = (handlers: Record<string, QueueHandler>) => {
  for (const [consumer, handler] of Object.entries(handlers)) {
    const poller = queues.poll(consumer, { handler, pauseSeconds: () => 0 });
    undo.push(poller.stop);
  }
};

const book = () =>
  bookStay(s.asGuest, { listing_id: s.listing.id, check_in_date: '2027-02-04', check_out_date: '2027-02-07' });
const mailed = () => sent.filter(({ text }) => text.includes(s.listing.name)).map(({ to }) => to);
const thread = (thread_id: number) => s.deps.table.get(ThreadEntity, { thread_id });
const revision = () => s.deps.table.get(FeedRevisionEntity, { calendar_id: s.listing.calendar_id });

it('a booking reaches mail, chat and calendar within three seconds', async () => {
  start(workers());
  const { booking_id } = await book();
  const isDone = async () =>
    mailed().length === 2 && Boolean(await thread(booking_id)) && (await revision())?.revision === 1;
  await waitUntil(isDone, 3000);
  expect(mailed().sort()).toEqual([s.guest.user.email, s.owner.user.email].sort());
});

import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { chatWorker } from '../../functions/workers/chat/index.ts';
import { icalWorker } from '../../functions/workers/ical/index.ts';
import { listIndexWorker } from '../../functions/workers/list-index/index.ts';
import { notificationWorker } from '../../functions/workers/notification/index.ts';
import { publisher } from '../../functions/workers/publisher/index.ts';
import { searchIndexWorker } from '../../functions/workers/search-index/index.ts';
import { webhookWorker } from '../../functions/workers/webhook/index.ts';
import { awsConfig } from '../../infra/local/aws-config.ts';
import { startBus } from '../../infra/local/bus.ts';
import { type QueueHandler, type Queues, startQueues } from '../../infra/local/queues/index.ts';
import { startStream } from '../../infra/local/stream/index.ts';
import { calendarOf } from '../../shared/domain/calendar/listing-time.rules.ts';
import { ThreadEntity } from '../../shared/domain/chat/chat.store.ts';
import { FeedRevisionEntity } from '../../shared/domain/ical/ical.store.ts';
import type { Mail } from '../../shared/platform/mail/mailer.ts';
import { SearchEntryEntity } from '../../shared/domain/search/search.entity.ts';
import { readEvents } from '../../shared/domain/webhook/read-events.ts';
import { systemClock } from '../../shared/platform/time/clock.ts';
import { subscriptions } from '../../shared/subscriptions.ts';
import { tableEndpoint } from '../support/aws-env.ts';
import { bookStay, eventScene } from '../support/events.ts';
import { testTableName } from '../support/table.ts';
import { waitUntil } from '../support/wait-until.ts';

const quiet = () => undefined;
let ends: AsyncDisposableStack;
let s: Awaited<ReturnType<typeof eventScene>>;
let sent: Mail[];
let queues: Queues;
let bus: EventBridgeClient;

beforeEach(async () => {
  ends = new AsyncDisposableStack();
  s = await eventScene();
  sent = [];
  queues = await startQueues({ queues: subscriptions, log: quiet });
  const deliver = (consumer: string, body: string) => queues.send(consumer, body);
  const local = await startBus({ subscriptions, deliver, clock: systemClock, log: quiet });
  bus = new EventBridgeClient(awsConfig(local.endpoint));
  ends.defer(queues.stop);
  ends.defer(local.stop);
  await readStream();
});
afterEach(async () => {
  await ends.disposeAsync();
});

/** Publishes the table's stream from its beginning on: the bookings of earlier tests are published again. */
const readStream = async () => {
  const client = new DynamoDBClient(awsConfig(tableEndpoint()));
  const { Table } = await client.send(new DescribeTableCommand({ TableName: await testTableName() }));
  const handler = publisher(() => ({ bus, busName: 'test', log: s.deps.log }));
  const streamArn = Table?.LatestStreamArn ?? '';
  const endpoint = tableEndpoint();
  ends.defer(startStream({ name: 'publisher', endpoint, streamArn, handler, log: quiet }).stop);
};

const mailer = { send: async (mail: Mail) => void sent.push(mail) };
const workers = (): Record<string, QueueHandler> => ({
  notification: notificationWorker(() => ({ ...s.deps, mailer })),
  chat: chatWorker(() => s.deps),
  ical: icalWorker(() => s.deps),
  webhook: webhookWorker(() => ({ ...s.deps, deliveries: { send: async () => undefined } })),
  'search-index': searchIndexWorker(() => s.deps),
  'list-index': listIndexWorker(() => s.deps),
});
const start = (handlers: Record<string, QueueHandler>) => {
  for (const [consumer, handler] of Object.entries(handlers))
    ends.defer(queues.poll(consumer, { handler, pauseSeconds: () => 0 }).stop);
};

const book = async (check_in_date = '2027-02-04', check_out_date = '2027-02-07') => {
  const stay = { listing_id: s.listing.id, check_in_date, check_out_date };
  return (await bookStay(s.asGuest, stay)).booking_id;
};
const mailedAbout = (bookingId: number) =>
  sent.filter(({ text }) => text.includes(String(bookingId))).map(({ to }) => to);
const people = () => [s.guest.user.email, s.owner.user.email].sort();
const thread = (thread_id: number) => s.deps.table.get(ThreadEntity, { thread_id });
const revision = async () => {
  const ids = { calendar_id: calendarOf(s.listing) };
  return (await s.deps.table.get(FeedRevisionEntity, ids))?.revision ?? 0;
};
const inFeed = async () => {
  const asked = { after: undefined, limit: 100, teams: [s.team_id] };
  const { items } = await readEvents(s.deps, asked);
  return items.filter(({ event_type }) => event_type === 'booking.created').map(({ data }) => data.id);
};
const isNotified = async (bookingId: number, nth = 1) =>
  mailedAbout(bookingId).length === 2 && (await thread(bookingId)) !== undefined && (await revision()) >= nth;
const deadLetters = (consumer: string) => queues.depths().find(({ name }) => name === consumer)?.dead_letters;

const isInSearch = async () =>
  (await s.deps.table.get(SearchEntryEntity, { listing_id: s.listing.id })) !== undefined;

it('a booking reaches mail, chat, calendar and search within three seconds', async () => {
  start(workers());
  const booking = await book();
  await waitUntil(
    'all consumers are done',
    async () => (await isNotified(booking)) && (await isInSearch()),
    3000,
  );
  expect(mailedAbout(booking).sort()).toEqual(people());
});

it('a stream that is read again from its beginning does nothing twice', async () => {
  start(workers());
  const booking = await book();
  await waitUntil('all consumers are done', () => isNotified(booking));
  await readStream();
  const next = await book('2027-03-04', '2027-03-05');
  await waitUntil('the next booking is notified', () => isNotified(next, 2));
  const isIdle = () => queues.depths().every(({ depth, in_flight }) => depth + in_flight === 0);
  await waitUntil('the queues are empty', isIdle);
  expect([mailedAbout(booking).sort(), mailedAbout(next).sort()]).toEqual([people(), people()]);
  expect(await inFeed()).toEqual([booking, next]);
});

it('a consumer that is down keeps no other waiting, and its messages are put aside', async () => {
  const down: QueueHandler = ({ Records }) =>
    Promise.resolve({
      batchItemFailures: Records.map(({ messageId }) => ({ itemIdentifier: messageId })),
    });
  start({ ...workers(), chat: down });
  const booking = await book();
  await waitUntil('the other consumers are done', () => mailedAbout(booking).length === 2);
  await waitUntil('the message is put aside', () => (deadLetters('chat') ?? 0) > 0);
  expect(await thread(booking)).toBeUndefined();
  expect([deadLetters('notification'), deadLetters('ical')]).toEqual([0, 0]);
});

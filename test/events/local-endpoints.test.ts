import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { SendEmailCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { awsConfig } from '../../infra/local/aws-config.ts';
import { startBus } from '../../infra/local/bus.ts';
import { openMailbox, startMail } from '../../infra/local/mail.ts';
import { startQueues } from '../../infra/local/queues/index.ts';
import { fixedClock, systemClock } from '../../shared/platform/time/clock.ts';
import type { EventMessage } from '../../shared/platform/events/index.ts';
import { entryOf } from '../../shared/platform/events/put-events.ts';

import { waitUntil } from '../support/wait-until.ts';

let ends: AsyncDisposableStack;
beforeEach(() => {
  ends = new AsyncDisposableStack();
});
afterEach(async () => {
  await ends.disposeAsync();
});

/** Returns a client of a local bus that delivers the events of a type to the consumer `letters`. */
const busFor = async (
  event_type: string,
  deliver: (consumer: string, body: string) => Promise<void>,
): Promise<EventBridgeClient> => {
  const bus = await startBus({
    subscriptions: [{ consumer: 'letters', event_types: [event_type] }],
    ...{ deliver, clock: systemClock, log: () => undefined },
  });
  ends.defer(bus.stop);
  const client = new EventBridgeClient(awsConfig(bus.endpoint));
  ends.defer(() => client.destroy());
  return client;
};

test('the bus refuses an entry that EventBridge would refuse and takes the others', async () => {
  const delivered: string[] = [];
  const client = await busFor('booking.created', async (consumer) => void delivered.push(consumer));
  const good = { Source: 'test', DetailType: 'booking.created', Detail: '{"id":"good"}' };
  const answer = await client.send(
    new PutEventsCommand({ Entries: [{ ...good, Detail: 'no JSON' }, good, { ...good, DetailType: '' }] }),
  );
  expect(answer.FailedEntryCount).toBe(2);
  expect(answer.Entries?.map(({ ErrorCode, EventId }) => ErrorCode ?? typeof EventId)).toEqual([
    'MalformedDetail',
    'string',
    'InvalidArgument',
  ]);
  expect(delivered).toEqual(['letters']);
});

test('the bus delivers text with emojis, and the publisher none of the characters that SQS refuses', async () => {
  const queues = await startQueues({
    queues: [{ consumer: 'letters', maxReceives: 5, timeoutSeconds: 30 }],
    log: () => undefined,
  });
  ends.defer(queues.stop);
  const client = await busFor('booking.cancelled', (consumer, body) => queues.send(consumer, body));
  const event = { id: 'evt_1', event_type: 'booking.cancelled', occurred_at: '2027-02-01T08:00:00Z' };
  const data = { id: 1, reason: 'Đổi kế hoạch 😢 \u{10ffff} \ufffe\uffff \0' };
  const entry = entryOf({ ...event, team_id: 1, actor: 'user:1', data }, 'bus');
  const answer = await client.send(new PutEventsCommand({ Entries: [entry] }));
  expect(answer.FailedEntryCount).toBe(0);
  const received: string[] = [];
  const poller = queues.poll('letters', {
    batchSize: 10,
    handler: async ({ Records }) => void received.push(...Records.map(({ body }) => body)),
  });
  ends.defer(poller.stop);
  await waitUntil('the message is there', () => received.length > 0);
  const { detail } = JSON.parse(received[0] ?? '') as { detail: EventMessage };
  expect(detail.data['reason']).toBe('Đổi kế hoạch 😢 \u{10ffff} \ufffd\ufffd \0');
});

test('a mail sent through SES is in the mailbox with its links, newest first, and kept', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'nightlatch-test-'));
  ends.defer(() => rmSync(dataDir, { recursive: true, force: true }));
  const clock = fixedClock('2027-02-01T08:00:00Z');
  const mailbox = openMailbox({ clock, dataDir });
  const server = await startMail({ mailbox, log: () => undefined });
  ends.defer(server.stop);
  const client = new SESv2Client(awsConfig(server.endpoint));
  ends.defer(() => client.destroy());
  await client.send(
    new SendEmailCommand({
      FromEmailAddress: 'stay@example.com',
      Destination: { ToAddresses: ['lan@example.com'] },
      Content: {
        Simple: {
          Subject: { Data: 'Đặt phòng' },
          Body: {
            Text: { Data: 'See https://a.example/1.' },
            Html: { Data: '<a href="https://a.example/2?x=1&amp;y=2">Xem</a>' },
          },
        },
      },
    }),
  );
  clock.advance(1000);
  mailbox.add({ to: 'minh@example.com', subject: 'Verify' });
  const expected = [
    {
      to: 'minh@example.com',
      subject: 'Verify',
      text: '',
      html: '',
      links: [],
      sent_at: '2027-02-01T08:00:01.000Z',
    },
    {
      to: 'lan@example.com',
      subject: 'Đặt phòng',
      text: 'See https://a.example/1.',
      html: '<a href="https://a.example/2?x=1&amp;y=2">Xem</a>',
      links: ['https://a.example/2?x=1&y=2', 'https://a.example/1'],
      sent_at: '2027-02-01T08:00:00.000Z',
    },
  ];
  expect(mailbox.list()).toEqual(expected);
  expect(openMailbox({ clock, dataDir }).list()).toEqual(expected);
});

test('a worker gets batches of its own size, although SQS gives and deletes ten messages at once', async () => {
  const queues = await startQueues({
    queues: [{ consumer: 'letters', maxReceives: 5, timeoutSeconds: 30 }],
    log: () => undefined,
  });
  ends.defer(queues.stop);
  for (let at = 0; at < 37; at++) await queues.send('letters', String(at));
  const sizes: number[] = [];
  const poller = queues.poll('letters', {
    batchSize: 25,
    handler: async ({ Records }) => void sizes.push(Records.length),
  });
  ends.defer(poller.stop);
  await waitUntil('every message is deleted', () =>
    queues.depths().every(({ depth, in_flight }) => depth + in_flight === 0),
  );
  expect(sizes).toEqual([25, 12]);
});

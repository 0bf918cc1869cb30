import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBStreamEvent, EventBridgeEvent, SQSEvent } from 'aws-lambda';
import { type EventType, events } from '../../shared/events.ts';
import { type DomainEvent, EventEntity, eventSource } from '../../shared/platform/events/index.ts';
import { stored } from '../../shared/platform/table/stored-item.ts';
import { schedules } from '../../shared/schedules.ts';
import { subscriptions } from '../../shared/subscriptions.ts';
import { asSqsEvent } from '../local/queues/sqs-event.ts';
import { sampleWorld } from './sample-world.ts';

const { team_id, guest_id, listing_id, order_id, now, stage, ended_webhook } = sampleWorld;
const awsRegion = 'ap-southeast-1';
const account = '123456789012';
const seconds = Date.parse(now) / 1000;
const time = '2027-01-15T03:00:00Z';

/** Returns an event of the second stay of the sample order, otherwise with the example of its type. */
const eventOf = (event_type: EventType): DomainEvent => ({
  id: 'evt_sample00000000000000001',
  event_type,
  occurred_at: now,
  team_id,
  actor: `user:${guest_id}`,
  data: { ...events[event_type].example, id: order_id + 2 },
  subject: `ORDER#${order_id}`,
});

const queueSample = (queue: string, body: object): SQSEvent =>
  asSqsEvent(
    [
      {
        MessageId: '059f36b4-87a3-44ab-83d2-661975830a70',
        ReceiptHandle: 'AQEBwJnKyrHigUMZj6rYigCgxlaS3SLy0a',
        Body: JSON.stringify(body),
        Attributes: {
          SentTimestamp: String(seconds * 1000),
          SenderId: 'AIDAIENQZJOLO23YVJ4VO',
          ApproximateFirstReceiveTimestamp: String(seconds * 1000 + 123),
        },
        MD5OfBody: '098f6bcd4621d373cade4e832627b4f6',
      },
    ],
    `arn:aws:sqs:${awsRegion}:${account}:nightlatch-${stage}-${queue}`,
  );

/** Returns an event as EventBridge puts it into a consumer's queue. */
const consumerSample = (consumer: string, type: EventType): SQSEvent => {
  const { subject: _, ...detail } = eventOf(type);
  const envelope: EventBridgeEvent<EventType, object> = {
    version: '0',
    id: '6a7e8feb-b491-4cf7-a9f1-bf3703467180',
    'detail-type': type,
    source: eventSource,
    account,
    time,
    region: awsRegion,
    resources: [],
    detail,
  };
  return queueSample(consumer, envelope);
};

const streamSample = (): DynamoDBStreamEvent => {
  const event = eventOf('booking.created');
  const NewImage = marshall(stored(EventEntity, event)) as Record<string, { S: string }>;
  return {
    Records: [
      {
        eventID: 'c4ca4238a0b923820dcc509a6f75849b',
        eventName: 'INSERT',
        eventVersion: '1.1',
        eventSource: 'aws:dynamodb',
        awsRegion,
        dynamodb: {
          ApproximateCreationDateTime: seconds,
          Keys: marshall(EventEntity.key(event)) as Record<string, { S: string }>,
          NewImage,
          SequenceNumber: '111100000000000000001',
          SizeBytes: JSON.stringify(NewImage).length,
          StreamViewType: 'NEW_AND_OLD_IMAGES',
        },
        eventSourceARN: `arn:aws:dynamodb:${awsRegion}:${account}:table/nightlatch-${stage}/stream/2027-01-01T00:00:00.000`,
      },
    ],
  };
};

const timerSample = (schedule: string): EventBridgeEvent<'Scheduled Event', string> => ({
  version: '0',
  id: '53dc4d37-cffa-4f76-80c9-8b7d4a4d2eaa',
  'detail-type': 'Scheduled Event',
  source: 'aws.scheduler',
  account,
  time,
  region: awsRegion,
  resources: [`arn:aws:scheduler:${awsRegion}:${account}:schedule/default/nightlatch-${stage}-${schedule}`],
  detail: '{}',
});

const fileOf = (consumer: string, type: EventType): string => `${consumer}.${type.replaceAll(/[._]/g, '-')}`;

/** Returns `booking.created` if the consumer subscribes to it. */
const typeFor = (types: readonly EventType[]): EventType =>
  types.find((type) => type === 'booking.created') ?? types[0] ?? 'booking.created';

/** Returns one sample for each worker and each schedule. */
export const workerSamples: Record<string, object> = {
  ...Object.fromEntries(
    subscriptions.map(({ consumer, event_types }) => {
      const type = typeFor(event_types);
      return [fileOf(consumer, type), consumerSample(consumer, type)];
    }),
  ),
  'publisher.booking-created': streamSample(),
  'calendar-sync.feed': queueSample('calendar-sync', { listing_id, url_hash: 'x2Sample000000000000000' }),
  'webhook-delivery.first': queueSample('webhook-delivery', {
    ...ended_webhook,
    event_id: 'evt_sample00000000000000003',
  }),
  'webhook-retry.again': queueSample('webhook-retry', {
    ...ended_webhook,
    event_id: 'evt_sample00000000000000004',
  }),
  ...Object.fromEntries(
    [...schedules.map(({ name }) => name), 'canary'].map((name) => [`${name}.tick`, timerSample(name)]),
  ),
};

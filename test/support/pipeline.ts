import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import type { DynamoDBBatchResponse, DynamoDBStreamEvent, EventBridgeEvent, SQSEvent } from 'aws-lambda';
import { randomUUID } from 'node:crypto';
import { awsConfig } from '../../infra/local/aws-config.ts';
import { startBus } from '../../infra/local/bus.ts';
import { type QueueHandler, type Queues, startQueues } from '../../infra/local/queues/index.ts';
import { isNewEvent, startStream, type StreamHandler } from '../../infra/local/stream/index.ts';
import { createLocalTable, tableFileFromEnvironment } from '../../infra/local/table/index.ts';
import { systemClock } from '../../shared/platform/time/clock.ts';
import { tableEndpoint } from './aws-env.ts';

export const subscriptions = [
  { consumer: 'letters', event_types: ['booking.created'], maxReceives: 5, timeoutSeconds: 5 },
  {
    consumer: 'ledger',
    event_types: ['booking.created', 'booking.cancelled'],
    maxReceives: 5,
    timeoutSeconds: 5,
  },
];

export interface TestTable {
  streamArn: string;
  write(entity: string, ...ids: string[]): Promise<void>;
}

export const createTestTable = async (): Promise<TestTable> => {
  const TableName = `pipeline-${randomUUID()}`;
  const { streamArn } = await createLocalTable(tableEndpoint(), {
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
  });
  const client = new DynamoDBClient(awsConfig(tableEndpoint()));
  return {
    streamArn,
    write: async (entity, ...ids) => {
      for (const id of ids) {
        await client.send(new PutItemCommand({ TableName, Item: { pk: { S: id }, entity: { S: entity } } }));
      }
    },
  };
};

/** The publisher Lambda in short: an entry for each record; rejected ones are reported as failures. */
const publishTo = (busEndpoint: string): StreamHandler => {
  const client = new EventBridgeClient({ ...awsConfig(busEndpoint), maxAttempts: 1 });
  const publish = async (
    records: DynamoDBStreamEvent['Records'],
  ): Promise<DynamoDBBatchResponse['batchItemFailures']> => {
    const Entries = records.map(({ dynamodb }) => ({
      Source: 'nightlatch',
      DetailType: 'booking.created',
      Detail: JSON.stringify({ id: dynamodb?.NewImage?.['pk']?.S }),
    }));
    const answer = await client.send(new PutEventsCommand({ Entries }));
    return records.flatMap(({ dynamodb }, at) =>
      answer.Entries?.[at]?.ErrorCode === undefined
        ? []
        : [{ itemIdentifier: dynamodb?.SequenceNumber ?? '' }],
    );
  };
  return async ({ Records }) => {
    const batchItemFailures = [];
    for (let at = 0; at < Records.length; at += 10)
      batchItemFailures.push(...(await publish(Records.slice(at, at + 10))));
    return { batchItemFailures };
  };
};

export interface Chain {
  queues: Queues;
  busEndpoint: string;
  consume(consumer: string, handler: QueueHandler): { stop: () => Promise<void> };
  stop: () => Promise<void>;
}

/** Starts stream, bus and queues as `npm start` does. */
export const startChain = async (options: {
  table: Pick<TestTable, 'streamArn'>;
  dataDir?: string;
  publish?: (toBus: StreamHandler) => StreamHandler;
  log?: (line: string) => void;
}): Promise<Chain> => {
  const { table, log = () => undefined } = options;
  const kept = options.dataDir === undefined ? {} : { dataDir: options.dataDir };
  const queues = await startQueues({ queues: subscriptions, log, ...kept });
  const bus = await startBus({
    subscriptions,
    deliver: (...args) => queues.send(...args),
    clock: systemClock,
    log,
  });
  const file = tableFileFromEnvironment();
  const toBus = publishTo(bus.endpoint);
  const stream = startStream({
    name: 'publisher',
    endpoint: tableEndpoint(),
    streamArn: table.streamArn,
    isWanted: isNewEvent,
    handler: options.publish === undefined ? toBus : options.publish(toBus),
    log,
    ...kept,
    ...(file !== undefined && { changed: file.watch() }),
  });
  return {
    queues,
    busEndpoint: bus.endpoint,
    consume: (consumer, handler) => queues.poll(consumer, { handler, pauseSeconds: () => 0 }),
    stop: async () => {
      await stream.stop();
      await bus.stop();
      await queues.stop();
      file?.close();
    },
  };
};

export const idsIn = (event: SQSEvent): string[] =>
  event.Records.map(({ body }) => (JSON.parse(body) as EventBridgeEvent<string, { id: string }>).detail.id);

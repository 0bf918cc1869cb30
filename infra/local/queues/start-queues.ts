import { buildApp } from 'fauxqs';
import type { AddressInfo } from 'node:net';
import { deadLetterQueueName, visibilityTimeoutSeconds } from '../../../shared/platform/events/queues.ts';
import { awsConfig } from '../aws-config.ts';
import type { Log } from '../log.ts';
import { openStores, type SqsStore } from './fauxqs-store.ts';
import { pauseSeconds } from './pause.ts';
import { type Poller, pollQueue, type QueuePolling } from './poll-queue.ts';
import { type SqsActions, sqsActions } from './sqs-actions.ts';

interface QueueSettings {
  consumer: string;
  maxReceives: number;
  timeoutSeconds: number;
}
interface QueueDepth {
  name: string;
  depth: number;
  in_flight: number;
  dead_letters: number;
}
export interface Queues {
  endpoint: string;
  urlOf(name: string): string;
  /** Sends a message; it is stored, if there is a dataDir, when the promise resolves. */
  send(name: string, body: string): Promise<void>;
  poll(name: string, polling: Pick<QueuePolling, 'handler' | 'batchSize'> & Partial<QueuePolling>): Poller;
  depths(): QueueDepth[];
  stop: () => Promise<void>;
}

const account = '000000000000';

const visibleIn = (store: SqsStore, name: string): number => {
  const queue = store.getQueueByName(name);
  queue?.processTimers();
  return (queue?.messages.length ?? 0) + (queue?.delayedMessages.length ?? 0);
};

const createQueue = (
  actions: SqsActions,
  QueueUrl: string,
  QueueName: string,
  Attributes: Record<string, string>,
): void => {
  // Attributes are set separately: creating an existing queue with others is rejected.
  actions.createQueue({ QueueName });
  actions.setQueueAttributes({ QueueUrl, Attributes });
};

const createQueues = (
  actions: SqsActions,
  settings: readonly QueueSettings[],
  { region, urlOf }: { region: string; urlOf: (name: string) => string },
): void => {
  const keptFor = { MessageRetentionPeriod: String(14 * 24 * 3600) };
  for (const { consumer, maxReceives, timeoutSeconds } of settings) {
    const deadLetters = deadLetterQueueName(consumer);
    createQueue(actions, urlOf(deadLetters), deadLetters, keptFor);
    createQueue(actions, urlOf(consumer), consumer, {
      ...keptFor,
      VisibilityTimeout: String(visibilityTimeoutSeconds(timeoutSeconds)),
      RedrivePolicy: JSON.stringify({
        deadLetterTargetArn: `arn:aws:sqs:${region}:${account}:${deadLetters}`,
        maxReceiveCount: maxReceives,
      }),
    });
  }
};

const receivesOf = (queues: readonly QueueSettings[], name: string): number =>
  queues.find(({ consumer }) => consumer === name)?.maxReceives ?? 1;

/** Starts SQS on loopback, with a queue and a dead-letter queue for each consumer. */
export const startQueues = async (options: {
  queues: readonly QueueSettings[];
  dataDir?: string;
  log: Log;
}): Promise<Queues> => {
  const durable = await openStores(options.dataDir);
  const store = durable.stores.sqsStore;
  const app = buildApp({ logger: false, stores: durable.stores });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const endpoint = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const urlOf = (name: string): string => `${endpoint}/${account}/${name}`;
  const { region } = awsConfig(endpoint);
  const actions = await sqsActions(store, { host: new URL(endpoint).host, region });
  createQueues(actions, options.queues, { region, urlOf });
  durable.protect();

  return {
    endpoint,
    urlOf,
    send: async (name, body) => actions.sendMessage({ QueueUrl: urlOf(name), MessageBody: body }),
    poll: (name, polling) =>
      pollQueue({
        pauseSeconds: (failures) => pauseSeconds(failures, receivesOf(options.queues, name)),
        ...polling,
        queue: { url: urlOf(name), arn: store.getQueueByName(name)?.arn ?? '' },
        actions,
        log: options.log,
        interruptWait: () => store.getQueueByName(name)?.cancelWaiters(),
      }),
    depths: () =>
      options.queues.map(({ consumer: name }) => ({
        name,
        depth: visibleIn(store, name),
        in_flight: store.getQueueByName(name)?.inflightMessages.size ?? 0,
        dead_letters: visibleIn(store, deadLetterQueueName(name)),
      })),
    stop: async () => {
      await app.close();
      durable.close();
    },
  };
};

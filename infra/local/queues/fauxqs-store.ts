import type { buildApp } from 'fauxqs';
import type { DatabaseSync } from 'node:sqlite';
import { machineClock } from '../../../shared/platform/clock.ts';
import { afterClaimSeconds } from './pause.ts';

/**
 * fauxqs 2.4.1 with the parts that its own start-up has wrong for us: `startFauxqs` listens on every network
 * address, syncs the disk for each statement, and moves a message to the dead-letter queue in two separate writes.
 * The classes used here are not among its exports, hence the types below; a test holds the behaviour.
 */
type Stores = NonNullable<NonNullable<Parameters<typeof buildApp>[0]>['stores']>;
type SqsQueue = NonNullable<ReturnType<Stores['sqsStore']['getQueueByName']>>;
export type SqsStore = Stores['sqsStore'];

interface Persistence {
  db: DatabaseSync;
  load(...stores: unknown[]): void;
  transaction(work: () => void): void;
  updateMessageReady(messageId: string): void;
  close(): void;
}

const create = async (file: string, name: string, ...args: unknown[]): Promise<object> => {
  const url = new URL(file, import.meta.resolve('fauxqs'));
  const Class = ((await import(url.href)) as Record<string, new (...args: unknown[]) => object>)[name];
  if (Class === undefined) throw new Error(`fauxqs has no ${name} in ${file}: is it still version 2.4.1?`);
  return new Class(...args);
};

const openPersistence = async (dataDir: string): Promise<Persistence> => {
  const persistence = (await create('./persistence.js', 'PersistenceManager', dataDir)) as Persistence;
  // Survives kill -9 as well as FULL does; only a power cut may cost the last moments.
  persistence.db.exec('PRAGMA synchronous = NORMAL');
  const release = persistence.db.prepare(
    'UPDATE sqs_messages SET receipt_handle = NULL, visibility_deadline = NULL WHERE message_id = ?',
  );
  persistence.updateMessageReady = (messageId) => void release.run(messageId);
  persistence.transaction(() => takeBack(persistence));
  return persistence;
};

interface InHand {
  message_id: string;
  receives: number;
  /** Of its queue. */
  attributes: string;
}

/**
 * Whoever had messages in hand is gone, and may have left a claim: they are due again at once, but one that would be given up
 * after its next delivery waits until the claim has run out. A delivery cut short is never the one that gives a message up.
 */
const takeBack = (persistence: Persistence): void => {
  const inHand = persistence.db.prepare(
    `SELECT message_id, approximate_receive_count AS receives, attributes FROM sqs_messages
     JOIN sqs_queues ON name = queue_name WHERE receipt_handle IS NOT NULL`,
  );
  const wait = persistence.db.prepare(
    `UPDATE sqs_messages SET approximate_receive_count = min(approximate_receive_count, ?),
     visibility_deadline = min(visibility_deadline, ?) WHERE message_id = ?`,
  );
  for (const { message_id, receives, attributes } of inHand.all() as unknown as InHand[]) {
    const allButOne = maxReceivesIn(attributes) - 1;
    if (receives < allButOne) persistence.updateMessageReady(message_id);
    else wait.run(allButOne, machineClock.now() + afterClaimSeconds * 1000, message_id);
  }
};

const maxReceivesIn = (attributes: string): number => {
  const { RedrivePolicy = '{}' } = JSON.parse(attributes) as { RedrivePolicy?: string };
  return (JSON.parse(RedrivePolicy) as { maxReceiveCount?: number }).maxReceiveCount ?? Infinity;
};

/** A received message and its move to the dead-letter queue are written together or not at all. */
const dequeueAtOnce = (queue: SqsQueue, persistence: Persistence): void => {
  const dequeue = queue.dequeue.bind(queue);
  queue.dequeue = (...args) => {
    if (queue.messages.length + queue.inflightMessages.size + queue.delayedMessages.length === 0) return [];
    let received: ReturnType<typeof dequeue> = [];
    persistence.transaction(() => (received = dequeue(...args)));
    return received;
  };
};

interface DurableStores {
  stores: Stores;
  /** Called once all queues are made. */
  protect(): void;
  close(): void;
}

export const openStores = async (dataDir: string | undefined): Promise<DurableStores> => {
  const stores = {
    sqsStore: (await create('./sqs/sqsStore.js', 'SqsStore')) as SqsStore,
    snsStore: (await create('./sns/snsStore.js', 'SnsStore')) as Stores['snsStore'],
    s3Store: (await create('./s3/s3Store.js', 'S3Store')) as Stores['s3Store'],
  };
  if (dataDir === undefined) return { stores, protect: () => undefined, close: () => undefined };
  const persistence = await openPersistence(dataDir);
  // Loaded before it is attached: writing a queue again would delete its messages.
  persistence.load(stores.sqsStore, stores.snsStore, stores.s3Store);
  const attached = persistence as unknown as NonNullable<SqsStore['persistence']>;
  stores.sqsStore.persistence = attached;
  for (const queue of stores.sqsStore.allQueues()) queue.persistence = attached;
  return {
    stores,
    protect: () => {
      for (const queue of stores.sqsStore.allQueues()) dequeueAtOnce(queue, persistence);
    },
    close: () => persistence.close(),
  };
};

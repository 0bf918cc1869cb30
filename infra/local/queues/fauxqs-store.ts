import type { buildApp } from 'fauxqs';
import type { DatabaseSync } from 'node:sqlite';
import { machineClock } from '../../../shared/platform/time/clock.ts';
import { importFromFauxqs } from './import-from-fauxqs.ts';
import { afterLeaseSeconds } from './pause.ts';

/**
 * Adapts fauxqs 2.4.1: its own start-up listens on every network address, syncs the disk for each statement, and moves a
 * message to the dead-letter queue in two separate writes. It does not export the classes used here, hence the types below; a
 * test checks the behaviour.
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
  const Class = await importFromFauxqs<new (...args: unknown[]) => object>(file, name);
  return new Class(...args);
};

const openPersistence = async (dataDir: string): Promise<Persistence> => {
  const persistence = (await create('./persistence.js', 'PersistenceManager', dataDir)) as Persistence;
  // As safe as FULL after kill -9; only a power failure may lose the last writes.
  persistence.db.exec('PRAGMA synchronous = NORMAL');
  const release = persistence.db.prepare(
    'UPDATE sqs_messages SET receipt_handle = NULL, visibility_deadline = NULL WHERE message_id = ?',
  );
  persistence.updateMessageReady = (messageId) => void release.run(messageId);
  persistence.transaction(() => releaseReceived(persistence));
  return persistence;
};

type ReceivedMessage = {
  message_id: string;
  receives: number;
  /** The attributes of its queue. */
  attributes: string;
};

/**
 * After a restart, received messages are visible again at once, except those whose next failed delivery would be the last:
 * they wait until the claim of the earlier worker has expired, so that an interrupted delivery never moves a message to the
 * dead-letter queue.
 */
const releaseReceived = (persistence: Persistence): void => {
  const inHand = persistence.db.prepare(
    `SELECT message_id, approximate_receive_count AS receives, attributes FROM sqs_messages
     JOIN sqs_queues ON name = queue_name WHERE receipt_handle IS NOT NULL`,
  );
  const wait = persistence.db.prepare(
    `UPDATE sqs_messages SET approximate_receive_count = min(approximate_receive_count, ?),
     visibility_deadline = min(visibility_deadline, ?) WHERE message_id = ?`,
  );
  for (const { message_id, receives, attributes } of inHand.all() as ReceivedMessage[]) {
    const allButOne = maxReceivesIn(attributes) - 1;
    if (receives < allButOne) persistence.updateMessageReady(message_id);
    else wait.run(allButOne, machineClock.now() + afterLeaseSeconds * 1000, message_id);
  }
};

const maxReceivesIn = (attributes: string): number => {
  const { RedrivePolicy = '{}' } = JSON.parse(attributes) as { RedrivePolicy?: string };
  return (JSON.parse(RedrivePolicy) as { maxReceiveCount?: number }).maxReceiveCount ?? Infinity;
};

/** Makes receiving a message and its move to the dead-letter queue atomic. */
const dequeueAtomically = (queue: SqsQueue, persistence: Persistence): void => {
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
  /** Called after all queues are created. */
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
  // Loaded before it is attached, because writing a queue again would delete its messages.
  persistence.load(stores.sqsStore, stores.snsStore, stores.s3Store);
  // The whole object of fauxqs, of which `Persistence` names the part that is used here.
  const attached = persistence as unknown as NonNullable<SqsStore['persistence']>;
  stores.sqsStore.persistence = attached;
  for (const queue of stores.sqsStore.allQueues()) queue.persistence = attached;
  return {
    stores,
    protect: () => {
      for (const queue of stores.sqsStore.allQueues()) dequeueAtomically(queue, persistence);
    },
    close: () => persistence.close(),
  };
};

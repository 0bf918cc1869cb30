import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventEntity } from '../../../shared/platform/events/event.entity.ts';
import { awsConfig } from '../aws-config.ts';
import { type Log, reason } from '../log.ts';
import { type Checkpoint, openCheckpoint } from './checkpoint.ts';
import { listShards, ShardReader } from './shard-reader.ts';
import { type Shard, type StreamsClient, streamsClient } from './streams-client.ts';

// oxlint-disable-next-line typescript/no-invalid-void-type -- as Lambda takes it
export type StreamHandler = (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse | undefined | void>;

interface StreamOptions {
  /** The consumer's name; each has its own checkpoint. */
  name: string;
  endpoint: string;
  streamArn: string;
  handler: StreamHandler;
  log: Log;
  /** Returns whether the handler gets a record; default: every one. */
  isWanted?: (record: DynamoDBRecord) => boolean;
  /** The directory of the checkpoint. */
  dataDir?: string;
  /** Returns cheaply whether the table was written (`TableFile.watch`); polled every few milliseconds. */
  changed?: () => boolean;
}

/** What the publisher gets, as its event source mapping on AWS filters. */
export const isNewEvent = ({ eventName, dynamodb }: DynamoDBRecord): boolean =>
  eventName === 'INSERT' && dynamodb?.NewImage?.['entity']?.S === EventEntity.name;

interface Stream {
  /** Returns the sequence number up to which everything was handled. */
  position: () => string | undefined;
  /** Resolves once everything that was written before has been handled. */
  caughtUp: () => Promise<void>;
  /** Stops reading and waits for the current batch. */
  stop: () => Promise<void>;
}

const recordsAtOnce = 100;
const watchEveryMs = 20;
const pollEveryMs = 75;
/** A watched stream is also read at this interval. */
const unwatchedEveryMs = 2000;
const firstPauseMs = 100;
const longestPauseMs = 5000;

const sequenceOf = (record: DynamoDBRecord): string => record.dynamodb?.SequenceNumber ?? '';

/** Returns the records before the first failure: Lambda continues from the lowest one that failed. */
const handledRecords = (
  records: readonly DynamoDBRecord[],
  answer: DynamoDBBatchResponse | undefined,
): readonly DynamoDBRecord[] => {
  const failed = answer?.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier) ?? [];
  if (failed.length === 0) return records;
  const first = records.findIndex((record) => failed.includes(sequenceOf(record)));
  return records.slice(0, Math.max(first, 0));
};

class StreamConsumer {
  readonly #options: StreamOptions;
  readonly #client: StreamsClient;
  readonly #checkpoint: Checkpoint;
  readonly #region: string;
  readonly #ended = new Set<string>();
  readonly #stopped = new AbortController();
  #readers: ShardReader[] = [];
  #pauseMs = firstPauseMs;
  /** Those who wait for a read without records. */
  #waiting: (() => void)[] = [];

  constructor(options: StreamOptions, checkpoint: Checkpoint) {
    this.#options = options;
    this.#client = streamsClient(options.endpoint);
    this.#region = awsConfig(options.endpoint).region;
    this.#checkpoint = checkpoint;
  }

  async run(): Promise<void> {
    while (!this.#isStopped()) {
      try {
        const waiting = this.#waiting.splice(0);
        const hadRecords = await this.#readAll();
        this.#pauseMs = firstPauseMs;
        if (hadRecords) this.#waiting.push(...waiting);
        else {
          waiting.forEach((resolve) => resolve());
          await this.#untilNews();
        }
      } catch (error) {
        if (this.#isStopped()) break;
        this.#options.log(`Stream consumer ${this.#options.name} will try again: ${reason(error)}`);
        for (const reader of this.#readers) reader.rewind();
        await this.#sleep(this.#pauseMs);
        this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs);
      }
    }
  }

  stop(): void {
    this.#stopped.abort();
  }

  caughtUp(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #isStopped(): boolean {
    return this.#stopped.signal.aborted;
  }

  async #readAll(): Promise<boolean> {
    if (this.#readers.length === 0) await this.#findShards();
    let hadRecords = false;
    for (const reader of this.#readers) {
      if (this.#isStopped()) break;
      const records = await reader.read(recordsAtOnce);
      if (records.length > 0) {
        hadRecords = true;
        await this.#handle(
          reader.shardId,
          records.map((record) => this.#asLambdaGets(record)),
        );
      }
      if (reader.isAtEnd) this.#ended.add(reader.shardId);
    }
    if (this.#readers.some(({ isAtEnd }) => isAtEnd)) this.#readers = [];
    return hadRecords;
  }

  /** A child shard is read after its parent, so that changes of a record stay in order. */
  async #findShards(): Promise<void> {
    const { streamArn } = this.#options;
    const shards = await listShards(this.#client, streamArn);
    const known = new Set(shards.map(({ ShardId }) => ShardId));
    const isDue = ({ ShardId, ParentShardId: parent }: Shard): boolean =>
      !this.#ended.has(ShardId) && (parent === undefined || !known.has(parent) || this.#ended.has(parent));
    this.#readers = shards
      .filter(isDue)
      .map(({ ShardId }) => new ShardReader(this.#client, streamArn, ShardId, this.#checkpoint));
  }

  /** A record with the stream that it is from. */
  #asLambdaGets(record: DynamoDBRecord): DynamoDBRecord {
    return {
      ...record,
      eventVersion: record.eventVersion ?? '1.1',
      eventSource: 'aws:dynamodb',
      awsRegion: this.#region,
      eventSourceARN: this.#options.streamArn,
    };
  }

  async #handle(shardId: string, records: readonly DynamoDBRecord[]): Promise<void> {
    const { isWanted = () => true, handler } = this.#options;
    const wanted = records.filter((record) => isWanted(record));
    const answer = wanted.length === 0 ? undefined : ((await handler({ Records: wanted })) ?? undefined);
    const handled = handledRecords(wanted, answer);
    const isWhole = handled.length === wanted.length;
    const last = isWhole ? records.at(-1) : handled.at(-1);
    if (last !== undefined) this.#checkpoint.advance(shardId, sequenceOf(last));
    if (!isWhole)
      throw new Error(`${wanted.length - handled.length} of ${wanted.length} records not handled`);
  }

  async #untilNews(): Promise<void> {
    const { changed } = this.#options;
    if (changed === undefined) return this.#sleep(pollEveryMs);
    for (let waitedMs = 0; waitedMs < unwatchedEveryMs && !this.#isStopped(); waitedMs += watchEveryMs) {
      if (changed() || this.#waiting.length > 0) return;
      await this.#sleep(watchEveryMs);
    }
  }

  #sleep(ms: number): Promise<void> {
    return sleep(ms, undefined, { signal: this.#stopped.signal }).catch(() => undefined);
  }
}

/** Emulates Lambda's event source mapping of a DynamoDB stream. */
export const startStream = (options: StreamOptions): Stream => {
  const checkpoint = openCheckpoint(options.dataDir, options.name, options.streamArn);
  const consumer = new StreamConsumer(options, checkpoint);
  const running = consumer.run();
  return {
    position: () => checkpoint.lowest(),
    caughtUp: () => consumer.caughtUp(),
    stop: async () => {
      consumer.stop();
      await running;
    },
  };
};

import {
  type _Record,
  DescribeStreamCommand,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type Shard,
  TrimmedDataAccessException,
} from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { streamArn, type SimulatedStream } from '../memory/stream.ts';
import type { FunctionPool } from './function-pool.ts';
import { countMove } from './moves.ts';
import type { Simulation } from './simulation.ts';

const batchSize = 100;
/** Longer than a record takes to arrive. */
const lagMs = 4000;

type Publisher = Pick<FunctionPool<DynamoDBStreamEvent, DynamoDBBatchResponse>, 'invoke'>;

/** The reading of one shard. */
interface Reader {
  /** The last record that was handled. */
  after: string | undefined;
  isRunning: boolean;
  isOver: boolean;
}

/**
 * The mapping from the table's stream to the publisher, filtered to new events: each shard in its order after its parent, one
 * batch at a time, until it is handled.
 */
export class Stream {
  readonly #sim: Simulation;
  readonly #stream: () => SimulatedStream;
  readonly #publisher: Publisher;
  readonly #readers = new Map<string, Reader>();
  /** How often each change of a state was seen. */
  readonly moves = new Map<string, number>();
  #isDue = false;

  constructor(sim: Simulation, stream: () => SimulatedStream, publisher: Publisher) {
    this.#sim = sim;
    this.#stream = stream;
    this.#publisher = publisher;
  }

  /** Looks for records soon, and when the last of them must have arrived. */
  wake(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    this.#sim.later(this.#sim.between(50, 400), () => {
      this.#isDue = false;
      void this.#poll();
    });
    this.#sim.later(lagMs, () => void this.#poll());
  }

  async #poll(): Promise<void> {
    const { StreamDescription } = (await this.#stream().execute(
      new DescribeStreamCommand({ StreamArn: streamArn }),
    )) as { StreamDescription: { Shards: Shard[] } };
    for (const { ShardId = '', ParentShardId } of StreamDescription.Shards) {
      const parent = ParentShardId === undefined ? undefined : this.#readers.get(ParentShardId);
      if (parent && !parent.isOver) continue;
      const reader = this.#readers.get(ShardId) ?? { after: undefined, isRunning: false, isOver: false };
      this.#readers.set(ShardId, reader);
      if (!reader.isRunning && !reader.isOver) await this.#read(ShardId, reader);
    }
  }

  /** Where records were deleted unread, the next ones; only transactions wake it, and may be a day apart. */
  async #read(shard: string, reader: Reader): Promise<void> {
    try {
      await this.#readNext(shard, reader);
    } catch (error) {
      if (!(error instanceof TrimmedDataAccessException) || reader.after === undefined) throw error;
      reader.after = undefined;
      await this.#readNext(shard, reader);
    }
  }

  async #readNext(shard: string, reader: Reader): Promise<void> {
    const { ShardIterator } = (await this.#stream().execute(
      new GetShardIteratorCommand({
        StreamArn: streamArn,
        ShardId: shard,
        ...(reader.after === undefined
          ? { ShardIteratorType: 'TRIM_HORIZON' }
          : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: reader.after }),
      }),
    )) as { ShardIterator: string };
    const found = (await this.#stream().execute(
      new GetRecordsCommand({ ShardIterator, Limit: batchSize }),
    )) as { Records: _Record[]; NextShardIterator?: string };
    for (const record of found.Records) countMove(this.moves, record);
    const last = found.Records.at(-1)?.dynamodb?.SequenceNumber;
    const events = found.Records.filter(isNewEvent);
    if (last === undefined) {
      reader.isOver = found.NextShardIterator === undefined;
      return;
    }
    if (events.length === 0) reader.after = last;
    else {
      reader.isRunning = true;
      void this.#publish(reader, events, last);
    }
    this.wake();
  }

  async #publish(reader: Reader, events: readonly _Record[], last: string): Promise<void> {
    try {
      const Records = events as unknown as DynamoDBRecord[];
      const { batchItemFailures } = await this.#publisher.invoke({ Records });
      const failed = events.findIndex(({ dynamodb }) =>
        batchItemFailures.some(({ itemIdentifier }) => itemIdentifier === dynamodb?.SequenceNumber),
      );
      if (failed === -1) reader.after = last;
      else if (failed > 0) reader.after = events[failed - 1]?.dynamodb?.SequenceNumber;
    } catch (error) {
      this.#sim.note(`the publisher failed a batch: ${(error as Error).message}`);
    }
    reader.isRunning = false;
    this.wake();
  }
}

const isNewEvent = ({ eventName, dynamodb }: _Record): boolean =>
  eventName === 'INSERT' && dynamodb?.NewImage?.['entity']?.S === 'Event';

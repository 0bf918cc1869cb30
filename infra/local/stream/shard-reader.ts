import {
  type _Record,
  DescribeStreamCommand,
  type DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type Shard,
  TrimmedDataAccessException,
} from '@aws-sdk/client-dynamodb-streams';
import type { Checkpoint } from './checkpoint.ts';

export const listShards = async (client: DynamoDBStreamsClient, StreamArn: string): Promise<Shard[]> => {
  const shards: Shard[] = [];
  let ExclusiveStartShardId: string | undefined;
  do {
    const page = await client.send(
      new DescribeStreamCommand({ StreamArn, ...(ExclusiveStartShardId && { ExclusiveStartShardId }) }),
    );
    shards.push(...(page.StreamDescription?.Shards ?? []));
    ExclusiveStartShardId = page.StreamDescription?.LastEvaluatedShardId;
  } while (ExclusiveStartShardId !== undefined);
  return shards;
};

/** Reads one shard from its checkpoint. */
export class ShardReader {
  readonly shardId: string;
  readonly #client: DynamoDBStreamsClient;
  readonly #streamArn: string;
  readonly #checkpoint: Checkpoint;
  #iterator: string | undefined;
  #isAtEnd = false;

  constructor(client: DynamoDBStreamsClient, streamArn: string, shardId: string, checkpoint: Checkpoint) {
    this.#client = client;
    this.#streamArn = streamArn;
    this.shardId = shardId;
    this.#checkpoint = checkpoint;
  }

  /** True for a closed shard that was read to its end. */
  get isAtEnd(): boolean {
    return this.#isAtEnd;
  }

  async read(limit: number): Promise<_Record[]> {
    this.#iterator ??= await this.#startIterator();
    const page = await this.#client.send(
      new GetRecordsCommand({ ShardIterator: this.#iterator, Limit: limit }),
    );
    this.#iterator = page.NextShardIterator;
    this.#isAtEnd = page.NextShardIterator === undefined;
    return page.Records ?? [];
  }

  /** Continues from the checkpoint at the next read. */
  rewind(): void {
    this.#iterator = undefined;
    this.#isAtEnd = false;
  }

  async #startIterator(): Promise<string | undefined> {
    const shard = { StreamArn: this.#streamArn, ShardId: this.shardId };
    const done = this.#checkpoint.of(this.shardId);
    const horizon = new GetShardIteratorCommand({ ...shard, ShardIteratorType: 'TRIM_HORIZON' });
    const start =
      done === undefined
        ? horizon
        : new GetShardIteratorCommand({
            ...shard,
            ShardIteratorType: 'AFTER_SEQUENCE_NUMBER',
            SequenceNumber: done,
          });
    try {
      return (await this.#client.send(start)).ShardIterator;
    } catch (error) {
      if (!(error instanceof TrimmedDataAccessException)) throw error;
      return (await this.#client.send(horizon)).ShardIterator;
    }
  }
}

import type { DynamoDBRecord } from 'aws-lambda';
import type { Checkpoint } from './checkpoint.ts';
import type { Shard, StreamsClient } from './streams-client.ts';

export const listShards = async (client: StreamsClient, StreamArn: string): Promise<Shard[]> => {
  const shards: Shard[] = [];
  let ExclusiveStartShardId: string | undefined;
  do {
    const { StreamDescription } = await client('DescribeStream', {
      StreamArn,
      ...(ExclusiveStartShardId && { ExclusiveStartShardId }),
    });
    shards.push(...(StreamDescription.Shards ?? []));
    ExclusiveStartShardId = StreamDescription.LastEvaluatedShardId;
  } while (ExclusiveStartShardId !== undefined);
  return shards;
};

/** Reads one shard from its checkpoint. */
export class ShardReader {
  readonly shardId: string;
  readonly #client: StreamsClient;
  readonly #streamArn: string;
  readonly #checkpoint: Checkpoint;
  #iterator: string | undefined;
  #isAtEnd = false;

  constructor(client: StreamsClient, streamArn: string, shardId: string, checkpoint: Checkpoint) {
    this.#client = client;
    this.#streamArn = streamArn;
    this.shardId = shardId;
    this.#checkpoint = checkpoint;
  }

  /** True for a closed shard that was read to its end. */
  get isAtEnd(): boolean {
    return this.#isAtEnd;
  }

  async read(limit: number): Promise<DynamoDBRecord[]> {
    this.#iterator ??= await this.#startIterator();
    const page = await this.#client('GetRecords', { ShardIterator: this.#iterator, Limit: limit });
    this.#iterator = page.NextShardIterator;
    this.#isAtEnd = page.NextShardIterator === undefined;
    return page.Records ?? [];
  }

  /** Continues from the checkpoint at the next read. */
  rewind(): void {
    this.#iterator = undefined;
    this.#isAtEnd = false;
  }

  async #startIterator(): Promise<string> {
    const shard = { StreamArn: this.#streamArn, ShardId: this.shardId };
    const SequenceNumber = this.#checkpoint.of(this.shardId);
    const iteratorAt = async (place: { ShardIteratorType: string; SequenceNumber?: string }) => {
      const { ShardIterator = '' } = await this.#client('GetShardIterator', { ...shard, ...place });
      return ShardIterator;
    };
    if (SequenceNumber === undefined) return iteratorAt({ ShardIteratorType: 'TRIM_HORIZON' });
    try {
      return await iteratorAt({ ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber });
    } catch (error) {
      if (!(error instanceof Error && error.name === 'TrimmedDataAccessException')) throw error;
      return iteratorAt({ ShardIteratorType: 'TRIM_HORIZON' });
    }
  }
}

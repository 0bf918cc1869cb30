import {
  type _Record,
  DescribeStreamCommand,
  ExpiredIteratorException,
  type GetRecordsCommand,
  GetShardIteratorCommand,
  ResourceNotFoundException,
  type Shard,
  TrimmedDataAccessException,
} from '@aws-sdk/client-dynamodb-streams';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Row } from './key-schema.ts';
import type { Fate, Manners } from './manners.ts';
import type { Time } from './simulated-time.ts';

type StreamCommand = DescribeStreamCommand | GetShardIteratorCommand | GetRecordsCommand;

interface StreamRecord {
  sequence: number;
  /** When it was written, and when readers see it. */
  at: number;
  visibleAt: number;
  before: Row | undefined;
  after: Row | undefined;
  byTtl: boolean;
}

interface OpenShard {
  id: string;
  parent: string | undefined;
  openedAt: number;
  first: number;
  /** Of a closed shard: its last sequence number. */
  last: number | undefined;
  /** The share of partition keys: those whose hash is `part` of `parts`. */
  part: number;
  parts: number;
  records: StreamRecord[];
}

interface Iterator {
  shard: string;
  after: number;
  at: number;
}

export const streamArn =
  'arn:aws:dynamodb:ap-southeast-1:123456789012:table/prove/stream/2027-01-15T00:00:00.000';
const firstShards = 3;
const shardMs = 4 * 3_600_000;
const keptMs = 24 * 3_600_000;
const iteratorMs = 15 * 60_000;
const ttlPrincipal = { Type: 'Service', PrincipalId: 'dynamodb.amazonaws.com' };

/** Returns a number for a partition key. */
export const hashOf = (text: string): number => {
  let hash = 2_166_136_261;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619);
  return (hash ^ (hash >>> 15)) >>> 0;
};

/**
 * The stream of the table: shards by partition key, in which records are in the order of the writes. A shard is closed after
 * four hours and has one child, or two if its partition is split; its records are trimmed after a day. A reader has to finish
 * a parent before its children, as Lambda does.
 */
export class SimulatedStream {
  readonly #time: Time;
  readonly #fate: Fate;
  readonly #manners: Pick<Manners, 'streamLag'>;
  readonly #shards: OpenShard[] = [];
  #sequence = 0;
  #opened = 0;

  constructor(time: Time, fate: Fate, manners: Pick<Manners, 'streamLag'>) {
    this.#time = time;
    this.#fate = fate;
    this.#manners = manners;
    for (let part = 0; part < firstShards; part++) this.#open(undefined, part, firstShards);
  }

  append(before: Row | undefined, after: Row | undefined, byTtl = false): void {
    const now = this.#time.now();
    const pk = String((after ?? before)?.item['pk']);
    const shard = this.#shardOf(pk);
    const lag = this.#fate.lasts(this.#manners.streamLag);
    if (lag > 0) this.#fate.count('stream lag');
    const visibleAt = Math.max(now + lag, shard.records.at(-1)?.visibleAt ?? 0);
    shard.records.push({ sequence: ++this.#sequence, at: now, visibleAt, before, after, byTtl });
  }

  /** Closes the open shard of a partition key; two new ones share its keys, as after a split of the partition. */
  split(pk: string): void {
    const shard = this.#shardOf(pk);
    this.#close(shard);
    for (const half of [0, 1]) this.#open(shard.id, shard.part + half * shard.parts, shard.parts * 2);
  }

  async execute(command: StreamCommand): Promise<object> {
    this.#trim();
    if (command instanceof DescribeStreamCommand) return this.#describe(command.input.ExclusiveStartShardId);
    if (command instanceof GetShardIteratorCommand) return this.#iterator(command.input);
    return this.#records(command.input);
  }

  #shardOf(pk: string): OpenShard {
    const hash = hashOf(pk);
    const shard = this.#shards.find(({ last, part, parts }) => last === undefined && hash % parts === part)!;
    if (this.#time.now() - shard.openedAt < shardMs) return shard;
    this.#close(shard);
    return this.#open(shard.id, shard.part, shard.parts);
  }

  #open(parent: string | undefined, part: number, parts: number): OpenShard {
    const id = `shardId-${String(this.#opened++).padStart(20, '0')}-${String(part).padStart(8, '0')}`;
    const shard: OpenShard = {
      ...{ id, parent, part, parts, openedAt: this.#time.now() },
      ...{ first: this.#sequence + 1, last: undefined, records: [] },
    };
    this.#shards.push(shard);
    return shard;
  }

  #close(shard: OpenShard): void {
    shard.last = this.#sequence;
  }

  /** Drops records after a day, and closed shards that are empty. */
  #trim(): void {
    const horizon = this.#time.now() - keptMs;
    for (const shard of [...this.#shards]) {
      const kept = shard.records.findIndex(({ at }) => at >= horizon);
      if (kept === 0) continue;
      const dropped = shard.records.splice(0, kept === -1 ? shard.records.length : kept);
      shard.first = (dropped.at(-1)?.sequence ?? shard.first - 1) + 1;
      if (shard.last !== undefined && shard.records.length === 0 && shard.openedAt + shardMs < horizon)
        this.#shards.splice(this.#shards.indexOf(shard), 1);
    }
  }

  #describe(after: string | undefined): object {
    const from = after === undefined ? 0 : this.#shards.findIndex(({ id }) => id === after) + 1;
    const Shards: Shard[] = this.#shards.slice(from).map(({ id, parent, first, last }) => ({
      ShardId: id,
      ...(parent === undefined ? {} : { ParentShardId: parent }),
      SequenceNumberRange: {
        StartingSequenceNumber: sequenceText(first),
        ...(last === undefined ? {} : { EndingSequenceNumber: sequenceText(last) }),
      },
    }));
    return { StreamDescription: { StreamArn: streamArn, StreamStatus: 'ENABLED', Shards } };
  }

  #iterator({ ShardId = '', ShardIteratorType, SequenceNumber }: GetShardIteratorCommand['input']): object {
    const shard = this.#known(ShardId);
    const after = {
      TRIM_HORIZON: shard.first - 1,
      LATEST: shard.records.at(-1)?.sequence ?? shard.last ?? this.#sequence,
      AT_SEQUENCE_NUMBER: Number(SequenceNumber) - 1,
      AFTER_SEQUENCE_NUMBER: Number(SequenceNumber),
    }[ShardIteratorType ?? 'TRIM_HORIZON'];
    if (after < shard.first - 1) throw trimmed();
    return { ShardIterator: JSON.stringify({ shard: ShardId, after, at: this.#time.now() }) };
  }

  #records({ ShardIterator = '', Limit = 1000 }: GetRecordsCommand['input']): object {
    const now = this.#time.now();
    const iterator = JSON.parse(ShardIterator) as Iterator;
    if (now - iterator.at > iteratorMs)
      throw new ExpiredIteratorException({ $metadata: {}, message: 'Iterator expired.' });
    const shard = this.#known(iterator.shard);
    if (iterator.after < shard.first - 1) throw trimmed();
    const { records } = shard;
    const from = firstAfter(records, iterator.after);
    let to = from;
    // Records become visible in their order.
    while (to < records.length && to - from < Limit && records[to]!.visibleAt <= now) to++;
    const found = records.slice(from, to);
    const isOver = shard.last !== undefined && to === records.length;
    const next: Iterator = { shard: shard.id, after: found.at(-1)?.sequence ?? iterator.after, at: now };
    return {
      Records: found.map(asRecord),
      ...(isOver ? {} : { NextShardIterator: JSON.stringify(next) }),
    };
  }

  #known(id: string): OpenShard {
    const shard = this.#shards.find((one) => one.id === id);
    if (!shard)
      throw new ResourceNotFoundException({ $metadata: {}, message: `Requested resource not found: ${id}` });
    return shard;
  }
}

/** Returns the position of the first record after a sequence number. */
const firstAfter = (records: readonly StreamRecord[], sequence: number): number => {
  let [low, high] = [0, records.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (records[middle]!.sequence <= sequence) low = middle + 1;
    else high = middle;
  }
  return low;
};

const trimmed = (): Error =>
  new TrimmedDataAccessException({
    $metadata: {},
    message: 'The operation attempted to read past the oldest stream record in a shard.',
  });

const sequenceText = (sequence: number): string => String(sequence).padStart(21, '0');

const asRecord = ({ sequence, at, before, after, byTtl }: StreamRecord): _Record => {
  const { pk, sk } = (after ?? before)!.item;
  const image = (row: Row): Record<string, never> => marshall(row.item) as Record<string, never>;
  return {
    eventID: `event-${sequence}`,
    eventName: after ? (before ? 'MODIFY' : 'INSERT') : 'REMOVE',
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: 'ap-southeast-1',
    dynamodb: {
      ApproximateCreationDateTime: new Date(Math.floor(at / 1000) * 1000),
      Keys: marshall({ pk, sk }),
      ...(after ? { NewImage: image(after) } : {}),
      ...(before ? { OldImage: image(before) } : {}),
      SequenceNumber: sequenceText(sequence),
      SizeBytes: (after?.size ?? 0) + (before?.size ?? 0),
      StreamViewType: 'NEW_AND_OLD_IMAGES',
    },
    ...(byTtl ? { userIdentity: ttlPrincipal } : {}),
  };
};

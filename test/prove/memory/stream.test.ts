import {
  DescribeStreamCommand,
  GetRecordsCommand,
  GetShardIteratorCommand,
} from '@aws-sdk/client-dynamodb-streams';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { PutCommand } from '../../../shared/platform/dynamodb/index.ts';
import { seeded } from '../schedule/virtual.ts';
import { SimulatedTable } from './simulated-table.ts';
import { SteppedTime } from './simulated-time.ts';
import { streamArn } from './stream.ts';

const TableName = 'prove';
const start = Date.parse('2027-01-15T03:00:00Z');
const StreamArn = streamArn;

interface Shard {
  ShardId: string;
  ParentShardId?: string;
  SequenceNumberRange: { EndingSequenceNumber?: string };
}
interface Records {
  Records: {
    eventName: string;
    userIdentity?: object;
    dynamodb: { Keys: { pk: { S: string } }; SequenceNumber: string; NewImage?: { n?: { N: string } } };
  }[];
  NextShardIterator?: string;
}

const newTable = (streamLag = { rate: 0, ms: 0 }) => {
  const time = new SteppedTime(start);
  const table = new SimulatedTable({ time, random: seeded(1), manners: { streamLag }, hasStream: true });
  const put = (pk: string, n: number) =>
    table.execute(new PutCommand({ TableName, Item: { pk, sk: 's', n } }));
  const shards = async () =>
    (
      (await table.stream.execute(new DescribeStreamCommand({ StreamArn }))) as {
        StreamDescription: { Shards: Shard[] };
      }
    ).StreamDescription.Shards;
  const iterator = async (ShardId: string, SequenceNumber?: string) => {
    const ShardIteratorType = SequenceNumber === undefined ? 'TRIM_HORIZON' : 'AFTER_SEQUENCE_NUMBER';
    const input = {
      StreamArn,
      ShardId,
      ShardIteratorType,
      ...(SequenceNumber === undefined ? {} : { SequenceNumber }),
    } as const;
    const reply = await table.stream.execute(new GetShardIteratorCommand(input));
    return (reply as { ShardIterator: string }).ShardIterator;
  };
  const read = async (ShardIterator: string, Limit = 1000) =>
    (await table.stream.execute(new GetRecordsCommand({ ShardIterator, Limit }))) as Records;
  const readAll = async () => {
    const all: Records['Records'][] = [];
    for (const { ShardId } of await shards()) all.push((await read(await iterator(ShardId))).Records);
    return all;
  };
  return { time, table, put, shards, iterator, read, readAll };
};

const numbers = (records: Records['Records'], pk: string) =>
  records
    .filter(({ dynamodb }) => dynamodb.Keys.pk.S === pk)
    .map(({ dynamodb }) => Number(dynamodb.NewImage?.n?.N));

describe('the stream', () => {
  it('has several shards, and the records of an item in one, in order', async () => {
    const { put, readAll } = newTable();
    for (let n = 0; n < 10; n++) for (const pk of ['a', 'b', 'c', 'd', 'e', 'f']) await put(pk, n);
    const shards = await readAll();
    expect(shards.filter((records) => records.length > 0).length).toBeGreaterThan(1);
    for (const pk of ['a', 'b', 'c', 'd', 'e', 'f'])
      expect(shards.map((records) => numbers(records, pk)).filter(({ length }) => length > 0)).toEqual([
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      ]);
  });

  it('says what happened, leaves out a write that changes nothing, and names TTL', async () => {
    const { table, put, readAll } = newTable();
    await put('a', 1);
    await put('a', 1);
    await put('a', 2);
    await table.execute(new DeleteCommand({ TableName, Key: { pk: 'a', sk: 's' } }));
    await table.execute(new PutCommand({ TableName, Item: { pk: 'a', sk: 's', expires_at: start / 1000 } }));
    table.expire(start);
    const records = (await readAll()).flat();
    expect(records.map(({ eventName }) => eventName)).toEqual([
      'INSERT',
      'MODIFY',
      'REMOVE',
      'INSERT',
      'REMOVE',
    ]);
    expect(records.map(({ userIdentity }) => userIdentity)).toEqual([
      ...[undefined, undefined, undefined, undefined],
      { Type: 'Service', PrincipalId: 'dynamodb.amazonaws.com' },
    ]);
  });

  it('is read from a sequence number on, in parts, and late', async () => {
    const { time, put, shards, iterator, read } = newTable({ rate: 1, ms: 2000 });
    for (let n = 0; n < 5; n++) await put('a', n);
    time.advance(2000);
    const [shard] = await Promise.all(
      (await shards()).map(async ({ ShardId }) => ({ ShardId, ...(await read(await iterator(ShardId), 2)) })),
    ).then((all) => all.filter(({ Records }) => Records.length > 0));
    expect(numbers(shard!.Records, 'a')).toEqual([0, 1]);
    expect(numbers((await read(shard!.NextShardIterator!)).Records, 'a')).toEqual([2, 3, 4]);
    const again = await read(await iterator(shard!.ShardId, shard!.Records[0]?.dynamodb.SequenceNumber));
    expect(numbers(again.Records, 'a')).toEqual([1, 2, 3, 4]);
    await put('a', 5);
    expect((await read(await iterator(shard!.ShardId))).Records).toHaveLength(5);
    time.advance(2000);
    expect((await read(await iterator(shard!.ShardId))).Records).toHaveLength(6);
  });

  it('closes a shard after four hours or at a split, and its children continue', async () => {
    const { time, table, put, shards, iterator, read } = newTable();
    await put('a', 1);
    table.stream.split('a');
    await put('a', 2);
    time.advance(4 * 3_600_000);
    await put('a', 3);
    const all = await shards();
    const closed = all.filter(({ SequenceNumberRange: { EndingSequenceNumber } }) => EndingSequenceNumber);
    expect(closed).toHaveLength(2);
    const seen: number[] = [];
    for (const { ShardId, ParentShardId, SequenceNumberRange } of all) {
      const { Records, NextShardIterator } = await read(await iterator(ShardId));
      expect(NextShardIterator === undefined).toBe(SequenceNumberRange.EndingSequenceNumber !== undefined);
      if (Records.length > 0 && seen.length > 0) expect(ParentShardId).toBeDefined();
      seen.push(...numbers(Records, 'a'));
    }
    expect(seen).toEqual([1, 2, 3]);
  });

  it('keeps records for a day', async () => {
    const { time, put, shards, iterator, read } = newTable();
    await put('a', 1);
    const used = (await shards()).map(({ ShardId }) => ShardId);
    const before = await Promise.all(used.map((id) => iterator(id)));
    const at = (await Promise.all(before.map((one) => read(one)))).findIndex(
      ({ Records }) => Records.length > 0,
    );
    time.advance(25 * 3_600_000);
    await put('a', 2);
    await expect(iterator(used[at]!, '0'.repeat(21))).rejects.toThrow(/past the oldest|not found/);
    await expect(read(before[at]!)).rejects.toThrow(/expired/);
  });
});

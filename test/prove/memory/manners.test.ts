import { BatchWriteCommand, TransactGetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import {
  BatchGetCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '../../../shared/platform/dynamodb/index.ts';
import { makeVirtual, runVirtual, seeded } from '../schedule/virtual.ts';
import { hostile, type Manners } from './manners.ts';
import { sdkClient } from './sdk-client.ts';
import { SimulatedTable } from './simulated-table.ts';
import { SimulatedTime, SteppedTime } from './simulated-time.ts';

const TableName = 'prove';
const start = Date.parse('2027-01-15T03:00:00Z');
const always = (ms: number) => ({ rate: 1, ms });
const noSlow = { rate: 0, ms: 0 };
const latency = { requestMs: 8, transactionMs: 25, slow: noSlow };
const a = { pk: 'a', sk: '1' };
const b = { pk: 'b', sk: '1' };
const put = (Item: object) => new PutCommand({ TableName, Item: Item as Record<string, unknown> });
const get = (Key: Record<string, string>, ConsistentRead = false) =>
  new GetCommand({ TableName, Key, ConsistentRead });
const transaction = (items: object[], ClientRequestToken?: string) =>
  new TransactWriteCommand({
    TransactItems: items.map((Item) => ({ Put: { TableName, Item: Item as Record<string, unknown> } })),
    ...(ClientRequestToken === undefined ? {} : { ClientRequestToken }),
  });
const ofTeam = (more: object = {}) =>
  new QueryCommand({
    ...{ TableName, IndexName: 'by_team', KeyConditionExpression: 'team_pk = :t' },
    ...{ ExpressionAttributeValues: { ':t': 'team' }, ...more },
  });
const ofPartition = (pk: string, more: object = {}) =>
  new QueryCommand({
    ...{ TableName, KeyConditionExpression: 'pk = :p', ExpressionAttributeValues: { ':p': pk } },
    ...more,
  });

const overSteps = (manners: Partial<Manners>, random = () => 0.5) => {
  const time = new SteppedTime(start);
  return { time, table: new SimulatedTable({ time, random, manners }) };
};

/** A table whose requests take time, and what became of each request, with its moment. */
const overTime = (manners: Partial<Manners> = {}, random = () => 0.5) => {
  const time = new SimulatedTime(start);
  const table = new SimulatedTable({ time, random, manners: { latency, ...manners } });
  const seen: string[] = [];
  const ask = async (name: string, request: Promise<object>): Promise<void> => {
    const at = () => `at ${Math.round(time.now() - start)}`;
    try {
      const { Item } = (await request) as { Item?: { n?: number } };
      seen.push(`${name}${Item ? ` ${Item.n}` : ''} ${at()}`);
    } catch (error) {
      const { name: what, CancellationReasons } = error as Error & {
        CancellationReasons?: { Code: string }[];
      };
      seen.push(`${name} ${CancellationReasons?.map(({ Code }) => Code).join() ?? what} ${at()}`);
    }
  };
  return { time, table, seen, ask };
};

describe('transactions that overlap', () => {
  it('refuse each other, writes of one item, and transactional reads; plain reads return the item before', async () => {
    const { time, table, seen, ask } = overTime();
    void ask('first', table.execute(transaction([{ ...a, n: 1 }])));
    void ask('second', table.execute(transaction([{ ...a, n: 2 }, b])));
    void ask('put', table.execute(put({ ...a, n: 3 })));
    void ask('read', table.execute(get(a, true)));
    void ask(
      'read both',
      table.execute(new TransactGetCommand({ TransactItems: [{ Get: { TableName, Key: a } }] })),
    );
    await time.toEnd();
    expect(seen).toEqual([
      'second TransactionConflict,None at 8',
      'put TransactionConflictException at 8',
      'read at 8',
      'read both TransactionConflict at 8',
      'first at 25',
    ]);
    void ask('third', table.execute(transaction([{ ...a, n: 4 }])));
    await time.toEnd();
    expect(seen.at(-1)).toBe('third at 50');
    expect(table.counts().get('transaction conflict')).toBe(3);
  });

  it('that are cancelled have held what was free', async () => {
    const { time, table, seen, ask } = overTime({ cancelledHolds: { rate: 1 } });
    await Promise.all([ask('put', table.execute(put(a))), time.toEnd()]);
    const Put = { TableName, Item: a, ConditionExpression: 'attribute_not_exists(pk)' };
    const failing = new TransactWriteCommand({ TransactItems: [{ Put }, { Put: { TableName, Item: b } }] });
    void ask('failing', table.execute(failing));
    void ask('other', table.execute(transaction([b])));
    await time.toEnd();
    expect(seen.slice(1).toSorted()).toEqual([
      expect.stringMatching(/^failing ConditionalCheckFailed,None/),
      expect.stringMatching(/^other TransactionConflict/),
    ]);
  });

  it('become visible item by item, and hold each until then', async () => {
    const { time, table, seen, ask } = overTime({ tornCommits: always(20) });
    void ask(
      'both',
      table.execute(
        transaction([
          { ...a, n: 1 },
          { ...b, n: 1 },
        ]),
      ),
    );
    for (let ms = 20; ms <= 40; ms += 4) {
      await time.toEnd(start + ms);
      void ask('a', table.execute(get(a)));
      void ask('b', table.execute(get(b)));
    }
    await time.toEnd();
    const first = seen.findIndex((line) => line.startsWith('a 1') || line.startsWith('b 1'));
    const other = seen[first]?.startsWith('a') === true ? 'b' : 'a';
    expect(seen.slice(first).some((line) => line.startsWith(`${other} at`))).toBe(true);
    expect(table.counts().get('torn commit')).toBe(1);
  });

  it('with one token commit once, are in progress meanwhile, and differ from one with other parameters', async () => {
    const { time, table, seen, ask } = overTime();
    void ask('first', table.execute(transaction([a], 'token')));
    void ask('twin', table.execute(transaction([a], 'token')));
    await time.toEnd();
    void ask('repeated', table.execute(transaction([a], 'token')));
    void ask('other', table.execute(transaction([b], 'token')));
    await time.toEnd();
    expect(seen.map((line) => line.replace(/ at.*/, ''))).toEqual([
      'twin TransactionInProgressException',
      'first',
      'repeated',
      'other IdempotentParameterMismatchException',
    ]);
    expect(table.commits()).toBe(1);
    await time.toEnd(start + 11 * 60_000);
    void ask('late', table.execute(transaction([a], 'token')));
    await time.toEnd();
    expect(table.commits()).toBe(2);
  });

  it('reads of a batch that are not one moment see one item before a transaction and one after', async () => {
    const { time, table } = overTime({ tornReads: always(60) });
    const reads = [a, b].map((first) =>
      table.execute(
        new BatchGetCommand({ RequestItems: { [TableName]: { Keys: [first, first === a ? b : a] } } }),
      ),
    );
    void table.execute(transaction([a, b]));
    await time.toEnd();
    for (const reply of await Promise.all(reads))
      expect((reply as { Responses: Record<string, object[]> }).Responses[TableName]).toHaveLength(1);
  });
});

describe('throughput', () => {
  const large = (sk: number, more: object = {}) =>
    put({ pk: 'hot', sk: String(sk), d: 'x'.repeat(100_000), ...more });

  it('of a partition key is 1,000 write units a second; others are not affected', async () => {
    const { time, table } = overSteps({ partitionLimits: true });
    for (let sk = 0; sk < 11; sk++) await table.execute(large(sk));
    await expect(table.execute(large(11))).rejects.toThrow(/Throughput exceeds the current capacity/);
    await expect(table.execute(transaction([{ pk: 'hot', sk: 'x' }]))).rejects.toMatchObject({
      CancellationReasons: [{ Code: 'ThrottlingError' }],
    });
    await table.execute(put(b));
    time.advance(1000);
    await table.execute(large(11));
    expect(table.counts().get('partition limit')).toBe(2);
  });

  it('of a partition of an index throttles the writes of the table', async () => {
    const { table } = overSteps({ partitionLimits: true });
    for (let at = 0; at < 11; at++)
      await table.execute(large(at, { pk: `p${at}`, team_pk: 'team', team_sk: `${at}` }));
    await expect(table.execute(large(11, { pk: 'p11', team_pk: 'team', team_sk: '11' }))).rejects.toThrow(
      /Throughput/,
    );
    await table.execute(large(11, { pk: 'p11', team_pk: 'other', team_sk: '11' }));
  });

  it('of reads is 3,000 units a second, a half for each eventually consistent one', async () => {
    const readAll = async (isConsistent: boolean): Promise<number> => {
      const { table: fresh } = overSteps({ partitionLimits: true });
      for (let sk = 0; sk < 10; sk++) await fresh.execute(large(sk));
      for (let reads = 0; ; reads++)
        if (
          await fresh.execute(get({ pk: 'hot', sk: '1' }, isConsistent)).then(
            () => false,
            () => true,
          )
        )
          return reads;
    };
    expect([await readAll(true), await readAll(false)]).toEqual([120, 240]);
  });

  it('that is exceeded for a moment is not noticed behind the SDK, which sends again', async () => {
    makeVirtual();
    const time = new SimulatedTime(start);
    const table = new SimulatedTable({ time, random: seeded(3), manners: { throttling: { rate: 0.4 } } });
    const client = sdkClient(table);
    const sent = runVirtual({ random: seeded(4), pause: (ms) => time.sleep(ms) }, () =>
      Promise.all(
        Array.from({ length: 20 }, (_, at) => client.send(put({ pk: 'a', sk: String(at) }) as never)),
      ),
    );
    await time.toEnd();
    await sent;
    expect(table.items()).toHaveLength(20);
    expect(table.counts().get('throttled')).toBeGreaterThan(5);
  });
});

describe('reads that are eventually consistent', () => {
  const count = async (table: SimulatedTable, query: QueryCommand) =>
    ((await table.execute(query)) as { Count: number }).Count;

  it('of an index miss a fresh item, and have it later', async () => {
    const { time, table } = overSteps({ indexLag: always(1000) });
    await table.execute(put({ ...a, team_pk: 'team', team_sk: 'x' }));
    expect(await count(table, ofTeam())).toBe(0);
    time.advance(501);
    expect(await count(table, ofTeam())).toBe(1);
    expect(table.counts().get('index lag')).toBe(1);
  });

  it('of an index see the changes of one item in order, whatever their delays', async () => {
    const { time, table } = overSteps({ indexLag: always(1000) }, seeded(5));
    for (let n = 1; n <= 20; n++) {
      await table.execute(put({ ...a, n, team_pk: 'team', team_sk: 'x' }));
      time.advance(50);
    }
    const seen: number[] = [];
    for (let ms = 0; ms < 2000; ms += 20) {
      const { Items } = (await table.execute(ofTeam())) as { Items: { n: number }[] };
      seen.push(Items[0]?.n ?? 0);
      time.advance(20);
    }
    expect(seen).toEqual(seen.toSorted((one, other) => one - other));
    expect(new Set(seen).size).toBeGreaterThan(3);
    expect(seen.at(-1)).toBe(20);
  });

  it('of the table return items as they were; consistent ones do not', async () => {
    const { time, table } = overSteps({ staleReads: always(1000) });
    await table.execute(put({ ...a, n: 1 }));
    time.advance(2000);
    await table.execute(put({ ...a, n: 2 }));
    await table.execute(put({ pk: 'a', sk: '2' }));
    expect(await table.execute(get(a))).toMatchObject({ Item: { n: 1 } });
    expect(await table.execute(get(a, true))).toMatchObject({ Item: { n: 2 } });
    expect([
      await count(table, ofPartition('a')),
      await count(table, ofPartition('a', { ConsistentRead: true })),
    ]).toEqual([1, 2]);
    time.advance(501);
    expect(await table.execute(get(a))).toMatchObject({ Item: { n: 2 } });
    expect(table.counts().get('stale read')).toBe(2);
  });
});

describe('pages and batches', () => {
  const full = async (table: SimulatedTable, items: number, size: number) => {
    for (let sk = 0; sk < items; sk++)
      await table.execute(put({ pk: 'p', sk: String(sk), n: sk, d: 'x'.repeat(size) }));
  };

  it('end after 1 MB before the filter, with a LastEvaluatedKey also when nothing is left', async () => {
    const { table } = overSteps({});
    await full(table, 6, 300_000);
    const filter = { FilterExpression: 'n = :n', ExpressionAttributeValues: { ':p': 'p', ':n': 5 } };
    const first = await table.execute(ofPartition('p', filter));
    expect(first).toMatchObject({ Count: 0, ScannedCount: 4, LastEvaluatedKey: { pk: 'p', sk: '3' } });
    const rest = await table.execute(
      ofPartition('p', { ...filter, ExclusiveStartKey: { pk: 'p', sk: '3' } }),
    );
    expect(rest).toMatchObject({ Count: 1, ScannedCount: 2 });
    expect(rest).not.toHaveProperty('LastEvaluatedKey');
  });

  it('end earlier, and continue to the end', async () => {
    const { table } = overSteps({ shortPages: { rate: 1 } }, seeded(1));
    await full(table, 20, 10);
    const seen: unknown[] = [];
    let pages = 0;
    for (let after: unknown, isOver = false; !isOver; pages++) {
      const page = (await table.execute(
        ofPartition('p', after === undefined ? {} : { ExclusiveStartKey: after }),
      )) as { Items: { n: number }[]; LastEvaluatedKey?: object };
      seen.push(...page.Items.map(({ n }) => n));
      after = page.LastEvaluatedKey;
      isOver = after === undefined;
    }
    expect(seen.toSorted((one, other) => Number(one) - Number(other))).toEqual(
      Array.from({ length: 20 }, (_, n) => n),
    );
    expect(pages).toBeGreaterThan(2);
  });

  it('leave keys and items unprocessed, never all', async () => {
    const { table } = overSteps({ unprocessed: { rate: 1 } }, seeded(2));
    const items = Array.from({ length: 25 }, (_, at) => ({ pk: 'p', sk: String(at) }));
    const written = (await table.execute(
      new BatchWriteCommand({
        RequestItems: { [TableName]: items.map((Item) => ({ PutRequest: { Item } })) },
      }),
    )) as { UnprocessedItems: Record<string, object[]> };
    const left = written.UnprocessedItems[TableName]?.length ?? 0;
    expect(table.items()).toHaveLength(25 - left);
    expect([left > 0, left < 25]).toEqual([true, true]);
    const read = (await table.execute(
      new BatchGetCommand({ RequestItems: { [TableName]: { Keys: items } } }),
    )) as {
      UnprocessedKeys: Record<string, { Keys: object[] }>;
    };
    expect(read.UnprocessedKeys[TableName]?.Keys.length).toBeGreaterThan(0);
    expect(read.UnprocessedKeys[TableName]?.Keys.length).toBeLessThan(25);
  });
});

it('TTL deletes in any order and late, and the stream says that it was TTL', async () => {
  const time = new SteppedTime(start);
  const manners = { lateExpiry: hostile.lateExpiry };
  const table = new SimulatedTable({ time, random: seeded(6), manners, hasStream: true });
  const items = Array.from({ length: 30 }, (_, at) => ({
    pk: `p${at}`,
    sk: 's',
    expires_at: start / 1000 + at,
  }));
  for (const item of items) await table.execute(put(item));
  expect(table.expire(start - 1)).toBe(0);
  const soon = table.expire(start + 60_000);
  expect([soon > 0, soon < 30]).toEqual([true, true]);
  const gone = items.map(({ pk }) => !table.items().some((item) => item['pk'] === pk));
  expect(gone.lastIndexOf(true)).toBeGreaterThan(gone.indexOf(false));
  expect(table.expire(start + 3 * 86_400_000)).toBe(30 - soon);
});

it('without manners a table answers at once, and the same each time', async () => {
  const { table } = overSteps({});
  await table.execute(put({ ...a, n: 1, team_pk: 'team', team_sk: 'x' }));
  const update = new UpdateCommand({
    ...{ TableName, Key: a, UpdateExpression: 'ADD n :v', ExpressionAttributeValues: { ':v': 2 } },
    ReturnValues: 'UPDATED_NEW',
  });
  expect(await table.execute(update)).toEqual({ Attributes: { n: 3 } });
  expect(await table.execute(ofTeam())).toMatchObject({ Count: 1 });
  expect(table.counts().size).toBe(0);
});

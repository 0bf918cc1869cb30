import { TransactionCanceledException, TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { admitCrowd, crowds, type Way, ways } from './crowds.ts';
import { MemoryTable } from './memory-table.ts';
import { OverlappingTable } from './overlapping-table.ts';
import { SimulatedTime } from './simulated-time.ts';

const cases = crowds.flatMap((crowd) => (Object.keys(ways) as Way[]).map((way) => ({ ...crowd, way })));

describe('over transactions that overlap, no buyer gets 503, and everything that is free is sold once', () => {
  it.each(cases)('$name: $way', { timeout: 60_000 }, async (crowd) => {
    const report = await admitCrowd(crowd, crowd.way, 2027);
    expect(report.problems).toEqual([]);
    expect(report.conflicts).toBeGreaterThan(0);
  });

  it('and a crowd of the same seed goes the same way', async () => {
    const [crowd] = crowds;
    expect(await admitCrowd(crowd!, 'confirm', 7)).toEqual(await admitCrowd(crowd!, 'confirm', 7));
  });
});

describe('a table with transactions that overlap', () => {
  const scene = () => {
    const time = new SimulatedTime();
    const options = { time, latency: { requestMs: 8, transactionMs: 25 }, random: () => 0.5 };
    return { time, table: new OverlappingTable(new MemoryTable(), options) };
  };
  const key = { pk: 'a', sk: 'a' };
  const Put = { TableName: 'prove', Item: { ...key, n: 1 } };
  const transaction = (token: string, ...more: object[]) =>
    new TransactWriteCommand({ TransactItems: [{ Put }, ...more], ClientRequestToken: token });

  it('refuses another transaction, and a write of one of its items, until it has taken effect', async () => {
    const { time, table } = scene();
    const seen: string[] = [];
    const note = async (what: string, request: Promise<object>) => {
      try {
        await request;
        seen.push(`${what} at ${time.now()}`);
      } catch (error) {
        const isCancelled = error instanceof TransactionCanceledException;
        const codes = isCancelled ? error.CancellationReasons?.map(({ Code }) => Code).join() : undefined;
        seen.push(`${what} ${codes ?? (error as Error).name}`);
      }
    };
    const unheld = { Put: { TableName: 'prove', Item: { pk: 'b', sk: 'b' } } };
    void note('first', table.execute(transaction('1')));
    void note('second', table.execute(transaction('2', unheld)));
    void note('put', table.execute(new PutCommand(Put)));
    await time.toEnd();
    expect(seen).toEqual([
      'second TransactionConflict,None',
      `put ${TransactionConflictException.name}`,
      'first at 25',
    ]);
    void note('third', table.execute(transaction('3')));
    await time.toEnd();
    expect(seen.at(-1)).toBe('third at 50');
    expect(table.conflicts()).toBe(2);
  });
});

import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { ListingViewsEntity } from '../../shared/domain/listing/listing-views.store.ts';
import { create, readOf, Table } from '../../shared/platform/table/index.ts';
import { figuresOf } from '../support/figures.ts';
import { senderOf } from '../support/sender.ts';

const tableName = 'refusing';
const key = { listing_id: 16 };

/** Returns what a verb counts while the table answers like this, and the status of its error. */
const refusals = async (send: () => Promise<unknown>, verb: (table: Table) => Promise<unknown>) => {
  const table = new Table({ client: senderOf(send), tableName });
  let status: unknown;
  const figures = await figuresOf(() =>
    verb(table).catch((error: unknown) => ({ status } = error as { status: unknown })),
  );
  const own = figures.filter(({ name }) => name === 'table_refusals');
  return { status, count: own.reduce((sum, { value }) => sum + value, 0) };
};

const throttled = () =>
  Promise.reject(Object.assign(new Error('Rate exceeded'), { name: 'ThrottlingException' }));
const cancelled = () =>
  Promise.reject(
    new TransactionCanceledException({
      $metadata: {},
      message: 'Transaction cancelled',
      CancellationReasons: [{ Code: 'ThrottlingError' }],
    }),
  );
const unprocessed = () =>
  Promise.resolve({ UnprocessedKeys: { [tableName]: { Keys: [{ pk: 'LISTING#16', sk: 'VIEWS' }] } } });
const aborted = () => Promise.reject(Object.assign(new Error('aborted'), { name: 'AbortError' }));

const read = (table: Table) => table.get(ListingViewsEntity, key);
const write = (table: Table) => table.transact([create(ListingViewsEntity, { ...key, views: 1 })]);
const readBatch = (table: Table) => table.getAll([readOf(ListingViewsEntity, key)]);

describe('a request that DynamoDB refuses', () => {
  it.each([
    ['a throttled read', throttled, read, 1],
    ['a throttled transaction, in each of its attempts', cancelled, write, 6],
    ['keys that stay unprocessed', unprocessed, readBatch, 1],
  ])('is counted: %s', async (_, send, verb, count) => {
    expect(await refusals(send, verb)).toEqual({ status: 503, count });
  });

  it('is not counted when its caller has given it up', async () => {
    expect(await refusals(aborted, read)).toEqual({ status: 503, count: 0 });
  });
});

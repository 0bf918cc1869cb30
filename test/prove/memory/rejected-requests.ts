import { BatchWriteCommand, TransactGetCommand } from '@aws-sdk/lib-dynamodb';
import {
  BatchGetCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '../../../shared/platform/dynamodb/index.ts';
import type { Command } from './simulated-table.ts';
import type { Item } from './values.ts';

/** What one engine or the other does otherwise than DynamoDB; `engines.ts` says which. */
export type Feature =
  | 'capacity'
  | 'updated parts of maps'
  | 'removal below nothing'
  | 'placeholders'
  | 'types of operands'
  | 'distinct operands'
  | 'most operands'
  | 'type names'
  | 'function names'
  | 'conflicting paths'
  | 'types of key conditions'
  | 'empty key conditions'
  | 'start key outside'
  | 'one action'
  | 'sizes of index keys';

interface Place {
  TableName: string;
  key: { pk: string; sk: string };
}

interface RejectedRequest {
  feature?: Feature;
  command: (place: Place) => Command;
}

const conditional =
  (ConditionExpression: string, values?: Item, names?: Record<string, string>) =>
  ({ TableName, key }: Place): Command =>
    new PutCommand({
      ...{ TableName, Item: key, ConditionExpression },
      ...(values ? { ExpressionAttributeValues: values } : {}),
      ...(names ? { ExpressionAttributeNames: names } : {}),
    });

const updating =
  (UpdateExpression: string, values?: Item) =>
  ({ TableName, key }: Place): Command =>
    new UpdateCommand({
      ...{ TableName, Key: key, UpdateExpression },
      ...(values ? { ExpressionAttributeValues: values } : {}),
    });

const putting =
  (more: Item) =>
  ({ TableName, key }: Place): Command =>
    new PutCommand({ TableName, Item: { ...key, ...more } });

const querying =
  (KeyConditionExpression: string, values: Item, more: object = {}) =>
  ({ TableName }: Place): Command =>
    new QueryCommand({ TableName, KeyConditionExpression, ExpressionAttributeValues: values, ...more });

const keys = (count: number, { pk }: Place['key']): Place['key'][] =>
  Array.from({ length: count }, (_, at) => ({ pk, sk: `many-${at}` }));

const manyValues = (count: number): Item =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`:v${at}`, at]));
const manyOperands = (count: number): string => Object.keys(manyValues(count)).join(', ');

/** Requests that DynamoDB rejects before it does anything. */
export const rejectedRequests: readonly RejectedRequest[] = [
  ...[
    conditional('attribute_exists(:v)', { ':v': 1 }),
    conditional('attribute_exists(name)'),
    conditional('n = '),
    conditional('n = = :v', { ':v': 1 }),
    conditional('attribute_exists(#missing)'),
    conditional('((n = :v))', { ':v': 1 }),
    conditional('NOT ((n = :v))', { ':v': 1 }),
    conditional('begins_with(t, :v)', { ':v': 1 }),
    conditional('begins_with(t)'),
    conditional('starts_with(t, :v)', { ':v': 'a' }),
    conditional('n BETWEEN :a AND :b', { ':a': 2, ':b': 1 }),
    conditional('n BETWEEN :a AND :b', { ':a': 2, ':b': 'x' }),
    conditional('size(t)'),
    conditional(''),
    conditional(`n = :v${' OR n = :v'.repeat(500)}`, { ':v': 1 }),
    conditional('attribute_exists(n)', undefined, { n: 'n' }),
    updating('SET pk = :v', { ':v': 'x' }),
    updating('REMOVE sk'),
    updating('SET n = :v SET t = :v', { ':v': 1 }),
    updating('SET n = :v, n = :v', { ':v': 1 }),
    updating('SET n = :v REMOVE n', { ':v': 1 }),
    updating('SET n :v', { ':v': 1 }),
    updating('SET n = n + :v', { ':v': 'x' }),
    updating('ADD t :v', { ':v': 'x' }),
    updating('SET state = :v', { ':v': 1 }),
    putting({ pk: '' }),
    putting({ sk: '' }),
    putting({ sk: 5 }),
    putting({ sk: undefined }),
    putting({ sk: 's'.repeat(1025) }),
    putting({ pk: 'p'.repeat(2049) }),
    putting({ team_pk: '', team_sk: 'x' }),
    putting({ team_pk: 5, team_sk: 'x' }),
    putting({ d: 'x'.repeat(400 * 1024) }),
    querying('sk = :v', { ':v': 's' }),
    querying('pk > :v', { ':v': 's' }),
    querying('pk = :v AND sk <> :v', { ':v': 's' }),
    querying('pk = :v AND contains(sk, :v)', { ':v': 's' }),
    querying('pk = :v OR sk = :v', { ':v': 's' }),
    querying('pk = :v AND n = :v', { ':v': 's' }),
    querying('pk = :v AND sk > :v AND sk < :v', { ':v': 's' }),
    querying('pk = :v AND sk BETWEEN :v AND :w', { ':v': 's', ':w': 'a' }),
    querying('pk = :v', { ':v': 's' }, { Limit: 0 }),
    querying('pk = :v', { ':v': 's' }, { FilterExpression: 'sk > :v' }),
    querying('pk = :v', { ':v': 's' }, { ExclusiveStartKey: { pk: 's' } }),
    querying('team_pk = :v', { ':v': 's' }, { IndexName: 'by_team', ConsistentRead: true }),
    querying('team_pk = :v', { ':v': 's' }, { IndexName: 'by_nothing' }),
    querying('pk = :v', { ':v': 's' }, { Select: 'SPECIFIC_ATTRIBUTES' }),
    querying('pk = :v', { ':v': 's' }, { ProjectionExpression: 'n, n' }),
    ({ TableName, key }: Place) => new GetCommand({ TableName, Key: { pk: key.pk } }),
    ({ TableName, key }: Place) => new GetCommand({ TableName, Key: { ...key, n: 1 } }),
    ({ TableName, key }: Place) => new GetCommand({ TableName, Key: { ...key, sk: 1 } }),
    ({ TableName, key }: Place) =>
      new BatchGetCommand({ RequestItems: { [TableName]: { Keys: keys(101, key) } } }),
    ({ TableName }: Place) => new BatchGetCommand({ RequestItems: { [TableName]: { Keys: [] } } }),
    ({ TableName, key }: Place) =>
      new BatchWriteCommand({
        RequestItems: { [TableName]: keys(26, key).map((Item) => ({ PutRequest: { Item } })) },
      }),
    ({ TableName }: Place) => new BatchWriteCommand({ RequestItems: { [TableName]: [] } }),
    ({ TableName, key }: Place) =>
      new TransactGetCommand({ TransactItems: keys(101, key).map((Key) => ({ Get: { TableName, Key } })) }),
    ({ TableName, key }: Place) =>
      new TransactWriteCommand({
        TransactItems: keys(101, key).map((Item) => ({ Put: { TableName, Item } })),
      }),
    () => new TransactWriteCommand({ TransactItems: [] }),
    ({ TableName, key }: Place) =>
      new TransactWriteCommand({
        TransactItems: [{ Put: { TableName, Item: key } }, { Delete: { TableName, Key: key } }],
      }),
    ({ TableName, key }: Place) =>
      new TransactWriteCommand({
        TransactItems: keys(12, key).map((Item) => ({
          Put: { TableName, Item: { ...Item, d: 'x'.repeat(360 * 1024) } },
        })),
      }),
  ].map((command) => ({ command })),
  { feature: 'placeholders', command: conditional('n = :v AND t = :missing', { ':v': 1 }) },
  { feature: 'placeholders', command: conditional('attribute_exists(n)', { ':v': 1 }) },
  { feature: 'placeholders', command: conditional('attribute_exists(n)', undefined, { '#n': 'n' }) },
  { feature: 'types of operands', command: conditional('n < :v', { ':v': true }) },
  { feature: 'types of operands', command: conditional('n > :v', { ':v': [1] }) },
  { feature: 'distinct operands', command: conditional('n = n') },
  { feature: 'most operands', command: conditional(`n IN (${manyOperands(101)})`, manyValues(101)) },
  { feature: 'most operands', command: conditional(`n = :v${' OR n = :v'.repeat(151)}`, { ':v': 1 }) },
  { feature: 'type names', command: conditional('attribute_type(n, :v)', { ':v': 'Q' }) },
  { feature: 'function names', command: conditional('Attribute_Exists(n)') },
  { feature: 'conflicting paths', command: updating('SET m.x = :v, m[0] = :v', { ':v': 1 }) },
  { feature: 'sizes of index keys', command: putting({ team_pk: 'p'.repeat(2049), team_sk: 'x' }) },
  { feature: 'types of key conditions', command: querying('pk = :v', { ':v': 1 }) },
  { feature: 'types of key conditions', command: querying('pk = :v AND sk > :w', { ':v': 's', ':w': 1 }) },
  { feature: 'empty key conditions', command: querying('pk = :v', { ':v': '' }) },
  { feature: 'empty key conditions', command: querying('pk = :v AND sk > :w', { ':v': 's', ':w': '' }) },
  {
    feature: 'start key outside',
    command: querying('pk = :v', { ':v': 's' }, { ExclusiveStartKey: { pk: 'r', sk: 's' } }),
  },
  {
    feature: 'one action',
    command: ({ TableName, key }) =>
      new TransactWriteCommand({
        TransactItems: [
          { Put: { TableName, Item: key }, Delete: { TableName, Key: { pk: key.pk, sk: 'other' } } },
        ],
      }),
  },
];

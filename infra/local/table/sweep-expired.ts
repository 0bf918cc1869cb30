import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  DynamoDBClient,
  paginateScan,
} from '@aws-sdk/client-dynamodb';
import { awsConfig } from '../aws-config.ts';
import type { ItemKey, TableFile } from './table-file.ts';

interface Sweep {
  endpoint: string;
  tableName: string;
  /** The emulator's file, whose index names the expired items; another endpoint's table is scanned. */
  file?: Pick<TableFile, 'expired'> | undefined;
  /** The service's time, which the test clock may have moved. */
  nowMs: number;
}

/** Deletes expired items, as DynamoDB's TTL does. Returns their number. */
export const sweepExpired = async ({ endpoint, tableName, file, nowMs }: Sweep): Promise<number> => {
  const now = Math.floor(nowMs / 1000);
  const indexed = file?.expired(tableName, now);
  if (indexed?.length === 0) return 0;
  const client = new DynamoDBClient(awsConfig(endpoint));
  try {
    let swept = 0;
    for await (const key of indexed ?? scanExpired(client, tableName, now))
      swept += await deleteExpired(client, tableName, { key, now });
    return swept;
  } finally {
    client.destroy();
  }
};

const ExpressionAttributeNames = { '#expires': 'expires_at' };
const valuesOf = (now: number) => ({ ':now': { N: String(now) } });

async function* scanExpired(client: DynamoDBClient, TableName: string, now: number): AsyncGenerator<ItemKey> {
  const pages = paginateScan(
    { client },
    {
      TableName,
      FilterExpression: '#expires <= :now',
      ProjectionExpression: 'pk, sk',
      ExpressionAttributeNames,
      ExpressionAttributeValues: valuesOf(now),
    },
  );
  for await (const { Items = [] } of pages)
    for (const { pk, sk } of Items) yield { pk: pk?.S ?? '', sk: sk?.S ?? '' };
}

/** Compares again, because the item may have been renewed since it was found. */
const deleteExpired = async (
  client: DynamoDBClient,
  TableName: string,
  { key: { pk, sk }, now }: { key: ItemKey; now: number },
): Promise<number> => {
  const deletion = new DeleteItemCommand({
    TableName,
    Key: { pk: { S: pk }, sk: { S: sk } },
    ConditionExpression: '#expires <= :now',
    ExpressionAttributeNames,
    ExpressionAttributeValues: valuesOf(now),
  });
  try {
    await client.send(deletion);
    return 1;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return 0;
    throw error;
  }
};

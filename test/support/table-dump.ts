import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { testTableName } from './table.ts';

/** Returns everything in the worker's table by key, except counters of rate limits. */
export const tableDump = async (): Promise<Map<string, unknown>> => {
  const client = new DynamoDBClient({});
  const items = new Map<string, unknown>();
  let after: Record<string, never> | undefined;
  do {
    const page = await client.send(
      new ScanCommand({ TableName: await testTableName(), ...(after ? { ExclusiveStartKey: after } : {}) }),
    );
    for (const item of page.Items ?? [])
      if (item['entity']?.S !== 'RateWindow') items.set(`${item['pk']?.S} ${item['sk']?.S}`, item);
    after = page.LastEvaluatedKey as typeof after;
  } while (after);
  client.destroy();
  return items;
};

import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { awsConfig } from '../aws-config.ts';

/** Returns a function that reads the items of some entities: all of the table, as only a laptop may. */
export const scanTable =
  (endpoint: string, TableName: string) =>
  async (entities: readonly string[]): Promise<Record<string, unknown>[]> => {
    const client = new DynamoDBClient(awsConfig(endpoint));
    const names = entities.map((name, at) => [`:${at}`, { S: name }] as const);
    try {
      const found: Record<string, unknown>[] = [];
      const pages = paginateScan(
        { client },
        {
          TableName,
          FilterExpression: `entity IN (${names.map(([name]) => name).join(', ')})`,
          ExpressionAttributeValues: Object.fromEntries(names),
        },
      );
      for await (const { Items = [] } of pages) found.push(...Items.map((item) => unmarshall(item)));
      return found;
    } finally {
      client.destroy();
    }
  };

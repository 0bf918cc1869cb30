import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  DynamoDBClient,
  paginateScan,
} from '@aws-sdk/client-dynamodb';
import { awsConfig } from '../aws-config.ts';

const names = { '#expires': 'expires_at' };

interface Sweep {
  endpoint: string;
  tableName: string;
  keyNames?: readonly string[];
  /** The service's time, which the test clock may have moved. */
  nowMs: number;
}

/** Deletes expired items, as DynamoDB's TTL does. Returns their number. */
export const sweepExpired = async (sweep: Sweep): Promise<number> => {
  const { endpoint, tableName: TableName, keyNames = ['pk', 'sk'], nowMs } = sweep;
  const client = new DynamoDBClient(awsConfig(endpoint));
  const values = { ':now': { N: String(Math.floor(nowMs / 1000)) } };
  const keys = Object.fromEntries(keyNames.map((name, at) => [`#key${at}`, name]));
  let swept = 0;
  const pages = paginateScan(
    { client },
    {
      TableName,
      FilterExpression: '#expires <= :now',
      ProjectionExpression: Object.keys(keys).join(', '),
      ExpressionAttributeNames: { ...names, ...keys },
      ExpressionAttributeValues: values,
    },
  );
  try {
    for await (const { Items = [] } of pages) {
      for (const Key of Items) {
        // Compared again, because the item may have been renewed since the scan.
        const deletion = new DeleteItemCommand({
          TableName,
          Key,
          ConditionExpression: '#expires <= :now',
          ExpressionAttributeNames: names,
          ExpressionAttributeValues: values,
        });
        swept += await client.send(deletion).then(
          () => 1,
          (error: unknown) => {
            if (error instanceof ConditionalCheckFailedException) return 0;
            throw error;
          },
        );
      }
    }
    return swept;
  } finally {
    client.destroy();
  }
};

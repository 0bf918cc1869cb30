import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';

const client = new DynamoDBClient({});

/** Reads one item: what a function takes at least if the SDK's client is in its bundle. */
export const handler = async () => {
  const Key = { pk: { S: 'NONE' }, sk: { S: 'NONE' } };
  await client.send(new GetItemCommand({ TableName: process.env['TABLE_NAME'], Key }));
  return { statusCode: 200 };
};

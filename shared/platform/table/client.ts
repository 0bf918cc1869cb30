import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Table } from './table.ts';
import { timeLimits } from '../sdk/time-limits.ts';

/** The table of this environment; the endpoint comes from `AWS_ENDPOINT_URL_DYNAMODB` where there is one. */
export const connectTable = (tableName: string): Table => {
  const client = new DynamoDBClient({
    maxAttempts: 4,
    requestHandler: timeLimits({ requestTimeout: 3000, connectionTimeout: 1000 }),
  });
  // It copies each request and each answer for a log that nobody keeps: 7 % of the time of a booking.
  client.middlewareStack.remove('loggerMiddleware');
  return new Table({
    tableName,
    client: DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } }),
  });
};

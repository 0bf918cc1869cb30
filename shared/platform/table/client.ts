import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { checkEveryRecord, type RecordCheck } from './record.ts';
import { Table } from './table.ts';
import { timeLimits } from '../sdk/time-limits.ts';

/** The attempts of the SDK: throttled requests and those without an answer are sent again. */
export const sdkAttempts = 4;

/** Returns the table of this environment; `AWS_ENDPOINT_URL_DYNAMODB` overrides the endpoint. */
export const connectTable = (tableName: string, check: RecordCheck = checkEveryRecord): Table => {
  const client = new DynamoDBClient({
    maxAttempts: sdkAttempts,
    requestHandler: timeLimits({ requestTimeout: 3000, connectionTimeout: 1000 }),
  });
  // It copies each request and response for a log that is not kept: 7 % of the time of a booking.
  client.middlewareStack.remove('loggerMiddleware');
  return new Table({
    tableName,
    check,
    client: DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } }),
  });
};

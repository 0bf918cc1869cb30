import { DynamoDB, type DynamoDBConfig } from '../dynamodb/index.ts';
import { checkEveryRecord, type RecordCheck } from './record.ts';
import { Table } from './table.ts';

/** The attempts of a request: throttled ones and those without an answer are sent again. */
export const requestAttempts = 4;

/** How requests are sent to the table. */
export const requestLimits = { maxAttempts: requestAttempts, requestTimeout: 3000, connectionTimeout: 1000 };

/** Endpoint and credentials other than those of the environment. */
export type TableConnection = Pick<DynamoDBConfig, 'endpoint' | 'credentials'>;

/** Returns a table of this environment; `AWS_ENDPOINT_URL_DYNAMODB` overrides the endpoint. */
export const connectTable = (
  tableName: string,
  check: RecordCheck = checkEveryRecord,
  connection: TableConnection = {},
): Table => new Table({ tableName, check, client: new DynamoDB({ ...requestLimits, ...connection }) });

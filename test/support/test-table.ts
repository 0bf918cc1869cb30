import { randomUUID } from 'node:crypto';
import { CreateTableCommand, DynamoDBClient, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import { connectTable } from '../../shared/platform/table/client.ts';
import { once } from '../../shared/platform/once.ts';
import { tableDefinition } from '../../shared/platform/table/definition.ts';
import type { Table } from '../../shared/platform/table/index.ts';

/** The prefix of test tables, for cleaning up a persistent endpoint. */
const testTablePrefix = 'nightlatch-test-';

/** Returns this worker's table. */
export const testTable = async (): Promise<Table> => connectTable(await testTableName());

export const createTestTable = async (): Promise<string> => {
  const name = `${testTablePrefix}${randomUUID()}`;
  const client = new DynamoDBClient({});
  await client.send(new CreateTableCommand(tableDefinition(name)));
  await waitUntilTableExists({ client, maxWaitTime: 60, minDelay: 1, maxDelay: 2 }, { TableName: name });
  client.destroy();
  return name;
};

/** Returns the name of this worker's table, created at the first call. */
export const testTableName = once(createTestTable);

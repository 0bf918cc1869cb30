import { randomUUID } from 'node:crypto';
import { CreateTableCommand, DynamoDBClient, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import { connectTable } from '../../shared/platform/table/client.ts';
import { once } from '../../shared/platform/once.ts';
import { tableDefinition } from '../../shared/platform/table/definition.ts';
import type { Table } from '../../shared/platform/table/index.ts';

/** Tables of tests begin with this, so that whoever runs them against a lasting endpoint can sweep. */
const testTablePrefix = 'nightlatch-test-';

/** This worker's table. */
export const testTable = async (): Promise<Table> => connectTable(await testTableName());

const createTestTable = async (): Promise<string> => {
  const name = `${testTablePrefix}${randomUUID()}`;
  const client = new DynamoDBClient({});
  await client.send(new CreateTableCommand(tableDefinition(name)));
  await waitUntilTableExists({ client, maxWaitTime: 60, minDelay: 1, maxDelay: 2 }, { TableName: name });
  client.destroy();
  return name;
};

/** The name of this worker's table; it is created at the first call. */
export const testTableName = once(createTestTable);

import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  DynamoDBClient,
  ResourceInUseException,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { awsConfig } from '../aws-config.ts';

export interface LocalTable {
  tableName: string;
  streamArn: string;
  /** False if the table existed, e.g. kept in DATA_DIR. */
  created: boolean;
}

/** Creates the table if missing, and waits until it is active. */
export const createLocalTable = async (
  endpoint: string,
  definition: CreateTableCommandInput,
): Promise<LocalTable> => {
  const client = new DynamoDBClient(awsConfig(endpoint));
  const { TableName } = definition;
  try {
    const created = await client.send(new CreateTableCommand(definition)).then(
      () => true,
      (error: unknown) => {
        if (error instanceof ResourceInUseException) return false;
        throw error;
      },
    );
    await waitUntilTableExists({ client, maxWaitTime: 60, minDelay: 1 }, { TableName });
    const { Table } = await client.send(new DescribeTableCommand({ TableName }));
    return {
      tableName: Table?.TableName ?? String(TableName),
      streamArn: Table?.LatestStreamArn ?? '',
      created,
    };
  } finally {
    client.destroy();
  }
};

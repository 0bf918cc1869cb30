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
  /** False when it was there before, e.g. kept in DATA_DIR. */
  created: boolean;
}

/** Makes the table where it is missing and waits until it can be used. */
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

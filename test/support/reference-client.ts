import { DynamoDBClient, DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import * as sdk from '@aws-sdk/lib-dynamodb';
import type { Command, DynamoDBConfig } from '../../shared/platform/dynamodb/index.ts';
import { timeLimits } from '../../shared/platform/sdk/time-limits.ts';

type SdkCommand = sdk.GetCommand;

const sdkCommands: Record<string, new (input: never) => unknown> = {
  GetItem: sdk.GetCommand,
  BatchGetItem: sdk.BatchGetCommand,
  Query: sdk.QueryCommand,
  PutItem: sdk.PutCommand,
  UpdateItem: sdk.UpdateCommand,
  TransactWriteItems: sdk.TransactWriteCommand,
  DescribeTable: DescribeTableCommand,
};

/** Returns a request as a command of the SDK; those of the SDK as they are. */
export const sdkCommand = (command: object): SdkCommand => {
  if (!('operation' in command)) return command as SdkCommand;
  const { operation, input } = command as Command;
  return new sdkCommands[operation]!(input as never) as SdkCommand;
};

/** Returns the SDK's client, with our limits. */
export const referenceClient = async (config: DynamoDBConfig): Promise<sdk.DynamoDBDocumentClient> => {
  const { endpoint, credentials, maxAttempts } = config;
  const given = await endpoint?.();
  const client = new DynamoDBClient({
    maxAttempts,
    requestHandler: timeLimits(config),
    ...(given && { endpoint: given.url.href, region: given.region }),
    ...(credentials && { credentials }),
  });
  return sdk.DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
};

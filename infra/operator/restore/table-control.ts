import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** The tables of a stage, and how to wait for them. */
export interface TableControl {
  client: Pick<DynamoDBClient, 'send'>;
  /** Resolves when a table may be looked at again. */
  wait: () => Promise<unknown>;
  progress: (text: string) => void;
}

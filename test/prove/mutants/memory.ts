import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Command, SimulatedTable } from '../memory/simulated-table.ts';

/** Has the document clients of this process use one table in memory, which costs no round trip. */
export const useMemory = (): void => {
  const table = new SimulatedTable();
  const client = DynamoDBDocumentClient.prototype as unknown as {
    send: (command: Command) => Promise<object>;
  };
  client.send = (command) => table.execute(command);
};

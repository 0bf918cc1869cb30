import { setImmediate as turn } from 'node:timers/promises';
import { DynamoDB } from '../../../shared/platform/dynamodb/index.ts';
import { type Command, SimulatedTable } from '../memory/simulated-table.ts';

/** Has the document clients of this process use one table in memory, which costs no round trip. */
export const useMemory = (): void => {
  const table = new SimulatedTable();
  const client = DynamoDB.prototype as unknown as {
    send: (command: Command) => Promise<object>;
  };
  client.send = async (command) => {
    // Else a loop that waits for something would let no timer run, nor the time limit of its test.
    await turn();
    return table.execute(command);
  };
};

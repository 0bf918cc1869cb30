import { setImmediate as turn } from 'node:timers/promises';
import * as sdk from '@aws-sdk/lib-dynamodb';
import { DynamoDB, GetCommand, PutCommand } from '../../../shared/platform/dynamodb/index.ts';
import { type Command, SimulatedTable } from '../memory/simulated-table.ts';

interface Sending {
  send: (command: Command) => Promise<object>;
}

/** Has the document clients of this process use one table in memory, which costs no round trip. */
export const useMemory = (): void => {
  const table = new SimulatedTable();
  const client = DynamoDB.prototype as unknown as Sending;
  client.send = async (command) => {
    // Else a loop that waits for something would let no timer run, nor the time limit of its test.
    await turn();
    return table.execute(command);
  };
  serveDocuments(table);
};

/** Tests write items by the thousand, and those of earlier versions, directly with the SDK's client. */
const serveDocuments = (table: SimulatedTable): void => {
  const documents = sdk.DynamoDBDocumentClient.prototype as unknown as Sending;
  const { send } = Object.getPrototypeOf(documents) as Sending;
  documents.send = async function served(this: Sending, command) {
    if (command instanceof sdk.GetCommand) return table.execute(new GetCommand(command.input));
    if (command instanceof sdk.PutCommand) return table.execute(new PutCommand(command.input));
    if (command instanceof sdk.DeleteCommand) return table.execute(command);
    if (!(command instanceof sdk.BatchWriteCommand)) return send.call(this, command);
    for (const [TableName, requests = []] of Object.entries(command.input.RequestItems ?? {}))
      for (const { PutRequest } of requests)
        await table.execute(new PutCommand({ TableName, Item: PutRequest?.Item ?? {} }));
    return {};
  };
};

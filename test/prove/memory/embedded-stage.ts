import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { TransactWriteCommand } from '../../../shared/platform/dynamodb/index.ts';
import { tableDefinition } from '../../../shared/platform/table/definition.ts';
import { sdkCommand } from '../../support/reference-client.ts';
import type { ProofStage } from '../prove.ts';
import { sceneWrites } from '../schedule/scene.ts';
import { isSameResult, keyText, plain, plainResult, renamed } from './compared.ts';
import { type Command, SimulatedTable } from './simulated-table.ts';
import type { Item } from './values.ts';

let tables = 0;

/** Runs a scene on the embedded table and in memory: every command goes to both, and both results must be equal. */
export const embeddedStage = async (endpoint: string): Promise<ProofStage> => {
  const client = new DynamoDBClient({ endpoint });
  const TableName = `prove-${process.pid}-${++tables}`;
  await client.send(new CreateTableCommand(tableDefinition(TableName)));
  const documents = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
  const memory = new SimulatedTable();
  const problems: string[] = [];
  const execute = async (command: Command): Promise<object> => {
    const sent = renamed(command, TableName);
    const [real, model] = await Promise.allSettled([
      documents.send(sdkCommand(sent)) as Promise<object>,
      memory.execute(sent),
    ]);
    const [said, modelled] = [plainResult(real), plainResult(model)];
    if (!isSameResult(said, modelled))
      problems.push(`the table says ${JSON.stringify(said)}, the memory ${JSON.stringify(modelled)}`);
    if (real.status === 'rejected') throw real.reason;
    return asAsked(real.value, TableName);
  };
  const TransactItems = sceneWrites().map((write) => write.render('prove'));
  await execute(new TransactWriteCommand({ TransactItems, ClientRequestToken: `scene-${TableName}` }));
  return {
    backend: { execute },
    items: () => memory.items(),
    itemsAtRest: async () => {
      const { Items = [] } = await documents.send(new ScanCommand({ TableName, ConsistentRead: true }));
      const inOrder = Items.map((item) => item as Item).sort((one, other) =>
        keyText(one) < keyText(other) ? -1 : 1,
      );
      if (!isSameResult(plain(inOrder) as Item, plain(memory.items()) as Item))
        problems.push('in the end the table and the memory hold different items');
      client.destroy();
      return inOrder;
    },
    effects: () => memory.commits(),
    problems: () => problems,
  };
};

const asAsked = (reply: object, TableName: string): object => {
  const { Responses, UnprocessedKeys } = reply as Record<string, Record<string, unknown> | undefined>;
  if (!Responses) return reply;
  return { Responses: { prove: Responses[TableName] }, UnprocessedKeys: UnprocessedKeys ?? {} };
};

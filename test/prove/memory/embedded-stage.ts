import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import { tableDefinition } from '../../../shared/platform/table/definition.ts';
import type { ProofStage } from '../prove.ts';
import { sceneWrites } from '../schedule/scene.ts';
import type { Item } from './expression.ts';
import { type Command, MemoryTable } from './memory-table.ts';

let tables = 0;

/** Runs a scene on the embedded table and in memory: every command goes to both, and both results must be equal. */
export const embeddedStage = async (endpoint: string): Promise<ProofStage> => {
  const client = new DynamoDBClient({ endpoint });
  const TableName = `prove-${process.pid}-${++tables}`;
  await client.send(new CreateTableCommand(tableDefinition(TableName)));
  const documents = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
  const memory = new MemoryTable();
  const problems: string[] = [];
  const execute = async (command: Command): Promise<object> => {
    const renamed = named(command, TableName);
    const [real, model] = await Promise.allSettled([
      documents.send(renamed as GetCommand) as Promise<object>,
      memory.execute(renamed),
    ]);
    const [said, modelled] = [plain(real), plain(model)];
    if (!isDeepStrictEqual(said, modelled))
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
        keyOf(one) < keyOf(other) ? -1 : 1,
      );
      if (!isDeepStrictEqual(inOrder.map(plainValue), memory.items().map(plainValue)))
        problems.push('in the end the table and the memory hold different items');
      client.destroy();
      return inOrder;
    },
    effects: () => memory.effects(),
    problems: () => problems,
  };
};

const keyOf = (item: Item): string => `${String(item['pk'])}\n${String(item['sk'])}`;

/** The command for another table. */
const named = (command: Command, TableName: string): Command => {
  if (command instanceof GetCommand) return new GetCommand({ ...command.input, TableName });
  if (command instanceof PutCommand) return new PutCommand({ ...command.input, TableName });
  if (command instanceof QueryCommand) return new QueryCommand({ ...command.input, TableName });
  if (command instanceof BatchGetCommand) {
    const [keys = {}] = Object.values(command.input.RequestItems ?? {});
    return new BatchGetCommand({ RequestItems: { [TableName]: keys } } as BatchGetCommand['input']);
  }
  const TransactItems = (command.input.TransactItems ?? []).map((item) =>
    Object.fromEntries(Object.entries(item).map(([kind, action]) => [kind, { ...action, TableName }])),
  ) as NonNullable<TransactWriteCommand['input']['TransactItems']>;
  const ClientRequestToken = ownToken(command.input.ClientRequestToken ?? '', TableName);
  return new TransactWriteCommand({ ...command.input, TransactItems, ClientRequestToken });
};

/** Schedules are seeded, so their transaction tokens repeat; the server remembers those of all tables. */
const ownToken = (token: string, tableName: string): string =>
  createHash('sha256').update(`${tableName} ${token}`).digest('hex').slice(0, 36);

const asAsked = (reply: object, TableName: string): object => {
  const { Responses, UnprocessedKeys } = reply as Record<string, Record<string, unknown> | undefined>;
  if (!Responses) return reply;
  return { Responses: { prove: Responses[TableName] }, UnprocessedKeys: UnprocessedKeys ?? {} };
};

/** Returns the comparable part of a result. */
const plain = (result: PromiseSettledResult<object>): unknown => {
  if (result.status === 'rejected') {
    const { name, Item, CancellationReasons } = result.reason as {
      name: string;
      Item?: object;
      CancellationReasons?: { Code?: string; Item?: object }[];
    };
    const reasons = CancellationReasons?.map((reason) =>
      plainValue({ Code: reason.Code, Item: reason.Item }),
    );
    return { name, Item: plainValue(Item), reasons };
  }
  const { Item, Items, Count, Responses, LastEvaluatedKey } = result.value as Record<string, unknown>;
  const found = Object.values((Responses ?? {}) as Record<string, Item[]>).flat();
  found.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  return plainValue({ Item, Items, Count, found, LastEvaluatedKey });
};

/** Normalises a value: without undefined, bytes as text, keys sorted. */
const plainValue = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return `bytes ${Buffer.from(value).toString('base64')}`;
  if (Array.isArray(value)) return value.map(plainValue);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, part]) => part !== undefined);
  return Object.fromEntries(
    entries.sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, part]) => [name, plainValue(part)]),
  );
};

import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ResourceNotFoundException,
} from '@aws-sdk/client-dynamodb';
import * as documents from '@aws-sdk/lib-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as ours from '../../shared/platform/dynamodb/index.ts';
import { type Command, SimulatedTable } from '../prove/memory/simulated-table.ts';
import { localAwsEnvironment } from './aws-env.ts';
import { openLimits } from './open-limits.ts';

/**
 * Answers the requests of a test file, by our client and by the SDK's, from tables in its own memory, without the emulator.
 * A client with an endpoint of its own goes there.
 */
Object.assign(process.env, localAwsEnvironment('http://127.0.0.1:1'));
process.env['TEST_TABLE'] = 'memory';
openLimits();

interface Request {
  input: {
    TableName?: string;
    RequestItems?: object;
    TransactItems?: Record<string, { TableName?: string }>[];
  };
}

const tables = new Map<string, SimulatedTable>();

/** Answers in a turn of the event loop of its own, as over a network: what is asked in one turn is joined. */
const answer = async (command: Request): Promise<object> => {
  await nextTurn();
  const table = tables.get(tableOf(command));
  if (table) return table.execute(command as Command);
  throw new ResourceNotFoundException({ $metadata: {}, message: 'Requested resource not found' });
};

const tableOf = ({ input: { TableName, RequestItems, TransactItems } }: Request): string => {
  const [name = ''] = Object.keys(RequestItems ?? {});
  const [action] = Object.values(TransactItems?.[0] ?? {});
  return TableName ?? action?.TableName ?? name;
};

type CommandClass = new (input: Request['input']) => Request;
const commands = { ...documents, ...ours } as unknown as Record<string, CommandClass>;

/** Returns a command of the SDK, whose names are longer, as the simulated table knows it. */
const known = ({ constructor: { name }, input }: Request): Request =>
  new commands[name.replace(/Items?Command$/, 'Command')]!(input);

const itemNames = new Set([
  'Key',
  'Item',
  'Items',
  'Attributes',
  'ExclusiveStartKey',
  'LastEvaluatedKey',
  'ExpressionAttributeValues',
]);

/** Converts the items of a request or an answer to DynamoDB's types, or from them. */
const converted = (value: unknown, convert: (item: never) => unknown, isItem = false): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((part) => converted(part, convert, isItem));
  if (isItem) return convert(value as never);
  const parts = Object.entries(value).map(([name, part]) => [
    name,
    converted(part, convert, itemNames.has(name)),
  ]);
  return Object.fromEntries(parts);
};

interface Client {
  config: { endpoint?: unknown; isCustomEndpoint?: boolean };
  send: (this: Client, command: Request, ...rest: unknown[]) => Promise<object>;
}

const replaceSend = (prototype: object, inMemory: (command: Request) => Promise<object>): void => {
  const client = prototype as Client;
  const { send } = client;
  client.send = function answered(command, ...rest) {
    const { endpoint, isCustomEndpoint = endpoint !== undefined } = this.config;
    return isCustomEndpoint ? send.call(this, command, ...rest) : inMemory(command);
  };
};

replaceSend(ours.DynamoDB.prototype, answer);
replaceSend(documents.DynamoDBDocumentClient.prototype, (command) => answer(known(command)));
replaceSend(DynamoDBClient.prototype, async (command) => {
  if (command instanceof CreateTableCommand) {
    tables.set(tableOf(command), new SimulatedTable());
    return {};
  }
  if (command instanceof DescribeTableCommand) {
    const { Table } = (await answer(known(command))) as { Table: object };
    return { Table: { ...Table, TableStatus: 'ACTIVE' } };
  }
  const input = converted(command.input, unmarshall) as Request['input'];
  const asked = { constructor: command.constructor, input } as Request;
  return converted(await answer(known(asked)), marshall) as object;
});

import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { BatchWriteCommand, DeleteCommand, ScanCommand, TransactGetCommand } from '@aws-sdk/lib-dynamodb';
import {
  BatchGetCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '../../../shared/platform/dynamodb/index.ts';
import type { Command } from './simulated-table.ts';
import { type Item, typeOf } from './values.ts';

/** Returns the command for a table of another name. */
export const renamed = (command: Command, TableName: string): Command => {
  if (command instanceof GetCommand) return new GetCommand({ ...command.input, TableName });
  if (command instanceof PutCommand) return new PutCommand({ ...command.input, TableName });
  if (command instanceof UpdateCommand) return new UpdateCommand({ ...command.input, TableName });
  if (command instanceof DeleteCommand) return new DeleteCommand({ ...command.input, TableName });
  if (command instanceof QueryCommand) return new QueryCommand({ ...command.input, TableName });
  if (command instanceof ScanCommand) return new ScanCommand({ ...command.input, TableName });
  if (command instanceof BatchGetCommand) {
    const [keys = { Keys: [] }] = Object.values(command.input.RequestItems ?? {});
    return new BatchGetCommand({ ...command.input, RequestItems: { [TableName]: keys } });
  }
  if (command instanceof BatchWriteCommand) {
    const [requests = []] = Object.values(command.input.RequestItems ?? {});
    return new BatchWriteCommand({ ...command.input, RequestItems: { [TableName]: requests } });
  }
  if (command instanceof TransactGetCommand)
    return new TransactGetCommand({ ...command.input, TransactItems: actions(command, TableName) });
  if (command instanceof TransactWriteCommand) {
    const { ClientRequestToken: token } = command.input;
    return new TransactWriteCommand({
      ...{ ...command.input, TransactItems: actions(command, TableName) },
      ...(token === undefined ? {} : { ClientRequestToken: ownToken(token, TableName) }),
    });
  }
  return command;
};

/** Histories are seeded, so their tokens repeat, and an engine remembers those of all tables. */
const ownToken = (token: string, tableName: string): string =>
  createHash('sha256').update(`${tableName} ${token}`).digest('hex').slice(0, 36);

const actions = <Actions>({ input }: { input: { TransactItems?: Actions } }, TableName: string): Actions =>
  ((input.TransactItems ?? []) as object[]).map((item) =>
    Object.fromEntries(Object.entries(item).map(([kind, action]) => [kind, { ...action, TableName }])),
  ) as Actions;

/** Returns the comparable part of a result: without order where there is none, metadata, and the table's name. */
export const plainResult = (result: PromiseSettledResult<object>): Item => {
  if (result.status === 'rejected') {
    const { name, message, Item, CancellationReasons } = result.reason as Error & {
      Item?: object;
      CancellationReasons?: { Code?: string; Message?: string; Item?: object }[];
    };
    const reasons = CancellationReasons?.map(({ Code, Message, Item }) => ({ Code, Message, Item }));
    return plain({ error: name, message, Item, reasons }) as Item;
  }
  const { Responses, UnprocessedKeys, UnprocessedItems, ConsumedCapacity, ...reply } = result.value as Record<
    string,
    unknown
  >;
  const found = Array.isArray(Responses) ? Responses : Object.values(Responses ?? {}).flat();
  if (!Array.isArray(Responses))
    found.sort((one, other) => (keyText(one as Item) < keyText(other as Item) ? -1 : 1));
  const left = [UnprocessedKeys, UnprocessedItems].map((part) => Object.keys(part ?? {}).length);
  const { $metadata: _, ...rest } = reply;
  const units = [ConsumedCapacity ?? []].flat().map((part) => ({ ...part, TableName: undefined }));
  return plain({ ...rest, found, left, units }) as Item;
};

/** Returns a value without `undefined`, with sorted keys and sets, and bytes as text. */
export const plain = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return `bytes ${Buffer.from(value).toString('base64')}`;
  if (value instanceof Set) return [typeOf(value), ...[...value].map(plain).sort()];
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, part]) => part !== undefined);
  entries.sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(
    entries.map(([name, part]) => [
      name,
      setNames.has(name) && Array.isArray(part) ? part.toSorted() : plain(part),
    ]),
  );
};

/** Sets of an item of a reason, as the wire has them. */
const setNames = new Set(['SS', 'NS', 'BS']);

export const keyText = (item: Item): string => `${String(item['pk'])}\n${String(item['sk'])}`;

export const isSameResult = (one: Item, other: Item): boolean => isDeepStrictEqual(one, other);

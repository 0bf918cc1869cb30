import { TransactGetCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import {
  BatchGetCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '../../../shared/platform/dynamodb/index.ts';
import type { Command } from '../memory/simulated-table.ts';
import type { Item } from '../memory/values.ts';

/** The attribute that the version before knows by another name, and what it takes an absent one for. */
interface Renamed {
  before: string;
  now: string;
  absent: Item;
}

/** Entities whose record has a version before. */
const renamed: Record<string, Renamed> = {
  Webhook: { before: 'told_at', now: 'notified_at', absent: { notified_at: 0 } },
  FollowedFeed: { before: 'stale_told', now: 'stale_notified', absent: {} },
};

type Actions = NonNullable<TransactWriteCommandInput['TransactItems']>;
interface Expressions {
  Key?: Item | undefined;
  ExpressionAttributeNames?: Record<string, string> | undefined;
}

/** Writes an item as the version before does. */
const itemBefore = (item: Item): Item => {
  const change = renamed[String(item['entity'])];
  if (!change) return item;
  const { sv: _, [change.now]: value, ...rest } = item;
  return value === undefined ? rest : { ...rest, [change.before]: value };
};

/** Reads an item as the version before does: what newer code has written under another name is unknown to it. */
const itemNow = (item: Item): Item => {
  const change = renamed[String(item['entity'])];
  if (!change) return item;
  const { [change.before]: value, [change.now]: _, ...rest } = item;
  return { ...rest, ...(value === undefined ? change.absent : { [change.now]: value }), sv: 2 };
};

const keyPrefix: Record<string, string> = { 'WEBHOOK#': 'Webhook', 'FOLLOWED#': 'FollowedFeed' };

/** Names attributes as the version before does. */
const expressionsBefore = <Part extends Expressions>(part: Part): Part => {
  const prefix = Object.keys(keyPrefix).find((start) => String(part.Key?.['sk']).startsWith(start));
  const change = prefix === undefined ? undefined : renamed[keyPrefix[prefix] ?? ''];
  if (!change || !part.ExpressionAttributeNames) return part;
  const names = Object.entries(part.ExpressionAttributeNames).map(([placeholder, name]) => [
    placeholder,
    name === change.now ? change.before : name,
  ]);
  return { ...part, ExpressionAttributeNames: Object.fromEntries(names) as Record<string, string> };
};

const actionBefore = ({ Put, Update, ...more }: Actions[number]): Actions[number] => ({
  ...more,
  ...(Put ? { Put: { ...Put, Item: itemBefore(Put.Item ?? {}) } } : {}),
  ...(Update ? { Update: expressionsBefore(Update) } : {}),
});

/** A command as functions of the version before send it. */
export const commandBefore = (command: Command): Command => {
  if (command instanceof TransactWriteCommand)
    return new TransactWriteCommand({
      ...command.input,
      TransactItems: (command.input.TransactItems ?? []).map(actionBefore),
    });
  if (command instanceof PutCommand)
    return new PutCommand({ ...command.input, Item: itemBefore(command.input.Item ?? {}) });
  if (command instanceof UpdateCommand) return new UpdateCommand(expressionsBefore(command.input));
  return command;
};

/** A reply as functions of the version before understand it. */
export const replyBefore = (command: Command, reply: object): object => replyOf(command, reply, itemNow);

/** A reply with each of its items changed. */
export const replyOf = (command: Command, reply: object, change: (item: Item) => Item): object => {
  const given = reply as { Item?: Item; Items?: Item[]; Responses?: unknown };
  if (command instanceof GetCommand) return given.Item ? { ...given, Item: change(given.Item) } : given;
  if (command instanceof QueryCommand) return { ...given, Items: (given.Items ?? []).map(change) };
  if (command instanceof BatchGetCommand) {
    const tables = Object.entries(given.Responses as Record<string, Item[]>);
    return {
      ...given,
      Responses: Object.fromEntries(tables.map(([name, items]) => [name, items.map(change)])),
    };
  }
  if (command instanceof TransactGetCommand)
    return {
      ...given,
      Responses: (given.Responses as { Item?: Item }[]).map(({ Item }) =>
        Item ? { Item: change(Item) } : {},
      ),
    };
  return reply;
};

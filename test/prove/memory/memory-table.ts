import {
  type CancellationReason,
  ConditionalCheckFailedException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  type BatchGetCommandInput,
  GetCommand,
  type GetCommandInput,
  PutCommand,
  QueryCommand,
  type QueryCommandInput,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { tableIndexes } from '../../../shared/platform/table/entity.ts';
import { holdsFor, type Item } from './expression.ts';
import { BadPath, updated } from './update.ts';

export type Command = GetCommand | BatchGetCommand | QueryCommand | PutCommand | TransactWriteCommand;

/** Something that runs the commands of the Table. */
export interface Backend {
  execute(command: Command): Promise<object>;
}

type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];
type Action = NonNullable<TransactItem[keyof TransactItem]>;

/** The table in memory: the calls that Table makes, without paging by size. `memory.test.ts` compares it with the emulator. */
export class MemoryTable implements Backend {
  readonly #items = new Map<string, Item>();
  readonly #tokens = new Set<string>();
  #effects = 0;

  async execute(command: Command): Promise<object> {
    if (command instanceof GetCommand) return this.#get(command.input);
    if (command instanceof BatchGetCommand) return this.#batchGet(command.input);
    if (command instanceof QueryCommand) return this.#query(command.input);
    if (command instanceof PutCommand) return this.#put(command.input);
    if (command instanceof TransactWriteCommand) return this.#transact(command.input);
    throw new Error('the table in memory does not know this command');
  }

  /** Returns every item in the order of keys. */
  items(): Item[] {
    return [...this.#items.entries()]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([, item]) => item);
  }

  /** Returns the number of committed transactions. */
  effects(): number {
    return this.#effects;
  }

  /** Deletes expired items, as TTL does eventually. */
  sweep(nowMs: number): number {
    const expired = [...this.#items].filter(
      ([, item]) => Number(item['expires_at'] ?? Infinity) * 1000 <= nowMs,
    );
    for (const [key] of expired) this.#items.delete(key);
    return expired.length;
  }

  copy(): MemoryTable {
    const copy = new MemoryTable();
    for (const [key, item] of this.#items) copy.#items.set(key, item);
    return copy;
  }

  /** Returns the cancellation reason of each action of a transaction. */
  reasons({ TransactItems = [] }: TransactWriteCommandInput): CancellationReason[] {
    return TransactItems.map(actionOf).map(
      (asked) => outcomeOf(asked, this.#items.get(keyText(asked.key))).reason,
    );
  }

  #get({ Key }: GetCommandInput): object {
    const item = this.#items.get(keyText(Key as Item));
    return item ? { Item: structuredClone(item) } : {};
  }

  #batchGet({ RequestItems = {} }: BatchGetCommandInput): object {
    const Responses = Object.fromEntries(
      Object.entries(RequestItems).map(([table, { Keys = [] }]) => {
        const texts = Keys.map((key) => keyText(key as Item));
        if (new Set(texts).size < texts.length) throw invalidRequest('a key is named twice');
        return [
          table,
          texts.flatMap((key) => {
            const item = this.#items.get(key);
            return item ? [structuredClone(item)] : [];
          }),
        ];
      }),
    );
    return { Responses, UnprocessedKeys: {} };
  }

  #query(input: QueryCommandInput): object {
    const names = input.ExpressionAttributeNames ?? {};
    const values = input.ExpressionAttributeValues ?? {};
    const index = input.IndexName === undefined ? undefined : tableIndexes[input.IndexName as 'by_team'];
    const sk = index?.sk ?? 'sk';
    const direction = input.ScanIndexForward === false ? -1 : 1;
    const placed = [...this.#items.values()]
      .filter((item) => !index || (index.pk in item && index.sk in item))
      .filter((item) => holdsFor(input.KeyConditionExpression, item, names, values))
      .sort((one, other) => (orderKey(one, sk) < orderKey(other, sk) ? -direction : direction));
    const start = input.ExclusiveStartKey;
    const after = start
      ? placed.filter((item) => (orderKey(item, sk) > orderKey(start, sk) ? 1 : -1) === direction)
      : placed;
    const page = after.slice(0, input.Limit);
    const found = page.filter((item) => holdsFor(input.FilterExpression, item, names, values));
    const last = page.length < after.length ? page.at(-1) : undefined;
    return {
      Count: found.length,
      ...(input.Select === 'COUNT' ? {} : { Items: found.map((item) => structuredClone(item)) }),
      ...(last ? { LastEvaluatedKey: keyOf(last, index ? [index.pk, index.sk] : []) } : {}),
    };
  }

  #put(action: Action): object {
    const asked = actionOf({ Put: action } as TransactItem);
    const key = keyText(asked.key);
    const { reason, after } = outcomeOf(asked, this.#items.get(key));
    if (reason.Code !== 'None' || !after)
      throw new ConditionalCheckFailedException({
        $metadata: {},
        message: 'The conditional request failed',
        ...(reason.Item ? { Item: reason.Item } : {}),
      });
    this.#items.set(key, after);
    return {};
  }

  #transact({ TransactItems = [], ClientRequestToken = '' }: TransactWriteCommandInput): object {
    if (this.#tokens.has(ClientRequestToken)) return {};
    const actions = TransactItems.map(actionOf);
    if (actions.length > 100) throw invalidRequest('more than 100 actions');
    const keys = actions.map(({ key }) => keyText(key));
    if (new Set(keys).size < keys.length) throw invalidRequest('an item is named twice');
    const results = actions.map((action, at) => outcomeOf(action, this.#items.get(keys[at] ?? '')));
    if (results.some(({ reason }) => reason.Code !== 'None')) {
      throw new TransactionCanceledException({
        $metadata: {},
        message: 'Transaction cancelled',
        CancellationReasons: results.map(({ reason }) => reason),
      });
    }
    results.forEach(({ after }, at) => {
      if (after) this.#items.set(keys[at] ?? '', after);
      else this.#items.delete(keys[at] ?? '');
    });
    this.#tokens.add(ClientRequestToken);
    this.#effects++;
    return {};
  }
}

interface Asked {
  kind: keyof TransactItem;
  action: Action;
  key: Item;
}

const actionOf = (item: TransactItem): Asked => {
  for (const kind of ['Put', 'Update', 'Delete', 'ConditionCheck'] as const) {
    const action = item[kind];
    if (action) return { kind, action, key: 'Item' in action ? (action.Item as Item) : (action.Key as Item) };
  }
  throw invalidRequest('an empty action');
};

interface Outcome {
  reason: CancellationReason;
  after?: Item | undefined;
}

const outcomeOf = ({ kind, action, key }: Asked, before: Item | undefined): Outcome => {
  const names = action.ExpressionAttributeNames ?? {};
  const values = action.ExpressionAttributeValues ?? {};
  if (!holdsFor(action.ConditionExpression, before ?? {}, names, values)) {
    const Item =
      before && action.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' ? marshall(before) : undefined;
    return { reason: { Code: 'ConditionalCheckFailed', ...(Item ? { Item } : {}) } };
  }
  const done = (after: Item | undefined): Outcome => ({ reason: { Code: 'None' }, after });
  if (kind === 'Put') return done(stored((action as { Item: Item }).Item));
  if (kind === 'Delete') return done(undefined);
  if (kind === 'ConditionCheck') return done(before);
  const { UpdateExpression } = action as { UpdateExpression: string };
  try {
    return done(stored(updated(before ?? { pk: key['pk'], sk: key['sk'] }, UpdateExpression, names, values)));
  } catch (error) {
    if (error instanceof BadPath) return { reason: { Code: 'ValidationError', Message: error.message } };
    throw error;
  }
};

/** Returns a copy without `undefined`, as marshalling does. */
const stored = <Value>(value: Value): Value => {
  if (Array.isArray(value)) return value.map((element: unknown) => stored(element)) as Value;
  if (value instanceof Uint8Array) return Uint8Array.from(value) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]) =>
      part === undefined ? [] : [[name, stored<unknown>(part)]],
    ),
  ) as Value;
};

const keyText = (item: Item): string => `${String(item['pk'])}\n${String(item['sk'])}`;

const orderKey = (item: Item, sk: string): string => `${String(item[sk])}\n${keyText(item)}`;

const keyOf = (item: Item, more: string[]): Item =>
  Object.fromEntries(['pk', 'sk', ...more].map((name) => [name, item[name]]));

const invalidRequest = (message: string): Error =>
  Object.assign(new Error(message), { name: 'ValidationException' });

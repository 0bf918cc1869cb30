import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  ConditionalCheckFailedException,
  type ConsumedCapacity,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  type QueryCommandInput,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import {
  afterConflict,
  afterThrottling,
  attempts,
  backOff,
  busy,
  isConflict,
  conditionError,
} from './attempts.ts';
import { newTerms } from './condition.ts';
import { type Entity, fromStored, stored, type TableKey, tableIndexes } from './entity.ts';
import { tableIdentity } from './identity.ts';
import { toServiceError } from './to-service-error.ts';
import { type QueryOptions, queryInput } from './query.ts';
import type { Write } from './write.ts';

/** What a request cost; summed up by tests, benches and metrics. */
export interface Consumption {
  operation: string;
  readUnits: number;
  writeUnits: number;
}

export interface QueryResult {
  items: Record<string, unknown>[];
  /** Entity names, beside `items`: a partition may hold several kinds. */
  kinds: string[];
  /** The sort key of each item in the partition or index, beside `items`. */
  sortKeys: string[];
  /** The raw key to go on from, when there is more. */
  next: Record<string, unknown> | undefined;
}

/** The most writes one transaction takes; a larger one is refused before anything is written. */
export const maxWrites = 100;
/** The most keys of one BatchGet. */
const batchKeys = 100;

const keyText = (key: { pk?: unknown; sk?: unknown }): string => `${String(key.pk)}\n${String(key.sk)}`;

/** How long a request may still use the table. */
export interface TimeLimit {
  /** Milliseconds. */
  leftMs: () => number;
  /** Aborted when the time is over. */
  signal: AbortSignal;
}

/** A write that begins has the time for one whole try: what it did is known before the request is answered. */
const writeMs = 3000;

export interface TableConfig {
  client: DynamoDBDocumentClient;
  tableName: string;
  onConsumed?: (consumption: Consumption) => void;
  /** Ends when the request may go on, and fails when it may not. */
  passed?: () => Promise<void>;
  limit?: TimeLimit;
}

/** The one table. AWS errors become ours here and nowhere else. */
export class Table {
  readonly #config: TableConfig;

  constructor(config: TableConfig) {
    this.#config = config;
  }

  /** The same table with every request's cost told to `onConsumed`. */
  measured(onConsumed: (consumption: Consumption) => void): Table {
    return new Table({ ...this.#config, onConsumed });
  }

  /**
   * The same table for a request that is not admitted yet: its first reads go out meanwhile, but none is answered and nothing
   * is written before `passed` has ended; when it fails, they fail with it. Over its limit of time, nothing is read or written
   * any more: SERVICE_UNAVAILABLE.
   */
  waitingFor(passed: () => Promise<void>, limit?: TimeLimit): Table {
    return new Table({ ...this.#config, passed, ...(limit ? { limit } : {}) });
  }

  async get<Item extends Ids, Ids extends object>(
    entity: Entity<Item, Ids>,
    ids: Ids,
    options: { consistent?: boolean } = {},
  ): Promise<Item | undefined> {
    const command = new GetCommand({
      TableName: this.#config.tableName,
      Key: entity.key(ids),
      ConsistentRead: options.consistent ?? true,
      ...this.#capacity(),
    });
    const reply = await this.#send('get', () => this.#config.client.send(command, this.#abortable()));
    return reply.Item && (fromStored(reply.Item) as Item);
  }

  /** Many items of any kinds in the order of `wanted`: one round trip, whose requests of 100 keys each run side by side. */
  async getAll(
    wanted: readonly { key: TableKey }[],
    { consistent = true }: { consistent?: boolean } = {},
  ): Promise<(Record<string, unknown> | undefined)[]> {
    const keys = [...new Map(wanted.map(({ key }) => [keyText(key), { ...key }])).values()];
    const batches = Array.from({ length: Math.ceil(keys.length / batchKeys) }, (_, batch) =>
      this.#getBatch(keys.slice(batch * batchKeys, (batch + 1) * batchKeys), consistent),
    );
    const found = new Map((await Promise.all(batches)).flat().map((raw) => [keyText(raw), fromStored(raw)]));
    return wanted.map(({ key }) => found.get(keyText(key)));
  }

  /** One BatchGet, asked again for what it left out. */
  async #getBatch(
    keys: Record<string, unknown>[],
    ConsistentRead: boolean,
  ): Promise<Record<string, unknown>[]> {
    const { tableName, client } = this.#config;
    const found: Record<string, unknown>[] = [];
    for (let Keys = keys, attempt = 0; Keys.length > 0; attempt++) {
      if (attempt === attempts) throw busy();
      if (attempt > 0) await backOff(attempt);
      const command = new BatchGetCommand({
        RequestItems: { [tableName]: { Keys, ConsistentRead } },
        ...this.#capacity(),
      });
      const reply = await this.#send('batch-get', () => client.send(command, this.#abortable()));
      found.push(...(reply.Responses?.[tableName] ?? []));
      Keys = reply.UnprocessedKeys?.[tableName]?.Keys ?? [];
    }
    return found;
  }

  /** What tells this table from every other one, a restored copy under the same name included; `now` in epoch milliseconds. */
  identity(now: number): Promise<string> {
    return tableIdentity(this.#config.client, this.#config.tableName, now);
  }

  /** One page of a partition or index. */
  async query(options: QueryOptions): Promise<QueryResult> {
    const reply = await this.#query(options, {});
    const raw = reply.Items ?? [];
    return {
      items: raw.map(fromStored),
      kinds: raw.map((item) => String(item['entity'])),
      sortKeys: raw.map((item) => String(item[options.index ? tableIndexes[options.index].sk : 'sk'])),
      next: reply.LastEvaluatedKey,
    };
  }

  /** Everything the keys name, page after page. */
  async queryAll(
    options: Omit<QueryOptions, 'limit' | 'after'>,
  ): Promise<Pick<QueryResult, 'items' | 'kinds'>> {
    const items: Record<string, unknown>[] = [];
    const kinds: string[] = [];
    let after: Record<string, unknown> | undefined;
    do {
      const page = await this.query({
        ...options,
        ...(after ? { after } : {}),
      });
      items.push(...page.items);
      kinds.push(...page.kinds);
      after = page.next;
    } while (after);
    return { items, kinds };
  }

  /** How many items the keys and the filter name, without fetching them; with `most`, counting ends there. */
  async count(options: Omit<QueryOptions, 'limit' | 'after'>, most?: number): Promise<number> {
    let total = 0;
    let after: Record<string, unknown> | undefined;
    do {
      const limit = most === undefined ? {} : { limit: most - total };
      const reply = await this.#query({ ...options, ...limit, after }, { Select: 'COUNT' });
      total += reply.Count ?? 0;
      after = reply.LastEvaluatedKey;
    } while (after && total < (most ?? Number.POSITIVE_INFINITY));
    return total;
  }

  /**
   * Writes all or nothing. A failed condition throws what its write says it means, the first write that has one first.
   * Throttling is tried again with jitter, then SERVICE_UNAVAILABLE; so is a conflict with another transaction, but within
   * {@link retryOnConflict} only once, then it is a {@link TransactionConflictError}: what was read is probably out of date.
   */
  async transact(writes: readonly Write[]): Promise<void> {
    if (writes.length === 0) return;
    if (writes.length > maxWrites)
      throw new RangeError(`a transaction takes at most ${maxWrites} writes, not ${writes.length}`);
    for (let attempt = 1; ; attempt++) {
      const command = new TransactWriteCommand({
        TransactItems: writes.map((write) => write.render(this.#config.tableName)),
        ClientRequestToken: randomUUID(),
        ...this.#capacity(),
      });
      try {
        await this.#send('transact', () => this.#config.client.send(command, this.#abortable()));
        return;
      } catch (error) {
        if (!(error instanceof TransactionCanceledException)) throw error;
        const refused = conditionError(error, writes);
        if (refused) throw refused;
        if (isConflict(error)) await afterConflict(attempt, error);
        else await afterThrottling(attempt, error);
      }
    }
  }

  /**
   * Puts one item by itself, for half the units of a transaction. It has no token: when its reply is lost and it is sent again,
   * it meets its own item and is content. So it is only for items that no two writers make alike, or both may have made.
   */
  async put(write: Write): Promise<void> {
    const { Put } = write.render(this.#config.tableName);
    if (!Put) throw new TypeError(`${write.entity} is not put`);
    try {
      await this.#alone(() =>
        this.#send('put', () =>
          this.#config.client.send(new PutCommand({ ...Put, ...this.#capacity() }), this.#abortable()),
        ),
      );
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      const own: unknown = marshall(Put.Item, { removeUndefinedValues: true });
      if (isDeepStrictEqual(error.Item, own)) return;
      throw write.onConflict(error.Item && unmarshall(error.Item));
    }
  }

  /** Adds to a number of an item, which is made when it is not there, and answers the sum: one write, whoever else writes. */
  async increase<Item extends Ids, Ids extends object>(
    entity: Entity<Item, Ids>,
    first: Item,
    attribute: keyof Item & string,
    step: number,
  ): Promise<number> {
    const terms = newTerms();
    const { pk, sk, [attribute]: _, ...others } = stored(entity, first);
    const sets = Object.entries(others).map(([name, value]) => `${terms.name(name)} = ${terms.value(value)}`);
    const command = new UpdateCommand({
      TableName: this.#config.tableName,
      Key: { pk, sk },
      UpdateExpression: `SET ${sets.join(', ')} ADD ${terms.name(attribute)} ${terms.value(step)}`,
      ExpressionAttributeNames: terms.names,
      ExpressionAttributeValues: terms.values,
      ReturnValues: 'UPDATED_NEW',
      ...this.#capacity(),
    });
    const reply = await this.#alone(() =>
      this.#send('update', () => this.#config.client.send(command, this.#abortable())),
    );
    return Number(reply.Attributes?.[attribute]);
  }

  /** A write of one item, which waits while a transaction holds that item. */
  async #alone<Reply>(write: () => Promise<Reply>): Promise<Reply> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await write();
      } catch (error) {
        if (!(error instanceof TransactionConflictException)) throw error;
        await afterConflict(attempt, error);
      }
    }
  }

  #query(options: QueryOptions, extra: Partial<QueryCommandInput>) {
    const { tableName, client } = this.#config;
    const input = { ...queryInput(tableName, options), ...extra, ...this.#capacity() };
    return this.#send('query', () => client.send(new QueryCommand(input), this.#abortable()));
  }

  #abortable(): { abortSignal?: AbortSignal } {
    const { signal } = this.#config.limit ?? {};
    return signal ? { abortSignal: signal } : {};
  }

  #capacity(): { ReturnConsumedCapacity?: 'INDEXES' } {
    return this.#config.onConsumed ? { ReturnConsumedCapacity: 'INDEXES' } : {};
  }

  async #send<Reply extends { ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[] | undefined }>(
    operation: string,
    request: () => Promise<Reply>,
  ): Promise<Reply> {
    const passed = this.#config.passed?.() ?? Promise.resolve();
    try {
      if (isWrite(operation)) await passed;
      const { leftMs } = this.#config.limit ?? {};
      if (leftMs && leftMs() < (isWrite(operation) ? writeMs : 0)) throw busy();
      const [reply] = await Promise.all([request(), passed]);
      this.#config.onConsumed?.(consumption(operation, reply.ConsumedCapacity));
      return reply;
    } catch (error) {
      throw toServiceError(error);
    }
  }
}

const consumption = (
  operation: string,
  capacity: ConsumedCapacity | ConsumedCapacity[] | undefined,
): Consumption => {
  const units = [capacity ?? []].flat().reduce((sum, part) => sum + (part.CapacityUnits ?? 0), 0);
  const writes = isWrite(operation);
  return { operation, readUnits: writes ? 0 : units, writeUnits: writes ? units : 0 };
};

const isWrite = (operation: string): boolean => ['transact', 'put', 'update'].includes(operation);

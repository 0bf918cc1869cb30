import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import {
  asStored,
  BatchGetCommand,
  GetCommand,
  isConditionalCheckFailed,
  isTransactionCanceled,
  PutCommand,
  QueryCommand,
  readItem,
  TransactWriteCommand,
  UpdateCommand,
} from '../dynamodb/index.ts';
import { afterConflict, afterThrottling, isConflict, conditionError } from './attempts.ts';
import { batchGet, type Raw, type Wanted } from './batch-get.ts';
import { newTerms } from './condition.ts';
import { Connection, type ConnectionConfig, type Consumption, type TimeLimit } from './connection.ts';
import { type Entity, type Kind, tableIndexes } from './entity.ts';
import { tableIdentity } from './identity.ts';
import type { JoinedReads } from './joined-reads.ts';
import { pages, type QueryOptions, queryInput } from './query.ts';
import type { Answers, Entry, GroupAnswers, Mixed, QueryResult, Read } from './read.ts';
import { checkEveryRecord, type RecordCheck } from './record.ts';
import { checkConditions, type Rehearse } from './rehearse.ts';
import { readStored, stored } from './stored-item.ts';
import { maxWrites, type Write } from './write.ts';

type WholeQuery = Omit<QueryOptions, 'limit' | 'after'>;

interface TableConfig extends ConnectionConfig {
  /** Checks each item that is read against its record; default {@link checkEveryRecord}. */
  check?: RecordCheck;
  /** Called in place of writes. */
  rehearse?: Rehearse;
  /** Makes one request of what is read at once. */
  joins?: typeof JoinedReads;
}

/** The DynamoDB table. AWS errors become ServiceErrors here only. */
export class Table {
  readonly #config: TableConfig;
  readonly #connection: Connection;
  readonly #check: RecordCheck;
  readonly #joined: JoinedReads | undefined;
  #joining: Table | undefined;

  constructor(config: TableConfig) {
    this.#config = config;
    this.#connection = new Connection(config);
    this.#check = config.check ?? checkEveryRecord;
    this.#joined = config.joins && new config.joins((...asked) => this.#getMany(...asked));
  }

  /** Returns the same table that reports the cost of every request to `onConsumed`. */
  measured(onConsumed: (consumption: Consumption) => void): Table {
    return new Table({ ...this.#config, onConsumed });
  }

  /**
   * Returns the same table for a request that is not allowed yet. Its reads are sent in parallel with the check, but neither
   * return nor write anything before `passed` resolves; if it rejects, they reject with its error. After the time limit every
   * operation throws SERVICE_UNAVAILABLE.
   */
  waitingFor(passed: () => Promise<void>, limit?: TimeLimit): Table {
    return new Table({ ...this.#config, passed, ...(limit ? { limit } : {}) });
  }

  /** Returns the same table that calls `rehearse` with its writes and writes nothing. */
  rehearsing(rehearse: Rehearse): Table {
    return new Table({ ...this.#config, rehearse });
  }

  /**
   * Returns the same table for work on many things at once: items that are read in one turn are one request. It is the same one
   * each time, as several batches of a process may be handled at once. Given the class, only the bundles that join reads have it.
   */
  joiningReads(joins: typeof JoinedReads): Table {
    return (this.#joining ??= new Table({ ...this.#config, joins }));
  }

  async get<Item extends Ids, Ids extends object>(
    entity: Entity<Item, Ids>,
    ids: Ids,
    { consistent = true }: { consistent?: boolean } = {},
  ): Promise<Item | undefined> {
    const key = entity.key(ids);
    const raw = await (this.#joined?.get({ key }, consistent) ?? this.#getOne({ ...key }, consistent));
    return raw && this.#item(entity, raw);
  }

  async #getOne(Key: Raw, ConsistentRead: boolean): Promise<Raw | undefined> {
    const { tableName: TableName } = this.#config;
    const command = new GetCommand({ TableName, Key, ConsistentRead, ...this.#connection.capacity });
    return (await this.#connection.send('get', (client, options) => client.send(command, options))).Item;
  }

  /** Reads items of any entities, in the order of the keys: one round trip, with parallel requests of 100 keys. */
  async getAll<const Reads extends readonly Read<object>[]>(
    wanted: Reads,
    { consistent = true }: { consistent?: boolean } = {},
  ): Promise<Answers<Reads>> {
    const joined = this.#joined;
    const found = await Promise.all(
      joined ? wanted.map((one) => joined.get(one, consistent)) : this.#getMany(wanted, consistent),
    );
    return wanted.map(({ entity }, at) => {
      const raw = found[at];
      return raw && this.#item(entity, raw);
    }) as Answers<Reads>;
  }

  /** Reads groups of items in one round trip; each group has its own type. */
  async getGroups<const Groups extends readonly (readonly Read<object>[])[]>(
    groups: Groups,
    options: { consistent?: boolean } = {},
  ): Promise<GroupAnswers<Groups>> {
    const found = await this.getAll(groups.flat(), options);
    let at = 0;
    return groups.map(({ length }) => found.slice(at, (at += length))) as GroupAnswers<Groups>;
  }

  #getMany(wanted: readonly Wanted[], ConsistentRead: boolean): Promise<Raw | undefined>[] {
    const { tableName } = this.#config;
    return batchGet(wanted, async (Keys) => {
      const command = new BatchGetCommand({
        RequestItems: { [tableName]: { Keys, ConsistentRead } },
        ...this.#connection.capacity,
      });
      const reply = await this.#connection.send('batch-get', (client, options) =>
        client.send(command, options),
      );
      return {
        items: reply.Responses?.[tableName] ?? [],
        left: reply.UnprocessedKeys?.[tableName]?.Keys ?? [],
      };
    });
  }

  /**
   * Returns a value that identifies this table, distinct from a restored copy of the same name; `now` in epoch milliseconds.
   */
  identity(now: number): Promise<string> {
    return tableIdentity(this.#config.client, this.#config.tableName, now);
  }

  /** Reads one page of a partition or index. */
  async query<Item extends object>(kind: Kind<Item>, options: QueryOptions): Promise<QueryResult<Item>> {
    const { Items = [], LastEvaluatedKey: next } = await this.#query(options, {});
    const sk = options.index ? tableIndexes[options.index].sk : 'sk';
    return {
      items: Items.map((raw) => this.#item(kind, raw)),
      sortKeys: Items.map((raw) => String(raw[sk])),
      next,
    };
  }

  /** Reads all pages of a query. */
  async queryAll<Item extends object>(kind: Kind<Item>, options: WholeQuery): Promise<Item[]> {
    const items: Item[] = [];
    for await (const page of pages((after) => this.query(kind, { ...options, after })))
      items.push(...page.items);
    return items;
  }

  /** Reads one page of a partition that contains several entities. */
  async queryMixed(options: QueryOptions): Promise<Mixed> {
    const { Items = [], LastEvaluatedKey: next } = await this.#query(options, {});
    const entryOf = (raw: Raw): Entry => ({
      kind: String(raw['entity']),
      as: (entity) => this.#item(entity, raw),
    });
    return { entries: Items.map(entryOf), next };
  }

  /** Reads all pages of a query of a partition that contains several entities. */
  async queryAllMixed(options: WholeQuery): Promise<Pick<Mixed, 'entries'>> {
    const entries: Entry[] = [];
    for await (const page of pages((after) => this.queryMixed({ ...options, after })))
      entries.push(...page.entries);
    return { entries };
  }

  /** Counts the items of a query without fetching them, up to `most`. */
  async count(options: WholeQuery, most?: number): Promise<number> {
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
   * Writes all or nothing. A failed condition throws the error of its write, the first one if several fail. Throttling
   * and a conflict with another transaction are retried with jitter, then SERVICE_UNAVAILABLE. Inside {@link retryOnConflict}
   * a conflict is retried twice and throttling not at all: it throws a {@link TransactionConflictError}, because what was read
   * is probably stale by then.
   */
  async transact(writes: readonly Write[]): Promise<void> {
    if (writes.length === 0) return;
    if (writes.length > maxWrites)
      throw new RangeError(`a transaction takes at most ${maxWrites} writes, not ${writes.length}`);
    const { rehearse } = this.#config;
    if (rehearse) await rehearse(writes, () => checkConditions(writes, (all) => this.#write(all)));
    else await this.#write(writes);
  }

  async #write(writes: readonly Write[]): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const command = new TransactWriteCommand({
        TransactItems: writes.map((write) => write.render(this.#config.tableName)),
        ClientRequestToken: randomUUID(),
        ...this.#connection.capacity,
      });
      try {
        await this.#connection.send('transact', (client, options) => client.send(command, options));
        return;
      } catch (error) {
        if (!isTransactionCanceled(error)) throw error;
        const refused = conditionError(error, writes, this.#check);
        if (refused) throw refused;
        if (isConflict(error)) await afterConflict(attempt, error);
        else await afterThrottling(attempt, error);
      }
    }
  }

  /**
   * Puts one item without a transaction, for half the write units. There is no client token: a retry after a lost response
   * finds its own item and succeeds. So it is only for items that no two writers create alike, or where both may.
   */
  async put(write: Write): Promise<void> {
    if (this.#config.rehearse) return this.transact([write]);
    const { Put } = write.render(this.#config.tableName);
    if (!Put) throw new TypeError(`${write.entity} is not put`);
    const command = new PutCommand({ ...Put, ...this.#connection.capacity });
    try {
      await this.#connection.sendAlone('put', (client, options) => client.send(command, options));
    } catch (error) {
      if (!isConditionalCheckFailed(error)) throw error;
      const found = error.Item && readItem(error.Item);
      if (isDeepStrictEqual(found, asStored(Put.Item ?? {}))) return;
      throw write.onConflict(found, this.#check);
    }
  }

  /** Adds to a number of an item, which is created if missing, and returns the sum: one unconditional write. */
  async increase<Item extends Ids, Ids extends object>(
    entity: Entity<Item, Ids>,
    first: Item,
    attribute: keyof Item & string,
    step: number,
  ): Promise<number> {
    if (this.#config.rehearse) throw new TypeError(`a rehearsal does not count ${entity.name}`);
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
      ...this.#connection.capacity,
    });
    const reply = await this.#connection.sendAlone('update', (client, options) =>
      client.send(command, options),
    );
    return Number(reply.Attributes?.[attribute]);
  }

  #item<Item extends object>(kind: Kind<Item>, raw: Raw): Item {
    return readStored(kind, raw, this.#check);
  }

  #query(options: QueryOptions, extra: Partial<QueryCommandInput>) {
    const input = { ...queryInput(this.#config.tableName, options), ...extra, ...this.#connection.capacity };
    const send = () =>
      this.#connection.send('query', (client, sending) => client.send(new QueryCommand(input), sending));
    return this.#joined?.query(input, send) ?? send();
  }
}

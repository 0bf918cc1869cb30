import type { CancellationReason } from '@aws-sdk/client-dynamodb';
import type {
  BatchGetCommandInput,
  GetCommandInput,
  QueryCommandInput,
  ScanCommandInput,
  TransactGetCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { consumedCapacity, readUnits } from './capacity.ts';
import type { Core } from './core.ts';
import { cancelledError, conflictReason, throttledError } from './errors.ts';
import { ValidationError } from './expression-tokens.ts';
import { keyId, type Row } from './key-schema.ts';
import { cutPage, cutScan, pageReply, type PageRequest, pageRequest } from './page-request.ts';
import { parseProjection, projected } from './projection.ts';
import { copied, type Item } from './values.ts';
import { scopeOf } from './write-action.ts';

const maxKeys = 100;
const maxBatchBytes = 16 * 1024 * 1024;
const noIndexes = new Map<string, number>();

type Projecting = Pick<GetCommandInput, 'ProjectionExpression' | 'ExpressionAttributeNames'>;

/** Returns how the items of a read are shown: a copy, of the projected attributes if asked. */
const showing = (input: Projecting): ((row: Row) => Item) => {
  const expression = input.ProjectionExpression;
  const projection = expression === undefined ? undefined : parseProjection(expression);
  const scope = scopeOf({ ExpressionAttributeNames: input.ExpressionAttributeNames }, [projection]);
  return ({ item }) => (projection ? projected(item, projection.paths, scope) : copied(item));
};

/** The reads of the simulated table. */
export class Reads {
  readonly #core: Core;

  constructor(core: Core) {
    this.#core = core;
  }

  async get(input: GetCommandInput): Promise<object> {
    const { Key = {}, ConsistentRead = false, TableName, ReturnConsumedCapacity } = input;
    const id = keyId(Key);
    const shown = showing(input);
    await this.#core.travel();
    this.#core.mayThrottle();
    this.#checkPartition(String(Key['pk']));
    const row = this.#core.store.read(id, Key, ConsistentRead);
    const read = this.#cost(String(Key['pk']), row?.size ?? 0, ConsistentRead);
    await this.#core.travel();
    const ConsumedCapacity = consumedCapacity(TableName, ReturnConsumedCapacity, {
      read,
      write: 0,
      byIndex: noIndexes,
    });
    return { ...(row ? { Item: shown(row) } : {}), ...(ConsumedCapacity ? { ConsumedCapacity } : {}) };
  }

  async batchGet({ RequestItems = {}, ReturnConsumedCapacity }: BatchGetCommandInput): Promise<object> {
    const tables = Object.entries(RequestItems).map(
      ([name, { Keys = [], ConsistentRead = false, ...input }]) => {
        if (Keys.length === 0)
          throw new ValidationError(
            `The list of keys in RequestItems for BatchGetItem is required: ${name} has empty list`,
          );
        const wanted = Keys.map((key) => ({ key: key as Item, id: keyId(key as Item) }));
        if (new Set(wanted.map(({ id }) => id)).size < wanted.length)
          throw new ValidationError('Provided list of item keys contains duplicates');
        return { name, wanted, isConsistent: ConsistentRead, shown: showing(input), input };
      },
    );
    if (tables.reduce((sum, { wanted }) => sum + wanted.length, 0) > maxKeys)
      throw new ValidationError('Too many items requested for the BatchGetItem call');
    await this.#core.travel();
    this.#core.mayThrottle();
    const Responses: Record<string, Item[]> = {};
    const UnprocessedKeys: Record<string, object> = {};
    const ConsumedCapacity: object[] = [];
    for (const { name, wanted, isConsistent, shown, input } of tables) {
      const { found, unprocessed, read } = await this.#readAll(wanted, isConsistent);
      Responses[name] = found.map(shown);
      if (unprocessed.length > 0)
        UnprocessedKeys[name] = { ...input, ConsistentRead: isConsistent, Keys: unprocessed };
      const consumed = consumedCapacity(name, ReturnConsumedCapacity, { read, write: 0, byIndex: noIndexes });
      if (consumed) ConsumedCapacity.push(consumed);
    }
    await this.#core.travel();
    return { Responses, UnprocessedKeys, ...(ConsumedCapacity.length > 0 ? { ConsumedCapacity } : {}) };
  }

  /** Reads keys at one or two moments, until the reply is full; some stay unprocessed. */
  async #readAll(wanted: readonly { key: Item; id: string }[], isConsistent: boolean) {
    const { store, fate, manners, time } = this.#core;
    const most = fate.happens(manners.unprocessed) ? fate.below(wanted.length) : wanted.length;
    const torn = manners.latency && wanted.length > 1 ? fate.lasts(manners.tornReads) : 0;
    const pause = torn > 0 ? 1 + fate.below(wanted.length - 1) : 0;
    const found: Row[] = [];
    const unprocessed: Item[] = [];
    let read = 0;
    let bytes = 0;
    for (const [at, { key, id }] of wanted.entries()) {
      if (torn > 0 && at === pause) {
        fate.count('torn read');
        await time.sleep(torn);
      }
      const pk = String(key['pk']);
      if (at >= Math.max(1, most) || bytes > maxBatchBytes || this.#core.isReadThrottled(pk)) {
        unprocessed.push(key);
        continue;
      }
      const row = store.read(id, key, isConsistent);
      read += this.#cost(pk, row?.size ?? 0, isConsistent);
      bytes += row?.size ?? 0;
      if (row) found.push(row);
    }
    if (unprocessed.length > 0) fate.count('unprocessed', unprocessed.length);
    if (unprocessed.length === wanted.length) throw throttledError(false);
    return { found, unprocessed, read };
  }

  async query(input: QueryCommandInput): Promise<object> {
    const request = pageRequest(input, true);
    const { index, range, isConsistent } = request;
    const partition = `${index === undefined ? '' : `${index} `}${range?.pk ?? ''}`;
    await this.#core.travel();
    this.#core.mayThrottle();
    this.#checkPartition(partition);
    const entries = this.#core.store.partition(index, range?.pk ?? '', isConsistent);
    const page = cutPage(entries, request, this.#shortPage(entries.length));
    const read = this.#cost(partition, page.bytes, isConsistent);
    await this.#core.travel();
    return { ...pageReply(page, request), ...this.#consumedBy(input, request, read) };
  }

  async scan(input: ScanCommandInput): Promise<object> {
    const request = pageRequest(input, false);
    await this.#core.travel();
    this.#core.mayThrottle();
    // The first segment of a parallel scan has everything.
    const entries = input.Segment ? [] : this.#core.store.everything(request.index);
    const page = cutScan(entries, request, this.#shortPage(entries.length));
    const read = readUnits(page.bytes, request.isConsistent);
    await this.#core.travel();
    return { ...pageReply(page, request), ...this.#consumedBy(input, request, read) };
  }

  async transactGet({
    TransactItems = [],
    ReturnConsumedCapacity,
  }: TransactGetCommandInput): Promise<object> {
    if (TransactItems.length < 1 || TransactItems.length > maxKeys)
      throw new ValidationError('Member must have length less than or equal to 100');
    const wanted = TransactItems.map(({ Get }) => {
      const key = (Get?.Key ?? {}) as Item;
      return { id: keyId(key), key, shown: showing(Get ?? {}) };
    });
    if (new Set(wanted.map(({ id }) => id)).size < wanted.length)
      throw new ValidationError('Transaction request cannot include multiple operations on one item');
    await this.#core.travel();
    this.#core.mayThrottle();
    const { held, store, fate } = this.#core;
    const reasons = wanted.map(({ id }): CancellationReason =>
      held.has(id) ? conflictReason : { Code: 'None' },
    );
    if (reasons.includes(conflictReason)) {
      fate.count('transaction conflict');
      await this.#core.travel();
      throw cancelledError(reasons);
    }
    const rows = wanted.map(({ id }) => store.get(id));
    const read = rows.reduce(
      (sum, row, at) => sum + 2 * this.#cost(String(wanted[at]?.key['pk']), row?.size ?? 0, true),
      0,
    );
    await this.#core.travel();
    const TableName = TransactItems[0]?.Get?.TableName;
    const consumed = consumedCapacity(
      TableName,
      ReturnConsumedCapacity,
      { read, write: 0, byIndex: noIndexes },
      true,
    );
    return {
      Responses: rows.map((row, at) => (row ? { Item: wanted[at]!.shown(row) } : {})),
      ...(consumed ? { ConsumedCapacity: [consumed] } : {}),
    };
  }

  #checkPartition(partition: string): void {
    if (this.#core.isReadThrottled(partition)) throw throttledError(false);
  }

  #cost(partition: string, bytes: number, isConsistent: boolean): number {
    const units = readUnits(bytes, isConsistent);
    this.#core.takeReads(partition, units);
    return units;
  }

  /** Returns after how many items a page ends early. */
  #shortPage(entries: number): number | undefined {
    const { fate, manners } = this.#core;
    if (entries < 2 || !fate.happens(manners.shortPages)) return undefined;
    fate.count('short page');
    return 1 + fate.below(entries - 1);
  }

  #consumedBy(input: QueryCommandInput, { index }: PageRequest, units: number): object {
    const byIndex = index === undefined ? noIndexes : new Map([[index, units]]);
    const read = index === undefined ? units : 0;
    const ConsumedCapacity = consumedCapacity(input.TableName, input.ReturnConsumedCapacity, {
      read,
      write: 0,
      byIndex,
    });
    return ConsumedCapacity ? { ConsumedCapacity } : {};
  }
}

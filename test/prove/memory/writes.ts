import type { CancellationReason } from '@aws-sdk/client-dynamodb';
import type { BatchWriteCommandInput, TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { consumedCapacity, readUnits, type Reported, type WriteUnits, writeUnits } from './capacity.ts';
import type { Core } from './core.ts';
import {
  cancelledError,
  conflictError,
  conflictReason,
  throttledError,
  throttledReason,
  writeError,
} from './errors.ts';
import { ValidationError } from './expression-tokens.ts';
import type { Row } from './key-schema.ts';
import { projected } from './projection.ts';
import { RequestTokens } from './request-tokens.ts';
import { copied, type Item } from './values.ts';
import { outcomeOf, type WriteAction, writeAction, type WriteInput, type WriteKind } from './write-action.ts';

type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

interface SingleInput extends WriteInput {
  TableName?: string | undefined;
  ReturnValues?: string | undefined;
  ReturnConsumedCapacity?: Reported;
}

interface Planned {
  action: WriteAction;
  reason: CancellationReason;
  after: Row | undefined;
  units: WriteUnits;
}

const maxActions = 100;
const maxTransactionBytes = 4 * 1024 * 1024;
const maxBatch = 25;

/** The writes of the simulated table. */
export class Writes {
  /** The number of committed transactions. */
  commits = 0;
  readonly #core: Core;
  readonly #tokens: RequestTokens;

  constructor(core: Core) {
    this.#core = core;
    this.#tokens = new RequestTokens(core.time);
  }

  /** A write of one item. */
  async one(kind: WriteKind, input: SingleInput): Promise<object> {
    const action = writeAction(kind, input);
    checkReturnValues(kind, input.ReturnValues);
    await this.#core.travel();
    try {
      const { before, after, units } = this.#apply(action);
      const Attributes = returned(action, input.ReturnValues, before, after);
      const ConsumedCapacity = consumedBy(input.TableName, input.ReturnConsumedCapacity, [units], false);
      return { ...(Attributes ? { Attributes } : {}), ...(ConsumedCapacity ? { ConsumedCapacity } : {}) };
    } finally {
      await this.#core.travel();
    }
  }

  #apply(action: WriteAction): { before: Row | undefined; after: Row | undefined; units: WriteUnits } {
    const { store, held, fate } = this.#core;
    const before = store.get(action.id);
    if (held.has(action.id) || this.#meetsConflict()) {
      fate.count('transaction conflict');
      throw conflictError();
    }
    const { reason, after } = outcomeOf(action, before);
    const units = writeUnits(before, after, false);
    const pk = String(action.key['pk']);
    if (this.#core.isWriteThrottled(pk, units)) throw throttledError(fate.below(2) === 0);
    this.#core.takeWrites(pk, units);
    if (reason.Code !== 'None') throw writeError(reason);
    store.change(action.id, after);
    return { before, after, units };
  }

  #meetsConflict(): boolean {
    return this.#core.fate.happens(this.#core.manners.conflicts);
  }

  async batch({ RequestItems = {}, ReturnConsumedCapacity }: BatchWriteCommandInput): Promise<object> {
    const tables = Object.entries(RequestItems).map(([name, requests]) => {
      if (requests.length === 0)
        throw new ValidationError(
          `The batch write request list for a table cannot be null or empty: ${name}`,
        );
      const actions = requests.map(({ PutRequest, DeleteRequest }) =>
        PutRequest
          ? writeAction('Put', { Item: PutRequest.Item })
          : writeAction('Delete', { Key: DeleteRequest?.Key }),
      );
      if (new Set(actions.map(({ id }) => id)).size < actions.length)
        throw new ValidationError('Provided list of item keys contains duplicates');
      return { name, requests, actions };
    });
    if (tables.reduce((sum, { actions }) => sum + actions.length, 0) > maxBatch)
      throw new ValidationError('Too many items requested for the BatchWriteItem call');
    await this.#core.travel();
    this.#core.mayThrottle();
    const UnprocessedItems: Record<string, object[]> = {};
    const ConsumedCapacity: object[] = [];
    for (const { name, requests, actions } of tables) {
      const { unprocessed, units } = this.#writeAll(actions);
      if (unprocessed.length > 0) UnprocessedItems[name] = unprocessed.map((at) => requests[at]!);
      const consumed = consumedBy(name, ReturnConsumedCapacity, units, false);
      if (consumed) ConsumedCapacity.push(consumed);
    }
    await this.#core.travel();
    return { UnprocessedItems, ...(ConsumedCapacity.length > 0 ? { ConsumedCapacity } : {}) };
  }

  /** Writes what is neither held nor throttled; returns the positions of the rest. */
  #writeAll(actions: readonly WriteAction[]): { unprocessed: number[]; units: WriteUnits[] } {
    const { store, held, fate, manners } = this.#core;
    const most = fate.happens(manners.unprocessed) ? Math.max(1, fate.below(actions.length)) : actions.length;
    const unprocessed: number[] = [];
    const units: WriteUnits[] = [];
    for (const [at, action] of actions.entries()) {
      const before = store.get(action.id);
      const cost = writeUnits(before, action.row, false);
      const pk = String(action.key['pk']);
      if (at >= most || held.has(action.id) || this.#core.isWriteThrottled(pk, cost)) {
        unprocessed.push(at);
        continue;
      }
      this.#core.takeWrites(pk, cost);
      units.push(cost);
      store.change(action.id, action.row);
    }
    if (unprocessed.length > 0) fate.count('unprocessed', unprocessed.length);
    if (units.length === 0) throw throttledError(false);
    return { unprocessed, units };
  }

  /** All or nothing. */
  async transact(input: TransactWriteCommandInput): Promise<object> {
    const { TransactItems = [], ClientRequestToken, ReturnConsumedCapacity } = input;
    const TableName = tableNameOf(TransactItems[0]);
    if (TransactItems.length === 0)
      throw new ValidationError(
        "Value [] at 'transactItems' failed to satisfy constraint: Member must have length greater than or equal to 1",
      );
    if (TransactItems.length > maxActions)
      throw new ValidationError('Member must have length less than or equal to 100');
    const actions = TransactItems.map(actionOf);
    if (new Set(actions.map(({ id }) => id)).size < actions.length)
      throw new ValidationError('Transaction request cannot include multiple operations on one item');
    if (actions.reduce((sum, { row }) => sum + (row?.size ?? 0), 0) > maxTransactionBytes)
      throw new ValidationError('Transaction payload size cannot exceed 4MB');
    await this.#core.travel();
    try {
      const isDone = this.#tokens.isDone(ClientRequestToken, TransactItems);
      if (isDone) return this.#repeated(actions, TableName, ReturnConsumedCapacity);
      const units = await this.#tokens.during(ClientRequestToken, TransactItems, () => this.#commit(actions));
      const consumed = consumedBy(TableName, ReturnConsumedCapacity, units, true);
      return consumed ? { ConsumedCapacity: [consumed] } : {};
    } finally {
      await this.#core.travel();
    }
  }

  /** A repeated request reads the items, which costs read units. */
  #repeated(actions: readonly WriteAction[], TableName: string | undefined, reported: Reported): object {
    const read = actions.reduce(
      (sum, { id }) => sum + 2 * readUnits(this.#core.store.get(id)?.size ?? 0, true),
      0,
    );
    const consumed = consumedCapacity(TableName, reported, { read, write: 0, byIndex: new Map() }, true);
    return consumed ? { ConsumedCapacity: [consumed] } : {};
  }

  async #commit(actions: readonly WriteAction[]): Promise<WriteUnits[]> {
    const { store, held, manners } = this.#core;
    const planned = actions.map((action) => {
      const before = store.get(action.id);
      const { reason, after } = outcomeOf(action, before);
      return { action, reason, after, units: writeUnits(before, after, true) };
    });
    const reasons = this.#reasons(planned);
    const isCancelled = reasons.some(({ Code }) => Code !== 'None');
    const free = actions.map(({ id }) => id).filter((id) => !held.has(id));
    for (const { action, units } of planned)
      this.#core.takeWrites(String(action.key['pk']), isCancelled ? prepared(units) : units);
    if (isCancelled) {
      await this.#holdInVain(free);
      throw cancelledError(reasons);
    }
    await this.#holding(free, async (holder) => {
      if (manners.latency) await this.#core.wait(manners.latency.transactionMs - manners.latency.requestMs);
      await this.#makeVisible(planned, holder);
    });
    this.commits++;
    return planned.map(({ units }) => units);
  }

  #reasons(planned: readonly Planned[]): CancellationReason[] {
    const { held, fate } = this.#core;
    const unlucky = this.#meetsConflict() ? fate.below(planned.length) : undefined;
    const reasons = planned.map(({ action, reason, units }, at) => {
      if (held.has(action.id) || at === unlucky) return conflictReason;
      return this.#core.isWriteThrottled(String(action.key['pk']), units) ? throttledReason : reason;
    });
    if (reasons.includes(conflictReason)) fate.count('transaction conflict');
    return reasons;
  }

  /** A cancelled transaction has prepared what was free. */
  async #holdInVain(free: readonly string[]): Promise<void> {
    const { fate, manners } = this.#core;
    if (!manners.latency || !fate.happens(manners.cancelledHolds)) return;
    fate.count('cancelled hold');
    const { transactionMs, requestMs } = manners.latency;
    await this.#holding(free, () => this.#core.wait((transactionMs - requestMs) * fate.random()));
  }

  async #holding(ids: readonly string[], work: (holder: object) => Promise<void>): Promise<void> {
    const { held } = this.#core;
    const holder = {};
    for (const id of ids) held.set(id, holder);
    try {
      await work(holder);
    } finally {
      for (const id of ids) this.#release(id, holder);
    }
  }

  #release(id: string, holder: object): void {
    if (this.#core.held.get(id) === holder) this.#core.held.delete(id);
  }

  /** All items at once, or one after another; each is held until it is visible. */
  async #makeVisible(planned: readonly Planned[], holder: object): Promise<void> {
    const { store, fate, manners, time } = this.#core;
    const torn = manners.latency && planned.length > 1 ? fate.lasts(manners.tornCommits) : 0;
    if (torn > 0) fate.count('torn commit');
    for (const { action, after } of torn > 0 ? fate.shuffled(planned) : planned) {
      store.change(action.id, after);
      if (torn === 0) continue;
      this.#release(action.id, holder);
      await time.sleep(torn / planned.length);
    }
  }
}

/** Of the two writes of a transaction the first, which a cancelled one has made. */
const prepared = ({ table }: WriteUnits): WriteUnits => ({ table: table / 2, indexes: [] });

const actionOf = (item: TransactItem): WriteAction => {
  const kinds = (['Put', 'Update', 'Delete', 'ConditionCheck'] as const).filter((kind) => item[kind]);
  const [kind] = kinds;
  if (!kind || kinds.length > 1)
    throw new ValidationError('TransactItems can only contain one of Check, Put, Update or Delete');
  const input = item[kind] as WriteInput;
  if (kind === 'ConditionCheck' && input.ConditionExpression === undefined)
    throw new ValidationError(
      "Value null at 'transactItems.1.member.conditionCheck.conditionExpression' failed to satisfy constraint: Member must not be null",
    );
  return writeAction(kind, input);
};

const tableNameOf = ({ Put, Update, Delete, ConditionCheck }: TransactItem = {}): string | undefined =>
  (Put ?? Update ?? Delete ?? ConditionCheck)?.TableName;

const checkReturnValues = (kind: WriteKind, wanted: string | undefined): void => {
  if (kind !== 'Update' && wanted !== undefined && wanted !== 'NONE' && wanted !== 'ALL_OLD')
    throw new ValidationError('ReturnValues can only be ALL_OLD or NONE');
};

const returned = (
  { update, scope }: WriteAction,
  wanted: string | undefined,
  before: Row | undefined,
  after: Row | undefined,
): Item | undefined => {
  const from = wanted?.endsWith('_OLD') === true ? before : after;
  if (wanted === undefined || wanted === 'NONE' || !from) return undefined;
  if (wanted.startsWith('ALL')) return copied(from.item);
  const found = projected(from.item, update?.clauses.map(({ path }) => path) ?? [], scope);
  return Object.keys(found).length > 0 ? found : undefined;
};

const consumedBy = (
  TableName: string | undefined,
  reported: Reported,
  all: readonly WriteUnits[],
  inTransaction: boolean,
): object | undefined => {
  if (reported === undefined || reported === 'NONE') return undefined;
  const byIndex = new Map<string, number>();
  for (const { index, units } of all.flatMap(({ indexes }) => indexes))
    byIndex.set(index, (byIndex.get(index) ?? 0) + units);
  const write = all.reduce((sum, { table }) => sum + table, 0);
  return consumedCapacity(TableName, reported, { read: 0, write, byIndex }, inTransaction);
};

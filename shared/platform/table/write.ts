import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { absent, all, type Condition, newTerms, present } from './condition.ts';
import { type Entity, type IndexName, type Kind, tableIndexes } from './entity.ts';
import type { TableKey } from './key-template.ts';
import type { RecordCheck } from './record.ts';
import { readStored, stored } from './stored-item.ts';

/** The most writes of a transaction; a larger one is rejected before anything is written. */
export const maxWrites = 100;

type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/**
 * Returns the error for a failed condition from the item as it was, so one round trip distinguishes "missing" from "changed".
 */
type OnConflict = (old: Record<string, unknown> | undefined, check: RecordCheck) => Error;

/** One write of a transaction, with its condition. */
export interface Write {
  readonly entity: string;
  readonly key: TableKey;
  readonly onConflict: OnConflict;
  readonly render: (tableName: string) => TransactItem;
}

/** Another writer changed the item first, or it has to be prepared for the write: read again and retry. */
export class ConflictError extends Error {
  /** Runs before the verb reads again. */
  readonly prepare: (() => Promise<void>) | undefined;

  constructor(entity: string, prepare?: () => Promise<void>) {
    super(`conflict on ${entity}`);
    this.name = 'ConflictError';
    this.prepare = prepare;
  }
}

interface Precondition<Item> {
  /** The condition on the item at the time of the write. */
  when: Condition;
  /** The error for a failed condition; default {@link ConflictError}. */
  onConflict?: (old: Item | undefined) => Error;
}

const conflictErrorOf =
  <Item extends object>(entity: Kind<Item>, guard?: Precondition<Item>): OnConflict =>
  (old, check) =>
    guard?.onConflict?.(old && readStored(entity, old, check)) ?? new ConflictError(entity.name);

const conditionParts = (condition: Condition | undefined, terms = newTerms()) => {
  const expression = condition?.(terms);
  return {
    ...(expression === undefined ? {} : { ConditionExpression: expression }),
    ...(Object.keys(terms.names).length === 0 ? {} : { ExpressionAttributeNames: terms.names }),
    ...(Object.keys(terms.values).length === 0 ? {} : { ExpressionAttributeValues: terms.values }),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  };
};

/** Puts a whole item, unconditionally by default. */
export const put = <Item extends Ids, Ids extends object>(
  entity: Entity<Item, Ids>,
  item: NoInfer<Item>,
  guard?: Precondition<Item>,
): Write => ({
  entity: entity.name,
  key: entity.key(item),
  onConflict: conflictErrorOf(entity, guard),
  render: (TableName) => ({ Put: { TableName, Item: stored(entity, item), ...conditionParts(guard?.when) } }),
});

/** Puts an item that must not exist yet. */
export const create = <Item extends Ids, Ids extends object>(
  entity: Entity<Item, Ids>,
  item: NoInfer<Item>,
  onConflict?: (old: Item | undefined) => Error,
): Write => put(entity, item, { when: absent(), ...(onConflict ? { onConflict } : {}) });

interface Changes<Item> {
  /** Attributes to set; `undefined` removes one. Key attributes cannot be set, nor index keys except for a sort key of which every field is set. */
  set?: Partial<{ [K in keyof Item]: Item[K] | undefined }>;
  /** Values inside maps, by dotted path. */
  setAt?: Record<string, unknown>;
  /** Numbers to add to. */
  add?: { [K in keyof Item]?: Item[K] extends number ? number : never };
  /** Numbers inside maps to add to, by dotted path; one that is absent counts as 0. */
  raise?: Record<string, number>;
}

/** Changes attributes of an item that exists; otherwise it is a {@link ConflictError}. */
export const change = <Item extends Ids, Ids extends object>(
  entity: Entity<Item, Ids>,
  ids: Ids,
  changes: Changes<Item>,
  guard?: Precondition<Item>,
): Write => ({
  entity: entity.name,
  key: entity.key(ids),
  onConflict: conflictErrorOf(entity, guard),
  render: (TableName) => {
    const terms = newTerms();
    const indexSortKeys = Object.entries(entity.indexSortKeys(changes.set ?? {})).map(
      ([index, sk]) => [tableIndexes[index as IndexName].sk, sk] as const,
    );
    const entries = Object.entries({
      ...changes.set,
      ...changes.setAt,
      ...Object.fromEntries(indexSortKeys),
    });
    const sets = [
      ...entries
        .filter(([, value]) => value !== undefined)
        .map(([path, value]) => `${terms.name(path)} = ${terms.value(value)}`),
      ...Object.entries(changes.add ?? {}).map(
        ([path, step]) => `${terms.name(path)} = ${terms.name(path)} + ${terms.value(step)}`,
      ),
      ...Object.entries(changes.raise ?? {}).map(
        ([path, step]) =>
          `${terms.name(path)} = if_not_exists(${terms.name(path)}, ${terms.value(0)}) + ${terms.value(step)}`,
      ),
    ];
    const removes = entries.filter(([, value]) => value === undefined).map(([path]) => terms.name(path));
    const UpdateExpression = [
      ...(sets.length > 0 ? [`SET ${sets.join(', ')}`] : []),
      ...(removes.length > 0 ? [`REMOVE ${removes.join(', ')}`] : []),
    ].join(' ');
    const Key = { ...entity.key(ids) };
    const parts = conditionParts(guard ? all(present(), guard.when) : present(), terms);
    return { Update: { TableName, Key, UpdateExpression, ...parts } };
  },
});

/** Deletes an item, unconditionally by default. */
export const remove = <Item extends Ids, Ids extends object>(
  entity: Entity<Item, Ids>,
  ids: Ids,
  guard?: Precondition<Item>,
): Write => ({
  entity: entity.name,
  key: entity.key(ids),
  onConflict: conflictErrorOf(entity, guard),
  render: (TableName) => ({
    Delete: { TableName, Key: { ...entity.key(ids) }, ...conditionParts(guard?.when) },
  }),
});

/** Writes nothing; the transaction fails unless the condition holds. */
export const conditionCheck = <Item extends Ids, Ids extends object>(
  entity: Entity<Item, Ids>,
  ids: Ids,
  guard: Precondition<Item>,
): Write => ({
  entity: entity.name,
  key: entity.key(ids),
  onConflict: conflictErrorOf(entity, guard),
  render: (TableName) =>
    ({
      ConditionCheck: { TableName, Key: { ...entity.key(ids) }, ...conditionParts(guard.when) },
    }) as TransactItem,
});

/** Returns the items of an entity that writes put. */
export const itemsPut = <Item extends object>(entity: Kind<Item>, writes: readonly Write[]): Item[] =>
  writes.flatMap((write) => {
    const item = write.entity === entity.name ? write.render('').Put?.Item : undefined;
    return item ? [readStored(entity, item, () => undefined)] : [];
  });

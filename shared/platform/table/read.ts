import type { Entity, Kind } from './entity.ts';
import type { TableKey } from './key-template.ts';

/** An item to read: its entity and its key. */
export interface Read<Item extends object> {
  readonly entity: Kind<Item>;
  readonly key: TableKey;
  /** The keys of {@link readTogether}; absent: it is read by itself. */
  readonly together?: readonly TableKey[];
}

/** Returns the request for an item, for `getAll`. */
export const readOf = <Item extends Ids, Ids extends object>(
  entity: Entity<Item, Ids>,
  ids: Ids,
): Read<Item> => ({ entity, key: entity.key(ids) });

/**
 * Returns requests for `getAll` whose items decide something together. One request answers all of them: where DynamoDB leaves one
 * unprocessed, none is taken from before the wait. It is no snapshot: writes may come between the items of a request, within
 * milliseconds.
 */
export const readTogether = <const Reads extends readonly Read<object>[]>(...reads: Reads): Reads => {
  const together = reads.map(({ key }) => key);
  return reads.map((read) => ({ ...read, together })) as readonly Read<object>[] as Reads;
};

/** The items of reads, in their order; undefined for an item that does not exist. */
export type Answers<Reads extends readonly Read<object>[]> = {
  -readonly [Position in keyof Reads]: Reads[Position] extends Read<infer Item> ? Item | undefined : never;
};

/** The items of groups of reads, each in its order. */
export type GroupAnswers<Groups extends readonly (readonly Read<object>[])[]> = {
  -readonly [Position in keyof Groups]: Groups[Position] extends readonly Read<infer Item>[]
    ? (Item | undefined)[]
    : never;
};

/** A page of items of one entity. */
export interface QueryResult<Item extends object> {
  items: Item[];
  /** The sort key of each item in the partition or index. */
  sortKeys: string[];
  /** The key to continue from, if there is more. */
  next: Record<string, unknown> | undefined;
}

/** An item of a partition that contains several entities; {@link itemOf} types it. */
export interface Entry {
  kind: string;
  /** Reads it as an item of an entity. */
  as: <Item extends object>(entity: Kind<Item>) => Item;
}

/** A page of a partition that contains several entities. */
export interface Mixed {
  entries: Entry[];
  /** The key to continue from, if there is more. */
  next: Record<string, unknown> | undefined;
}

/** Returns the item of an entry if it is of the entity. */
export const itemOf = <Item extends object>(entity: Kind<Item>, { kind, as }: Entry): Item | undefined =>
  kind === entity.name ? as(entity) : undefined;

/** Returns the items of one entity, in their order. */
export const itemsOf = <Item extends object>(
  entity: Kind<Item>,
  { entries }: Pick<Mixed, 'entries'>,
): Item[] => entries.flatMap((entry) => itemOf(entity, entry) ?? []);

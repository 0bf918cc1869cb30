import type * as z from 'zod';
import {
  compileKey,
  compileTemplate,
  compileText,
  fieldsOf,
  type KeyTemplate,
  type TableKey,
} from './key-template.ts';

/** The secondary indexes; both project every attribute and are sparse. */
export const tableIndexes = {
  by_team: { pk: 'team_pk', sk: 'team_sk', meaning: 'what a team owns: its listings, reservations, members' },
  by_audience: {
    pk: 'audience_pk',
    sk: 'audience_sk',
    meaning: "what a reader may find: a guest's stays, the open listings",
  },
} as const;

export type IndexName = keyof typeof tableIndexes;
type IndexKeys = Partial<Record<IndexName, TableKey>>;

declare const itemType: unique symbol;

/**
 * Converts an item of one version of a record to the next. It also gets items of which a change of the next version has
 * set some attributes already, and keeps those.
 */
type Upgrade = (item: Record<string, unknown>) => Record<string, unknown>;

/** The type of items that a read returns. */
export interface Kind<Item extends object> {
  /** The stored `entity` attribute. */
  readonly name: string;
  /** The schema of the current version. */
  readonly record: () => z.ZodType<object>;
  /** The readers of the versions before, from version 1 on. */
  readonly upgrades: readonly Upgrade[];
  /** For the compiler alone. */
  readonly [itemType]?: Item;
}

/** The key template of an index. */
export interface IndexTemplate<Item> extends KeyTemplate<Item> {
  readonly index: IndexName;
}

/**
 * A kind of item: how keys are made from its fields. Keys, indexes, expiry, the access-pattern chart and the key-collision
 * test are derived from it; `shared/entities.ts` joins all entities.
 */
interface EntityDefinition<Item extends object, Ids extends object> {
  readonly name: string;
  readonly meaning: string;
  /** The reads that the keys serve, as sentences. */
  readonly patterns: readonly string[];
  /** What is stored, in its current version. */
  readonly record: () => z.ZodType<Item>;
  /**
   * The readers of the versions before: the first converts version 1 to 2. A change of the record that items of before do
   * not fit needs one more.
   */
  readonly upgrades?: readonly Upgrade[];
  /** One template, or several: the first whose condition holds is used. */
  readonly key: KeyTemplate<Ids> | readonly KeyTemplate<Ids>[];
  readonly indexes?: readonly IndexTemplate<Item>[];
  /** When TTL may delete the item, in epoch seconds. Never used for correctness. */
  readonly expiresAt?: (item: Item) => number | undefined;
  readonly example: Ids;
}

/** An entity with compiled templates. */
export interface Entity<Item extends object, Ids extends object> extends Kind<Item> {
  readonly meaning: string;
  readonly patterns: readonly string[];
  readonly record: () => z.ZodType<Item>;
  readonly keyTemplates: readonly KeyTemplate<Ids>[];
  readonly indexTemplates: readonly IndexTemplate<Item>[];
  readonly key: (ids: Ids) => TableKey;
  readonly indexes: (item: Item) => IndexKeys;
  /** Returns the partition key, of the table or an index, of items with these fields. */
  readonly partition: (fields: Partial<Item>, index?: IndexName) => string;
  /** Returns the index sort keys of which every field is in `set`, to be set together with it. */
  readonly indexSortKeys: (set: Partial<Record<keyof Item, unknown>>) => Partial<Record<IndexName, string>>;
  readonly expiresAt?: (item: Item) => number | undefined;
  readonly example: Ids;
}

export const defineEntity = <Item extends Ids, Ids extends object>({
  key,
  indexes = [],
  upgrades = [],
  ...definition
}: EntityDefinition<Item, Ids>): Entity<Item, Ids> => {
  const keyTemplates = [key].flat();
  const compiled = indexes.map((template) => ({
    index: template.index,
    fields: fieldsOf(template.sk),
    ...compileTemplate(template),
  }));
  const partitions: Partial<Record<IndexName | 'table', (item: Item) => string>> = {
    table: compileText<Ids>(keyTemplates[0]?.pk ?? ''),
  };
  for (const { index, pk } of compiled) partitions[index] = pk;
  return {
    ...definition,
    upgrades,
    keyTemplates,
    indexTemplates: indexes,
    key: compileKey(keyTemplates),
    indexes: (item) => {
      const keys: IndexKeys = {};
      for (const { index, pk, sk, holds } of compiled)
        if (holds(item)) keys[index] = { pk: pk(item), sk: sk(item) };
      return keys;
    },
    partition: (fields, index) => partitions[index ?? 'table']?.(fields as Item) ?? '',
    indexSortKeys: (set) => {
      const keys: Partial<Record<IndexName, string>> = {};
      for (const { index, sk, fields } of compiled)
        if (fields.every((field) => set[field as keyof Item] !== undefined)) keys[index] = sk(set as Item);
      return keys;
    },
  };
};

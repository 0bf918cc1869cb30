/** The primary key of the one table. */
export interface TableKey {
  pk: string;
  sk: string;
}

/** The table's secondary indexes; both project every attribute and hold only items that name their keys. */
export const tableIndexes = {
  by_team: { pk: 'team_pk', sk: 'team_sk', meaning: 'what a team owns: its listings, reservations, members' },
  by_audience: {
    pk: 'audience_pk',
    sk: 'audience_sk',
    meaning: "what a reader may find: a guest's stays, the open listings",
  },
} as const;

export type IndexName = keyof typeof tableIndexes;
export type IndexKeys = Partial<Record<IndexName, TableKey>>;

/**
 * One kind of item: how its keys are made from its fields. Keys, indexes, expiry, the access-pattern chart and the
 * key-collision test are derived from these definitions; `shared/entities.ts` joins them all.
 */
export interface Entity<Item extends object, Ids extends object> {
  readonly name: string;
  readonly meaning: string;
  /** Reads that the keys serve, as sentences. */
  readonly patterns: readonly string[];
  readonly key: (ids: Ids) => TableKey;
  readonly indexes?: (item: Item) => IndexKeys;
  /** The sort keys of indexes that follow a field which changes: what a change of the item sets beside it. */
  readonly resorted?: (set: Partial<Record<keyof Item, unknown>>) => Partial<Record<IndexName, string>>;
  /** Epoch seconds after which the item may be swept. Never trusted for correctness. */
  readonly expiresAt?: (item: Item) => number | undefined;
  readonly example: Ids;
}

export type AnyEntity = Entity<never, never>;

export const defineEntity = <Item extends Ids, Ids extends object>(
  definition: Entity<Item, Ids>,
): Entity<Item, Ids> => definition;

/** Attributes the table adds to an item's own. */
export const tableAttributes = [
  'pk',
  'sk',
  'entity',
  'expires_at',
  'team_pk',
  'team_sk',
  'audience_pk',
  'audience_sk',
] as const;

/** The stored form of an item. */
export const stored = <Item extends Ids, Ids extends object>(
  entity: Entity<Item, Ids>,
  item: Item,
): Record<string, unknown> => {
  const indexes = entity.indexes?.(item) ?? {};
  const indexAttributes = Object.fromEntries(
    Object.entries(indexes).flatMap(([name, key]) => {
      const index = tableIndexes[name as IndexName];
      return [
        [index.pk, key.pk],
        [index.sk, key.sk],
      ];
    }),
  );
  const expiresAt = entity.expiresAt?.(item);
  return {
    ...item,
    ...entity.key(item),
    ...indexAttributes,
    entity: entity.name,
    ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
  };
};

/** An item as its noun knows it, without the table's own attributes. */
export const fromStored = (raw: Record<string, unknown>): Record<string, unknown> => {
  const item = { ...raw };
  for (const attribute of tableAttributes) Reflect.deleteProperty(item, attribute);
  return item;
};

/** A number as text that sorts like the number. */
export const sortable = (value: number): string => String(value).padStart(16, '0');

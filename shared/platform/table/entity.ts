/** The primary key of the one table. */
export interface TableKey {
  pk: string;
  sk: string;
}

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
export type IndexKeys = Partial<Record<IndexName, TableKey>>;

declare const itemType: unique symbol;

/** The type of items that a read returns. */
export interface Kind<Item extends object> {
  /** The stored `entity` attribute. */
  readonly name: string;
  /** For the compiler alone. */
  readonly [itemType]?: Item;
}

/**
 * A kind of item: how keys are made from its fields. Keys, indexes, expiry, the access-pattern chart and the key-collision
 * test are derived from it; `shared/entities.ts` joins all entities.
 */
export interface Entity<Item extends object, Ids extends object> extends Kind<Item> {
  readonly meaning: string;
  /** The reads that the keys serve, as sentences. */
  readonly patterns: readonly string[];
  readonly key: (ids: Ids) => TableKey;
  readonly indexes?: (item: Item) => IndexKeys;
  /** The index sort keys that depend on a changing field, to be set together with it. */
  readonly resorted?: (set: Partial<Record<keyof Item, unknown>>) => Partial<Record<IndexName, string>>;
  /** When TTL may delete the item, in epoch seconds. Never used for correctness. */
  readonly expiresAt?: (item: Item) => number | undefined;
  readonly example: Ids;
}

export const defineEntity = <Item extends Ids, Ids extends object>(
  definition: Entity<Item, Ids>,
): Entity<Item, Ids> => definition;

/** Attributes that the table adds to an item. */
const tableAttributes = [
  'pk',
  'sk',
  'entity',
  'expires_at',
  'team_pk',
  'team_sk',
  'audience_pk',
  'audience_sk',
] as const;

/** Returns the stored form of an item. */
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

/** Returns an item without the attributes that the table adds. */
export const fromStored = (raw: Record<string, unknown>): Record<string, unknown> => {
  const item = { ...raw };
  for (const attribute of tableAttributes) Reflect.deleteProperty(item, attribute);
  return item;
};

/** Returns a number as text that sorts like the number. */
export const sortable = (value: number): string => String(value).padStart(16, '0');

import { type Entity, type IndexName, type Kind, tableIndexes } from './entity.ts';
import type { RecordCheck } from './record.ts';

/** The attribute with the version of an item's record; version 1 has none. */
export const versionAttribute = 'sv';

/** Attributes that the table adds to an item. */
const tableAttributes = new Set([
  'pk',
  'sk',
  'entity',
  versionAttribute,
  'expires_at',
  ...Object.values(tableIndexes).flatMap(({ pk, sk }) => [pk, sk]),
]);

/** Returns the current version of an entity's record. */
export const versionOf = ({ upgrades }: Pick<Kind<object>, 'upgrades'>): number => upgrades.length + 1;

/** Returns the stored form of an item. */
export const stored = <Item extends Ids, Ids extends object>(
  entity: Entity<Item, Ids>,
  item: Item,
): Record<string, unknown> => {
  const indexes = entity.indexes(item);
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
  const version = versionOf(entity);
  return {
    ...item,
    ...entity.key(item),
    ...indexAttributes,
    entity: entity.name,
    ...(version === 1 ? {} : { [versionAttribute]: version }),
    ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
  };
};

/** Returns an item in the current version of its record, without the attributes that the table adds. */
export const readStored = <Item extends object>(
  kind: Kind<Item>,
  raw: Record<string, unknown>,
  check: RecordCheck,
): Item => {
  let item: Record<string, unknown> = {};
  for (const name in raw) if (!tableAttributes.has(name)) item[name] = raw[name];
  const version = Number(raw[versionAttribute] ?? 1);
  for (const upgrade of kind.upgrades.slice(version - 1)) item = upgrade(item);
  check(kind, item, { pk: String(raw['pk']), sk: String(raw['sk']) });
  return item as Item;
};

import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Entity, Kind } from '../../../shared/platform/table/index.ts';
import { readStored } from '../../../shared/platform/table/stored-item.ts';
import { entityByName, type Fields } from '../entity-by-name.ts';
import type { StoredItem, StoredItems } from '../stored-items.ts';

/** An item of the table as a record of its entity. */
export interface StoredRecord {
  entity: Entity<Fields, Fields>;
  fields: Fields;
}

const recordOf = (item: StoredItem): StoredRecord[] => {
  const raw = unmarshall(item);
  const entity = entityByName.get(String(raw['entity']));
  return entity ? [{ entity, fields: readStored(entity, raw, () => undefined) }] : [];
};

/** Returns the fields of a record if it is of this kind. */
export const fieldsOf = <Item extends object>(
  kind: Kind<Item>,
  { entity, fields }: StoredRecord,
): Item | undefined => (entity.name === kind.name ? (fields as Item) : undefined);

/** Calls `take` with each record of the table. */
export const eachRecord = (
  stored: StoredItems,
  take: (record: StoredRecord) => void,
  progress: (text: string) => void,
): Promise<void> =>
  stored.scan({}, ({ items, read }) => {
    for (const record of items.flatMap(recordOf)) take(record);
    progress(`${read} items read`);
  });

import { unmarshall } from '@aws-sdk/util-dynamodb';
import { entities } from '../../../shared/entities.ts';
import type { Entity } from '../../../shared/platform/table/index.ts';
import { readStored } from '../../../shared/platform/table/stored-item.ts';
import type { StoredItem, StoredItems } from '../stored-items.ts';

export type Fields = Record<string, unknown>;

/** An item of the table as a record of its entity. */
export interface StoredRecord {
  entity: Entity<Fields, Fields>;
  fields: Fields;
}

const byName = new Map(
  entities.map((entity) => [entity.name, entity as unknown as Entity<Fields, Fields>] as const),
);

const recordOf = (item: StoredItem): StoredRecord[] => {
  const raw = unmarshall(item);
  const entity = byName.get(String(raw['entity']));
  return entity ? [{ entity, fields: readStored(entity, raw, () => undefined) }] : [];
};

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

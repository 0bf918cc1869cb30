import type { Entity, Kind } from '../../../shared/platform/table/index.ts';
import { readStored } from '../../../shared/platform/table/stored-item.ts';
import { entityByName } from '../entity-by-name.ts';
import { eachItem, type Fields, type Reading } from '../stored-items.ts';

/** An item of the table as a record of its entity. */
export interface StoredRecord {
  entity: Entity<Fields, Fields>;
  fields: Fields;
}

/** Returns the fields of a record if it is of this kind. */
export const fieldsOf = <Item extends object>(
  kind: Kind<Item>,
  { entity, fields }: StoredRecord,
): Item | undefined => (entity.name === kind.name ? (fields as Item) : undefined);

/** Calls `take` with each record of the table. */
export const eachRecord = (reading: Reading, take: (record: StoredRecord) => void): Promise<void> =>
  eachItem(reading, {}, (raw) => {
    const entity = entityByName.get(String(raw['entity']));
    if (entity) take({ entity, fields: readStored(entity, raw, () => undefined) });
  });

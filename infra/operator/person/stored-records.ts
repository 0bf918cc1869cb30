import { entities } from '../../../shared/entities.ts';
import type { Entity } from '../../../shared/platform/table/index.ts';
import { readStored } from '../../../shared/platform/table/stored-item.ts';
import { eachItem, type Fields, type Reading } from '../stored-items.ts';

/** An item of the table as a record of its entity. */
export interface StoredRecord {
  entity: Entity<Fields, Fields>;
  fields: Fields;
}

export const entityNamed = new Map(
  entities.map((entity) => [entity.name, entity as unknown as Entity<Fields, Fields>] as const),
);

/** Calls `take` with each record of the table. */
export const eachRecord = (reading: Reading, take: (record: StoredRecord) => void): Promise<void> =>
  eachItem(reading, {}, (raw) => {
    const entity = entityNamed.get(String(raw['entity']));
    if (entity) take({ entity, fields: readStored(entity, raw, () => undefined) });
  });

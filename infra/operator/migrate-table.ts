import { CalendarMonthEntity, replaceMonths } from '../../shared/domain/calendar/model.ts';
import type { Dependencies } from '../../shared/platform/context.ts';
import { all, ConflictError, type Entity, equals, lacks, put } from '../../shared/platform/table/index.ts';
import { readStored, versionAttribute, versionOf } from '../../shared/platform/table/stored-item.ts';
import { entityByName } from './entity-by-name.ts';
import { countOne, eachItem, type Fields, ofEntities, type Reading } from './stored-items.ts';

/** An item whose record has an earlier version than the code. */
interface OldItem {
  entity: Entity<Fields, Fields>;
  raw: Fields;
}

interface Migration extends Reading {
  deps: Pick<Dependencies, 'table'>;
  /** Resolves when the next item may be written. */
  turn: () => Promise<void>;
}

interface Migrated {
  /** Items that now have the current version, by entity. */
  migrated: Record<string, number>;
  /** Items that another writer has changed at that moment: the next run finds those that are still old. */
  left: number;
}

const versioned = new Map([...entityByName].filter(([, entity]) => versionOf(entity) > 1));

/** Calls `take` with each item of an earlier version; a page waits for it. */
const eachOldItem = (reading: Reading, take: (old: OldItem) => Promise<void> | void): Promise<void> =>
  eachItem(reading, ofEntities([...versioned.keys()]), async (raw) => {
    const entity = versioned.get(String(raw['entity']));
    if (entity && Number(raw[versionAttribute] ?? 1) < versionOf(entity)) await take({ entity, raw });
  });

/**
 * Writes every item of an earlier version in the current one, so that its reader can go. Each write is conditional on the
 * item as it was read. What is written is not found again, so a run that was interrupted is continued by the next.
 */
export const migrateTable = async (migration: Migration): Promise<Migrated> => {
  const done: Migrated = { migrated: {}, left: 0 };
  await eachOldItem(migration, async (old) => {
    await migration.turn();
    if (await rewrite(migration, old)) countOne(done.migrated, old.entity.name);
    else done.left++;
  });
  return done;
};

/** Returns the number of items of earlier versions, by entity and version. */
export const countOldItems = async (reading: Reading): Promise<Record<string, Record<string, number>>> => {
  const counts: Record<string, Record<string, number>> = {};
  await eachOldItem(reading, ({ entity, raw }) =>
    countOne((counts[entity.name] ??= {}), String(Number(raw[versionAttribute] ?? 1))),
  );
  return counts;
};

/** Returns false if another writer has changed the item since it was read. */
const rewrite = async ({ deps }: Migration, { entity, raw }: OldItem): Promise<boolean> => {
  // One item of version 1 becomes one for each listing.
  if (entity.name === CalendarMonthEntity.name) {
    await replaceMonths(deps.table, [readStored(CalendarMonthEntity, raw, () => undefined)]);
    return true;
  }
  const item = readStored(entity, raw, () => undefined);
  const { pk: _pk, sk: _sk, ...attributes } = raw;
  const asRead = Object.entries(attributes).map(([name, value]) => equals(name, value));
  const when = all(...asRead, ...(versionAttribute in raw ? [] : [lacks(versionAttribute)]));
  try {
    await deps.table.transact([put(entity, item, { when })]);
    return true;
  } catch (error) {
    if (error instanceof ConflictError) return false;
    throw error;
  }
};

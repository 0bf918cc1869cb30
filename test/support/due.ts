import { type DueItem, type DueList, duePartition, dueShards } from '../../shared/platform/due/index.ts';
import { remove, sortable, type Table } from '../../shared/platform/table/index.ts';

/** Returns the items of a due list in the order of time. */
export const waitingIn = async <Item extends DueItem>(
  table: Table,
  { partition, entity }: DueList<Item>,
): Promise<Item[]> => {
  const shards = Array.from({ length: dueShards }, (_, shard) =>
    table.queryAll(entity, { pk: duePartition(partition, shard), to: `${sortable(9e15)}~` }),
  );
  const items = await Promise.all(shards);
  return items.flat().sort((one, other) => one.due_at - other.due_at);
};

/** Deletes the items of a due list. */
export const clearList = async <Item extends DueItem>(table: Table, list: DueList<Item>): Promise<void> => {
  for (const item of await waitingIn(table, list)) await table.transact([remove(list.entity, item)]);
};

import type { Dependencies } from '../context.ts';
import { maxWrites, put, remove } from '../table/index.ts';
import { type DueItem, type DueList, unsharded } from './due-list.ts';

/**
 * Moves items that were written before sharding to their shards, due or not. Returns 1 if some could not be moved. Safe to
 * repeat: an item that is already done has no effect when it is due again.
 */
export const moveUnsharded = async <Item extends DueItem>(
  { table, clock, log }: Pick<Dependencies, 'table' | 'clock' | 'log'>,
  list: DueList<Item>,
  until: number,
): Promise<number> => {
  const before = unsharded(list);
  try {
    while (clock.now() < until) {
      const { items } = await table.query(list.entity, { pk: list.partition, limit: maxWrites / 2 });
      if (items.length === 0) return 0;
      await table.transact(items.flatMap((item) => [remove(before, item), put(list.entity, item)]));
    }
    return 0;
  } catch (error) {
    log.error('Due work without a shard could not be moved.', {
      list: list.partition,
      cause: String((error as Error).stack ?? error),
    });
    return 1;
  }
};

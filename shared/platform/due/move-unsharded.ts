import type { Dependencies } from '../context.ts';
import { maxWrites, put, remove } from '../table/index.ts';
import { type DueItem, type DueList, unsharded } from './due-list.ts';

/**
 * Brings items that were written before there were shards to their shards, due or not; answers 1 when something of them had
 * to stay. Twice the same is harmless: one that was done meanwhile is found to be nothing when its turn comes.
 */
export const moveUnsharded = async <Item extends DueItem>(
  { table, clock, log }: Pick<Dependencies, 'table' | 'clock' | 'log'>,
  list: DueList<Item>,
  until: number,
): Promise<number> => {
  const before = unsharded(list);
  try {
    while (clock.now() < until) {
      const { items } = await table.query({ pk: list.partition, limit: maxWrites / 2 });
      if (items.length === 0) return 0;
      const found = items as unknown as Item[];
      await table.transact(found.flatMap((item) => [remove(before, item), put(list.entity, item)]));
    }
    return 0;
  } catch (error) {
    log.error('Due work of the time before shards could not be moved.', {
      list: list.partition,
      cause: String((error as Error).stack ?? error),
    });
    return 1;
  }
};

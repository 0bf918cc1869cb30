import type { Dependencies } from '../context.ts';
import { isConcurrencyConflict } from '../events/concurrency-conflict.ts';
import { recordMetric } from '../metrics/index.ts';
import { ConflictError, present, put, remove, sortable, type Table } from '../table/index.ts';
import { moveUnsharded } from './move-unsharded.ts';
import { type DueItem, type DueList, duePartition, dueShards } from './due-list.ts';
import { retryDelayMs, stuckAttempts } from './retry-delay.ts';

type Deps = Pick<Dependencies, 'table' | 'clock' | 'log'>;

/** A run starts no new work after this time; its function has some seconds more for what is running. */
export const longestRunMs = 180_000;
const atOnceInShard = 2;
const pageSize = 100;

/** The result of a run. */
export interface DrainResult {
  done: number;
  /** Failed and rescheduled. */
  failed: number;
}

/** `kept` counts failures that could not be rescheduled and are still due. */
interface Tally extends DrainResult {
  stuck: number;
  kept: number;
  lagMs: number;
}

/**
 * Runs `work` for every due item, oldest first in each shard, until nothing is due or the time is over. `work` deletes its
 * item from the list in the transaction that does the work. A failure is rescheduled with backoff and delays no other item.
 * Overlapping runs are safe: every write requires that the item still exists. Its lag, and items that fail again and
 * again, are recorded as metrics. Throws if an item could neither be done nor rescheduled.
 */
export const drainDueList = async <Item extends DueItem>(
  deps: Deps,
  schedule: string,
  list: DueList<Item>,
  work: (item: Item) => Promise<void>,
): Promise<DrainResult> => {
  const { table, clock } = deps;
  const now = clock.now();
  const until = now + longestRunMs;
  const tally: Tally = { done: 0, failed: 0, stuck: 0, kept: 0, lagMs: 0 };
  tally.kept += await moveUnsharded(deps, list, until);
  const lane = async (items: AsyncGenerator<Item>): Promise<void> => {
    for await (const item of items) {
      tally.lagMs = Math.max(tally.lagMs, clock.now() - item.due_at);
      if (clock.now() >= until) return;
      await attempt(deps, list, item, work, tally);
    }
  };
  const shards = Array.from({ length: dueShards }, (_, shard) => dueItems(table, list, shard, now));
  await Promise.all(shards.flatMap((items) => Array.from({ length: atOnceInShard }, () => lane(items))));
  recordMetrics(schedule, list, tally);
  const { done, failed, kept } = tally;
  if (kept > 0)
    throw new Error(`${kept} due items of ${list.partition} could be neither done nor rescheduled.`);
  return { done, failed };
};

async function* dueItems<Item extends DueItem>(
  table: Table,
  { partition, entity }: DueList<Item>,
  shard: number,
  now: number,
): AsyncGenerator<Item> {
  let after: Record<string, unknown> | undefined;
  do {
    const page = await table.query(entity, {
      pk: duePartition(partition, shard),
      to: `${sortable(now)}~`,
      limit: pageSize,
      after,
    });
    yield* page.items;
    after = page.next;
  } while (after);
}

const attempt = async <Item extends DueItem>(
  deps: Deps,
  list: DueList<Item>,
  item: Item,
  work: (item: Item) => Promise<void>,
  tally: Tally,
): Promise<void> => {
  try {
    await work(item);
    tally.done++;
  } catch (error) {
    const attempts = (item.attempts ?? 0) + 1;
    const isStuck = attempts >= stuckAttempts;
    const figures = { list: list.partition, item, attempts, cause: textOf(error) };
    if (isConcurrencyConflict(error) && !isStuck)
      deps.log.warn('Due work is left to another run, and tried again.', figures);
    else deps.log.error('Due work failed.', figures);
    tally.failed++;
    if (isStuck) tally.stuck++;
    if (!(await postpone(deps, list, item, attempts))) tally.kept++;
  }
};

/** Returns true also if another run has completed or rescheduled the item meanwhile. */
const postpone = async <Item extends DueItem>(
  { table, clock, log }: Deps,
  { entity, partition }: DueList<Item>,
  item: Item,
  attempts: number,
): Promise<boolean> => {
  const later = { ...item, attempts, due_at: clock.now() + retryDelayMs(attempts) };
  try {
    await table.transact([remove(entity, item, { when: present() }), put(entity, later)]);
    return true;
  } catch (error) {
    if (error instanceof ConflictError) return true;
    log.error('Due work could not be rescheduled.', { list: partition, item, cause: textOf(error) });
    return false;
  }
};

const recordMetrics = (
  schedule: string,
  { stuckMetric = 'due_stuck' }: Pick<DueList<never>, 'stuckMetric'>,
  { stuck, lagMs }: Tally,
): void => {
  recordMetric('due_lag_seconds', Math.round(lagMs / 1000), { schedule });
  recordMetric(stuckMetric, stuck, { schedule });
};

const textOf = (error: unknown): string => String((error as Error).stack ?? error);

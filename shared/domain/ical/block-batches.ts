import { type AvailabilityEntry, type LocalRange, monthsBetween } from '../calendar/index.ts';
import { maxWrites } from '../../platform/table/index.ts';
import type { BlockPlan } from './survey-blocks.ts';

export interface BlockChange extends LocalRange {
  /** Undefined: a block to be made. */
  removed?: AvailabilityEntry;
}

/** Room for what goes with the changes: the event, and the conditions on feed and listing. */
const mostWrites = maxWrites - 10;
const mostChanges = 40;

const writesOf = (changes: readonly BlockChange[]): number => {
  const months = changes.flatMap(({ start_at, end_at }) =>
    monthsBetween(start_at.slice(0, 7), end_at.slice(0, 7)),
  );
  return changes.length + new Set(months).size;
};

const fits = (changes: readonly BlockChange[]): boolean =>
  changes.length <= mostChanges && writesOf(changes) <= mostWrites;

/**
 * The changes as transactions. What overlaps goes together, so that a moved block never leaves its hours open in between;
 * where that is too much for one, everything is lifted before anything is made.
 */
export const batchesOf = ({ removed, added }: BlockPlan): BlockChange[][] => {
  const changes: BlockChange[] = [
    ...removed.map((entry) => ({ start_at: entry.start_at, end_at: entry.end_at, removed: entry })),
    ...added,
  ].toSorted((one, other) => (one.start_at < other.start_at ? -1 : 1));
  const groups = clustersOf(changes).flatMap((cluster) => (fits(cluster) ? [cluster] : liftedFirst(cluster)));
  return groups.reduce<BlockChange[][]>((batches, group) => {
    const last = batches.at(-1);
    if (last && fits([...last, ...group])) last.push(...group);
    else batches.push([...group]);
    return batches;
  }, []);
};

const liftedFirst = (cluster: readonly BlockChange[]): BlockChange[][] =>
  [...cluster.filter(({ removed }) => removed), ...cluster.filter(({ removed }) => !removed)].map((one) => [
    one,
  ]);

/** Changes that overlap, one after the other. */
const clustersOf = (sorted: readonly BlockChange[]): BlockChange[][] => {
  const clusters: BlockChange[][] = [];
  let end = '';
  for (const change of sorted) {
    const last = clusters.at(-1);
    if (last && change.start_at < end) last.push(change);
    else clusters.push([change]);
    if (change.end_at > end) end = change.end_at;
  }
  return clusters;
};

import type { Clock } from '../time/clock.ts';
import { type Table, retryOnConflict } from '../table/index.ts';
import type { Condition, ListKind, ListRow, Owner } from './list-kind.ts';
import { readList } from './read-list.ts';

/**
 * Returns all rows of an owner's list that meet the conditions, without their records: with the columns of the main plane, of
 * the planes that the conditions read, and of `further` ones.
 */
export const listRows = async <Row extends ListRow, Item extends object>(
  deps: { table: Table; clock: Clock },
  kind: ListKind<Row, Item>,
  owner: Owner,
  conditions: readonly Condition<Row>[],
  further: readonly string[],
): Promise<Row[]> => {
  let consistent = false;
  return retryOnConflict(async () => {
    const extent = { after: undefined, shown: Infinity, counted: 0, bounded: false, consistent };
    // Planes that do not fit together are read again, strongly consistent.
    consistent = true;
    const order = { by: 'updated', descending: false } as const;
    const list = await readList(deps, kind, owner, { conditions, order }, extent);
    await Promise.all([
      list.identify(list.listed),
      ...further.map((plane) => list.widen(list.listed, plane)),
    ]);
    return list.listed.map(({ row }) => row as Row);
  });
};

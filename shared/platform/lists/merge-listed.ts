import type { ListKind, ListRow } from './list-kind.ts';
import type { LoadedChunks } from './loaded-chunks.ts';
import type { Listed } from './order-listed.ts';

/** A record as it is now, with its row. */
interface Fresh<Row, Item> {
  row: Row;
  item: Item;
}

/** Returns each record once, as it changed last: during a change an index may contain it twice. */
export const latestOf = <Row extends ListRow, Item extends object>(
  { rowOf }: Pick<ListKind<Row, Item>, 'rowOf'>,
  items: readonly Item[],
): Fresh<Row, Item>[] => {
  const latest = new Map<number, Fresh<Row, Item>>();
  for (const item of items) {
    const row = rowOf(item);
    if ((latest.get(row.id)?.row.updated ?? -1) <= row.updated) latest.set(row.id, { row, item });
  }
  return [...latest.values()];
};

/** Merges chunks, of which the ids are loaded where a fresh record belongs, with what has changed since: each record once. */
export const mergeListed = <Row extends ListRow, Item>(
  loaded: Pick<LoadedChunks<Row>, 'firstOf' | 'ids' | 'rows'>,
  chunks: readonly number[],
  latest: readonly Fresh<Row, Item>[],
): Listed<Row, Item>[] => {
  const changed = new Map<number, Map<number, Listed<Row, Item>>>();
  const added: Listed<Row, Item>[] = [];
  for (const { row, item } of latest) {
    const first = loaded.firstOf(row.id);
    if (first === undefined) continue;
    const ids = loaded.ids(first) ?? [];
    const found = ids.indexOf(row.id);
    const ordinal = found === -1 ? ids.filter((id) => id < row.id).length - 0.5 : found;
    const one = { first, ordinal, row, item };
    if (found === -1) added.push(one);
    else changed.set(first, new Map(changed.get(first)).set(ordinal, one));
  }
  const packed = chunks.flatMap((first) =>
    loaded.rows(first).map((row, ordinal): Listed<Row, Item> => {
      const newer = changed.get(first)?.get(ordinal);
      return newer && (newer.row.updated ?? 0) >= (row.updated ?? 0) ? newer : { first, ordinal, row };
    }),
  );
  const skipped = [...changed].flatMap(([first, rows]) => (chunks.includes(first) ? [] : [...rows.values()]));
  return [...packed, ...added, ...skipped];
};

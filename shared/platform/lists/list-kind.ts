import type { IndexName, Kind } from '../table/entity.ts';
import type { TableKey } from '../table/key-template.ts';

export type Value = number | string | null;

/** The fields that a list filters and sorts by; `updated` is in epoch milliseconds. */
export interface ListRow {
  id: number;
  updated: number;
}

/** How a column is packed: integers, one of few values (dictionary encoding), or text. */
export type ColumnKind = 'number' | 'choice' | 'text';

/**
 * The columns of a plane, which are read together: `main` for every request, the others if a condition or the order needs
 * them.
 */
type Plane<Row> = Partial<Record<Exclude<keyof Row & string, 'id'>, ColumnKind>>;

/** What of each record is packed. */
export interface ListPlanes<Row extends ListRow> {
  planes: { main: Plane<Row> } & Record<string, Plane<Row>>;
}

/**
 * A kind of list: the records of an index partition with the sort key {@link changedAt}, and the columns that are packed.
 * Every change of a record changes its `updated`.
 */
export interface ListKind<Row extends ListRow, Item extends object> extends ListPlanes<Row> {
  /** The name of the packed lists in the table. */
  name: string;
  entity: Kind<Item>;
  rowOf: (item: Item) => Row;
  keyOf: (id: number) => TableKey;
  /** Returns whether the record belongs to the owner's list. */
  belongs: (item: Item, owner: Owner) => boolean;
  /** Lists with fewer records are not packed. */
  packedFrom: number;
}

/** The owner of a list: a partition of an index, and a short name, which is stored with each chunk. */
export interface Owner {
  index: IndexName;
  pk: string;
  name: string;
  /** Whether a page may be seconds old: it reads the chunks only. */
  isEventuallyConsistent?: boolean;
}

/** Returns the Query options that read an owner's records. */
export const queryOf = ({ index, pk }: Owner) => ({ index, pk });

/** Returns the sort key of a record in its list's index partition: the instant of its last change. */
export const changedAt = (updatedAt: string): string => `${changedPrefix}${updatedAt}`;
const changedPrefix = 'AT#';

/** Returns the lowest sort key of changes at or after an instant. */
export const changedSince = (epochMs: number): string => changedAt(new Date(epochMs).toISOString());

/** One condition of a filter. */
export interface Condition<Row extends ListRow> {
  /** The columns that `test` reads: all of `main`, or all of one other plane. Columns that another condition names are read too. */
  columns: readonly Exclude<keyof Row & string, 'id'>[];
  test: (row: Row) => boolean;
  /** Records with these ids, from the first to the last, also meet the condition. */
  orIds?: { from: number; to: number };
}

interface Order<Row extends ListRow> {
  /** The column to sort by; `id` is the order of creation. */
  by: keyof Row & string;
  descending: boolean;
}

export interface ListQuery<Row extends ListRow> {
  conditions: readonly Condition<Row>[];
  order: Order<Row>;
}

/** Returns whether a record meets every condition. */
export const meets = <Row extends ListRow>(row: Row, conditions: readonly Condition<Row>[]): boolean =>
  conditions.every(
    ({ test, orIds }) => test(row) || (orIds !== undefined && row.id >= orIds.from && row.id <= orIds.to),
  );

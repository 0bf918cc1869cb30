import type { IndexName, TableKey } from '../table/entity.ts';

export type Value = number | string | null;

/** What a list filters and sorts by; `updated` in epoch milliseconds. */
export interface ListRow {
  id: number;
  updated: number;
}

/** How the values of a column are packed: whole numbers, one of few values, or text. */
export type ColumnKind = 'number' | 'choice' | 'text';

/** The columns of a plane, which are read together: `main` with every request, the others where a condition or an order asks. */
export type Plane<Row> = Partial<Record<Exclude<keyof Row & string, 'id'>, ColumnKind>>;

/**
 * A kind of list: records of an index partition, whose sort key there is {@link changedAt}, and what of each is packed. Every
 * change of a record moves its `updated`.
 */
export interface ListKind<Row extends ListRow, Item> {
  /** Names the packed lists in the table. */
  name: string;
  planes: { main: Plane<Row> } & Record<string, Plane<Row>>;
  rowOf: (item: Item) => Row;
  keyOf: (id: number) => TableKey;
  /** Whether the record, as it stands, is part of the owner's list. */
  belongs: (item: Item, owner: Owner) => boolean;
  /** Lists of fewer records are read as they are. */
  packedFrom: number;
}

/** Whose list it is: a partition of an index, and a short name of it, which is paid for with each chunk. */
export interface Owner {
  index: IndexName;
  pk: string;
  name: string;
  /** Whether a page may trail changes by the seconds that a worker needs: it reads nothing beside the chunks. */
  isEventuallyConsistent?: boolean;
}

/** What a Query takes to read an owner's records. */
export const queryOf = ({ index, pk }: Owner) => ({ index, pk });

/** The sort key of a record in the index partition of its list: by the instant of its last change. */
export const changedAt = (updatedAt: string): string => `${changedPrefix}${updatedAt}`;
const changedPrefix = 'AT#';

/** The sort key from which on everything has changed at or after an instant. */
export const changedSince = (epochMs: number): string => changedAt(new Date(epochMs).toISOString());

/** One condition of a filter. */
export interface Condition<Row extends ListRow> {
  /** What `test` looks at: all of `main`, or all of one other plane. */
  columns: readonly Exclude<keyof Row & string, 'id'>[];
  test: (row: Row) => boolean;
  /** Also met by the records of these ids, from the first to the last. */
  orIds?: { from: number; to: number };
}

export interface Order<Row extends ListRow> {
  /** `id` is the order in which the records were made. */
  by: keyof Row & string;
  descending: boolean;
}

export interface ListQuery<Row extends ListRow> {
  conditions: readonly Condition<Row>[];
  order: Order<Row>;
}

/** Whether a record meets every condition. */
export const meets = <Row extends ListRow>(row: Row, conditions: readonly Condition<Row>[]): boolean =>
  conditions.every(
    ({ test, orIds }) => test(row) || (orIds !== undefined && row.id >= orIds.from && row.id <= orIds.to),
  );

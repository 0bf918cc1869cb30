import { type ListQuery, type ListRow, meets } from './list-kind.ts';

/** A position in an order. */
export interface Place {
  value: number | string;
  id: number;
}

/** A record that meets the conditions: with its id if that was read, and with its item if it was read unpacked. */
export interface Listed<Row extends ListRow, Item> {
  first: number;
  ordinal: number;
  row: Partial<Row>;
  item?: Item;
}

interface Ordering<Row extends ListRow> {
  query: ListQuery<Row>;
  /** The position of the cursor, with the first id of the chunk that contains it. */
  after: (Place & { first: number }) | undefined;
  /** The id up to which the list was read; absent if it was read to its end. */
  readTo: number | undefined;
}

/** Returns the records that meet the conditions, in order and after the cursor, and how many meet them in all. */
export const orderListed = <Row extends ListRow, Item>(
  all: readonly Listed<Row, Item>[],
  { query, after, readTo }: Ordering<Row>,
): { listed: Listed<Row, Item>[]; matching: number } => {
  const { conditions, order } = query;
  const direction = order.descending ? -1 : 1;
  const valueOf = ({ row }: Listed<Row, Item>) =>
    order.by === 'id' ? 0 : (row[order.by] as number | string);
  const isRead = ({ row, first }: Listed<Row, Item>): boolean =>
    readTo === undefined || (order.descending ? (row.id ?? first) >= readTo : first <= readTo);
  const isAfter = (one: Listed<Row, Item>): boolean => {
    if (!after) return true;
    const byValue = order.by === 'id' ? 0 : compare(valueOf(one), after.value);
    const byId = one.row.id === undefined ? one.first - after.first : one.row.id - after.id;
    return direction * (byValue || byId) > 0;
  };
  const matching = all.filter((one) => isRead(one) && meets(one.row as Row, conditions));
  const listed = matching.filter(isAfter);
  listed.sort(
    (one, other) =>
      direction *
      (compare(valueOf(one), valueOf(other)) ||
        one.first - other.first ||
        one.ordinal - other.ordinal ||
        (one.row.id ?? 0) - (other.row.id ?? 0)),
  );
  return { listed, matching: matching.length };
};

const compare = (one: number | string, other: number | string): number =>
  one === other ? 0 : one < other ? -1 : 1;

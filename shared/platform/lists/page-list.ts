import * as z from 'zod';
import type { Clock } from '../time/clock.ts';
import type { PageOf, PagingQuery } from '../schema/schema.ts';
import { totalOf, cursorFields, cursorCodec, maxExactTotal, pageEnvelope } from '../table/page-cursor.ts';
import { type Table, retryOnConflict } from '../table/index.ts';
import { type ListKind, type ListQuery, type ListRow, meets, type Owner } from './list-kind.ts';
import type { Listed, Place } from './order-listed.ts';
import { type ReadList, readList } from './read-list.ts';

interface Deps {
  table: Table;
  clock: Clock;
}

const Cursor = z.object({ value: z.union([z.number(), z.string()]), id: z.number(), ...cursorFields });

/** A query with a canonical text, so that a cursor of another query is rejected. */
interface NamedQuery<Row extends ListRow> extends ListQuery<Row> {
  name: string;
}

/**
 * Returns one page of one or more owners' lists, merged in their order. The cost of a page depends on what it shows; in very
 * long lists a page may have fewer records than `limit` and still a `next_cursor`. Concurrent changes move no other record.
 * The total is exact up to 1,000.
 */
export const pageList = async <Row extends ListRow, Item extends object>(
  deps: Deps,
  kind: ListKind<Row, Item>,
  owners: readonly Owner[],
  query: NamedQuery<Row>,
  paging: PagingQuery,
): Promise<PageOf<Item>> => {
  const { page, limit, cursor } = paging;
  const name = JSON.stringify([kind.name, owners, query.name, query.order]);
  const cursors = cursorCodec(Cursor, [], name);
  const from = cursor === undefined ? undefined : cursors.parse(cursor);
  const skip = from ? 0 : (page - 1) * limit;
  let consistent = false;
  return retryOnConflict(async () => {
    const extent = {
      after: from,
      shown: skip + limit + 1,
      counted: from ? 0 : maxExactTotal + 1,
      bounded: skip === 0,
      consistent,
    };
    // Planes that do not fit together are read again, strongly consistent.
    consistent = true;
    const lists = await Promise.all(owners.map((owner) => readList(deps, kind, owner, query, extent)));
    const { shown, next } = await cutPage(lists, query, skip, limit);
    const { total, exact } = from ?? countedIn(lists);
    const pageNumber = from?.page ?? page;
    return {
      items: await itemsOf(deps, kind, owners, query, shown, extent.consistent),
      ...pageEnvelope(
        { total, exact },
        { page: pageNumber, limit },
        next ? cursors.text({ ...next, total, exact, page: pageNumber + 1 }) : null,
      ),
    };
  });
};

type Placed<Row extends ListRow, Item> = Listed<Row, Item> & { place: Place };

const countedIn = (lists: readonly Pick<ReadList<ListRow, object>, 'matching' | 'readTo'>[]) =>
  totalOf(
    lists.reduce((sum, { matching }) => sum + matching, 0),
    lists.every(({ readTo }) => readTo === undefined),
  );

const cutPage = async <Row extends ListRow, Item>(
  lists: readonly ReadList<Row, Item>[],
  { order }: ListQuery<Row>,
  skip: number,
  limit: number,
): Promise<{ shown: Placed<Row, Item>[]; next: Place | undefined }> => {
  const direction = order.descending ? -1 : 1;
  const [only] = lists;
  const single = only !== undefined && lists.length === 1;
  const candidates = single ? only.listed.slice(skip, skip + limit) : [];
  if (single) await only.identify(candidates);
  else
    for (const list of lists) {
      const some = list.listed.slice(0, skip + limit + 1);
      await list.identify(some);
      candidates.push(...some);
    }
  const ends = lists.flatMap(({ readTo }) => readTo ?? []);
  const end = ends.length === 0 ? undefined : order.descending ? Math.max(...ends) : Math.min(...ends);
  const placed = candidates
    .map((one): Placed<Row, Item> => ({ ...one, place: placeOf(one, order.by) }))
    // Where one list was not read to its end, no other list is shown beyond that place.
    .filter(({ place }) => end === undefined || direction * (place.id - end) <= 0)
    .sort((one, other) => direction * comparePlaces(one.place, other.place));
  const shown = single ? placed : placed.slice(skip, skip + limit);
  const isMore = single ? only.listed.length > skip + limit : placed.length > skip + limit;
  if (isMore) return { shown, next: shown.at(-1)?.place };
  return { shown, next: end === undefined ? undefined : { value: end, id: end } };
};

const placeOf = <Row extends ListRow, Item>({ row }: Listed<Row, Item>, by: keyof Row & string): Place => ({
  value: row[by] as number | string,
  id: row.id ?? 0,
});

const comparePlaces = (one: Place, other: Place): number =>
  one.value === other.value ? one.id - other.id : one.value < other.value ? -1 : 1;

/** Returns the records; one that has left the list meanwhile is omitted. */
const itemsOf = async <Row extends ListRow, Item extends object>(
  { table }: Deps,
  kind: ListKind<Row, Item>,
  owners: readonly Owner[],
  { conditions }: ListQuery<Row>,
  shown: readonly Placed<Row, Item>[],
  consistent: boolean,
): Promise<Item[]> => {
  const wanted = shown.filter(({ item }) => item === undefined);
  const keys = wanted.map(({ place }) => ({ entity: kind.entity, key: kind.keyOf(place.id) }));
  const read = keys.length === 0 ? [] : await table.getAll(keys, { consistent });
  const found = new Map(wanted.map((one, position) => [one, read[position]]));
  return shown.flatMap((one) => {
    const item = one.item ?? found.get(one);
    const isListed =
      item !== undefined &&
      owners.some((owner) => kind.belongs(item, owner)) &&
      meets(kind.rowOf(item), conditions);
    return isListed ? [item] : [];
  });
};

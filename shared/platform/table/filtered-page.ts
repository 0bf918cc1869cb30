import * as z from 'zod';
import type { PageOf, PagingQuery } from '../schema.ts';
import { cursorFields, cursorCodec } from './page-cursor.ts';

/** An order that no index keeps. */
export interface Sorting<Item> {
  /** The name of the order, so that a cursor of another order is rejected. */
  name: string;
  valueOf: (item: Item) => number | string;
  descending: boolean;
}

const Cursor = z.object({ value: z.union([z.number(), z.string()]), id: z.number(), ...cursorFields });
type Cursor = z.infer<typeof Cursor>;

/** Returns a predicate that says which of the given items are visible. */
type VisibilityFilter<Item> = (items: readonly Item[]) => Promise<(item: Item) => boolean>;

/** The most items that are checked for one page; those after them are counted unchecked. */
const maxChecked = 300;

/**
 * Returns one page of items in memory whose visibility has to be checked. As many are checked as the page needs, so a page is
 * full if enough items are visible.
 */
export const filteredPage = async <Item extends { id: number }>(
  items: readonly Item[],
  paging: PagingQuery,
  sorting: Sorting<Item>,
  judge: VisibilityFilter<Item>,
): Promise<PageOf<Item>> => {
  const cursors = cursorCodec(Cursor, [], sorting.name);
  const from = paging.cursor === undefined ? undefined : cursors.parse(paging.cursor);
  const { sorted, start } = inOrder(items, paging, sorting, from);
  const begin = from ? start : 0;
  const wanted = from ? paging.limit : paging.page * paging.limit;
  const left = await withoutRefused(sorted, { begin, wanted }, judge);
  return cutPage(left, paging, sorting, { cursors, from });
};

const withoutRefused = async <Item>(
  sorted: readonly Item[],
  { begin, wanted }: { begin: number; wanted: number },
  judge: VisibilityFilter<Item>,
): Promise<Item[]> => {
  const shown = sorted.slice(0, begin);
  let at = begin;
  for (let found = 0; found < wanted && at < sorted.length && at - begin < maxChecked;) {
    const some = sorted.slice(at, at + Math.min(wanted - found, maxChecked - (at - begin)));
    const free = some.filter(await judge(some));
    shown.push(...free);
    found += free.length;
    at += some.length;
  }
  return [...shown, ...sorted.slice(at)];
};

interface Cursors {
  cursors: ReturnType<typeof cursorCodec<typeof Cursor>>;
  from: Cursor | undefined;
}

const cutPage = <Item extends { id: number }>(
  items: readonly Item[],
  { page, limit }: PagingQuery,
  sorting: Sorting<Item>,
  { cursors, from }: Cursors,
): PageOf<Item> => {
  const { sorted, start, place } = inOrder(items, { page, limit }, sorting, from);
  const found = sorted.slice(start, start + limit);
  const last = sorted.length > start + limit ? found.at(-1) : undefined;
  const total = from?.total ?? sorted.length;
  const pageNumber = from?.page ?? page;
  return {
    items: found,
    total,
    total_is_exact: true,
    page: pageNumber,
    limit,
    total_pages: Math.ceil(total / limit),
    next_cursor: last ? cursors.text({ ...place(last), total, page: pageNumber + 1 }) : null,
  };
};

const inOrder = <Item extends { id: number }>(
  items: readonly Item[],
  { page, limit }: Pick<PagingQuery, 'page' | 'limit'>,
  sorting: Sorting<Item>,
  from: Cursor | undefined,
) => {
  const place = (item: Item) => ({ value: sorting.valueOf(item), id: item.id });
  const direction = sorting.descending ? -1 : 1;
  const sorted = items.toSorted((one, other) => direction * compare(place(one), place(other)));
  const start = from
    ? sorted.filter((item) => direction * compare(place(item), from) <= 0).length
    : (page - 1) * limit;
  return { sorted, start, place };
};

type Place = Pick<Cursor, 'value' | 'id'>;

const compare = (one: Place, other: Place): number => {
  if (one.value === other.value) return one.id - other.id;
  return one.value < other.value ? -1 : 1;
};

import * as z from 'zod';
import type { PageOf, PagingQuery } from '../schema/schema.ts';
import { cursorFields, cursorCodec } from './page-cursor.ts';

/** Where an item is in an order: items are ordered by group, then value, then id, all ascending. */
export interface Place {
  group: string;
  value: number;
  id: number;
}

/** Items in an order that no index keeps. */
export interface Ranking<Item> {
  /** The name of the order, so that a cursor of another order is rejected. */
  name: string;
  size: number;
  /** Yields the items in order, only those after a place if there is one. */
  from: (place?: Place) => Iterator<Item>;
  placeOf: (item: Item) => Place;
}

const Cursor = z.object({ group: z.string(), value: z.number(), id: z.number(), ...cursorFields });

/** Returns a predicate that says which of the given items are visible. */
type VisibilityFilter<Item> = (items: readonly Item[]) => Promise<(item: Item) => boolean>;

/** The most items that are checked for one page; those after them are counted unchecked. */
const maxChecked = 300;

/**
 * Returns one page of items in memory whose visibility has to be checked. As many are checked as the page needs, so a page is
 * full if enough items are visible.
 */
export const filteredPage = async <Item>(
  ranking: Ranking<Item>,
  { page, limit, cursor }: PagingQuery,
  judge: VisibilityFilter<Item>,
): Promise<PageOf<Item>> => {
  const cursors = cursorCodec(Cursor, [], ranking.name);
  const after = cursor === undefined ? undefined : cursors.parse(cursor);
  const items = ranking.from(after);
  const begin = after ? 0 : (page - 1) * limit;
  const { visible, refused } = await takeVisible(items, begin + limit, judge);
  visible.push(...take(items, begin + limit + 1 - visible.length));
  const found = visible.slice(begin, begin + limit);
  const last = visible.length > begin + limit ? found.at(-1) : undefined;
  const total = after?.total ?? ranking.size - refused;
  const pageNumber = after?.page ?? page;
  return {
    items: found,
    total,
    total_is_exact: true,
    page: pageNumber,
    limit,
    total_pages: Math.ceil(total / limit),
    next_cursor: last ? cursors.text({ ...ranking.placeOf(last), total, page: pageNumber + 1 }) : null,
  };
};

const takeVisible = async <Item>(
  items: Iterator<Item>,
  wanted: number,
  judge: VisibilityFilter<Item>,
): Promise<{ visible: Item[]; refused: number }> => {
  const visible: Item[] = [];
  let checked = 0;
  while (visible.length < wanted && checked < maxChecked) {
    const some = take(items, Math.min(wanted - visible.length, maxChecked - checked));
    if (some.length === 0) break;
    visible.push(...some.filter(await judge(some)));
    checked += some.length;
  }
  return { visible, refused: checked - visible.length };
};

const take = <Item>(items: Iterator<Item>, count: number): Item[] => {
  const taken: Item[] = [];
  while (taken.length < count) {
    const next = items.next();
    if (next.done === true) break;
    taken.push(next.value);
  }
  return taken;
};

import * as z from 'zod';
import type { PageOf, PagingQuery } from '../schema/schema.ts';
import {
  totalOf,
  cursorFields,
  cursorCodec,
  maxExactTotal,
  pageEnvelope,
  type Source,
} from './page-cursor.ts';
import type { Table } from './table.ts';
import type { Kind } from './entity.ts';

type Placed<Item> = { sk: string; item: Item };

/** Items read in one request; distant pages are reached in steps. */
const mostAtOnce = 1000;

/** Lambda takes answers of up to 6 MB, in which the text of the body is JSON within JSON. */
const mostBytes = 3_000_000;

/** The last sort key of a page; other characters do not occur in sort keys. */
const Cursor = z.object({ after: z.string().regex(/^[\x20-\x7e]{1,511}$/), ...cursorFields });
const afterEveryKey = '\u{10FFFF}';

/**
 * Returns one page of one or more partitions, merged by sort key, in the paged envelope (D4). By `page`, the pages before it
 * are read and skipped. With a `cursor`, reading continues after the last page at a cost that does not grow with depth, and
 * nothing is counted. The total is exact up to 1,000; a cursor of another list or filter is VALIDATION_ERROR. With `distinct`,
 * items of several partitions with the same sort key are one. A given `total` is returned unchanged. With `sizeOf`, in
 * bytes, a page ends before its items are more than an answer may have; such a list is read by cursor alone.
 */
export const paginate = async <Item extends object>(
  table: Table,
  kind: Kind<Item>,
  sources: Source | readonly Source[],
  { page, limit, cursor }: PagingQuery,
  {
    distinct = false,
    total: known,
    sizeOf,
  }: { distinct?: boolean; total?: number; sizeOf?: (item: Item) => number } = {},
): Promise<PageOf<Item>> => {
  const all: Source[] = [sources].flat();
  const cursors = cursorCodec(Cursor, all);
  const from = cursor === undefined ? undefined : cursors.parse(cursor);
  const skip = from ? 0 : (page - 1) * limit;
  const [counted, found] = await Promise.all([
    known === undefined
      ? (from ?? (distinct && all.length > 1 ? countDistinct(table, kind, all) : count(table, all)))
      : exactly(known),
    Promise.all(all.map((source) => read(table, kind, source, from?.after, skip + limit + 1))),
  ]);
  const direction = all[0]?.descending ? -1 : 1;
  const sorted = found.flat().sort((one, other) => (one.sk < other.sk ? -direction : direction));
  const merged = distinct ? sorted.filter(({ sk }, at) => sk !== sorted[at - 1]?.sk) : sorted;
  const pageNumber = from?.page ?? page;
  const full = merged.slice(skip, skip + limit);
  const shown = sizeOf ? full.slice(0, countWithin(full.map(({ item }) => sizeOf(item)))) : full;
  const last = merged.length > skip + shown.length ? shown.at(-1) : undefined;
  const { total, exact } = counted;
  return {
    items: shown.map(({ item }) => item),
    ...pageEnvelope(
      counted,
      { page: pageNumber, limit },
      last ? cursors.text({ after: last.sk, total, exact, page: pageNumber + 1 }) : null,
    ),
  };
};

/** Returns how many items, at least one, are together as large as an answer may be. */
const countWithin = (sizes: readonly number[]): number => {
  let sum = 0;
  const over = sizes.findIndex((size, at) => (sum += size) > mostBytes && at > 0);
  return over === -1 ? sizes.length : over;
};

const exactly = (total: number): ReturnType<typeof totalOf> => ({ total });

/** Counting stops after the last exact total. */
const count = async (table: Table, sources: readonly Source[]) => {
  let total = 0;
  for (const source of sources)
    if (total <= maxExactTotal) total += await table.count(source, maxExactTotal + 1 - total);
  return totalOf(total);
};

/** Items in two partitions have to be read to be counted once. */
const countDistinct = async (table: Table, kind: Kind<object>, sources: readonly Source[]) => {
  const keys = new Set<string>();
  for (const source of sources) {
    let next: Record<string, unknown> | undefined;
    while (keys.size <= maxExactTotal) {
      const limit = maxExactTotal + 1 - keys.size;
      const found = await table.query(kind, { ...source, limit, after: next });
      for (const sk of found.sortKeys) keys.add(sk);
      if (!found.next) break;
      next = found.next;
    }
  }
  return totalOf(keys.size);
};

const read = async <Item extends object>(
  table: Table,
  kind: Kind<Item>,
  source: Source,
  after: string | undefined,
  wanted: number,
): Promise<Placed<Item>[]> => {
  const range = after === undefined ? source : beyond(source, after);
  // A cursor after the end of the list returns nothing; DynamoDB would return an error.
  if (range.from !== undefined && range.to !== undefined && range.from > range.to) return [];
  const placed: Placed<Item>[] = [];
  let next: Record<string, unknown> | undefined;
  do {
    const limit = Math.min(after === undefined ? wanted : wanted + 1, mostAtOnce);
    const found = await table.query(kind, { ...range, limit, after: next });
    const items = found.items.map((item, position) => ({ item, sk: found.sortKeys[position] ?? '' }));
    placed.push(...items.filter(({ sk }) => sk !== after));
    next = found.next;
  } while (next && placed.length < wanted);
  return placed.slice(0, wanted);
};

/** Returns the source limited to what follows a sort key; the caller drops the key itself. */
const beyond = ({ prefix, ...source }: Source, after: string): Source => ({
  ...source,
  from: source.descending ? (prefix ?? source.from ?? '0') : after,
  to: source.descending
    ? after
    : prefix === undefined
      ? (source.to ?? afterEveryKey)
      : prefix + afterEveryKey,
});

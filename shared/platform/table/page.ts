import { invalid } from '../errors.ts';
import { type PageOf, type PagingQuery } from '../schema.ts';
import { type TableKey } from './entity.ts';
import { type QueryOptions, type Table } from './table.ts';

/** Where the next page begins, and the total as it was counted on the first. */
interface Cursor {
  sk: string;
  base: TableKey;
  total: number;
  page: number;
}

/**
 * One page of a partition in the paged envelope (D4). By `page` the pages before are read and left; with a `cursor` the
 * reading goes on where the last page ended, at a cost that does not grow with depth, and the total is not counted again.
 */
export const pageThrough = async <Item>(
  table: Table,
  source: Omit<QueryOptions, 'limit' | 'after'>,
  { page, limit, cursor }: PagingQuery,
): Promise<PageOf<Item>> => {
  const from = cursor === undefined ? undefined : parseCursor(cursor);
  const [total, found] = await Promise.all([
    from ? from.total : table.count(source),
    read(table, source, from, from ? 0 : (page - 1) * limit, limit),
  ]);
  const pageNumber = from?.page ?? page;
  const next = found.last && { ...found.last, total, page: pageNumber + 1 };
  return {
    items: found.items as Item[],
    total,
    page: pageNumber,
    limit,
    total_pages: Math.ceil(total / limit),
    next_cursor: next ? Buffer.from(JSON.stringify(next)).toString('base64url') : null,
  };
};

const read = async (
  table: Table,
  source: Omit<QueryOptions, 'limit' | 'after'>,
  from: Cursor | undefined,
  skip: number,
  limit: number,
): Promise<{ items: Record<string, unknown>[]; last: Pick<Cursor, 'sk' | 'base'> | undefined }> => {
  const wanted = skip + limit;
  const items: Record<string, unknown>[] = [];
  const positions: Pick<Cursor, 'sk' | 'base'>[] = [];
  let start = from && table.positionKey(source, from);
  do {
    const found = await table.query({ ...source, limit: wanted + 1, ...(start ? { after: start } : {}) });
    items.push(...found.items);
    positions.push(...found.positions);
    start = found.next as unknown as TableKey | undefined;
  } while (start && items.length <= wanted);
  return {
    items: items.slice(skip, wanted),
    last: items.length > wanted ? positions[wanted - 1] : undefined,
  };
};

const parseCursor = (text: string): Cursor => {
  try {
    const cursor = JSON.parse(Buffer.from(text, 'base64url').toString()) as Cursor;
    const texts = [cursor.sk, cursor.base.pk, cursor.base.sk];
    const numbers = [cursor.total, cursor.page];
    if (
      texts.every((value) => typeof value === 'string') &&
      numbers.every((value) => Number.isSafeInteger(value) && value >= 0)
    )
      return cursor;
  } catch {
    // falls through to the refusal
  }
  throw invalid({ path: 'cursor', message: 'cursor is not one of ours' });
};

import { createHash } from 'node:crypto';
import * as z from 'zod';
import { invalid } from '../errors.ts';
import { newTerms } from './condition.ts';
import type { QueryOptions } from './query.ts';

/** A partition, or a part of one, that a list is made of. */
export type Source = Omit<QueryOptions, 'limit' | 'after'>;

/** What every cursor carries: the total as it was counted for the first page, and which page it opens. */
export const cursorFields = {
  total: z.int().min(0).max(1e12),
  /** Absent where the total is exact. */
  exact: z.literal(false).optional(),
  page: z.int().min(1).max(1e12),
};

/** Totals are exact up to here; counting ends behind it. */
export const maxExactTotal = 1000;

interface Total {
  total: number;
  exact?: false | undefined;
}

/** A total as it is answered, and kept in cursors: exact, or the least it is. */
export const totalOf = (count: number, isExact = true): Total =>
  isExact && count <= maxExactTotal
    ? { total: count }
    : { total: Math.min(count, maxExactTotal), exact: false };

/** The envelope of a page without its items. */
export const pageEnvelope = (
  { total, exact }: Total,
  { page, limit }: { page: number; limit: number },
  next_cursor: string | null,
) => ({
  total,
  total_is_exact: exact === undefined,
  page,
  limit,
  total_pages: Math.ceil(total / limit),
  next_cursor,
});

/**
 * The cursors of one list: its partitions with their filters, in an order that may have a name. A cursor carries a digest of
 * its list and of itself, so one of another list, filter or order, or one that somebody has changed, is VALIDATION_ERROR.
 */
export const cursorCodec = <Schema extends z.ZodObject>(
  schema: Schema,
  sources: readonly Source[],
  order = '',
) => {
  const list = JSON.stringify([order, ...sources.map(described)]);
  const text = (place: z.output<Schema>): string => {
    const ordered = Object.keys(schema.shape).map((name) => [name, place[name]] as const);
    const fields = JSON.stringify(Object.fromEntries(ordered));
    const of = createHash('sha256').update(`${list}\n${fields}`).digest('base64url').slice(0, 16);
    return Buffer.from(JSON.stringify({ of, fields })).toString('base64url');
  };
  const parse = (cursor: string): z.output<Schema> => {
    const found = schema.safeParse(jsonOf(sealedIn(cursor)));
    if (found.success && text(found.data) === cursor) return found.data;
    throw invalid({ path: 'cursor', message: 'cursor is not one of this list with this filter and order' });
  };
  return { text, parse };
};

/** A source as what it asks for: the same for the same query, whenever it is asked. */
const described = ({ filter, ...source }: Source): unknown => {
  const terms = newTerms();
  return [Object.entries(source).sort(), filter?.(terms), terms.names, terms.values];
};

const Sealed = z.object({ fields: z.string() });

const sealedIn = (cursor: string): string => {
  const found = Sealed.safeParse(jsonOf(Buffer.from(cursor, 'base64url').toString()));
  return found.success ? found.data.fields : '';
};

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

import { createHash } from 'node:crypto';
import * as z from 'zod';
import { invalid } from '../errors.ts';
import { newTerms } from './condition.ts';
import type { QueryOptions } from './query.ts';

/** A partition, or a part of one, that a list consists of. */
export type Source = Omit<QueryOptions, 'limit' | 'after'>;

/** The fields of every cursor: the total as counted for the first page, and the page number. */
export const cursorFields = {
  total: z.int().min(0).max(1e12),
  /** Absent if the total is exact. */
  exact: z.literal(false).optional(),
  page: z.int().min(1).max(1e12),
};

/** Totals are exact up to this number; counting stops there. */
export const maxExactTotal = 1000;

interface Total {
  total: number;
  exact?: false | undefined;
}

/** Returns a total as it is returned and kept in cursors: exact, or a lower bound. */
export const totalOf = (count: number, isExact = true): Total =>
  isExact && count <= maxExactTotal
    ? { total: count }
    : { total: Math.min(count, maxExactTotal), exact: false };

/** Returns the envelope of a page without its items. */
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
 * Returns the codec of the cursors of one list: its partitions with their filters, and the name of its order. A cursor
 * contains a digest of its list and of itself, so a cursor of another list, filter or order, or a changed one, is
 * VALIDATION_ERROR.
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

/** Returns the canonical form of a source, for the digest. */
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

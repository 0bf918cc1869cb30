import * as z from 'zod';
import { defineEntity, binary, defineRecord, type RecordOf } from '../../platform/table/index.ts';

/**
 * Listings of one map cell in packed form, so that one read returns many. A full chunk is continued in another one. Each
 * write checks and increments `version`.
 */
const SearchChunkRecord = defineRecord(() => ({
  cell: z.string(),
  chunk: z.int(),
  version: z.int(),
  /** The number of chunks of the cell in chunk 0, null in others. */
  chunks: z.int().nullable(),
  /** Deflated documents. */
  packed: binary(),
}));
export type SearchChunk = RecordOf<typeof SearchChunkRecord>;

export const SearchChunkEntity = defineEntity<SearchChunk, Pick<SearchChunk, 'cell' | 'chunk'>>({
  name: 'SearchChunk',
  meaning:
    'Open listings of a cell of the map, packed, with their taken hours and prices: derived, for search.',
  patterns: ['the listings of the cells around a place (one BatchGet)'],
  record: SearchChunkRecord,
  key: { pk: 'SEARCH_CELL#{cell}', sk: 'CHUNK#{chunk}' },
  example: { cell: '444-1068', chunk: 0 },
});

/** Where the index holds a listing. */
const SearchEntryRecord = defineRecord(() => ({
  listing_id: z.int(),
  version: z.int(),
  /** The calendar that its hours were read from. */
  calendar_id: z.int(),
  /** Null if the listing is not in the index. */
  place: z.object({ cell: z.string(), chunk: z.int() }).nullable(),
}));
export type SearchEntry = RecordOf<typeof SearchEntryRecord>;

export const SearchEntryEntity = defineEntity<SearchEntry, Pick<SearchEntry, 'listing_id'>>({
  name: 'SearchEntry',
  meaning: 'Where search keeps a listing.',
  patterns: ['in which chunk is the listing? (one BatchGet for a family)'],
  record: SearchEntryRecord,
  key: { pk: 'SEARCH_LISTING#{listing_id}', sk: 'ENTRY' },
  example: { listing_id: 1 },
});

/**
 * Says that a cell has, or had, listings of a province or with a word prefix. Never deleted: an outdated one costs a
 * read.
 */
const SearchTermRecord = defineRecord(() => ({
  /** `PROVINCE#HN`, `TEXT#hoankie`. */
  sign: z.string(),
  cell: z.string(),
}));
export type SearchTerm = RecordOf<typeof SearchTermRecord>;

export const searchTermPartition = (sign: string): string => SearchTermEntity.partition({ sign });

export const SearchTermEntity = defineEntity<SearchTerm, SearchTerm>({
  name: 'SearchTerm',
  meaning: 'That a cell has listings of a province, or with words that begin so.',
  patterns: ['the cells of a province or text (one Query)'],
  record: SearchTermRecord,
  key: { pk: 'SEARCH_SIGN#{sign}', sk: 'CELL#{cell}' },
  example: { sign: 'TEXT#dalat', cell: '407-1105' },
});

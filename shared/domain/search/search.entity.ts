import * as z from 'zod';
import { defineEntity, binary, defineRecord, type RecordOf } from '../../platform/table/index.ts';

/**
 * What a cell of the map has: its chunks, and which version each of their planes is. Each write of a plane checks and
 * increments `version`, so a reader that knows it knows whether anything has changed.
 */
const SearchCellRecord = defineRecord(() => ({
  cell: z.string(),
  version: z.int(),
  /** Deflated states of the chunks. */
  chunks: binary(),
}));
export type SearchCell = RecordOf<typeof SearchCellRecord>;

export const SearchCellEntity = defineEntity<SearchCell, Pick<SearchCell, 'cell'>>({
  name: 'SearchCell',
  meaning: 'The chunks of a cell of the map, and the versions of their planes: derived, for search.',
  patterns: ['has anything changed in the cells around a place? (one BatchGet)'],
  record: SearchCellRecord,
  key: { pk: 'SEARCH_CELL#{cell}', sk: 'CELL' },
  example: { cell: '444-1068' },
});

/**
 * One aspect of the open listings of a chunk, as columns: their places, prices, amenities, texts, or the taken hours of one
 * month. The same slot of every plane is the same listing.
 */
const SearchPlaneRecord = defineRecord(() => ({
  cell: z.string(),
  chunk: z.int(),
  /** `place`, `price`, `amenity`, `text`, or a month as `2027-02`. */
  plane: z.string(),
  /** That of the cell when it was written. */
  version: z.int(),
  packed: binary(),
}));
export type SearchPlane = RecordOf<typeof SearchPlaneRecord>;
export type PlaneIds = Pick<SearchPlane, 'cell' | 'chunk' | 'plane'>;

export const SearchPlaneEntity = defineEntity<SearchPlane, PlaneIds>({
  name: 'SearchPlane',
  meaning:
    'Places, prices, amenities, texts or taken hours of open listings as columns: derived, for search.',
  patterns: ['what a search compares, of the listings of some cells (one BatchGet)'],
  record: SearchPlaneRecord,
  key: { pk: 'SEARCH_CELL#{cell}#{chunk}', sk: 'PLANE#{plane}' },
  example: { cell: '444-1068', chunk: 0, plane: 'place' },
});

/** What search knows of a listing, and where its columns are. */
const SearchEntryRecord = defineRecord(() => ({
  listing_id: z.int(),
  version: z.int(),
  /** How often what is shown of it has changed: all of its document but the taken hours. 0 in entries of before. */
  revision: z.int(),
  /** The calendar that its hours were read from. */
  calendar_id: z.int(),
  /** Null if the listing is not in the index. */
  place: z.object({ cell: z.string(), chunk: z.int(), slot: z.int() }).nullable(),
  /** Its deflated document; null if the listing is not in the index. */
  packed: binary().nullable(),
}));
export type SearchEntry = RecordOf<typeof SearchEntryRecord>;
export type SearchPlace = NonNullable<SearchEntry['place']>;

export const SearchEntryEntity = defineEntity<SearchEntry, Pick<SearchEntry, 'listing_id'>>({
  name: 'SearchEntry',
  meaning: 'What search shows of a listing, and where its columns are.',
  patterns: ['the listings of a page, or of a family (one BatchGet)'],
  record: SearchEntryRecord,
  upgrades: [
    // Before, listings were in packed chunks: those are not read any more.
    (item) => ({ ...item, place: null, packed: null }),
    (item) => ({ ...item, revision: 0 }),
  ],
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

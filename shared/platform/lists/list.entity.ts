import * as z from 'zod';
import { defineEntity } from '../table/entity.ts';
import { binary, defineRecord, type RecordOf } from '../table/record.ts';
import { sortable } from '../table/key-template.ts';

/**
 * One plane of a range of a list, packed: the records from the id `first` up to the next chunk. Each write of a chunk checks
 * and increments the `version` of its main plane; `shape` changes in all of its planes when records are added or removed.
 */
const ListChunkRecord = defineRecord(() => ({
  /** The kind and the owner of the list. */
  list: z.string(),
  plane: z.string(),
  first: z.int(),
  version: z.int(),
  shape: z.int(),
  packed: binary(),
}));
export type ListChunk = RecordOf<typeof ListChunkRecord>;

/** Returns the sort key of a chunk. */
export const chunkPlace = (first: number): string => chunkPrefix + sortable(first);
const chunkPrefix = 'CHUNK#';

export const chunksPartition = (list: string, plane: string): string =>
  ListChunkEntity.partition({ list, plane });

export const ListChunkEntity = defineEntity<ListChunk, Pick<ListChunk, 'list' | 'plane' | 'first'>>({
  name: 'ListChunk',
  meaning: 'Some columns of up to 200 records of a list, packed: derived, for pages that filter and sort.',
  patterns: ['a plane of a list, oldest records first', 'the chunk that holds a record'],
  record: ListChunkRecord,
  key: { pk: 'LIST#{list}#{plane}', sk: `${chunkPrefix}{first:sortable}` },
  example: { list: 'STAYROWS-T1', plane: 'main', first: 0 },
});

/** The state of a packed list. It sorts after the chunks of the main plane, so one Query reads both. */
const ListHeadRecord = defineRecord(() => ({
  list: z.string(),
  version: z.int(),
  /** The chunks contain every change before this instant (epoch milliseconds). */
  watermark: z.int(),
  /** The previous watermark, valid while an older copy of a chunk may still be read. */
  earlier: z.int(),
  /** When `watermark` was moved, in epoch milliseconds. */
  moved_at: z.int(),
  /** During the first packing: the last packed id; absent once complete. */
  packing: z.object({ after: z.int() }).exactOptional(),
  /** The dictionary of each column of few values. Values are only added. */
  legend: z.record(z.string(), z.array(z.union([z.number(), z.string(), z.null()])).readonly()),
}));
export type ListHead = RecordOf<typeof ListHeadRecord>;

const headPlace = '~';

export const ListHeadEntity = defineEntity<ListHead, Pick<ListHead, 'list'>>({
  name: 'ListHead',
  meaning: 'Up to when a packed list is complete, and the legend of its columns.',
  patterns: ['is the list packed, and up to when?'],
  record: ListHeadRecord,
  key: { pk: 'LIST#{list}#main', sk: headPlace },
  example: { list: 'STAYROWS-T1' },
});

import { defineEntity, sortable } from '../table/entity.ts';
import type { Value } from './list-kind.ts';

/**
 * One plane of a stretch of a list, packed: the records from the id `first` up to the next chunk's. Each write of a chunk
 * checks and bumps the `version` of its main plane; `shape` changes, in all of its planes together, when records come or go.
 */
export interface ListChunk {
  /** The list: its kind and its owner. */
  list: string;
  plane: string;
  first: number;
  version: number;
  shape: number;
  packed: Uint8Array;
}

/** The sort key of a chunk. */
export const chunkPlace = (first: number): string => `CHUNK#${sortable(first)}`;

export const chunksPartition = (list: string, plane: string): string => `LIST#${list}#${plane}`;

export const ListChunkEntity = defineEntity<ListChunk, Pick<ListChunk, 'list' | 'plane' | 'first'>>({
  name: 'ListChunk',
  meaning: 'Some columns of up to 200 records of a list, packed: derived, for pages that filter and sort.',
  patterns: ['a plane of a list, oldest records first', 'the chunk that holds a record'],
  key: ({ list, plane, first }) => ({ pk: chunksPartition(list, plane), sk: chunkPlace(first) }),
  example: { list: 'STAYS-T1', plane: 'main', first: 0 },
});

/** What is known of a packed list as a whole. It sorts behind the chunks of the main plane, so that one Query reads both. */
export interface ListHead {
  list: string;
  version: number;
  /** Every change before this instant (epoch milliseconds) is in the chunks. */
  watermark: number;
  /** The watermark before, which holds while an older copy of a chunk may still be read. */
  earlier: number;
  /** When `watermark` was moved, in epoch milliseconds. */
  moved_at: number;
  /** While the list is packed for the first time: the last id that is; absent once it is complete. */
  packing?: { after: number };
  /** The values that chunks hold by their number, for each column of choices. Only ever added to. */
  legend: Record<string, readonly Value[]>;
}

const headPlace = '~';

export const ListHeadEntity = defineEntity<ListHead, Pick<ListHead, 'list'>>({
  name: 'ListHead',
  meaning: 'Up to when a packed list is complete, and the legend of its columns.',
  patterns: ['is the list packed, and up to when?'],
  key: ({ list }) => ({ pk: chunksPartition(list, 'main'), sk: headPlace }),
  example: { list: 'STAYS-T1' },
});

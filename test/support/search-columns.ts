import type { ChunkState } from '../../shared/domain/search/cell-chunks.ts';
import { LoadedChunk } from '../../shared/domain/search/loaded-chunk.ts';
import type { Located } from '../../shared/domain/search/locate.ts';
import { Offers } from '../../shared/domain/search/offer.ts';
import { planeKind, rowsOf } from '../../shared/domain/search/planes.ts';
import type { SearchCriteria } from '../../shared/domain/search/search-criteria.ts';
import type { SearchDocument } from '../../shared/domain/search/search-document.ts';

/** Returns a chunk with the planes of the documents, without those that were not read. */
export const chunkOf = (
  documents: readonly SearchDocument[],
  { firstMonth = '2027-01', unread = [] as readonly string[] } = {},
): LoadedChunk => {
  const rows = documents.map((document) => rowsOf(document, { revision: 1, firstMonth }));
  const state: ChunkState = { slots: documents.length, free: [], planes: {} };
  const chunk = new LoadedChunk({ cell: 'a', chunk: 0 }, state);
  for (const name of new Set(rows.flatMap((row) => [...row.keys()]))) {
    if (unread.includes(name)) continue;
    const { pack, open } = planeKind(name);
    chunk.add(name, open(pack(rows.map((row) => row.get(name)))));
  }
  return chunk;
};

/** Returns the documents as located at some distances, for the dates of a search. */
export const offersAt = (
  documents: readonly SearchDocument[],
  km: readonly number[],
  criteria: SearchCriteria,
  now: number,
  unread: readonly string[] = [],
): Offers => {
  const located: Located = {
    chunks: [chunkOf(documents, { unread })],
    rows: documents.length,
    chunkAt: new Uint16Array(documents.length),
    slots: Uint16Array.from(documents.keys()),
    km: Float64Array.from(km),
    foundIn: new Uint8Array(documents.length),
  };
  return new Offers(located, criteria, now);
};

import type { Context } from '../../platform/context.ts';
import type { TableKey } from '../../platform/table/index.ts';
import { type PackedDocument, unpackDocuments } from './search-document.ts';
import {
  type SearchChunk,
  SearchChunkEntity,
  SearchTermEntity,
  searchTermPartition,
} from './search.entity.ts';

type Reader = Pick<Context, 'table' | 'clock'>;

interface CachedChunk {
  /** Epoch milliseconds. */
  readAt: number;
  version: number;
  chunks: number;
  documents: readonly PackedDocument[];
}

interface CachedCells {
  readAt: number;
  cells: readonly string[];
}

/** The most listings in memory. */
const maxCachedListings = 30_000;
const maxCachedTerms = 1000;
/** The most cells of a search term; a more frequent text is not searched for. */
const maxCells = 200;

const nothing: Omit<CachedChunk, 'readAt'> = { version: 0, chunks: 1, documents: [] };

/**
 * Reads the listings of cells. Cells that were read less than `keepMs` ago are not read again, and unchanged ones are not
 * unpacked again; D60 allows some seconds.
 */
export class CellReader {
  readonly #keepMs: number;
  readonly #chunks = new Map<string, CachedChunk>();
  readonly #signs = new Map<string, CachedCells>();

  constructor({ keepMs }: { keepMs: number }) {
    this.#keepMs = keepMs;
  }

  /** Returns every listing of the cells once: one round trip, or two where a cell has several chunks. */
  async read(from: Reader, cells: readonly string[]): Promise<PackedDocument[]> {
    const first = await this.#readChunks(
      from,
      cells.map((cell) => ({ cell, chunk: 0 })),
    );
    const further = cells.flatMap((cell, position) =>
      Array.from({ length: (first[position]?.chunks ?? 1) - 1 }, (_, at) => ({ cell, chunk: at + 1 })),
    );
    const chunks = [...first, ...(further.length > 0 ? await this.#readChunks(from, further) : [])];
    this.#forget();
    const found = new Map<number, PackedDocument>();
    for (const { documents } of chunks) for (const document of documents) found.set(document.id, document);
    return [...found.values()];
  }

  async #readChunks(
    { table, clock }: Reader,
    places: readonly Pick<SearchChunk, 'cell' | 'chunk'>[],
  ): Promise<CachedChunk[]> {
    const now = clock.now();
    const keys = places.map((place) => SearchChunkEntity.key(place));
    const known = keys.map((key) => this.#chunks.get(nameOf(key)));
    const stale = keys.filter((_, position) => !this.#isFresh(known[position], now));
    if (stale.length === 0) return known.filter((chunk) => chunk !== undefined);
    this.#announce(stale, now);
    const items = await table.getAll(
      stale.map((key) => ({ entity: SearchChunkEntity, key })),
      { consistent: false },
    );
    const read = new Map(stale.map((key, position) => [key, this.#keep(nameOf(key), items[position], now)]));
    return keys.map((key, position) => read.get(key) ?? known[position] ?? { ...nothing, readAt: now });
  }

  /** Marks stale chunks as being read, so that concurrent searches use the known ones instead of reading them too. */
  #announce(stale: readonly TableKey[], now: number): void {
    for (const name of stale.map(nameOf)) {
      const chunk = this.#chunks.get(name);
      if (chunk) this.#chunks.set(name, { ...chunk, readAt: now });
    }
  }

  #keep(name: string, item: SearchChunk | undefined, readAt: number): CachedChunk {
    const before = this.#chunks.get(name);
    const chunk = { ...unpacked(item, before), readAt };
    // Re-inserted at the end: the front of the map is least recently used.
    this.#chunks.delete(name);
    this.#chunks.set(name, chunk);
    return chunk;
  }

  /** Returns the cells of a search term; undefined if there are too many. */
  async cellsOf({ table, clock }: Reader, sign: string): Promise<readonly string[] | undefined> {
    const now = clock.now();
    let kept = this.#signs.get(sign);
    if (!this.#isFresh(kept, now) || !kept) {
      const limit = maxCells + 1;
      const { items } = await table.query(SearchTermEntity, {
        pk: searchTermPartition(sign),
        limit,
        consistent: false,
      });
      kept = { readAt: now, cells: items.map(({ cell }) => cell) };
      this.#signs.set(sign, kept);
    }
    return kept.cells.length > maxCells ? undefined : kept.cells;
  }

  #isFresh(kept: { readAt: number } | undefined, now: number): boolean {
    return kept !== undefined && Math.abs(now - kept.readAt) < this.#keepMs;
  }

  #forget(): void {
    if (this.#signs.size > maxCachedTerms) this.#signs.clear();
    let kept = 0;
    for (const { documents } of this.#chunks.values()) kept += documents.length + 1;
    for (const [name, { documents }] of this.#chunks) {
      if (kept <= maxCachedListings) return;
      kept -= documents.length + 1;
      this.#chunks.delete(name);
    }
  }
}

const unpacked = (
  item: SearchChunk | undefined,
  before: CachedChunk | undefined,
): Omit<CachedChunk, 'readAt'> => {
  if (!item) return nothing;
  if (before?.version === item.version) return before;
  return {
    version: item.version,
    chunks: item.chunks ?? 1,
    documents: unpackDocuments(item.packed),
  };
};

const nameOf = ({ pk, sk }: TableKey): string => `${pk} ${sk}`;

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

interface KeptChunk {
  /** Epoch milliseconds. */
  readAt: number;
  version: number;
  chunks: number;
  documents: readonly PackedDocument[];
}

interface KeptCells {
  readAt: number;
  cells: readonly string[];
}

/** Listings that are kept in memory at most. */
const mostKept = 30_000;
const mostKeptSigns = 1000;
/** Cells that a text may lead to: one that stands everywhere is none to search by. */
const mostCells = 200;

const nothing: Omit<KeptChunk, 'readAt'> = { version: 0, chunks: 1, documents: [] };

/**
 * Reads the listings of cells. What was read less than `keepMs` ago is not read again, and what has not changed since is not
 * unpacked again: D60 allows some seconds.
 */
export class CellReader {
  readonly #keepMs: number;
  readonly #chunks = new Map<string, KeptChunk>();
  readonly #signs = new Map<string, KeptCells>();

  constructor({ keepMs }: { keepMs: number }) {
    this.#keepMs = keepMs;
  }

  /** Every listing of the cells, each once: one round trip, a second one where a cell has several chunks. */
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
  ): Promise<KeptChunk[]> {
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

  /** Whoever comes meanwhile goes on with what is known, instead of reading the same once more. */
  #announce(stale: readonly TableKey[], now: number): void {
    for (const name of stale.map(nameOf)) {
      const chunk = this.#chunks.get(name);
      if (chunk) this.#chunks.set(name, { ...chunk, readAt: now });
    }
  }

  #keep(name: string, item: SearchChunk | undefined, readAt: number): KeptChunk {
    const before = this.#chunks.get(name);
    const chunk = { ...unpacked(item, before), readAt };
    // What is read again goes to the end: the front of the map is what nobody asked for lately.
    this.#chunks.delete(name);
    this.#chunks.set(name, chunk);
    return chunk;
  }

  /** The cells that a sign leads to; undefined for one that leads to too many. */
  async cellsOf({ table, clock }: Reader, sign: string): Promise<readonly string[] | undefined> {
    const now = clock.now();
    let kept = this.#signs.get(sign);
    if (!this.#isFresh(kept, now) || !kept) {
      const limit = mostCells + 1;
      const { items } = await table.query(SearchTermEntity, {
        pk: searchTermPartition(sign),
        limit,
        consistent: false,
      });
      kept = { readAt: now, cells: items.map(({ cell }) => cell) };
      this.#signs.set(sign, kept);
    }
    return kept.cells.length > mostCells ? undefined : kept.cells;
  }

  #isFresh(kept: { readAt: number } | undefined, now: number): boolean {
    return kept !== undefined && Math.abs(now - kept.readAt) < this.#keepMs;
  }

  #forget(): void {
    if (this.#signs.size > mostKeptSigns) this.#signs.clear();
    let kept = 0;
    for (const { documents } of this.#chunks.values()) kept += documents.length + 1;
    for (const [name, { documents }] of this.#chunks) {
      if (kept <= mostKept) return;
      kept -= documents.length + 1;
      this.#chunks.delete(name);
    }
  }
}

const unpacked = (
  item: SearchChunk | undefined,
  before: KeptChunk | undefined,
): Omit<KeptChunk, 'readAt'> => {
  if (!item) return nothing;
  if (before?.version === item.version) return before;
  return {
    version: item.version,
    chunks: item.chunks ?? 1,
    documents: unpackDocuments(item.packed),
  };
};

const nameOf = ({ pk, sk }: TableKey): string => `${pk} ${sk}`;

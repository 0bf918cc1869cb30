import type { Context } from '../../platform/context.ts';
import type { TableKey } from '../../platform/table/index.ts';
import { type Searchable, unpackDocuments } from './packed-documents.ts';
import {
  type SearchChunk,
  SearchChunkEntity,
  searchSignPartition,
  type SearchSign,
} from './search.entity.ts';

type Reader = Pick<Context, 'table' | 'clock'>;

interface KeptChunk {
  /** Epoch milliseconds. */
  readAt: number;
  version: number;
  chunks: number;
  documents: readonly Searchable[];
}

interface KeptCells {
  readAt: number;
  cells: readonly string[];
}

/** Listings that are kept in memory at most. */
const mostKept = 20_000;
const mostKeptSigns = 1000;
/** Cells that a text may lead to: one that stands everywhere is none to search by. */
const mostCells = 100;

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
  async read(from: Reader, cells: readonly string[]): Promise<Searchable[]> {
    const first = await this.#readChunks(
      from,
      cells.map((cell) => ({ cell, chunk: 0 })),
    );
    const further = cells.flatMap((cell, position) =>
      Array.from({ length: (first[position]?.chunks ?? 1) - 1 }, (_, at) => ({ cell, chunk: at + 1 })),
    );
    const chunks = [...first, ...(further.length > 0 ? await this.#readChunks(from, further) : [])];
    this.#forget();
    const found = new Map<number, Searchable>();
    for (const { documents } of chunks) for (const document of documents) found.set(document.id, document);
    return [...found.values()];
  }

  async #readChunks(
    { table, clock }: Reader,
    places: readonly Pick<SearchChunk, 'cell' | 'chunk'>[],
  ): Promise<KeptChunk[]> {
    const now = clock.now();
    const keys = places.map((place) => SearchChunkEntity.key(place));
    const stale = keys.filter((key) => !this.#isFresh(this.#chunks.get(nameOf(key)), now));
    if (stale.length > 0) {
      const items = await table.getAll(
        stale.map((key) => ({ key })),
        { consistent: false },
      );
      stale.forEach((key, position) => {
        this.#keep(nameOf(key), items[position] as SearchChunk | undefined, now);
      });
    }
    return keys.map((key) => this.#chunks.get(nameOf(key)) ?? { ...nothing, readAt: now });
  }

  #keep(name: string, item: SearchChunk | undefined, readAt: number): void {
    const known = this.#chunks.get(name);
    // What is read again goes to the end: the front of the map is what nobody asked for lately.
    this.#chunks.delete(name);
    if (!item) this.#chunks.set(name, { ...nothing, readAt });
    else if (known?.version === item.version) this.#chunks.set(name, { ...known, readAt });
    else {
      const { version, chunks, packed } = item;
      this.#chunks.set(name, { readAt, version, chunks: chunks ?? 1, documents: unpackDocuments(packed) });
    }
  }

  /** The cells that a sign leads to; undefined for one that leads to too many. */
  async cellsOf({ table, clock }: Reader, sign: string): Promise<readonly string[] | undefined> {
    const now = clock.now();
    let kept = this.#signs.get(sign);
    if (!this.#isFresh(kept, now) || !kept) {
      const limit = mostCells + 1;
      const { items } = await table.query({ pk: searchSignPartition(sign), limit, consistent: false });
      kept = { readAt: now, cells: (items as unknown as SearchSign[]).map(({ cell }) => cell) };
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

const nameOf = ({ pk, sk }: TableKey): string => `${pk} ${sk}`;

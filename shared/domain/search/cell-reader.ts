import type { Context } from '../../platform/context.ts';
import { readOf, type Table } from '../../platform/table/index.ts';
import type { AssumedCells } from './assumed-cells.ts';
import { ByteLimitedCache } from './byte-limited-cache.ts';
import { type ChunkState, statesOf } from './cell-chunks.ts';
import { KeptShown, type Shown, type ShownIds } from './kept-shown.ts';
import { LoadedChunk } from './loaded-chunk.ts';
import { type Plane, planeKind } from './planes.ts';
import {
  type PlaneIds,
  type SearchCell,
  SearchCellEntity,
  SearchPlaneEntity,
  SearchTermEntity,
  searchTermPartition,
} from './search.entity.ts';

/** The table and time of a search. */
export interface SearchScope extends Pick<Context, 'table' | 'clock'> {
  /** Takes cells that are known from some time ago; they are read with what is shown, and the search is repeated if they have changed. */
  assumed?: AssumedCells;
}

interface Kept<Value> {
  /** Epoch milliseconds. */
  readAt: number;
  value: Value;
}

/** A cell as it was read; without an item its version is 0. */
interface KeptCell {
  version: number;
  chunks: ChunkState[];
}

interface Unread {
  chunk: LoadedChunk;
  ids: PlaneIds;
}

/** A cell that was read longer ago is read first: the search would more often be repeated. */
const assumedMs = 60_000;
const maxCachedTerms = 1000;
const maxCachedCells = 5000;
/** The most cells of a search term; a more frequent text is not searched for. */
const maxCells = 200;
const defaultBytes = 128 * 2 ** 20;

/**
 * Reads the listings of cells as columns. A cell that was read less than `keepMs` ago is not read again; of an older one it is
 * read which planes have changed, and those alone. Calendars are believed as long, documents as long as the columns of their places
 * have their revision. D60 allows some seconds. What is kept takes `maxBytes` at most.
 */
export class CellReader {
  readonly #keepMs: number;
  readonly #cells = new Map<string, Kept<KeptCell>>();
  readonly #signs = new Map<string, Kept<readonly string[]>>();
  readonly #planes: ByteLimitedCache<{ version: number; plane: Plane }>;
  readonly #shown: KeptShown;

  constructor({ keepMs, maxBytes = defaultBytes }: { keepMs: number; maxBytes?: number }) {
    this.#keepMs = keepMs;
    this.#planes = new ByteLimitedCache(maxBytes / 2);
    this.#shown = new KeptShown({ keepMs, maxBytes: maxBytes / 2 });
  }

  /** The bytes of what it keeps, roughly. */
  get bytes(): number {
    return this.#planes.bytes + this.#shown.bytes;
  }

  /**
   * Returns the chunks of cells with some planes: in two round trips; in one if nothing has changed, without one while warm, and
   * where cells are assumed whose planes are kept.
   */
  async read(from: SearchScope, cells: readonly string[], planes: readonly string[]): Promise<LoadedChunk[]> {
    const chunks = await this.#chunksOf(from, cells);
    await this.load(from, chunks, planes);
    return chunks;
  }

  /** Assumes all cells or none: one that must be read is a round trip, in which the others are read too. */
  async #chunksOf({ table, clock, assumed }: SearchScope, cells: readonly string[]): Promise<LoadedChunk[]> {
    if (this.#cells.size > maxCachedCells) this.#cells.clear();
    const now = clock.now();
    const known = new Map(cells.map((cell) => [cell, this.#cells.get(cell)]));
    const stale = cells.filter((cell) => !this.#isFresh(known.get(cell), now));
    const isKnown = (cell: string) => isWithin(known.get(cell), now, assumedMs);
    if (assumed && stale.every(isKnown))
      for (const cell of stale) assumed.assume(cell, known.get(cell)?.value.version ?? 0);
    else if (stale.length > 0) {
      this.#announce(stale, now);
      const found = await table.getAll(stale.map(cellRead), { consistent: false });
      stale.forEach((cell, at) => known.set(cell, this.#keepCell(cell, found[at], now)));
    }
    return cells.flatMap((cell) =>
      (known.get(cell)?.value.chunks ?? []).map((state, chunk) => new LoadedChunk({ cell, chunk }, state)),
    );
  }

  /** A replica that is behind does not replace what is known. */
  #keepCell(cell: string, item: SearchCell | undefined, now: number): Kept<KeptCell> {
    const version = item?.version ?? 0;
    const known = this.#cells.get(cell)?.value;
    const value = known && known.version >= version ? known : { version, chunks: item ? statesOf(item) : [] };
    const kept = { readAt: now, value };
    this.#cells.set(cell, kept);
    return kept;
  }

  /** Reads whether assumed cells have changed, as far as {@link readShown} did not. */
  async verify({ table, clock, assumed }: SearchScope): Promise<void> {
    const { reads, keep } = this.#verification(assumed, clock.now());
    if (reads.length > 0) keep(await table.getAll(reads, { consistent: false }));
  }

  #verification(assumed: AssumedCells | undefined, now: number) {
    const taken = assumed?.take() ?? [];
    const keep = (found: readonly (SearchCell | undefined)[]): void =>
      taken.forEach(([cell, version], at) => {
        assumed?.compare(version, found[at]?.version ?? 0);
        this.#keepCell(cell, found[at], now);
      });
    return { reads: taken.map(([cell]) => cellRead(cell)), keep };
  }

  /** Marks stale cells as being read, so that concurrent searches use the known ones instead of reading them too. */
  #announce(stale: readonly string[], now: number): void {
    for (const cell of stale) {
      const known = this.#cells.get(cell);
      if (known) this.#cells.set(cell, { ...known, readAt: now });
    }
  }

  /** Adds planes to chunks. A plane that is kept in the version of its cell is not read. */
  async load(
    { table }: Pick<SearchScope, 'table'>,
    chunks: readonly LoadedChunk[],
    planes: readonly string[],
  ): Promise<void> {
    const unread: Unread[] = [];
    for (const chunk of chunks)
      for (const plane of planes) {
        const stored = chunk.state.planes[plane];
        if (!stored) continue;
        const ids = { ...chunk.ids, plane };
        const kept = this.#planes.get(nameOf(ids));
        if (kept?.version === stored[0]) chunk.add(plane, kept.plane);
        else unread.push({ chunk, ids });
      }
    const late = await this.#loadUnread(table, unread, { consistent: false });
    await this.#loadUnread(table, late, { consistent: true });
  }

  /**
   * Returns the planes that were not read in the version of their cell, or in a later one: a replica that has the cell may not have
   * its planes yet, and the columns of different versions may be of different listings.
   */
  async #loadUnread(table: Table, unread: readonly Unread[], options: { consistent: boolean }) {
    if (unread.length === 0) return [];
    const reads = unread.map(({ ids }) => readOf(SearchPlaneEntity, ids));
    const found = await table.getAll(reads, options);
    return unread.filter(({ chunk, ids }, at) => {
      const item = found[at];
      if (!item) return true;
      const plane = planeKind(ids.plane).open(item.packed);
      this.#planes.set(nameOf(ids), { version: item.version, plane }, plane.bytes);
      chunk.add(ids.plane, plane);
      return item.version < (chunk.state.planes[ids.plane]?.[0] ?? 0);
    });
  }

  /** Returns what is known of listings that may be shown, in their order; verifies assumed cells in the same round trip. */
  readShown(from: SearchScope, listings: readonly ShownIds[]): Promise<Shown[]> {
    return this.#shown.read(from, listings, this.#verification(from.assumed, from.clock.now()));
  }

  /** Returns the cells of a search term; undefined if there are too many. */
  async cellsOf({ table, clock }: SearchScope, sign: string): Promise<readonly string[] | undefined> {
    const now = clock.now();
    let kept = this.#signs.get(sign);
    if (!this.#isFresh(kept, now) || !kept) {
      const limit = maxCells + 1;
      const { items } = await table.query(SearchTermEntity, {
        pk: searchTermPartition(sign),
        limit,
        consistent: false,
      });
      kept = { readAt: now, value: items.map(({ cell }) => cell) };
      if (this.#signs.size > maxCachedTerms) this.#signs.clear();
      this.#signs.set(sign, kept);
    }
    return kept.value.length > maxCells ? undefined : kept.value;
  }

  #isFresh(kept: Kept<unknown> | undefined, now: number): boolean {
    return isWithin(kept, now, this.#keepMs);
  }
}

const isWithin = (kept: Kept<unknown> | undefined, now: number, ms: number): boolean =>
  kept !== undefined && Math.abs(now - kept.readAt) < ms;

const cellRead = (cell: string) => readOf(SearchCellEntity, { cell });

const nameOf = ({ cell, chunk, plane }: PlaneIds): string => `${cell} ${chunk} ${plane}`;

import {
  absent,
  ConflictError,
  equals,
  put,
  readOf,
  type Table,
  type Write,
} from '../../platform/table/index.ts';
import { placeText, provinceTerm, termsOfText } from './place-text.ts';
import { documentLine, packLines, type SearchDocument, unpackDocuments } from './search-document.ts';
import {
  type SearchChunk,
  SearchChunkEntity,
  type SearchEntry,
  SearchEntryEntity,
  type SearchTerm,
} from './search.entity.ts';

/** Packed bytes from which a chunk accepts no further listing, since each booking rewrites the chunk. */
const fullBytes = 8_000;
/** Packed bytes from which a changed listing moves to another chunk. An item holds 400 KB at most. */
const overfullBytes = 16_000;

/** A chunk as read, changed in memory, and written back if its version is unchanged. */
export class SearchChunkDraft {
  readonly #read: SearchChunk | undefined;
  readonly #ids: Pick<SearchChunk, 'cell' | 'chunk'>;
  readonly #lines: Map<number, string>;
  /** The terms of the documents as read, which already lead to this cell. */
  readonly terms: ReadonlySet<string>;
  #chunks: number | null;
  #bytes: number;
  #isChanged = false;

  constructor(ids: Pick<SearchChunk, 'cell' | 'chunk'>, read: SearchChunk | undefined) {
    this.#ids = ids;
    this.#read = read;
    const documents = read ? unpackDocuments(read.packed).map(({ document }) => document) : [];
    this.#lines = new Map(documents.map((document) => [document.id, documentLine(document)]));
    this.terms = new Set(documents.flatMap(termsOf));
    this.#chunks = ids.chunk === 0 ? (read?.chunks ?? 1) : null;
    this.#bytes = read?.packed.length ?? 0;
  }

  get ids(): Pick<SearchChunk, 'cell' | 'chunk'> {
    return this.#ids;
  }

  /** The number of chunks of the cell; only chunk 0 has it. */
  get chunks(): number {
    return this.#chunks ?? 1;
  }

  get isFull(): boolean {
    return this.#bytes >= fullBytes && this.#lines.size > 0;
  }

  get isOverfull(): boolean {
    return this.#bytes >= overfullBytes && this.#lines.size > 1;
  }

  lineOf(listingId: number): string | undefined {
    return this.#lines.get(listingId);
  }

  set(document: SearchDocument): void {
    const line = documentLine(document);
    if (this.#lines.get(document.id) === line) return;
    this.#bytes += packLines([line]).length;
    this.#lines.set(document.id, line);
    this.#isChanged = true;
  }

  delete(listingId: number): void {
    if (this.#lines.delete(listingId)) this.#isChanged = true;
  }

  addChunk(): number {
    const added = this.chunks;
    this.#chunks = added + 1;
    this.#isChanged = true;
    return added;
  }

  writes(): Write[] {
    if (!this.#isChanged) return [];
    const chunk: SearchChunk = {
      ...this.#ids,
      version: (this.#read?.version ?? 0) + 1,
      chunks: this.#chunks,
      packed: packLines(this.#lines.values()),
    };
    const when = this.#read ? equals('version', this.#read.version) : absent();
    return [put(SearchChunkEntity, chunk, { when, onConflict: () => new ConflictError('SearchChunk') })];
  }
}

/** Returns the search terms that lead to a document's cell. */
const termsOf = ({ province, words }: SearchDocument): string[] => [
  provinceTerm(province),
  ...words.flatMap((field) => termsOfText(placeText(field))),
];

type Place = NonNullable<SearchEntry['place']>;

/** The new state of a listing in the index; a null document removes it. */
export interface Indexed {
  listing_id: number;
  calendar_id: number;
  /** The cell for its place. */
  cell: string;
  document: SearchDocument | null;
}

/** Chunks and entries as read, changed in memory, and written back if their versions are unchanged. */
export class IndexDraft {
  readonly #entries: ReadonlyMap<number, SearchEntry>;
  readonly #chunks = new Map<string, SearchChunkDraft>();
  readonly #newEntries: SearchEntry[] = [];
  readonly #newTerms = new Map<string, SearchTerm>();

  constructor(entries: readonly SearchEntry[]) {
    this.#entries = new Map(entries.map((entry) => [entry.listing_id, entry]));
  }

  /** Reads the chunks that hold the listings, and for each cell the one that accepts further listings. */
  static async load(
    table: Table,
    entries: readonly SearchEntry[],
    cells: readonly string[],
  ): Promise<IndexDraft> {
    const draft = new IndexDraft(entries);
    const held = entries.flatMap(({ place }) => place ?? []);
    const all = new Set([...cells, ...held.map(({ cell }) => cell)]);
    await draft.#read(table, [...held, ...[...all].map((cell) => ({ cell, chunk: 0 }))]);
    await draft.#read(
      table,
      [...all].map((cell) => ({ cell, chunk: draft.#chunk({ cell, chunk: 0 }).chunks - 1 })),
    );
    return draft;
  }

  async #read(table: Table, places: readonly Place[]): Promise<void> {
    const unread = places.filter((place) => !this.#chunks.has(keyOf(place)));
    if (unread.length === 0) return;
    const found = await table.getAll(unread.map((place) => readOf(SearchChunkEntity, place)));
    unread.forEach((place, position) => {
      this.#chunks.set(keyOf(place), new SearchChunkDraft(place, found[position]));
    });
  }

  /** Adds, moves or removes a listing; throws ConflictError if it is not where its entry says. */
  place({ listing_id, calendar_id, cell, document }: Indexed): void {
    const entry = this.#entries.get(listing_id);
    const held = entry?.place ? this.#chunk(entry.place) : undefined;
    if (held && held.lineOf(listing_id) === undefined) throw new ConflictError('SearchChunk');
    const target = document && (this.#staysIn(held, cell, document) ? held : this.#roomIn(cell));
    if (target !== held) held?.delete(listing_id);
    if (target) {
      for (const sign of termsOf(document))
        if (!target.terms.has(sign)) this.#newTerms.set(`${sign} ${cell}`, { sign, cell });
      target.set(document);
    }
    const place = target?.ids ?? null;
    if (entry?.calendar_id === calendar_id && isSame(entry.place, place)) return;
    this.#newEntries.push({ listing_id, version: (entry?.version ?? 0) + 1, calendar_id, place });
  }

  #staysIn(
    held: SearchChunkDraft | undefined,
    cell: string,
    document: SearchDocument,
  ): held is SearchChunkDraft {
    if (held?.ids.cell !== cell) return false;
    return !held.isOverfull || held.lineOf(document.id) === documentLine(document);
  }

  /** Returns the last chunk of the cell, or a new one if that is full. */
  #roomIn(cell: string): SearchChunkDraft {
    const first = this.#chunk({ cell, chunk: 0 });
    const last = this.#chunk({ cell, chunk: first.chunks - 1 });
    if (!last.isFull) return last;
    const added = { cell, chunk: first.addChunk() };
    const draft = new SearchChunkDraft(added, undefined);
    this.#chunks.set(keyOf(added), draft);
    return draft;
  }

  #chunk(place: Place): SearchChunkDraft {
    const chunk = this.#chunks.get(keyOf(place));
    if (!chunk) throw new ConflictError('SearchChunk');
    return chunk;
  }

  /** Returns terms that may not be stored yet; they are written before the documents. */
  newTerms(): SearchTerm[] {
    return [...this.#newTerms.values()];
  }

  writes(): Write[] {
    return [
      ...[...this.#chunks.values()].flatMap((chunk) => chunk.writes()),
      ...this.#newEntries.map((entry) =>
        put(SearchEntryEntity, entry, {
          when: entry.version === 1 ? absent() : equals('version', entry.version - 1),
        }),
      ),
    ];
  }
}

const keyOf = ({ cell, chunk }: Place): string => `${cell} ${chunk}`;

const isSame = (one: SearchEntry['place'], other: SearchEntry['place']): boolean =>
  one === other || (one?.cell === other?.cell && one?.chunk === other?.chunk);

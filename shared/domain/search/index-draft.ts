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

/** Packed bytes from which a chunk takes no further listing: what one booking of one of its listings rewrites. */
const fullBytes = 8_000;
/** Packed bytes from which a chunk gives away what is written anew. An item holds 400 KB at most. */
const overfullBytes = 16_000;

/** A chunk on paper: as it was read, then changed, then written back if nobody wrote in between. */
export class ChunkDraft {
  readonly #read: SearchChunk | undefined;
  readonly #ids: Pick<SearchChunk, 'cell' | 'chunk'>;
  readonly #lines: Map<number, string>;
  /** The signs of the documents that were read: those lead to this cell already. */
  readonly signs: ReadonlySet<string>;
  #chunks: number | null;
  #bytes: number;
  #isChanged = false;

  constructor(ids: Pick<SearchChunk, 'cell' | 'chunk'>, read: SearchChunk | undefined) {
    this.#ids = ids;
    this.#read = read;
    const documents = read ? unpackDocuments(read.packed).map(({ document }) => document) : [];
    this.#lines = new Map(documents.map((document) => [document.id, documentLine(document)]));
    this.signs = new Set(documents.flatMap(termsOf));
    this.#chunks = ids.chunk === 0 ? (read?.chunks ?? 1) : null;
    this.#bytes = read?.packed.length ?? 0;
  }

  get ids(): Pick<SearchChunk, 'cell' | 'chunk'> {
    return this.#ids;
  }

  /** How many chunks the cell has; chunk 0 alone knows. */
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

/** What leads to the cell of a document. */
const termsOf = ({ province, words }: SearchDocument): string[] => [
  provinceTerm(province),
  ...words.flatMap((field) => termsOfText(placeText(field))),
];

type Place = NonNullable<SearchEntry['place']>;

/** What is to be written of a listing: its document, or null where search does not show it. */
export interface Indexed {
  listing_id: number;
  calendar_id: number;
  /** Where listings of its place are kept. */
  cell: string;
  document: SearchDocument | null;
}

/** Chunks and entries as they were read, changed on paper, and written back with one condition each. */
export class IndexDraft {
  readonly #entries: ReadonlyMap<number, SearchEntry>;
  readonly #chunks = new Map<string, ChunkDraft>();
  readonly #newEntries: SearchEntry[] = [];
  readonly #newSigns = new Map<string, SearchTerm>();

  constructor(entries: readonly SearchEntry[]) {
    this.#entries = new Map(entries.map((entry) => [entry.listing_id, entry]));
  }

  /** Reads the chunks that hold the listings, and for each cell the one that takes further listings. */
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
      this.#chunks.set(keyOf(place), new ChunkDraft(place, found[position]));
    });
  }

  /** Puts a listing where it belongs, or takes it out; one that is not where its entry says is a lost race. */
  place({ listing_id, calendar_id, cell, document }: Indexed): void {
    const entry = this.#entries.get(listing_id);
    const held = entry?.place ? this.#chunk(entry.place) : undefined;
    if (held && held.lineOf(listing_id) === undefined) throw new ConflictError('SearchChunk');
    const target = document && (this.#staysIn(held, cell, document) ? held : this.#roomIn(cell));
    if (target !== held) held?.delete(listing_id);
    if (target) {
      for (const sign of termsOf(document))
        if (!target.signs.has(sign)) this.#newSigns.set(`${sign} ${cell}`, { sign, cell });
      target.set(document);
    }
    const place = target?.ids ?? null;
    if (entry?.calendar_id === calendar_id && isSame(entry.place, place)) return;
    this.#newEntries.push({ listing_id, version: (entry?.version ?? 0) + 1, calendar_id, place });
  }

  #staysIn(held: ChunkDraft | undefined, cell: string, document: SearchDocument): held is ChunkDraft {
    if (held?.ids.cell !== cell) return false;
    return !held.isOverfull || held.lineOf(document.id) === documentLine(document);
  }

  /** The last chunk of the cell, or a new one behind it when that is full. */
  #roomIn(cell: string): ChunkDraft {
    const first = this.#chunk({ cell, chunk: 0 });
    const last = this.#chunk({ cell, chunk: first.chunks - 1 });
    if (!last.isFull) return last;
    const added = { cell, chunk: first.addChunk() };
    const draft = new ChunkDraft(added, undefined);
    this.#chunks.set(keyOf(added), draft);
    return draft;
  }

  #chunk(place: Place): ChunkDraft {
    const chunk = this.#chunks.get(keyOf(place));
    if (!chunk) throw new ConflictError('SearchChunk');
    return chunk;
  }

  /** What leads to the cells and may not be there yet: to be written before the documents. */
  newSigns(): SearchTerm[] {
    return [...this.#newSigns.values()];
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

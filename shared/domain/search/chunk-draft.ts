import { absent, equals, ConflictError, put, type Write } from '../../platform/table/index.ts';
import { documentLine, packLines, unpackDocuments } from './packed-documents.ts';
import { placeText, provinceTerm, termsOfText } from './place-text.ts';
import type { SearchDocument } from './search-document.ts';
import { type SearchChunk, SearchChunkEntity } from './search.entity.ts';

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
export const termsOf = ({ province, words }: SearchDocument): string[] => [
  provinceTerm(province),
  ...words.flatMap((field) => termsOfText(placeText(field))),
];

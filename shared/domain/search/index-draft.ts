import {
  absent,
  ConflictError,
  equals,
  put,
  readOf,
  type Table,
  type Write,
} from '../../platform/table/index.ts';
import { CellDraft } from './cell-draft.ts';
import { placeText, provinceTerm, teamTerm, termsOfText } from './place-text.ts';
import { rowsOf } from './planes.ts';
import { isSameShown, packDocument, type SearchDocument, unpackDocument } from './search-document.ts';
import {
  SearchCellEntity,
  type SearchEntry,
  SearchEntryEntity,
  type SearchPlace,
  SearchPlaneEntity,
  type SearchTerm,
} from './search.entity.ts';

/** The new state of a listing in the index; a null document removes it. */
export interface Indexed {
  listing_id: number;
  calendar_id: number;
  /** The cell for its place. */
  cell: string;
  document: SearchDocument | null;
}

/** A listing as the index has it. */
interface Held {
  place: SearchPlace;
  document: SearchDocument;
  revision: number;
}

/**
 * Cells and entries as read, changed in memory, and written back if their versions are unchanged. Planes are read once it is
 * known which of them change.
 */
export class IndexDraft {
  readonly #firstMonth: string;
  readonly #entries: ReadonlyMap<number, SearchEntry>;
  readonly #cells = new Map<string, CellDraft>();
  readonly #newEntries: SearchEntry[] = [];
  readonly #newTerms = new Map<string, SearchTerm>();

  private constructor(entries: readonly SearchEntry[], firstMonth: string) {
    this.#entries = new Map(entries.map((entry) => [entry.listing_id, entry]));
    this.#firstMonth = firstMonth;
  }

  /** Reads the cells of the listings, those that they are in and those that they will be in. */
  static async read(
    table: Table,
    {
      entries,
      cells,
      firstMonth,
    }: { entries: readonly SearchEntry[]; cells: readonly string[]; firstMonth: string },
  ): Promise<IndexDraft> {
    const draft = new IndexDraft(entries, firstMonth);
    const held = entries.flatMap(({ place }) => place?.cell ?? []);
    const names = [...new Set([...cells, ...held])];
    const found = await table.getAll(names.map((cell) => readOf(SearchCellEntity, { cell })));
    names.forEach((cell, at) => draft.#cells.set(cell, new CellDraft(cell, found[at], firstMonth)));
    return draft;
  }

  /** Adds, changes, moves or removes a listing. */
  place({ listing_id, calendar_id, cell, document }: Indexed): void {
    const entry = this.#entries.get(listing_id);
    const held = entry && heldBy(entry);
    const packed = document && packDocument(document);
    const isCounted = entry !== undefined && entry.revision > 0;
    const isSame = isEqual(packed, entry?.packed ?? null) && (!document || held?.place.cell === cell);
    if (entry?.calendar_id === calendar_id && isSame && isCounted) return;
    const isShownSame = isCounted && document && held && isSameShown(document, held.document);
    const revision = (entry?.revision ?? 0) + (isShownSame ? 0 : 1);
    const place = document ? this.#write({ document, revision }, cell, held) : null;
    if (held && !document) this.#clear(held);
    const version = (entry?.version ?? 0) + 1;
    this.#newEntries.push({ listing_id, version, revision, calendar_id, place, packed });
  }

  /** Writes the rows of a listing and returns where they are. */
  #write({ document, revision }: Omit<Held, 'place'>, cell: string, held: Held | undefined): SearchPlace {
    const draft = this.#cell(cell);
    const stays = held?.place.cell === cell && !draft.isOverfull(held.place.chunk);
    if (held && !stays) this.#clear(held);
    const place = stays ? held.place : draft.freePlace();
    const before = stays ? this.#rows(held) : new Map<string, unknown>();
    const after = this.#rows({ document, revision });
    for (const plane of new Set([...before.keys(), ...after.keys()])) {
      const row = after.get(plane);
      if (!stays || JSON.stringify(row) !== JSON.stringify(before.get(plane))) draft.set(place, plane, row);
    }
    const known = new Set(stays ? termsOf(held.document) : []);
    for (const sign of termsOf(document))
      if (!known.has(sign)) this.#newTerms.set(`${sign} ${cell}`, { sign, cell });
    return place;
  }

  #clear(held: Held): void {
    this.#cell(held.place.cell).clear(held.place, [...this.#rows(held).keys()]);
  }

  #rows({ document, revision }: Omit<Held, 'place'>): Map<string, unknown> {
    return rowsOf(document, { revision, firstMonth: this.#firstMonth });
  }

  #cell(cell: string): CellDraft {
    const draft = this.#cells.get(cell);
    if (!draft) throw new ConflictError('SearchCell');
    return draft;
  }

  /** Reads the planes that change. */
  async load(table: Table): Promise<void> {
    const wanted = [...this.#cells.values()].flatMap((cell) => cell.unread().map((ids) => ({ cell, ids })));
    if (wanted.length === 0) return;
    const found = await table.getAll(wanted.map(({ ids }) => readOf(SearchPlaneEntity, ids)));
    wanted.forEach(({ cell, ids }, at) => cell.add(ids, found[at]));
  }

  /** Returns terms that may not be stored yet; they are written before the listings. */
  newTerms(): SearchTerm[] {
    return [...this.#newTerms.values()];
  }

  /** The bytes of what {@link writes} returned, roughly. */
  get bytes(): number {
    const documents = this.#newEntries.reduce((sum, { packed }) => sum + (packed?.length ?? 0), 0);
    return [...this.#cells.values()].reduce((sum, cell) => sum + cell.bytes, documents);
  }

  writes(): Write[] {
    return [
      ...[...this.#cells.values()].flatMap((cell) => cell.writes()),
      ...this.#newEntries.map((entry) =>
        put(SearchEntryEntity, entry, {
          when: entry.version === 1 ? absent() : equals('version', entry.version - 1),
        }),
      ),
    ];
  }
}

const heldBy = ({ place, packed, revision }: SearchEntry): Held | undefined =>
  place && packed ? { place, document: unpackDocument(packed), revision } : undefined;

const isEqual = (one: Uint8Array | null, other: Uint8Array | null): boolean =>
  one === other || (one !== null && other !== null && Buffer.compare(one, other) === 0);

/** Returns the search terms that lead to a document's cell. */
const termsOf = ({ team_id, province, words }: SearchDocument): string[] => [
  teamTerm(team_id),
  provinceTerm(province),
  ...words.flatMap((field) => termsOfText(placeText(field))),
];

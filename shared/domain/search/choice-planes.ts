import { type Column, packNumberColumns, unpackNumberColumns } from './number-columns.ts';
import { type PlaceText, placeText } from './place-text.ts';

/** Packs the amenities of listings: a column for each amenity that one of them has. */
export const packAmenities = (rows: readonly (readonly number[] | undefined)[]): Uint8Array => {
  const ids = [...new Set(rows.flatMap((row) => row ?? []))].sort((one, other) => one - other);
  const sets = rows.map((row) => new Set(row));
  return packNumberColumns({
    numbers: [[rows.length], ids, ...ids.map((id) => sets.map((set) => (set.has(id) ? 1 : 0)))],
  });
};

export class AmenityPlane {
  readonly length: number;
  readonly bytes: number;
  readonly #columns: Map<number, Column>;

  constructor(packed: Uint8Array) {
    const { numbers, bytes } = unpackNumberColumns(packed);
    const [lengths, ids, ...columns] = numbers;
    this.bytes = bytes;
    this.length = lengths?.[0] ?? 0;
    this.#columns = new Map(columns.map((column, at) => [ids?.[at] ?? 0, column]));
  }

  row(slot: number): number[] {
    return [...this.#columns].flatMap(([id, column]) => (column[slot] === 1 ? [id] : []));
  }

  hasAll(slot: number, ids: readonly number[]): boolean {
    return ids.every((id) => this.#columns.get(id)?.[slot] === 1);
  }
}

/** Packs the words of listings: a line for each, its fields separated by tabs. */
export const packTexts = (rows: readonly (readonly string[] | undefined)[]): Uint8Array =>
  packNumberColumns({ numbers: [], texts: [rows.map((row) => row?.join('\t') ?? '').join('\n')] });

/** Prepared texts are several times as large as their letters. */
const preparedFactor = 8;

/** The words of listings, prepared for matching when a search first needs them. */
export class TextPlane {
  readonly bytes: number;
  readonly #lines: string[];
  readonly #texts = new Map<string, PlaceText>();

  constructor(packed: Uint8Array) {
    const { texts, bytes } = unpackNumberColumns(packed);
    this.#lines = (texts[0] ?? '').split('\n');
    this.bytes = bytes * preparedFactor;
  }

  get length(): number {
    return this.#lines.length;
  }

  row(slot: number): string[] {
    return this.#lines[slot]?.split('\t') ?? [];
  }

  /** Returns the fields of a listing; equal ones of different listings are one. */
  texts(slot: number): PlaceText[] {
    return this.row(slot).map((field) => {
      const known = this.#texts.get(field);
      if (known) return known;
      const text = placeText(field.split(' ').filter((word) => word !== ''));
      this.#texts.set(field, text);
      return text;
    });
  }
}

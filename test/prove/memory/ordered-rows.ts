import type { Row } from './key-schema.ts';
import { compareText } from './values.ts';

/** A row at its place in a partition of the table or of an index. */
export interface Entry {
  readonly sk: string;
  readonly row: Row;
}

const compare = (entry: Entry, sk: string, id: string): number =>
  compareText(entry.sk, sk) || compareText(entry.row.id, id);

/** Returns the position of the first entry that is not before. */
export const firstAt = (entries: readonly Entry[], isBefore: (entry: Entry) => boolean): number => {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(entries[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** Rows by partition, in the order of sort keys; rows of an index with one sort key are in the order of their ids. */
export class OrderedRows {
  readonly #partitions = new Map<string, Entry[]>();

  partitions(): IterableIterator<string> {
    return this.#partitions.keys();
  }

  of(pk: string): readonly Entry[] {
    return this.#partitions.get(pk) ?? [];
  }

  put(pk: string, sk: string, row: Row): void {
    let entries = this.#partitions.get(pk);
    if (!entries) this.#partitions.set(pk, (entries = []));
    const at = firstAt(entries, (entry) => compare(entry, sk, row.id) < 0);
    const isSame = entries[at]?.row.id === row.id && entries[at].sk === sk;
    entries.splice(at, isSame ? 1 : 0, { sk, row });
  }

  remove(pk: string, sk: string, id: string): void {
    const entries = this.#partitions.get(pk) ?? [];
    const at = firstAt(entries, (entry) => compare(entry, sk, id) < 0);
    if (entries[at]?.row.id !== id) return;
    entries.splice(at, 1);
    if (entries.length === 0) this.#partitions.delete(pk);
  }
}

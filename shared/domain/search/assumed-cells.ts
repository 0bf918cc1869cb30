/**
 * Cells that a search takes for unchanged, by their versions as they were last read, until a later read of the same search says
 * whether they are.
 */
export class AssumedCells {
  readonly #unverified = new Map<string, number>();
  #haveChanged = false;

  assume(cell: string, version: number): void {
    this.#unverified.set(cell, version);
  }

  /** Whether the search is to be repeated. */
  get haveChanged(): boolean {
    return this.#haveChanged;
  }

  /** Returns the cells that are not verified yet; who takes them reads them. */
  take(): [cell: string, version: number][] {
    const taken = [...this.#unverified];
    this.#unverified.clear();
    return taken;
  }

  /** Compares a version with what was read later. An older one is that of a replica which is behind. */
  compare(assumed: number, read: number): void {
    if (read > assumed) this.#haveChanged = true;
  }
}

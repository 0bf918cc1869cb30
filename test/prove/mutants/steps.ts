/** What a run of a test says of a mutant, or of the test itself. */
export type Finding =
  | { what: 'killed' | 'survived'; site: string }
  | { what: 'unusable'; why: 'alone' | 'repeated' | 'afterwards' };

/**
 * The runs of one test: twice as the code is written, which proves that it can be repeated, then once for each mutant. A
 * failure counts only right after a run without a mutant that passed: an earlier mutant may have left wrong data behind.
 * A mutant is killed by two such failures in a row: one may be a time limit that a loaded machine missed.
 */
export class Steps {
  #mutants: string[];
  readonly #isKilled: (site: string) => boolean;
  #passed = 0;
  #isClean = false;
  #ended = false;
  #current: string | undefined;

  constructor(mutants: readonly string[], isKilled: (site: string) => boolean) {
    this.#mutants = [...mutants];
    this.#isKilled = isKilled;
  }

  /** Returns the mutant of the next run, `null` for none; undefined at the end. */
  next(): string | null | undefined {
    while (this.#mutants[0] !== undefined && this.#isKilled(this.#mutants[0])) this.#mutants.shift();
    if (this.#ended || this.#mutants.length === 0) return undefined;
    this.#current = this.#passed < 2 ? undefined : this.#mutants[0];
    return this.#current ?? null;
  }

  /** Leaves mutants out without a run; returns them. */
  leaveOut(isLeftOut: (site: string) => boolean): string[] {
    const left = this.#mutants.filter(isLeftOut);
    this.#mutants = this.#mutants.filter((site) => !isLeftOut(site));
    return left;
  }

  /** Takes the result of the run. */
  finished(hasFailed: boolean): Finding | undefined {
    const site = this.#current;
    if (site === undefined) return this.#finishedWithout(hasFailed);
    const wasClean = this.#isClean;
    this.#isClean = false;
    if (hasFailed) {
      // The next run is one without a mutant.
      this.#passed = 1;
      const isSecond = this.#suspect === site;
      if (wasClean) this.#suspect = site;
      if (!wasClean || !isSecond) return undefined;
    }
    this.#mutants.shift();
    return { what: hasFailed ? 'killed' : 'survived', site };
  }

  /** The mutant with one failure that counts. */
  #suspect: string | undefined;

  #isRepeated = false;

  #finishedWithout(hasFailed: boolean): Finding | undefined {
    if (!hasFailed) {
      this.#passed += 1;
      this.#isClean = true;
      this.#isRepeated ||= this.#passed === 2;
      return undefined;
    }
    this.#ended = true;
    return {
      what: 'unusable',
      why: this.#isRepeated ? 'afterwards' : this.#passed === 0 ? 'alone' : 'repeated',
    };
  }
}

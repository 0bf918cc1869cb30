import { appendFileSync, closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';

/** A test as the runner and the plan name it. */
export interface TestName {
  /** Relative to the project. */
  file: string;
  /** With the names of its suites. */
  name: string;
}

/** What a worker has done; one line each, so that a run can be continued. */
export type Entry =
  /** A test passed with the code as it is written, and reached these mutants. */
  | ({ what: 'reached'; ms: number; sites: string[]; hasConflict: boolean } & TestName)
  /** A mutant is tried from here on, by a test with this time limit. */
  | ({ what: 'tried'; pid: number; at: number; site: string; limitMs: number } & TestName)
  | ({ what: 'killed'; pid: number; at: number; site: string } & TestName)
  | ({ what: 'survived'; pid: number; at: number; site: string } & TestName)
  /** A test ran with its whole file, with the mutant on; none of an empty id. */
  | ({ what: 'ran'; pid: number; at: number; site: string; hasFailed: boolean } & TestName)
  /** The test fails without a mutant: alone, when it is repeated, or after a mutant. */
  | ({ what: 'unusable'; pid: number; at: number; why: 'alone' | 'repeated' | 'afterwards' } & TestName);

/** Reads the lines of a journal that were added since the last call. */
export class Journal {
  readonly #path: string;
  #offset = 0;
  #rest = '';

  constructor(path: string) {
    this.#path = path;
  }

  add(entry: Entry): void {
    appendFileSync(this.#path, `${JSON.stringify(entry)}\n`);
  }

  added(): Entry[] {
    if (!existsSync(this.#path)) return [];
    const file = openSync(this.#path, 'r');
    try {
      const bytes = Buffer.alloc(fstatSync(file).size - this.#offset);
      this.#offset += readSync(file, bytes, 0, bytes.length, this.#offset);
      const lines = (this.#rest + bytes.toString()).split('\n');
      this.#rest = lines.pop() ?? '';
      return lines.map((line) => JSON.parse(line) as Entry);
    } finally {
      closeSync(file);
    }
  }
}

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { hashOf } from './coverage.ts';
import type { TestName } from './journal.ts';
import type { Site } from './sites.ts';

/** What is known of a mutant, kept between runs while its source stays the same. */
interface Known {
  source: string;
  killedBy?: TestName & { hash: string };
  /** The test that killed it before its source or the test changed. */
  formerly?: TestName;
  /** The tests that it has survived, as {@link stateOf} says. */
  survived: string[];
}

export const keyOf = ({ file, name }: TestName): string => `${file} > ${name}`;

/** A test as it is at present: a changed one is tried again. */
const stateOf = (test: TestName): string => `${keyOf(test)} ${hashOf(test.file)}`;

const isThere = ({ file, hash }: { file: string; hash: string }): boolean => {
  try {
    return hashOf(file) === hash;
  } catch {
    return false;
  }
};

/** What all runs have found, in a file. */
export class Findings {
  readonly #path: string;
  readonly #known: Record<string, Known>;

  constructor(path: string) {
    this.#path = path;
    this.#known = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Record<string, Known>) : {};
  }

  save(): void {
    writeFileSync(this.#path, JSON.stringify(this.#known));
  }

  /** Forgets what was found of another source or test. */
  forgetOld({ id, file }: Site): void {
    const source = hashOf(file);
    const known = this.#known[id];
    const formerly = known?.killedBy ?? known?.formerly;
    if (known?.source !== source)
      this.#known[id] = { source, survived: [], ...(formerly ? { formerly } : {}) };
    else if (known.killedBy && !isThere(known.killedBy)) {
      known.formerly = known.killedBy;
      delete known.killedBy;
    }
  }

  isKilled({ id }: Site): boolean {
    return this.#known[id]?.killedBy !== undefined;
  }

  kill(site: string, { file, name }: TestName): void {
    const known = this.#known[site];
    if (known) known.killedBy = { file, name, hash: hashOf(file) };
  }

  survive(site: string, test: TestName): void {
    this.#known[site]?.survived.push(stateOf(test));
  }

  hasSurvived({ id }: Site, test: TestName): boolean {
    return this.#known[id]?.survived.includes(stateOf(test)) === true;
  }

  survivedCount({ id }: Site): number {
    return new Set(this.#known[id]?.survived).size;
  }

  isFormer({ id }: Site, test: TestName): boolean {
    const formerly = this.#known[id]?.formerly;
    return formerly !== undefined && keyOf(formerly) === keyOf(test);
  }
}

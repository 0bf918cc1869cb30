import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { sourceFiles, sourceOf } from '../../support/sources.ts';
import type { Entry, TestName } from './journal.ts';

/** A test with what it reaches. */
export interface ReachingTest extends TestName {
  ms: number;
  /** The number of mutants that it reaches: a narrow test finds more. */
  breadth: number;
  /** Whether a condition of a write failed in it. */
  hasConflict: boolean | undefined;
}

interface StoredFile {
  hash: string;
  /** Name, milliseconds, numbers of {@link Stored.sites}, and whether a condition of a write failed. */
  tests: [string, number, number[], boolean?][];
}

interface Stored {
  /** What recorded it, as {@link recorder} says. */
  recorder: string;
  sites: string[];
  files: Record<string, StoredFile>;
}

const sourceOfSite = (site: string): string => site.slice(0, site.indexOf(' '));

const hashes = new Map<string, string>();

/** Returns a hash of a file of the project, read once. */
export const hashOf = (file: string): string => {
  const known = hashes.get(file);
  if (known !== undefined) return known;
  const hash = createHash('sha256').update(sourceOf(file)).digest('base64url').slice(0, 16);
  hashes.set(file, hash);
  return hash;
};

/** The code that decides what is recorded of a test: that of the gate, and the table of the tests. */
const recorder = (): string =>
  [
    ...['rules', 'own-makers', 'sites', 'runner', 'setup', 'conflicts'].map(
      (name) => `test/prove/mutants/${name}.ts`,
    ),
    'test/support/in-memory-table.ts',
  ]
    .map(hashOf)
    .join('-');

/** Tests that start processes of their own, which are not instrumented, or the gate itself. */
const withoutMutants =
  /(local-[\w-]+|docs|storm|command|booking-chain|prove\/mutants\/[\w-]+|browser[\w-]*)\.test\.ts$/;

const testFiles = (): string[] =>
  sourceFiles(['test/unit', 'test/table', 'test/events', 'test/prove', 'test/api']).filter(
    (file) => file.endsWith('.test.ts') && !withoutMutants.test(file),
  );

/** Which tests reach which mutants, kept between runs. */
export class Coverage {
  readonly #path: string;
  readonly #stored: Stored;
  readonly #numbers: Map<string, number>;

  constructor(path: string) {
    this.#path = path;
    const kept = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Stored) : undefined;
    const isOfThis = kept?.recorder === recorder();
    this.#stored = isOfThis ? kept : { recorder: recorder(), sites: [], files: {} };
    this.#numbers = new Map(this.#stored.sites.map((site, number) => [site, number]));
  }

  /** Returns the test files to record: new and changed ones, and those that reached a source with mutants that are new. */
  stale(present: readonly string[]): string[] {
    const { files, sites } = this.#stored;
    const changed = new Set(present.filter((site) => !this.#numbers.has(site)).map(sourceOfSite));
    const isOfChanged = sites.map((site) => changed.has(sourceOfSite(site)));
    return testFiles().filter((file) => {
      const known = files[file];
      if (known?.hash !== hashOf(file)) return true;
      return known.tests.some(([, , reached]) => reached.some((number) => isOfChanged[number]));
    });
  }

  /** Takes what the recorded files have reached. */
  record(recorded: readonly string[], entries: readonly Entry[]): void {
    for (const file of recorded) this.#stored.files[file] = { hash: hashOf(file), tests: [] };
    for (const entry of entries)
      if (entry.what === 'reached')
        this.#stored.files[entry.file]?.tests.push([
          entry.name,
          entry.ms,
          entry.sites.map((site) => this.#numberOf(site)),
          entry.hasConflict,
        ]);
    this.#save();
  }

  /** Takes the mutants as known: every test that reaches one is recorded. */
  takeSites(sites: readonly string[]): void {
    for (const site of sites) this.#numberOf(site);
    this.#save();
  }

  #save(): void {
    writeFileSync(this.#path, JSON.stringify(this.#stored));
  }

  #numberOf(site: string): number {
    const known = this.#numbers.get(site);
    if (known !== undefined) return known;
    this.#numbers.set(site, this.#stored.sites.length);
    return this.#stored.sites.push(site) - 1;
  }

  /** Returns the tests that reach each mutant. */
  reaching(): Map<string, ReachingTest[]> {
    const found = new Map<string, ReachingTest[]>(this.#stored.sites.map((site) => [site, []]));
    for (const [file, { tests }] of Object.entries(this.#stored.files))
      for (const [name, ms, reached, hasConflict] of tests)
        for (const number of reached)
          found
            .get(this.#stored.sites[number] ?? '')
            ?.push({ file, name, ms, breadth: reached.length, hasConflict });
    return found;
  }
}

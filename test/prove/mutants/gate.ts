import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { accepted } from './accepted.ts';
import { isWeaker } from './conflicts.ts';
import { Coverage, hashOf, type ReachingTest } from './coverage.ts';
import type { Entry, TestName } from './journal.ts';
import type { Plan } from './plan.ts';
import { runTests } from './run-tests.ts';
import type { Site } from './sites.ts';
import { findSites } from './sources.ts';

interface GateOptions {
  /** Part of an id, or of a kind. */
  only?: string | undefined;
  /** `1/8`: the first of eight equal parts. */
  shard?: string | undefined;
  /** A git reference: mutants of files that have changed since. */
  since?: string | undefined;
  /** Parts of the paths of test files; only these are recorded. */
  tests?: string | undefined;
  /** Forgets what earlier runs have found. */
  fresh: boolean;
  say: (line: string) => void;
  log: (line: string) => void;
}

/** What is known of a mutant, kept between runs while its source stays the same. */
interface Known {
  source: string;
  killedBy?: TestName & { hash: string };
  /** The tests that it has survived, as {@link stateOf} says. */
  survived: string[];
}

const folder = fileURLToPath(new URL('../../../node_modules/.cache/mutants/', import.meta.url));
const at = (file: string): string => `${folder}${file}`;

/** How many tests a mutant gets in each round; most are found by the first few. */
const rounds = [5, 25, 200];
/** A mutant gets no more milliseconds of tests than this in a round, but at least one test. */
const longestMs = 90_000;

const recordedAtOnce = 40;

const keyOf = ({ file, name }: TestName): string => `${file} > ${name}`;
/** A test as it is at present: a changed one is tried again. */
const stateOf = (test: TestName): string => `${keyOf(test)} ${hashOf(test.file)}`;

const wordsOf = (path: string): string[] => path.split(/[^a-z]+/).filter((word) => word.length > 3);

/** Tests of more than one writer, by their names. */
const contended =
  /at once|twice|meanwhile|while|again|already|race|between|another|same|conflict|lost|repeat|overtak/i;

/** Quick and narrow tests first, and those whose file is named like the source. */
const ranked = (site: Site, tests: readonly ReachingTest[]): ReachingTest[] => {
  const words = new Set(wordsOf(site.file).filter((word) => word !== 'shared' && word !== 'domain'));
  const cost = ({ file, ms, breadth }: ReachingTest): number => {
    const isAkin = wordsOf(file).some((word) => words.has(word) || words.has(word.replace(/s$/, '')));
    return (ms + 20) * (breadth + 50) * (isAkin ? 0.2 : 1);
  };
  if (!isWeaker(site.id)) return tests.toSorted((one, other) => cost(one) - cost(other));
  const costOfConflict = (test: ReachingTest): number =>
    cost(test) * (contended.test(keyOf(test)) ? 0.05 : 1);
  return tests
    .filter(({ hasConflict }) => hasConflict !== false)
    .toSorted((one, other) => costOfConflict(one) - costOfConflict(other));
};

const chosen = (sites: readonly Site[], { only, shard, since }: GateOptions): Site[] => {
  const changed =
    since === undefined
      ? undefined
      : new Set(execFileSync('git', ['diff', '--name-only', since], { encoding: 'utf8' }).split('\n'));
  const [part = 1, of = 1] = shard?.split('/').map(Number) ?? [];
  return sites.filter(
    ({ id, kind, file }, position) =>
      (only === undefined || id.includes(only) || only.split(',').includes(kind)) &&
      (changed === undefined || changed.has(file)) &&
      position % of === part - 1,
  );
};

class Gate {
  readonly #options: GateOptions;
  readonly #all: Site[];
  readonly #sites: Site[];
  readonly #known: Record<string, Known>;
  readonly #unrepeatable = new Set<string>();
  #reaching = new Map<string, ReachingTest[]>();
  #runs = 0;

  constructor(options: GateOptions) {
    mkdirSync(folder, { recursive: true });
    if (options.fresh) rmSync(at('state.json'), { force: true });
    this.#options = options;
    this.#all = findSites();
    this.#sites = chosen(this.#all, options);
    this.#known = existsSync(at('state.json'))
      ? (JSON.parse(readFileSync(at('state.json'), 'utf8')) as Record<string, Known>)
      : {};
    for (const site of this.#sites) this.#forgetOld(site);
  }

  #forgetOld({ id, file }: Site): void {
    const source = hashOf(file);
    const known = this.#known[id];
    if (known?.source !== source) this.#known[id] = { source, survived: [] };
    else if (known.killedBy && !isThere(known.killedBy)) delete known.killedBy;
  }

  #of(site: Site): Known {
    return (this.#known[site.id] ??= { source: hashOf(site.file), survived: [] });
  }

  #open(): Site[] {
    const reasons = new Set(accepted.map(({ site }) => site));
    return this.#sites.filter((site) => !this.#of(site).killedBy && !reasons.has(site.id));
  }

  async run(): Promise<boolean> {
    const { say } = this.#options;
    say(`${this.#sites.length} mutants of ${this.#all.length}: ${countsOf(this.#sites)}`);
    await this.#record();
    for (const limit of rounds) await this.#round(limit);
    await this.#wholeFiles();
    return this.#report();
  }

  async #record(): Promise<void> {
    const coverage = new Coverage(at('coverage.json'));
    const parts = this.#options.tests?.split(',');
    const sources = [...new Set(this.#all.map(({ file }) => file))];
    const files = coverage
      .stale(sources)
      .filter((file) => parts === undefined || parts.some((part) => file.includes(part)));
    // In batches, so that a run that is stopped continues.
    for (let from = 0; from < files.length; from += recordedAtOnce) {
      const batch = files.slice(from, from + recordedAtOnce);
      this.#options.log(`Recording what tests reach: ${from} of ${files.length} test files`);
      const entries = await this.#tests('record', batch, {});
      coverage.record(
        batch,
        this.#all.map(({ id }) => id),
        entries,
      );
    }
    if (parts === undefined) coverage.takeSources(sources);
    this.#reaching = coverage.reaching();
  }

  async #tests(mode: Plan['mode'], files: string[], tests: Plan['tests']): Promise<Entry[]> {
    const sites = this.#all.map(({ id }) => id);
    const journal = at(`journal-${process.pid}-${(this.#runs += 1)}.jsonl`);
    const found: Entry[] = [];
    try {
      const plan: Plan = { journal, sites, mode, tests };
      const printed = await runTests(plan, at(`plan-${process.pid}.json`), files, (entries) => {
        found.push(...entries);
        this.#take(entries);
      });
      if (found.length === 0) this.#options.log(printed);
    } finally {
      rmSync(journal, { force: true });
      rmSync(at(`plan-${process.pid}.json`), { force: true });
    }
    return found;
  }

  #lastSaid = 0;

  #take(entries: readonly Entry[]): void {
    for (const entry of entries) {
      if (entry.what === 'killed') {
        const known = this.#known[entry.site];
        if (known) known.killedBy = { file: entry.file, name: entry.name, hash: hashOf(entry.file) };
      }
      if (entry.what === 'survived') this.#known[entry.site]?.survived.push(stateOf(entry));
      if (entry.what === 'unusable' && entry.why !== 'afterwards') this.#unrepeatable.add(keyOf(entry));
    }
    if (entries.some(({ what }) => what !== 'reached')) {
      writeFileSync(at('state.json'), JSON.stringify(this.#known));
      const open = this.#open().length;
      if (open === this.#lastSaid) return;
      this.#lastSaid = open;
      this.#options.log(`${this.#sites.length - open} of ${this.#sites.length} decided`);
    }
  }

  /** The tests that a mutant has not survived yet. */
  #untried(site: Site, limit: number): ReachingTest[] {
    const survived = new Set(this.#of(site).survived);
    const tests = ranked(site, this.#reaching.get(site.id) ?? []).slice(0, limit);
    let ms = 0;
    return tests.filter((test, position) => {
      ms += test.ms;
      if (position > 0 && ms > longestMs) return false;
      return !survived.has(stateOf(test)) && !this.#unrepeatable.has(keyOf(test));
    });
  }

  /** A test that fails after a mutant is tried again with the others in a process of its own. */
  async #round(limit: number): Promise<void> {
    for (let attempt = 0; attempt < 3; attempt++) {
      const tests: Plan['tests'] = {};
      for (const site of this.#open())
        for (const { file, name } of this.#untried(site, limit))
          ((tests[file] ??= {})[name] ??= []).push(site.id);
      const files = Object.keys(tests);
      if (files.length === 0) return;
      this.#options.log(`Round of ${limit}: ${this.#open().length} mutants, ${files.length} test files`);
      await this.#tests('repeat', files, tests);
    }
  }

  /** Tests that cannot be repeated get a process for each mutant. */
  async #wholeFiles(): Promise<void> {
    for (const site of this.#open()) {
      const survived = new Set(this.#of(site).survived);
      const left = (this.#reaching.get(site.id) ?? []).filter(
        (test) => this.#unrepeatable.has(keyOf(test)) && !survived.has(stateOf(test)),
      );
      const files = [...new Set(ranked(site, left).map(({ file }) => file))].slice(0, 5);
      for (const file of files) {
        if (this.#of(site).killedBy) break;
        const names = left
          .filter((test) => test.file === file)
          .map(({ name }): [string, string[]] => [name, [site.id]]);
        await this.#tests('whole', [file], { [file]: Object.fromEntries(names) });
      }
    }
  }

  #report(): boolean {
    const { say } = this.#options;
    const reasons = new Map(accepted.map(({ site, reason }) => [site, reason]));
    const isAccepted = (site: Site): boolean => reasons.has(site.id);
    const survivors = this.#open();
    for (const kind of new Set(this.#sites.map((site) => site.kind))) {
      const of = this.#sites.filter((site) => site.kind === kind);
      const count = (holds: (site: Site) => boolean): number => of.filter(holds).length;
      say(
        `  ${kind}: ${of.length} mutants, ${count((site) => this.#of(site).killedBy !== undefined)} killed, ` +
          `${count(isAccepted)} accepted, ${count((site) => survivors.includes(site))} survive`,
      );
    }
    for (const site of survivors) {
      const tests = this.#reaching.get(site.id)?.length ?? 0;
      const tried = this.#of(site).survived.length;
      say(`  => ${site.id}`);
      say(
        `     line ${site.line}, ${site.kind}; ${tests === 0 ? 'no test reaches it' : `${tried} of ${tests} tests that reach it were tried`}`,
      );
    }
    return survivors.length === 0;
  }
}

const isThere = ({ file, hash }: { file: string; hash: string }): boolean => {
  try {
    return hashOf(file) === hash;
  } catch {
    return false;
  }
};

const countsOf = (sites: readonly Site[]): string => {
  const counts = Map.groupBy(sites, ({ kind }) => kind);
  return [...counts].map(([kind, of]) => `${of.length} ${kind}`).join(', ');
};

/** Changes the product in one place at a time and requires that a test fails. Returns whether all mutants are killed or accepted. */
export const runGate = (options: GateOptions): Promise<boolean> => new Gate(options).run();

import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { accepted } from './accepted.ts';
import { Coverage, type ReachingTest } from './coverage.ts';
import type { Entry } from './journal.ts';
import { Findings, keyOf } from './known.ts';
import type { Plan } from './plan.ts';
import { ranked } from './ranking.ts';
import { reviewed } from './reviewed.ts';
import { runTests } from './run-tests.ts';
import type { Site } from './sites.ts';
import { findSites, isChosen } from './sources.ts';

interface GateOptions {
  /** Part of an id, or kinds with commas; unless given the kinds that are closed. */
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

const folder = fileURLToPath(new URL('../../../node_modules/.cache/mutants/', import.meta.url));
const at = (file: string): string => `${folder}${file}`;

/** How many tests a mutant gets in each round, next to the one that killed it before; most are found by the first few. */
const rounds = [0, 5, 25, 200, 1000];
/** A mutant gets no more milliseconds of tests than this in a round, but at least one test. */
const longestMs = 90_000;

const recordedAtOnce = 40;

const chosen = (sites: readonly Site[], { only, shard, since }: GateOptions): Site[] => {
  const changed =
    since === undefined
      ? undefined
      : new Set(execFileSync('git', ['diff', '--name-only', since], { encoding: 'utf8' }).split('\n'));
  const [part = 1, of = 1] = shard?.split('/').map(Number) ?? [];
  return sites
    .filter(isChosen(only))
    .filter(({ file }, position) => changed?.has(file) !== false && position % of === part - 1);
};

class Gate {
  readonly #options: GateOptions;
  readonly #all: Site[];
  readonly #sites: Site[];
  readonly #findings: Findings;
  readonly #unrepeatable = new Set<string>();
  #reaching = new Map<string, ReachingTest[]>();
  #runs = 0;

  constructor(options: GateOptions) {
    mkdirSync(folder, { recursive: true });
    if (options.fresh) rmSync(at('state.json'), { force: true });
    this.#options = options;
    this.#all = findSites();
    this.#sites = chosen(this.#all, options);
    this.#findings = new Findings(at('state.json'));
    for (const site of this.#sites) this.#findings.forgetOld(site);
  }

  #open(): Site[] {
    const reasons = new Set(accepted.map(({ site }) => site));
    return this.#sites.filter((site) => !this.#findings.isKilled(site) && !reasons.has(site.id));
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
    const ids = this.#all.map(({ id }) => id);
    const files = coverage
      .stale(ids)
      .filter((file) => parts === undefined || parts.some((part) => file.includes(part)));
    // In batches, so that a run that is stopped continues.
    for (let from = 0; from < files.length; from += recordedAtOnce) {
      const batch = files.slice(from, from + recordedAtOnce);
      this.#options.log(`Recording what tests reach: ${from} of ${files.length} test files`);
      const entries = await this.#tests('record', batch, {});
      coverage.record(batch, entries);
    }
    if (parts === undefined) coverage.takeSites(ids);
    this.#reaching = coverage.reaching();
  }

  async #tests(mode: Plan['mode'], files: string[], tests: Plan['tests']): Promise<Entry[]> {
    const journal = at(`journal-${process.pid}-${(this.#runs += 1)}.jsonl`);
    const found: Entry[] = [];
    try {
      const plan: Plan = { journal, mode, tests };
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
      if (entry.what === 'killed') this.#findings.kill(entry.site, entry);
      if (entry.what === 'survived') this.#findings.survive(entry.site, entry);
      if (entry.what === 'unusable' && entry.why !== 'afterwards') this.#unrepeatable.add(keyOf(entry));
    }
    if (entries.some(({ what }) => what !== 'reached')) {
      this.#findings.save();
      const open = this.#open().length;
      if (open === this.#lastSaid) return;
      this.#lastSaid = open;
      this.#options.log(`${this.#sites.length - open} of ${this.#sites.length} decided`);
    }
  }

  /** The tests that a mutant has not survived yet. */
  #untried(site: Site, limit: number): ReachingTest[] {
    const reaching = this.#reaching.get(site.id) ?? [];
    const former = reaching.filter((test) => this.#findings.isFormer(site, test));
    let ms = 0;
    return [...new Set([...former, ...ranked(site, reaching).slice(0, limit)])]
      .filter((test) => !this.#findings.hasSurvived(site, test) && !this.#unrepeatable.has(keyOf(test)))
      .filter((test, position) => {
        ms += test.ms;
        return position === 0 || ms <= longestMs;
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
      const left = (this.#reaching.get(site.id) ?? []).filter(
        (test) => this.#unrepeatable.has(keyOf(test)) && !this.#findings.hasSurvived(site, test),
      );
      const files = [...new Set(ranked(site, left).map(({ file }) => file))].slice(0, 5);
      for (const file of files) {
        if (this.#findings.isKilled(site)) break;
        await this.#wholeFile(
          site,
          left.filter((test) => test.file === file),
        );
      }
    }
  }

  /** A mutant is killed by a test that fails twice with it, and passes without it in between. */
  async #wholeFile(site: Site, tests: readonly ReachingTest[]): Promise<void> {
    let failing = tests;
    for (const id of [site.id, '', site.id]) {
      const failed = failing.length === 0 ? new Set() : await this.#failed(failing, id);
      failing = failing.filter((test) => failed.has(test.name) === (id !== ''));
    }
    const [killer] = failing;
    if (killer) this.#findings.kill(site.id, killer);
    else for (const test of tests) this.#findings.survive(site.id, test);
    this.#findings.save();
  }

  /** Runs the file of the tests with a mutant on; returns the names of those that failed. */
  async #failed(tests: readonly ReachingTest[], site: string): Promise<Set<string>> {
    const { file } = tests[0]!;
    const plan = { [file]: Object.fromEntries(tests.map(({ name }) => [name, [site]])) };
    const entries = await this.#tests('whole', [file], plan);
    return new Set(entries.flatMap((entry) => (entry.what === 'ran' && entry.hasFailed ? [entry.name] : [])));
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
        `  ${kind}: ${of.length} mutants, ${count((site) => this.#findings.isKilled(site))} killed, ` +
          `${count(isAccepted)} accepted, ${count((site) => survivors.includes(site))} survive`,
      );
    }
    for (const site of survivors) {
      const tests = this.#reaching.get(site.id)?.length ?? 0;
      const tried = this.#findings.survivedCount(site);
      say(`  => ${site.id}`);
      say(
        `     line ${site.line}, ${site.kind}; ${tests === 0 ? 'no test reaches it' : `${tried} of ${tests} tests that reach it were tried`}`,
      );
    }
    this.#reportReviewed(survivors);
    return survivors.length === 0;
  }

  /** What reviews have planted, and whether it would be noticed. */
  #reportReviewed(survivors: readonly Site[]): void {
    const open = new Set(survivors.map(({ id }) => id));
    const tried = new Set(this.#sites.map(({ id }) => id));
    for (const { name, mutants = [], test } of reviewed) {
      const state = mutants.some((id) => open.has(id))
        ? 'open'
        : mutants.every((id) => tried.has(id))
          ? 'noticed'
          : 'not in this part';
      this.#options.say(
        `  reviewed: ${name}: ${mutants.length === 0 ? `by the test "${test?.name}"` : state}`,
      );
    }
  }
}

const countsOf = (sites: readonly Site[]): string => {
  const counts = Map.groupBy(sites, ({ kind }) => kind);
  return [...counts].map(([kind, of]) => `${of.length} ${kind}`).join(', ');
};

/** Changes the product in one place at a time and requires that a test fails. Returns whether all mutants are killed or accepted. */
export const runGate = (options: GateOptions): Promise<boolean> => new Gate(options).run();

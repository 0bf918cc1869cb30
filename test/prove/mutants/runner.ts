import { relative } from 'node:path';
import { performance } from 'node:perf_hooks';
import { type RunnerTask, type RunnerTestCase, type RunnerTestFile, TestRunner } from 'vitest';
import { systemClock } from '../../../shared/platform/time/clock.ts';
import { isWeaker, takeConflict } from './conflicts.ts';
import { Journal, type TestName } from './journal.ts';
import { readPlan } from './plan.ts';
import { Steps } from './steps.ts';
import { mutants } from './switch.ts';

/** More runs of one test than any plan has. */
const manyRuns = 100_000;

const plan = readPlan();
const journal = new Journal(plan.journal);
const killed = new Set<string>();
const siteOfWhole = Object.values(Object.values(plan.tests)[0] ?? {})[0]?.[0] ?? '';

const isKilled = (site: string): boolean => {
  for (const entry of journal.added()) if (entry.what === 'killed') killed.add(entry.site);
  return killed.has(site);
};

const nameOf = (test: RunnerTestCase): TestName => {
  const names = [test.name];
  for (let { suite } = test; suite; { suite } = suite) if (suite.name) names.unshift(suite.name);
  return { file: relative(process.cwd(), test.file.filepath).replaceAll('\\', '/'), name: names.join(' > ') };
};

const mutantsOf = (test: RunnerTestCase): string[] | undefined => {
  const { file, name } = nameOf(test);
  return plan.tests[file]?.[name];
};

/** Leaves out what the plan does not name; returns whether anything is left. */
const select = (task: RunnerTask): boolean => {
  const isPlanned =
    task.type === 'test' ? mutantsOf(task) !== undefined : task.tasks.map(select).some((isLeft) => isLeft);
  if (!isPlanned) task.mode = 'skip';
  else if (task.type === 'test' && plan.mode === 'repeat') task.repeats = manyRuns;
  return isPlanned;
};

/** The proof has a table of its own in memory. */
const isInMemory = (test: RunnerTestCase): boolean => nameOf(test).file.startsWith('test/prove/');

/** Runs each test of the plan again and again, each time with another mutant on. */
export default class MutantRunner extends TestRunner {
  #steps: Steps | undefined;
  #startedAt = 0;
  #test: string | undefined;
  #hadConflict = false;

  onCollected(files: RunnerTestFile[]): void {
    if (plan.mode === 'record') mutants.reached = new Set();
    if (plan.mode === 'repeat') files.forEach(select);
    if (plan.mode === 'whole') mutants.active = siteOfWhole;
  }

  override onBeforeTryTask(test: RunnerTestCase, options: { retry: number; repeats: number }): void {
    super.onBeforeTryTask(test, options);
    if (this.#test !== test.id && plan.mode === 'repeat') {
      this.#test = test.id;
      this.#hadConflict = false;
      this.#steps = new Steps(mutantsOf(test) ?? [], isKilled);
    }
    if (this.#steps) this.#startStep(test, this.#steps);
    else if (plan.mode === 'record') mutants.reached = new Set();
    else this.#noteTried(test, siteOfWhole);
    takeConflict();
    this.#startedAt = performance.now();
  }

  #startStep(test: RunnerTestCase, steps: Steps): void {
    const site = steps.next();
    if (site === undefined) {
      // Ends the repetitions of this test.
      Object.assign(test.result!, { pending: true });
      throw new Error('No mutant is left.');
    }
    mutants.active = site ?? undefined;
    if (site !== null) this.#noteTried(test, site);
  }

  #noteTried(test: RunnerTestCase, site: string): void {
    journal.add({ what: 'tried', ...this.#stamp(), site, limitMs: test.timeout, ...nameOf(test) });
  }

  override async onAfterRetryTask(
    test: RunnerTestCase,
    options: { retry: number; repeats: number },
  ): Promise<void> {
    await super.onAfterRetryTask(test, options);
    if (plan.mode !== 'whole') mutants.active = undefined;
    const hasFailed = test.result?.state === 'fail';
    const ms = Math.round(performance.now() - this.#startedAt);
    const { reached } = mutants;
    const hasConflict = takeConflict();
    this.#hadConflict ||= hasConflict;
    if (plan.mode === 'record' && reached) {
      const mayConflict = hasConflict || isInMemory(test);
      if (!hasFailed)
        journal.add({
          what: 'reached',
          ms,
          sites: [...reached],
          hasConflict: mayConflict,
          ...nameOf(test),
        });
      return;
    }
    if (plan.mode === 'whole') {
      journal.add({ what: 'ran', site: siteOfWhole, hasFailed, ...this.#stamp(), ...nameOf(test) });
      return;
    }
    if (test.result && 'pending' in test.result) return;
    const finding = this.#steps?.finished(hasFailed);
    if (options.repeats === 1 && !this.#hadConflict && !isInMemory(test))
      for (const site of this.#steps?.leaveOut(isWeaker) ?? [])
        journal.add({ what: 'survived', site, ...this.#stamp(), ...nameOf(test) });
    if (finding) journal.add({ ...finding, ...this.#stamp(), ...nameOf(test) });
  }

  #stamp(): { pid: number; at: number } {
    return { pid: process.pid, at: systemClock.now() };
  }
}

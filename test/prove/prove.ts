import fc from 'fast-check';
import type { Log } from '../../infra/local/log.ts';
import { withProgress } from '../../infra/local/progress.ts';
import { cpuMsSince } from './cpu-time.ts';
import { linearProblems } from './linear/problems.ts';
import { scheduleFamilies } from './linear/schedule-calls.ts';
import { memoryStage } from './memory/stage.ts';
import { auditProblems } from './schedule/audit-problems.ts';
import { violations } from './schedule/checker.ts';
import { Coverage } from './schedule/coverage.ts';
import { historyText } from './schedule/history.ts';
import { anyPlan, type Plan, type Weather } from './schedule/plan.ts';
import { runPlan, type Stage } from './schedule/run.ts';
import { hourText } from './schedule/scene.ts';
import { makeVirtual } from './schedule/virtual.ts';
import type { SeededBug } from './seeded-bugs.ts';

export interface ProveOptions {
  schedules: number;
  seed: number;
  /** Replays one counterexample. */
  path?: string;
  bug?: SeededBug;
  /** Returns the failing history unshrunk. */
  asFound?: boolean;
  /** Receives progress lines. */
  log?: Log;
  /** Where schedules run; default in memory. */
  stage?: (tamper: Stage['tamper'], weather: Weather) => Promise<ProofStage>;
}

/** A stage that can report problems of its own. */
export type ProofStage = Stage & { problems?: () => string[] };

export interface Proof {
  schedules: number;
  seed: number;
  ms: number;
  /** CPU time of the process in milliseconds: on a machine with other work it says more than `ms`. */
  cpuMs: number;
  coverage: Coverage;
  failure: Failure | undefined;
}

interface Failure {
  /** Replays it together with the seed. */
  path: string;
  shrinks: number;
  problems: string[];
  history: string[];
  plan: Plan;
}

class Violated extends Error {
  readonly problems: string[];
  readonly history: string[];
  constructor(problems: string[], history: string[]) {
    super(problems[0] ?? 'violated');
    this.problems = problems;
    this.history = history;
  }
}

/** Runs random schedules until one violates a property or all have run. */
export const prove = async (options: ProveOptions): Promise<Proof> => {
  const { schedules, seed, path, bug, asFound = false, log = () => undefined } = options;
  const stage: NonNullable<ProveOptions['stage']> = options.stage ?? memoryStage;
  makeVirtual();
  const coverage = new Coverage();
  const startedAt = performance.now();
  const cpuBefore = process.cpuUsage();
  const undo = bug?.patch?.();
  try {
    const line = (seconds: number): string =>
      `${coverage.schedules} of ${schedules} schedules, ${coverage.asked} requests, ${seconds} s`;
    const result = await withProgress({ log, line }, (tick) => {
      const property = fc.asyncProperty(anyPlan(), async (plan) => {
        tick();
        const at = await stage(bug?.tamper, plan.weather);
        const outcome = await runPlan(plan, at);
        coverage.add(outcome);
        const seen = [
          ...violations(outcome.history),
          ...linearProblems(scheduleFamilies(outcome.history)),
          ...(at.problems?.() ?? []),
        ];
        const problems = seen.length > 0 ? seen : await auditProblems(at, outcome.now);
        if (problems.length > 0) throw new Violated(problems, historyText(outcome.history, hourText));
      });
      return fc.check(property, {
        numRuns: schedules,
        seed,
        endOnFailure: asFound,
        ...(path === undefined ? {} : { path }),
      });
    });
    return {
      schedules: result.numRuns,
      seed,
      ms: performance.now() - startedAt,
      cpuMs: cpuMsSince(cpuBefore),
      coverage,
      failure: result.failed ? failureOf(result) : undefined,
    };
  } finally {
    undo?.();
  }
};

const failureOf = (result: fc.RunDetails<[Plan]>): Failure => {
  const { errorInstance, counterexample, counterexamplePath, numShrinks } = result;
  if (!(errorInstance instanceof Violated)) throw errorInstance;
  const [plan] = counterexample ?? [];
  if (!plan) throw errorInstance;
  const { problems, history } = errorInstance;
  return { path: counterexamplePath ?? '', shrinks: numShrinks, problems, history, plan };
};

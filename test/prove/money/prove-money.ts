import { makeVirtual } from '../schedule/virtual.ts';
import { classOf } from '../service/shrink.ts';
import { type Counts, noCounts, type Outcome, play } from './history.ts';
import { type Plan, planOf } from './plan.ts';
import type { MoneyBug } from './tampering-stays.ts';

interface MoneyProof {
  histories: number;
  ms: number;
  counts: Counts;
  failure: (Pick<Outcome, 'problems' | 'lines'> & { history: number; steps: number }) | undefined;
}

interface Options {
  histories: number;
  seed: number;
  /** That one alone. */
  only?: number;
  bug?: MoneyBug | undefined;
  /** Returns the failing history unshortened. */
  asFound?: boolean;
  onProgress?: (played: number) => void;
}

/** Plays random histories of the money of a booking until one differs from the ledger of the model, or all have been played. */
export const proveMoney = async (options: Options): Promise<MoneyProof> => {
  const { histories, seed, only, bug, asFound = false, onProgress } = options;
  makeVirtual();
  const startedAt = process.hrtime.bigint();
  const proof: MoneyProof = { histories: 0, ms: 0, counts: noCounts(), failure: undefined };
  const first = only ?? 0;
  const last = only === undefined ? histories : only + 1;
  for (let history = first; history < last && !proof.failure; history++) {
    const plan = planOf(seed + history * 7919);
    const outcome = await play(plan, bug);
    proof.histories++;
    for (const name of Object.keys(proof.counts) as (keyof Counts)[])
      proof.counts[name] += outcome.counts[name];
    if (outcome.problems.length > 0) {
      const short = asFound ? { plan, outcome } : await shortened(plan, outcome, bug);
      proof.failure = { history, ...short.outcome, steps: short.plan.steps.length };
    }
    onProgress?.(proof.histories);
  }
  return { ...proof, ms: Number(process.hrtime.bigint() - startedAt) / 1e6 };
};

interface Played {
  plan: Plan;
  outcome: Outcome;
}

/** Leaves out steps, crashes and second clerks as long as the history fails in the same way. */
const shortened = async (plan: Plan, outcome: Outcome, bug: MoneyBug | undefined): Promise<Played> => {
  const classes = new Set(outcome.problems.map(classOf));
  let best: Played = { plan, outcome };
  const isTaken = async (steps: Plan['steps']): Promise<boolean> => {
    const shorter = { ...best.plan, steps };
    const played = await play(shorter, bug);
    if (!played.problems.some((problem) => classes.has(classOf(problem)))) return false;
    best = { plan: shorter, outcome: played };
    return true;
  };
  for (let size = plan.steps.length >> 1; size >= 1; size >>= 1)
    for (let at = 0; at < best.plan.steps.length;)
      if (!(await isTaken(best.plan.steps.toSpliced(at, size)))) at += size;
  for (const [at, { act, draws }] of best.plan.steps.entries())
    await isTaken(best.plan.steps.with(at, { act, draws }));
  return best;
};

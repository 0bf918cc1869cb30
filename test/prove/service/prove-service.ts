import { cpuMsSince } from '../cpu-time.ts';
import { makeVirtual } from '../schedule/virtual.ts';
import { unreached, unsuccessful } from './coverage.ts';
import type { ServiceBug } from './bug.ts';
import { playService } from './history.ts';
import type { Outcome } from './outcome.ts';
import type { Less } from './less.ts';
import type { Often } from './simulation.ts';
import { type Played, shrink } from './shrink.ts';
import type { HistoryOptions } from './world.ts';

type Counts = Map<string, number>;

/** What the histories together have covered. */
interface Coverage {
  answers: Counts;
  moves: Counts;
  faults: Counts;
  reads: number;
  writes: number;
  /** Writes that changed something. */
  effective: number;
  steps: number;
  hours: number;
  events: number;
  mails: number;
  linear: { calls: number; families: number; undecided: number; cpuMs: number };
}

interface ServiceProof {
  histories: number;
  ms: number;
  cpuMs: number;
  coverage: Coverage;
  failure: ServiceFailure | undefined;
}

interface ServiceFailure extends Played {
  history: number;
  seed: number;
  /** What makes it a history of days. */
  less: Less;
}

interface Options {
  histories: number;
  seed: number;
  /** That one alone. */
  only?: number;
  /** What that one leaves out. */
  less?: Less | undefined;
  bug?: ServiceBug | undefined;
  often?: Often | undefined;
  onProgress?: (played: number) => void;
}

const empty = (): Coverage => ({
  answers: new Map(),
  moves: new Map(),
  faults: new Map(),
  reads: 0,
  writes: 0,
  effective: 0,
  steps: 0,
  hours: 0,
  events: 0,
  mails: 0,
  linear: { calls: 0, families: 0, undecided: 0, cpuMs: 0 },
});

const addTo = (sum: Counts, more: ReadonlyMap<string, number>): void => {
  for (const [name, count] of more) sum.set(name, (sum.get(name) ?? 0) + count);
};

/** One in so many histories spans a month. */
const monthEvery = 6;
const monthDays = 30;
/** One in so many has invited people and thieves. */
const crewEvery = 4;

/** The seed of a history. */
const seedOf = (seed: number, history: number): number => seed + history * 7919;

/** Plays histories of the whole service until one breaks a promise, or all have been played. */
export const proveService = async (options: Options): Promise<ServiceProof> => {
  const { histories, seed, only, less, bug, often, onProgress } = options;
  makeVirtual();
  const startedAt = performance.now();
  const cpuBefore = process.cpuUsage();
  const proof: ServiceProof = { histories: 0, ms: 0, cpuMs: 0, coverage: empty(), failure: undefined };
  const first = only ?? 0;
  const last = only === undefined ? histories : only + 1;
  for (let history = first; history < last && !proof.failure; history++) {
    const days = history % monthEvery === monthEvery - 1 ? monthDays : undefined;
    const hasCrew = history % crewEvery === crewEvery - 1;
    const outcome = await playService(seedOf(seed, history), { bug, less, days, hasCrew, often });
    const { coverage } = proof;
    proof.histories++;
    addTo(coverage.answers, outcome.answers);
    addTo(coverage.moves, outcome.moves);
    addTo(coverage.faults, outcome.faults);
    for (const name of ['reads', 'writes', 'effective', 'steps', 'hours', 'events', 'mails'] as const)
      coverage[name] += outcome[name];
    for (const name of ['calls', 'families', 'undecided', 'cpuMs'] as const)
      coverage.linear[name] += outcome.linear[name];
    if (outcome.problems.length > 0)
      proof.failure = {
        history,
        seed: seedOf(seed, history),
        less: { ...(days === undefined ? {} : { days }), ...(hasCrew ? { hasCrew } : {}) },
        ...playedOf(outcome),
      };
    onProgress?.(proof.histories);
  }
  return { ...proof, ms: performance.now() - startedAt, cpuMs: cpuMsSince(cpuBefore) };
};

const playedOf = ({ problems, lines, actors, faultKinds }: Outcome): Played => ({
  ...{ problems, lines, actors, faults: faultKinds },
  asked: [...actors.values()].reduce((sum, asked) => sum + asked, 0),
});

interface Shortening extends Pick<HistoryOptions, 'bug' | 'often'> {
  mostPlays?: number;
  onShorter?: (asked: number) => void;
}

/** Searches for a shorter history that fails in the same way. */
export const shorten = (failure: ServiceFailure, { mostPlays, onShorter, ...options }: Shortening) =>
  shrink(
    {
      seed: failure.seed,
      less: failure.less,
      play: async (seed, less) => playedOf(await playService(seed, { ...options, less })),
      ...(mostPlays === undefined ? {} : { mostPlays }),
      onShorter: ({ played }) => onShorter?.(played.asked),
    },
    failure,
  );

const listed = (counts: ReadonlyMap<string, number>): string =>
  [...counts]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, times]) => `${name} ${times}`)
    .join(', ');

/** Returns the figures as lines. */
export const coverageLines = ({ coverage, ms, cpuMs }: Omit<ServiceProof, 'failure'>): string[] => {
  const { answers, moves, faults, reads, writes, effective, steps, hours, events, mails, linear } = coverage;
  const linearShare = ((100 * linear.cpuMs) / Math.max(1, cpuMs)).toFixed(1);
  const share = writes === 0 ? 0 : Math.round((100 * effective) / writes);
  const names = (all: readonly string[]): string => (all.length === 0 ? 'none' : all.join(', '));
  return [
    `simulated            ${hours.toFixed(0)} hours, ${((hours * 1000) / ms).toFixed(1)} a second; ${steps} interleaving points`,
    `requests             ${writes} writes, of which ${effective} (${share} %) changed something; ${reads} reads; ${events} events, ${mails} mails`,
    `linearizable         ${linear.calls} requests for ${linear.families} families of homes, ${linear.undecided} of them not decided; ${linearShare} % of the CPU time`,
    `answers              ${listed(answers)}`,
    `verbs never asked    ${names(unreached(answers))}`,
    `without success      ${names(unsuccessful(answers))}`,
    `moves                ${listed(moves)}`,
    `faults               ${listed(faults)}`,
  ];
};

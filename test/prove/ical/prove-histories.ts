import { emptyOutcome, type Outcome } from './checker.ts';
import { type HistoryKind, playHistory } from './history.ts';
import type { CalendarBug } from './seeded-bugs.ts';

interface HistoriesProof {
  histories: number;
  ms: number;
  tolerated: Outcome['tolerated'];
  counts: Outcome['counts'];
  failure: (Pick<Outcome, 'problems' | 'story'> & { history: number }) | undefined;
}

interface Options {
  histories: number;
  seed: number;
  /** That one alone. */
  only?: number;
  bug?: CalendarBug | undefined;
  kind?: HistoryKind | undefined;
  onProgress?: (played: number) => void;
}

/** Plays random two-way histories until one ends with a phantom or a missing night, or all have been played. */
export const proveHistories = async (options: Options): Promise<HistoriesProof> => {
  const { histories, seed, only, bug, kind = 'apart', onProgress } = options;
  const startedAt = performance.now();
  const proof: HistoriesProof = {
    histories: 0,
    ms: 0,
    tolerated: emptyOutcome().tolerated,
    counts: emptyOutcome().counts,
    failure: undefined,
  };
  const first = only ?? 0;
  const last = only === undefined ? histories : only + 1;
  for (let history = first; history < last && !proof.failure; history++) {
    const { problems, story, tolerated, counts } = await playHistory(seed + history * 7919, {
      bug,
      kind,
    });
    proof.histories += 1;
    proof.tolerated.hidden += tolerated.hidden;
    proof.tolerated.joined += tolerated.joined;
    proof.tolerated.twins += tolerated.twins;
    proof.tolerated.explained += tolerated.explained;
    for (const [name, count] of Object.entries(counts) as [keyof Outcome['counts'], number][])
      proof.counts[name] += count;
    if (problems.length > 0) proof.failure = { history, problems, story };
    onProgress?.(proof.histories);
  }
  return { ...proof, ms: performance.now() - startedAt };
};

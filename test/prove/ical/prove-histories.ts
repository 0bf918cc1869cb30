import type { Outcome } from './checker.ts';
import { playHistory } from './history.ts';
import type { CalendarBug } from './seeded-bugs.ts';

export interface HistoriesProof {
  histories: number;
  ms: number;
  sheltered: number;
  joined: number;
  counts: Outcome['counts'];
  failure: (Pick<Outcome, 'problems' | 'story'> & { history: number }) | undefined;
}

interface Options {
  histories: number;
  seed: number;
  /** That one alone. */
  only?: number;
  bug?: CalendarBug | undefined;
  onProgress?: (played: number) => void;
}

/** Plays random two-way histories until one ends with a phantom or a missing night, or all have been played. */
export const proveHistories = async (options: Options): Promise<HistoriesProof> => {
  const { histories, seed, only, bug, onProgress } = options;
  const begun = performance.now();
  const proof: HistoriesProof = {
    histories: 0,
    ms: 0,
    sheltered: 0,
    joined: 0,
    counts: { bookings: 0, cancellations: 0, there: 0, refused: 0, echoes: 0, quarantines: 0 },
    failure: undefined,
  };
  const first = only ?? 0;
  const last = only === undefined ? histories : only + 1;
  for (let history = first; history < last && !proof.failure; history++) {
    const { problems, story, sheltered, joined, counts } = await playHistory(seed + history * 7919, bug);
    proof.histories += 1;
    proof.sheltered += sheltered;
    proof.joined += joined;
    for (const [name, count] of Object.entries(counts) as [keyof Outcome['counts'], number][])
      proof.counts[name] += count;
    if (problems.length > 0) proof.failure = { history, problems, story };
    onProgress?.(proof.histories);
  }
  return { ...proof, ms: performance.now() - begun };
};

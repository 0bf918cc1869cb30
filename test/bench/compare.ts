import type { Log } from '../../infra/local/log.ts';
import { withProgress } from '../../infra/local/progress.ts';
import { type Round, sendFor, type Wire } from './load.ts';
import { median, quantile } from './statistics.ts';

/** One of the services that are compared. */
export interface Contender {
  name: string;
  /** One of each instance. */
  addresses: readonly string[];
  next: () => Wire;
  /** Returns the CPU milliseconds of its parts so far: by `function`, `emulator`, `service`, `database`. */
  cpu: () => Promise<Record<string, number>>;
}

/** What a service has shown in all its rounds. */
export interface Result {
  name: string;
  perSecond: number;
  p50: number;
  p99: number;
  /** Answers that were not 2xx. */
  refused: number;
  answered: number;
  /** CPU milliseconds of a request, by part. */
  cpuMs: Record<string, number>;
}

interface Turns {
  title: string;
  rounds: number;
  seconds: number;
  log: Log;
}

/** Lets services take turns, A B A B; the first round of each only warms. Rates are medians of the rounds. */
export const takeTurns = async (
  contenders: readonly Contender[],
  { title, rounds, seconds, log }: Turns,
): Promise<Result[]> => {
  const seen = contenders.map(() => [] as (Round & { cpuMs: Record<string, number> })[]);
  let round = 0;
  const line = (elapsed: number) => `${title}: round ${round} of ${rounds}, ${elapsed} s`;
  await withProgress({ log, line }, async () => {
    for (; round <= rounds; round++)
      for (const [at, contender] of contenders.entries()) {
        const taken = await oneRound(contender, round === 0 ? Math.min(1, seconds) : seconds);
        if (round > 0) seen[at]?.push(taken);
      }
  });
  return contenders.map(({ name }, at) => resultOf(name, seen[at] ?? []));
};

const oneRound = async ({ addresses, next, cpu }: Contender, seconds: number) => {
  const before = await cpu();
  const round = await sendFor(addresses, seconds, next);
  const after = await cpu();
  const used = Object.entries(after).map(([part, ms]) => [part, (ms - (before[part] ?? 0)) / round.answered]);
  return { ...round, cpuMs: Object.fromEntries(used) as Record<string, number> };
};

const resultOf = (name: string, rounds: readonly (Round & { cpuMs: Record<string, number> })[]): Result => {
  const latencies = rounds.flatMap((round) => round.latencies);
  const sum = (count: (round: Round) => number) => rounds.reduce((total, round) => total + count(round), 0);
  const parts = Object.keys(rounds[0]?.cpuMs ?? {});
  return {
    name,
    perSecond: median(rounds.map(({ answered, seconds }) => answered / seconds)),
    p50: median(latencies),
    p99: quantile(latencies, 0.99),
    refused: sum(({ refused }) => refused),
    answered: sum(({ answered }) => answered),
    cpuMs: Object.fromEntries(
      parts.map((part) => [part, median(rounds.map(({ cpuMs }) => cpuMs[part] ?? 0))]),
    ),
  };
};

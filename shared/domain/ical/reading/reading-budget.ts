import { threadCpuMs } from '../../../platform/time/clock.ts';
import { FeedProblem } from './components.ts';

const mostSteps = 400_000;
const mostCpuMs = 5000;
/** The clock of the CPU is asked once in so many calls. */
const between = 256;

/**
 * What the reading of one calendar may cost (D111): visited days, occurrences and exceptions count as steps, and all of it as CPU
 * time. {@link spend} throws {@link FeedProblem} beyond that.
 */
export class ReadingBudget {
  readonly #cpuMs: () => number;
  readonly #startedAt: number;
  #steps = mostSteps;
  #calls = 0;

  constructor(cpuMs: () => number = threadCpuMs) {
    this.#cpuMs = cpuMs;
    this.#startedAt = cpuMs();
  }

  spend(steps: number): void {
    this.#steps -= steps;
    this.#calls += 1;
    if (this.#steps < 0) throw tooLong();
    if (this.#calls % between === 0 && this.#cpuMs() - this.#startedAt > mostCpuMs) throw tooLong();
  }
}

const tooLong = (): FeedProblem => new FeedProblem(takesTooLong);

export const takesTooLong = 'takes too long to read';

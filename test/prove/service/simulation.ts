import { createHash, type Hash } from 'node:crypto';
import { runVirtual, seeded } from '../schedule/virtual.ts';

interface Step {
  at: number;
  order: number;
  run: (() => void) | undefined;
}

/** What is added to the weight of what people do, by the name of its function, and to a named chance in percent. */
export type Often = Readonly<Record<string, number>>;

/** Where histories start. */
export const startOfTime = Date.parse('2027-01-15T03:00:00.000Z');

const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Simulated time: what happens next is the earliest step, those of one moment in the order in which they were set. Time
 * advances only when no code can run, so a seed always leads to the same history.
 */
export class Simulation {
  readonly random: () => number;
  readonly #often: Often;
  readonly #heap: Step[] = [];
  readonly #lines: string[] = [];
  readonly #digest: Hash = createHash('sha256');
  #now = startOfTime;
  #order = 0;
  #steps = 0;

  constructor(seed: number, often: Often = {}) {
    this.random = seeded(seed);
    this.#often = often;
  }

  /** Epoch milliseconds. */
  now(): number {
    return Math.floor(this.#now);
  }

  /** The number of steps so far: each is a point at which another actor may continue. */
  get steps(): number {
    return this.#steps;
  }

  /** Runs something after `ms`; returns its cancellation. */
  later(ms: number, run: () => void): () => void {
    const step: Step = { at: this.#now + Math.max(0, ms), order: this.#order++, run };
    this.#push(step);
    return () => {
      step.run = undefined;
    };
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => void this.later(ms, resolve));
  }

  /** Takes all steps up to an instant, and those that they lead to. */
  async runUntil(end: number): Promise<void> {
    await endOfTurn();
    for (let next = this.#heap[0]; next && next.at <= end; next = this.#heap[0]) {
      this.#pop();
      if (!next.run) continue;
      this.#now = next.at;
      this.#steps++;
      next.run();
      await endOfTurn();
    }
    this.#now = Math.max(this.#now, end);
  }

  /** Runs code whose randomness, timers and clocks are those of the simulation, the clock ahead by `skewMs`. */
  inside<Result>(run: () => Result, skewMs: () => number = () => 0): Result {
    const time = {
      now: () => this.now() + skewMs(),
      later: (ms: number, callback: () => void) => this.later(ms, callback),
    };
    return runVirtual({ random: this.random, pause: (ms) => this.sleep(ms), time }, run);
  }

  /** True with this probability. */
  chance(probability: number, name = ''): boolean {
    return this.random() < probability + (this.#often[name] ?? 0) / 100;
  }

  between(low: number, high: number): number {
    return low + this.random() * (high - low);
  }

  /** A whole number from 0 to `below` - 1. */
  whole(below: number): number {
    return Math.floor(this.random() * below);
  }

  pick<Value>(values: readonly Value[]): Value {
    const value = values[this.whole(values.length)];
    if (value === undefined) throw new Error('nothing to pick from');
    return value;
  }

  /** Picks a deed by its weight. */
  weighted<Deed extends { name: string }>(deeds: readonly (readonly [weight: number, deed: Deed])[]): Deed {
    const weightOf = ([weight, { name }]: (typeof deeds)[number]) => weight + (this.#often[name] ?? 0);
    let dice = this.random() * deeds.reduce((sum, one) => sum + weightOf(one), 0);
    const chosen = deeds.find((one) => (dice -= weightOf(one)) < 0) ?? deeds.at(-1);
    if (!chosen) throw new Error('nothing to do');
    return chosen[1];
  }

  /** Adds a line to the history. */
  note(line: string): void {
    const whole = `${new Date(this.now()).toISOString().slice(5, 23)} ${line}`;
    this.#digest.update(`${whole}\n`);
    this.#lines.push(whole);
  }

  get lines(): readonly string[] {
    return this.#lines;
  }

  /** A hash of the whole history. */
  digest(): string {
    return this.#digest.copy().digest('hex');
  }

  #push(step: Step): void {
    const heap = this.#heap;
    let at = heap.length;
    heap.push(step);
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!isBefore(step, heap[above]!)) break;
      heap[at] = heap[above]!;
      at = above;
    }
    heap[at] = step;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (!last || heap.length === 0) return;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && isBefore(heap[below + 1]!, heap[below]!)) below++;
      if (!isBefore(heap[below]!, last)) break;
      heap[at] = heap[below]!;
      at = below;
    }
    heap[at] = last;
  }
}

const isBefore = (one: Step, other: Step): boolean =>
  one.at < other.at || (one.at === other.at && one.order < other.order);

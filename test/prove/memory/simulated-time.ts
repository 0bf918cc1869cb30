/** The time of a simulation, in milliseconds. */
export interface Time {
  now: () => number;
  sleep: (ms: number) => Promise<void>;
}

interface Waiting {
  at: number;
  /** Breaks ties: the earlier request wakes first. */
  turn: number;
  wake: () => void;
}

/** Simulated time that advances only when no code can run; waits end in order, deterministically. */
export class SimulatedTime implements Time {
  /** A heap: each element is before its two children. */
  readonly #waiting: Waiting[] = [];
  #now: number;
  #turns = 0;

  /** Starts at `now`, e.g. epoch milliseconds. */
  constructor(now = 0) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  sleep(ms: number): Promise<void> {
    return new Promise((wake) => this.#push({ at: this.#now + ms, turn: this.#turns++, wake }));
  }

  /** Runs until no wait is left, or up to a moment. */
  async toEnd(until = Infinity): Promise<void> {
    await endOfTurn();
    for (let next = this.#waiting[0]; next && next.at <= until; next = this.#waiting[0]) {
      this.#pop();
      this.#now = next.at;
      next.wake();
      await endOfTurn();
    }
    if (until !== Infinity) this.#now = Math.max(this.#now, until);
  }

  #push(waiting: Waiting): void {
    const heap = this.#waiting;
    let at = heap.push(waiting) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (isBefore(heap[parent]!, waiting)) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = waiting;
  }

  #pop(): void {
    const heap = this.#waiting;
    const last = heap.pop();
    if (!last || heap.length === 0) return;
    let at = 0;
    for (let child = 1; child < heap.length; child = 2 * at + 1) {
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++;
      if (isBefore(last, heap[child]!)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last;
  }
}

const isBefore = (one: Waiting, other: Waiting): boolean =>
  one.at === other.at ? one.turn < other.turn : one.at < other.at;

const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Time that passes only where the caller advances it; nothing can wait for it. */
export class SteppedTime implements Time {
  #now: number;

  constructor(now = 0) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  advance(ms: number): void {
    this.#now += ms;
  }

  sleep(): Promise<void> {
    return Promise.resolve();
  }
}

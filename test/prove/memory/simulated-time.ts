/** Simulated time that advances only when no code can run; waits end in order, deterministically. */
export class SimulatedTime {
  readonly #waiting: { at: number; wake: () => void }[] = [];
  #now = 0;

  /** Returns milliseconds since the start. */
  now(): number {
    return this.#now;
  }

  sleep(ms: number): Promise<void> {
    const at = this.#now + ms;
    return new Promise((wake) => {
      const after = this.#waiting.findLastIndex((other) => other.at <= at);
      this.#waiting.splice(after + 1, 0, { at, wake });
    });
  }

  /** Runs until no wait is left. */
  async toEnd(): Promise<void> {
    await endOfTurn();
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      this.#now = next.at;
      next.wake();
      await endOfTurn();
    }
  }
}

const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Time that passes only when everything that can go on has gone on: waits end in their order, at once, and always in the same way. */
export class SimulatedTime {
  readonly #waiting: { at: number; wake: () => void }[] = [];
  #now = 0;

  /** Milliseconds since the beginning. */
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

  /** Runs until nothing waits any more. */
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

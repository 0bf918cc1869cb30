import { type Log, reason } from './log.ts';

type End = () => unknown;

/** What was started, to be ended in the reverse order, each whatever happens to the others. */
export class Ends {
  readonly #ends: { name: string; end: End }[] = [];
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  add(name: string, end: End): void {
    this.#ends.push({ name, end });
  }

  async end(): Promise<void> {
    for (let last = this.#ends.pop(); last; last = this.#ends.pop()) {
      try {
        await last.end();
      } catch (error) {
        this.#log(`${last.name} did not end well: ${reason(error)}`);
      }
    }
  }
}

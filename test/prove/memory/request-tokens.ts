import { isDeepStrictEqual } from 'node:util';
import { inProgressError, mismatchError } from './errors.ts';
import type { Time } from './simulated-time.ts';

interface Known {
  request: object;
  /** When the transaction was committed; undefined while it is in progress. */
  doneAt: number | undefined;
}

const keptMs = 10 * 60_000;

/** The ClientRequestTokens of transactions: each commits once, and is known for ten minutes afterwards. */
export class RequestTokens {
  readonly #time: Time;
  readonly #known = new Map<string, Known>();

  constructor(time: Time) {
    this.#time = time;
  }

  /** Returns whether the request is a repeated one; throws while the first is in progress, or if it was another. */
  isDone(token: string | undefined, request: object): boolean {
    const known = token === undefined ? undefined : this.#known.get(token);
    if (!known || (known.doneAt !== undefined && this.#time.now() - known.doneAt > keptMs)) return false;
    if (!isDeepStrictEqual(known.request, request)) throw mismatchError();
    if (known.doneAt === undefined) throw inProgressError();
    return true;
  }

  /** Runs a transaction under its token, which is free again if it fails. */
  async during<Result>(
    token: string | undefined,
    request: object,
    run: () => Promise<Result>,
  ): Promise<Result> {
    if (token === undefined) return run();
    const known: Known = { request, doneAt: undefined };
    this.#known.set(token, known);
    try {
      const result = await run();
      known.doneAt = this.#time.now();
      return result;
    } catch (error) {
      this.#known.delete(token);
      throw error;
    }
  }
}

import { AsyncLocalStorage } from 'node:async_hooks';
import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ServiceError } from '../errors.ts';
import { ConflictError } from './write.ts';

/** A hundred writers of one item who come at once, each for 25 ms, have all had their turn by then. */
const attempts = 64;
const longestPauseMs = 250;

/** Another transaction holds an item of this one, and may change it: read again, and decide anew. */
export class TransactionConflictError extends ServiceError {
  constructor(cause: unknown) {
    super('SERVICE_UNAVAILABLE', undefined, {}, { retryAfterSeconds: 1, cause });
    this.name = 'TransactionConflictError';
  }
}

const rereading = new AsyncLocalStorage<true>();

/** Whether a verb is at work that reads again after a {@link TransactionConflictError}; otherwise a write has to be repeated as it is. */
export const isRetriedOnConflict = (): boolean => rereading.getStore() ?? false;

/**
 * Runs a read-decide-write verb until no other write came in between: after a lost race or a conflict it runs again, from its
 * reads on, with jitter; in the worst case some eight seconds, then SERVICE_UNAVAILABLE.
 */
export const retryOnConflict = async <Result>(verb: () => Promise<Result>): Promise<Result> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await rereading.run(true, verb);
    } catch (error) {
      if (!(error instanceof ConflictError || error instanceof TransactionConflictError)) throw error;
      if (attempt === attempts)
        throw new ServiceError('SERVICE_UNAVAILABLE', undefined, {}, { retryAfterSeconds: 1, cause: error });
      await pause(randomInt(1, Math.min(longestPauseMs, 4 * 2 ** attempt)));
    }
  }
};

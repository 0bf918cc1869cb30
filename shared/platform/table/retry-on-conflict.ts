import { AsyncLocalStorage } from 'node:async_hooks';
import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ServiceError } from '../errors.ts';
import { ConflictError } from './write.ts';

/** Enough for a hundred concurrent writers of one item at 25 ms each. */
const attempts = 64;
const longestPauseMs = 250;

/** Another transaction holds an item of this one and may change it: read again and decide again. */
export class TransactionConflictError extends ServiceError {
  constructor(cause: unknown) {
    super('SERVICE_UNAVAILABLE', undefined, {}, { retryAfterSeconds: 1, cause });
    this.name = 'TransactionConflictError';
  }
}

const rereading = new AsyncLocalStorage<true>();

/**
 * Returns whether the current verb reads again after a {@link TransactionConflictError}; otherwise the write itself is
 * repeated.
 */
export const isRetriedOnConflict = (): boolean => rereading.getStore() ?? false;

/**
 * Runs a read-decide-write verb until its conditions hold. After a conflict it runs again from its reads, with jitter, for
 * about eight seconds at most; then throws SERVICE_UNAVAILABLE.
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

import { AsyncLocalStorage } from 'node:async_hooks';
import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ServiceError } from '../errors.ts';
import { ConflictError } from './write.ts';

/** Enough for a hundred concurrent writers of one item at 25 ms each. */
const attempts = 64;
const longestPauseMs = 250;
/** A partition takes 1,000 write units a second: with a hundred writers of one family each has to wait for seconds. */
const longestThrottledPauseMs = 4000;
/** With one pause more, 18 seconds: an API function has 28. */
const longestWaitMs = 14_000;

/** Another transaction holds an item of this one and may change it, or its partition is throttled: read and decide again. */
export class TransactionConflictError extends ServiceError {
  readonly isThrottled: boolean;

  constructor(cause: unknown, isThrottled = false) {
    super('SERVICE_UNAVAILABLE', undefined, {}, { retryAfterSeconds: 1, cause });
    this.name = 'TransactionConflictError';
    this.isThrottled = isThrottled;
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
 * about eight seconds at most, and with throttling for 18 seconds at most; then throws SERVICE_UNAVAILABLE.
 */
export const retryOnConflict = async <Result>(verb: () => Promise<Result>): Promise<Result> => {
  let throttlings = 0;
  let waitedMs = 0;
  for (let attempt = 1; ; attempt++) {
    try {
      return await rereading.run(true, verb);
    } catch (error) {
      if (!(error instanceof ConflictError || error instanceof TransactionConflictError)) throw error;
      if (attempt === attempts || waitedMs > longestWaitMs)
        throw new ServiceError('SERVICE_UNAVAILABLE', undefined, {}, { retryAfterSeconds: 1, cause: error });
      if (error instanceof TransactionConflictError && error.isThrottled) throttlings++;
      const pauseMs = randomInt(1, longestPause(attempt, throttlings));
      waitedMs += pauseMs;
      if (error instanceof ConflictError) await error.prepare?.();
      await pause(pauseMs);
    }
  }
};

const longestPause = (attempt: number, throttlings: number): number =>
  throttlings > 0
    ? Math.min(longestThrottledPauseMs, 250 * 2 ** throttlings)
    : Math.min(longestPauseMs, 4 * 2 ** attempt);

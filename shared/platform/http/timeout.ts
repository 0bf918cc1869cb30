import type { Context as LambdaContext } from 'aws-lambda';
import { ServiceError } from '../errors.ts';
import type { TimeLimit } from '../table/index.ts';

/** What is kept of a function's time for its answer. */
const answerMs = 1000;

/**
 * For middy: a request that would outlive its function is answered SERVICE_UNAVAILABLE before, and whatever of its verb is
 * still at work does nothing more to the table.
 */
export const timeoutOptions = {
  timeoutEarlyInMillis: answerMs,
  timeoutEarlyResponse: (): never => {
    throw new ServiceError('SERVICE_UNAVAILABLE', undefined, {}, { retryAfterSeconds: 1 });
  },
};

/** The time of one invocation, as its table keeps to it; without end where there is no Lambda. */
export const timeLimitOf = (lambda: Partial<LambdaContext>, signal: AbortSignal): TimeLimit => ({
  signal,
  leftMs: () => (lambda.getRemainingTimeInMillis?.() ?? Infinity) - answerMs,
});

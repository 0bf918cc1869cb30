import type { Context as LambdaContext } from 'aws-lambda';
import { ServiceError } from '../errors.ts';
import type { TimeLimit } from '../table/index.ts';

/** The time that is reserved for the response. */
const answerMs = 1000;

/**
 * Middy options: a request that would exceed the function's timeout is answered SERVICE_UNAVAILABLE before, and its verb can
 * no longer use the table.
 */
export const timeoutOptions = {
  timeoutEarlyInMillis: answerMs,
  timeoutEarlyResponse: (): never => {
    throw new ServiceError('SERVICE_UNAVAILABLE', undefined, {}, { retryAfterSeconds: 1 });
  },
};

/** Returns the time limit of one invocation for its table; unlimited outside Lambda. */
export const timeLimitOf = (lambda: Partial<LambdaContext>, signal: AbortSignal): TimeLimit => ({
  signal,
  leftMs: () => (lambda.getRemainingTimeInMillis?.() ?? Infinity) - answerMs,
});

import { randomInt } from 'node:crypto';
import { DynamoDBError } from './errors.ts';

/** The standard retry rules of the SDKs, with the delays that they use for DynamoDB. */
type Retryable = 'throttling' | 'transient';

const delays: Record<Retryable, { firstMs: number; cost: number }> = {
  throttling: { firstMs: 1000, cost: 5 },
  transient: { firstMs: 25, cost: 14 },
};
const longestMs = 20_000;
/** What a wish of the service may add to a delay. */
const longestWishMs = 5000;

const throttlingNames = new Set([
  'LimitExceededException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'Throttling',
  'ThrottlingException',
  'TooManyRequestsException',
  'TransactionInProgressException',
]);
const transientNames = new Set(['TimeoutError', 'RequestTimeout', 'RequestTimeoutException']);
const transientStatuses = new Set([500, 502, 503, 504]);
const transientCodes = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** Returns why a request may be sent again, if it may. */
export const retryableOf = (error: unknown): Retryable | undefined => {
  if (!(error instanceof Error) || error.name === 'AbortError') return undefined;
  const status = error instanceof DynamoDBError ? error.$metadata.httpStatusCode : 0;
  if (status === 429 || throttlingNames.has(error.name)) return 'throttling';
  const isClockCorrected = error instanceof DynamoDBError && error.isClockCorrected;
  if (isClockCorrected || transientNames.has(error.name) || transientStatuses.has(status)) return 'transient';
  return transientCodes.has(String((error as { code?: unknown }).code)) ? 'transient' : undefined;
};

/** Returns the pause before a further attempt: doubled with each, with full jitter, longer where the service asks for it. */
export const retryDelayMs = (kind: Retryable, attempt: number, error: unknown): number => {
  const delay = randomInt(0, Math.min(delays[kind].firstMs * 2 ** (attempt - 1), longestMs));
  const wish = error instanceof DynamoDBError ? (error.retryAfterMs ?? 0) : 0;
  return Math.max(delay, Math.min(wish, delay + longestWishMs));
};

const fullQuota = 500;

/**
 * What a client may spend on retries: each one costs, a success returns what its last retry cost, or one. So a service that
 * fails altogether is not flooded.
 */
export class RetryQuota {
  #left = fullQuota;

  /** Returns the cost of a retry, or undefined where it is not affordable. */
  take(kind: Retryable): number | undefined {
    const { cost } = delays[kind];
    if (this.#left < cost) return undefined;
    this.#left -= cost;
    return cost;
  }

  give(cost = 1): void {
    this.#left = Math.min(fullQuota, this.#left + cost);
  }
}

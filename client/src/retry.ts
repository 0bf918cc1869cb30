import { NightlatchConnectionError, NightlatchError } from './errors.ts';
import type { Operation } from './operation.ts';

const firstDelayMs = 500;
const maxDelayMs = 8_000;
/** The window of the rate limit. A longer `Retry-After` is left to the caller. */
const maxRetryAfterSeconds = 60;

/** Whether the service could not be reached or was busy. */
export const isPassing = (error: unknown): error is NightlatchConnectionError | NightlatchError =>
  error instanceof NightlatchConnectionError ||
  (error instanceof NightlatchError && (error.status === 429 || error.status >= 500));

/**
 * Returns how long to wait before the next attempt; undefined if there must be none. 429 was refused before anything was
 * done. After 502, 503, 504 and a lost answer the request may have been done, so only those are repeated whose
 * repetition changes nothing.
 */
export const retryDelayMs = (error: unknown, operation: Operation, attempt: number): number | undefined => {
  if (!isPassing(error) || !mayRepeat(error, operation)) return undefined;
  const retryAfter = error instanceof NightlatchError ? error.retryAfterSeconds : undefined;
  if (retryAfter === undefined) return backoffMs(attempt, { firstMs: firstDelayMs, maxMs: maxDelayMs });
  return retryAfter > maxRetryAfterSeconds ? undefined : retryAfter * 1000 + random() * firstDelayMs;
};

const mayRepeat = (
  error: NightlatchConnectionError | NightlatchError,
  { method, takesKey }: Operation,
): boolean => {
  const status = error instanceof NightlatchError ? error.status : undefined;
  if (status === 429) return true;
  const isLost = status === undefined || (status >= 502 && status <= 504);
  return isLost && (takesKey || ['GET', 'PUT', 'DELETE'].includes(method));
};

/** Returns a random delay between half and the whole of a limit that doubles with each attempt. */
export const backoffMs = (
  attempt: number,
  { firstMs, maxMs }: { firstMs: number; maxMs: number },
): number => {
  const limit = Math.min(maxMs, firstMs * 2 ** (attempt - 1));
  return (limit * (1 + random())) / 2;
};

/** A number from 0 to 1. */
const random = (): number => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32;

/** Resolves after a delay; rejects with the reason of the signal. */
export const wait = (delayMs: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, delayMs);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end, { once: true });
  });

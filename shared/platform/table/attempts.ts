import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { readItem, type TransactionCanceled } from '../dynamodb/index.ts';
import { ServiceError } from '../errors.ts';
import { recordMetric } from '../metrics/index.ts';
import type { RecordCheck } from './record.ts';
import { isRetriedOnConflict, TransactionConflictError } from './retry-on-conflict.ts';
import { ConflictError, type Write } from './write.ts';

export const attempts = 6;
/** Attempts of a write before a verb re-reads what it decided on: its conditions still hold, or fail by themselves. */
const attemptsBeforeReread = 3;

/**
 * Returns the error of the first failed condition of a transaction, if any. An action before it that met another transaction, or
 * throttling, was not decided: only a {@link ConflictError}, after which the verb decides again, does not wait for it.
 */
export const conditionError = (
  error: TransactionCanceled,
  writes: readonly Write[],
  check: RecordCheck,
): Error | undefined => {
  let isDecided = true;
  for (const [position, { Code, Item }] of (error.CancellationReasons ?? []).entries()) {
    const write = writes[position];
    if (Code === 'ValidationError') return error;
    if (Code === 'ConditionalCheckFailed' && write) {
      const refused = write.onConflict(Item && readItem(Item), check);
      return isDecided || refused instanceof ConflictError ? refused : undefined;
    }
    if (Code !== 'None') isDecided = false;
  }
  return undefined;
};

const conflictCodes: readonly unknown[] = ['None', 'ConditionalCheckFailed', 'TransactionConflict'];

export const isConflict = ({ CancellationReasons: reasons = [] }: TransactionCanceled): boolean =>
  reasons.every(({ Code }) => conflictCodes.includes(Code));

export const afterConflict = async (attempt: number, cause: unknown): Promise<void> => {
  if (attempt === (isRetriedOnConflict() ? attemptsBeforeReread : attempts))
    throw new TransactionConflictError(cause);
  await backOff(attempt);
};

export const afterThrottling = async (attempt: number, cause: unknown): Promise<void> => {
  recordMetric('table_refusals', 1);
  if (isRetriedOnConflict()) throw new TransactionConflictError(cause, true);
  if (attempt === attempts) throw busy(cause);
  await backOff(attempt);
};

export const busy = (cause?: unknown): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', undefined, {}, { retryAfterSeconds: 1, cause });

/** Returns the error of a batch whose keys remain unprocessed, as those of a throttled partition do. */
export const refusedKeys = (): ServiceError => {
  recordMetric('table_refusals', 1);
  return busy();
};

/** Waits 10 ms, doubled with every attempt, with full jitter. */
export const backOff = (attempt: number): Promise<void> => pause(randomInt(1, 10 * 2 ** attempt));

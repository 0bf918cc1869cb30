import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { readItem, type TransactionCanceled } from '../dynamodb/index.ts';
import { ServiceError } from '../errors.ts';
import type { RecordCheck } from './record.ts';
import { isRetriedOnConflict, TransactionConflictError } from './retry-on-conflict.ts';
import type { Write } from './write.ts';

export const attempts = 6;
/** Attempts of a write before a verb re-reads what it decided on. */
const attemptsBeforeReread = 2;

/** Returns the error of the first failed condition of a transaction, if any. */
export const conditionError = (
  error: TransactionCanceled,
  writes: readonly Write[],
  check: RecordCheck,
): Error | undefined => {
  const reasons = error.CancellationReasons ?? [];
  for (const [position, reason] of reasons.entries()) {
    const write = writes[position];
    if (reason.Code === 'ConditionalCheckFailed' && write)
      return write.onConflict(reason.Item && readItem(reason.Item), check);
    if (reason.Code === 'ValidationError') return error;
  }
  return undefined;
};

export const isConflict = ({ CancellationReasons: reasons = [] }: TransactionCanceled): boolean =>
  reasons.every(({ Code }) => Code === 'None' || Code === 'TransactionConflict');

export const afterConflict = async (attempt: number, cause: unknown): Promise<void> => {
  if (attempt === (isRetriedOnConflict() ? attemptsBeforeReread : attempts))
    throw new TransactionConflictError(cause);
  await backOff(attempt);
};

export const afterThrottling = async (attempt: number, cause: unknown): Promise<void> => {
  if (isRetriedOnConflict()) throw new TransactionConflictError(cause, true);
  if (attempt === attempts) throw busy(cause);
  await backOff(attempt);
};

export const busy = (cause?: unknown): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', undefined, {}, { retryAfterSeconds: 1, cause });

/** Waits 10 ms, doubled with every attempt, with full jitter. */
export const backOff = (attempt: number): Promise<void> => pause(randomInt(1, 10 * 2 ** attempt));

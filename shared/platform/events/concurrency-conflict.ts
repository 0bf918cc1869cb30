import { ServiceError } from '../errors.ts';
import { ConflictError, TransactionConflictError } from '../table/index.ts';
import { AlreadyInProgress } from './run-once.ts';

/** Whether work has failed only because of a concurrent run. It is tried again. */
export const isConcurrencyConflict = (error: unknown): boolean => {
  if (error instanceof AlreadyInProgress || error instanceof ConflictError) return true;
  if (error instanceof AggregateError)
    return error.errors.length > 0 && error.errors.every((one: unknown) => isConcurrencyConflict(one));
  if (error instanceof TransactionConflictError) return !error.isThrottled;
  return (
    error instanceof ServiceError &&
    error.code === 'SERVICE_UNAVAILABLE' &&
    isConcurrencyConflict(error.cause)
  );
};

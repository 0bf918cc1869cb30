import { ServiceError } from '../errors.ts';
import { ConflictError, TransactionConflictError } from '../table/index.ts';
import { AlreadyInProgress } from './handle-once.ts';

/** Whether an error says only that another run was faster: the work is tried again, and nothing has failed. */
export const isLostRace = (error: unknown): boolean => {
  if (error instanceof AlreadyInProgress || error instanceof ConflictError) return true;
  if (error instanceof TransactionConflictError) return !error.isThrottled;
  return error instanceof ServiceError && error.code === 'SERVICE_UNAVAILABLE' && isLostRace(error.cause);
};

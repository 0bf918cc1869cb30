import { ServiceError } from '../../platform/errors.ts';
import { ConflictError } from '../../platform/table/index.ts';

/** Commits a booking. LISTING_NOT_AVAILABLE becomes a conflict, so that the order is read again. */
export const conflictWhenTaken = async <Answer>(commit: () => Promise<Answer>): Promise<Answer> => {
  try {
    return await commit();
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'LISTING_NOT_AVAILABLE')
      throw new ConflictError('CalendarMonth');
    throw error;
  }
};

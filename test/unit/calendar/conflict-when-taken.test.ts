import { expect, test } from 'vitest';
import { conflictWhenTaken } from '../../../shared/domain/calendar/conflict-when-taken.ts';
import { ServiceError } from '../../../shared/platform/errors.ts';
import { ConflictError } from '../../../shared/platform/table/index.ts';

test('time that is taken when a charge is booked is a conflict, after which the order is read again', async () => {
  const taken = new ServiceError('LISTING_NOT_AVAILABLE');
  await expect(conflictWhenTaken(() => Promise.reject(taken))).rejects.toBeInstanceOf(ConflictError);
});

test.each([new ServiceError('VALIDATION_ERROR'), new Error('the process died')])(
  'another error of that booking stays what it is: %s',
  async (error) => {
    await expect(conflictWhenTaken(() => Promise.reject(error))).rejects.toBe(error);
  },
);

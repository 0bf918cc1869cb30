import { invalid } from '../../platform/errors.ts';
import { maxWrites, type Write } from '../../platform/table/index.ts';

/**
 * Refuses, before anything is written, what is done to an order of so many stays and months that one transaction does not hold
 * it beside the request's idempotency record. Each of its stays by itself always fits.
 */
export const requireOneTransaction = (writes: readonly Write[], verb: string): readonly Write[] => {
  if (writes.length < maxWrites) return writes;
  throw invalid({
    path: 'booking_id',
    message: `names too large an order to ${verb} at once; ${verb} its stays one by one`,
  });
};

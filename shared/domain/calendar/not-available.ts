import { ServiceError } from '../../platform/errors.ts';
import type { TakenTime } from './calendar-draft.ts';

/** LISTING_NOT_AVAILABLE, with what is taken (D44), and for each listing when it is free again, as far as that is known. */
export const notAvailable = (taken: readonly TakenTime[]): ServiceError =>
  new ServiceError('LISTING_NOT_AVAILABLE', undefined, {
    unavailable: taken.map(({ listing_id, start_at, end_at }) => ({ listing_id, start_at, end_at })),
    free_again: [...Map.groupBy(taken, ({ listing_id }) => listing_id)].map(([listing_id, stretches]) => ({
      listing_id,
      at: stretches.at(-1)?.free_again_at ?? null,
    })),
  });

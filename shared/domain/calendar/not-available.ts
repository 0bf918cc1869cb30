import { ServiceError } from '../../platform/errors.ts';
import type { TakenTime } from './calendar-draft.ts';

/** LISTING_NOT_AVAILABLE, with what is taken (D44). */
export const notAvailable = (unavailable: readonly TakenTime[]): ServiceError =>
  new ServiceError('LISTING_NOT_AVAILABLE', undefined, { unavailable });

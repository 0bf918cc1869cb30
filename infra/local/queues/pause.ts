import { leaseMs } from '../../../shared/platform/events/handle-once.ts';

/** A little more than a claim holds whose worker has died. */
export const afterClaimSeconds = leaseMs / 1000 + 5;

const soonSeconds = [1, 3, 15];

/**
 * How long a message waits after a failed delivery, in seconds. On AWS it is the time that the queue hides it, minutes; on a
 * laptop it comes again soon, but for the last time only when no claim of a dead worker can be in its way any more (D66).
 */
export const pauseSeconds = (failures: number, maxReceives: number): number => {
  const left = maxReceives - failures;
  if (left <= 0) return 0;
  return left === 1 ? afterClaimSeconds : (soonSeconds[failures - 1] ?? soonSeconds.at(-1) ?? 0);
};

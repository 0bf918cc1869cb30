import { leaseMs } from '../../../shared/platform/events/run-once.ts';

/** Slightly longer than the claim of a worker that has died. */
export const afterLeaseSeconds = leaseMs / 1000 + 5;

const soonSeconds = [1, 3, 15];

/**
 * Returns the delay after a failed delivery, in seconds. On AWS it is the visibility timeout, minutes; locally it is short,
 * except before the last delivery, which waits until the claim of a dead worker has expired (D66).
 */
export const pauseSeconds = (failures: number, maxReceives: number): number => {
  const left = maxReceives - failures;
  if (left <= 0) return 0;
  return left === 1 ? afterLeaseSeconds : (soonSeconds[failures - 1] ?? soonSeconds.at(-1) ?? 0);
};

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** The delays between failed attempts (D62). */
const retryDelaysMs: readonly number[] = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** Returns the delay after the given number of failed attempts; undefined after the last. */
export const retryDelayMs = (tries: number): number | undefined => retryDelaysMs[tries - 1];

/** Shorter delays use the queue; the schedule of due retries runs every minute. */
export const minScheduledDelayMs = minute;

/**
 * When the schedule enqueues a first attempt again: after its message has been received five times in vain, hidden for
 * three minutes each.
 */
export const firstEnqueueMs = 15 * minute;

/** Returns the delay until the schedule enqueues a delivery again, while no attempt follows. */
export const enqueueDelayMs = (looks: number): number => Math.min(5 * minute * 2 ** looks, 6 * hour);

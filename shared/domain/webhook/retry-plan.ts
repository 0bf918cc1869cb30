const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** How long after each failed attempt the next one follows (D62). */
export const retryDelaysMs: readonly number[] = [
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

/** The delay after the given number of failed attempts; undefined: that was the last. */
export const retryDelayMs = (tries: number): number | undefined => retryDelaysMs[tries - 1];

/** Shorter delays are kept by the queue; the look for due retries comes once a minute. */
export const shortestLookMs = minute;

/** A first attempt is looked for when its message has been received five times in vain, each time hidden for three minutes. */
export const firstLookMs = 15 * minute;

/** How long after a look the next one follows, while none has led to an attempt. */
export const lookDelayMs = (looks: number): number => Math.min(5 * minute * 2 ** looks, 6 * hour);

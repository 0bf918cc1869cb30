const minuteMs = 60_000;
const firstMs = 5 * minuteMs;
const longestMs = 60 * minuteMs;

/** How long due work that failed is left alone: 5 minutes, then twice as long each time, an hour at most. */
export const retryDelayMs = (attempts: number): number => Math.min(firstMs * 2 ** (attempts - 1), longestMs);

/** Failures in a row from which on a person should look: 35 minutes after the first. */
export const stuckAttempts = 4;

import { hourMs, minuteMs } from '../time/time.ts';

const firstMs = 5 * minuteMs;
const longestMs = hourMs;

/** Returns the delay after a failure: 5 minutes, doubled each time, at most an hour. */
export const retryDelayMs = (attempts: number): number => Math.min(firstMs * 2 ** (attempts - 1), longestMs);

/** Consecutive failures that raise the alarm: 35 minutes after the first. */
export const stuckAttempts = 4;

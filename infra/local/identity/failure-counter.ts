import type { Clock } from '../../../shared/platform/time/clock.ts';
import { minuteMs } from '../../../shared/platform/time/time.ts';

const maxFailures = 10;
const windowMs = 15 * minuteMs;

/** Returns a counter of wrong passwords or codes, in memory; a restart resets it. */
export const createFailureCounter = (clock: Clock) => {
  const counts = new Map<string, { failures: number; since: number }>();
  const current = (key: string) => {
    const count = counts.get(key);
    const age = count ? clock.now() - count.since : Infinity;
    return age >= 0 && age < windowMs ? count : undefined;
  };
  return {
    secondsBlocked: (key: string): number => {
      const count = current(key);
      if (!count || count.failures < maxFailures) return 0;
      return Math.ceil((count.since + windowMs - clock.now()) / 1000);
    },
    add: (key: string) => {
      if (counts.size > 10_000) counts.clear();
      const failures = (current(key)?.failures ?? 0) + 1;
      counts.set(key, { failures, since: current(key)?.since ?? clock.now() });
    },
    clear: (key: string) => void counts.delete(key),
  };
};

import type { Clock } from '../time/clock.ts';

export interface Breaker {
  /** Returns whether a call may be made now; an open breaker allows one trial every ten seconds. */
  mayCall(): boolean;
  succeeded(): void;
  failed(): void;
}

/** Returns a circuit breaker, so that callers of a provider that is down fail at once. */
export const createBreaker = (clock: Clock, { threshold = 5, openMs = 10_000 } = {}): Breaker => {
  let failures = 0;
  let openedAt: number | undefined;
  let trying = false;
  return {
    mayCall: () => {
      if (openedAt === undefined) return true;
      const openFor = clock.now() - openedAt;
      // A clock that was set back, as tests do, must not keep the breaker open.
      if (trying || (openFor >= 0 && openFor < openMs)) return false;
      return (trying = true);
    },
    succeeded: () => {
      failures = 0;
      openedAt = undefined;
      trying = false;
    },
    failed: () => {
      failures += 1;
      trying = false;
      if (failures >= threshold) openedAt = clock.now();
    },
  };
};

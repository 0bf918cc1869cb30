import { setTimeout as pause } from 'node:timers/promises';

interface Timer {
  now: () => number;
  pause: (ms: number) => Promise<unknown>;
}

const realTime: Timer = { now: () => performance.now(), pause };

/** Returns a function that resolves at most so many times a second, evenly. */
export const paced = (perSecond: number, { now, pause }: Timer = realTime): (() => Promise<void>) => {
  let next = now();
  return async () => {
    const wait = next - now();
    next = Math.max(next, now()) + 1000 / perSecond;
    if (wait > 0) await pause(wait);
  };
};

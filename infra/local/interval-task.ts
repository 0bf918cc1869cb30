import { type Log, reason } from './log.ts';

export interface IntervalTask {
  /** Runs the task now, before its interval. */
  now(): Promise<void>;
  /** Stops the timer and waits for a running task. */
  stop(): Promise<void>;
}

/** Runs a task at an interval; a failed run is logged, and the next one follows. */
export const startInterval = (
  seconds: number,
  what: string,
  work: () => Promise<unknown>,
  log: Log,
): IntervalTask => {
  let running: Promise<void> | undefined;
  const run = (): Promise<void> =>
    (running ??= work()
      .then(() => undefined)
      .catch((error: unknown) => log(`${what} failed: ${reason(error)}`))
      .finally(() => (running = undefined)));
  const timer = setInterval(() => void run(), seconds * 1000);
  timer.unref();
  return {
    now: run,
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
};

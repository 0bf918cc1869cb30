import { type Log, reason } from './log.ts';

export interface Repeated {
  /** Runs it now, also when it is not due yet. */
  now(): Promise<void>;
  /** Waits for the run in hand. */
  stop(): Promise<void>;
}

/** Runs a piece of work again and again; a run that fails is told, the next one comes all the same. */
export const every = (seconds: number, what: string, work: () => Promise<unknown>, log: Log): Repeated => {
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

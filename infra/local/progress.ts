import type { Log } from './log.ts';

const everyMs = 5000;

/**
 * Runs long work and logs how far it has come: after `firstMs`, then every 5 seconds; the line gets the seconds since the
 * start. Work that leaves timers no turn calls `tick` itself.
 */
export const withProgress = async <Result>(
  { log, line, firstMs = everyMs }: { log: Log; line: (seconds: number) => string; firstMs?: number },
  work: (tick: () => void) => Promise<Result>,
): Promise<Result> => {
  const start = performance.now();
  let next = start + firstMs;
  const tick = (): void => {
    const now = performance.now();
    if (now < next) return;
    next = now + everyMs;
    log(line(Math.round((now - start) / 1000)));
  };
  const timer = setInterval(tick, 500);
  try {
    return await work(tick);
  } finally {
    clearInterval(timer);
  }
};

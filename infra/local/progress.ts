import type { Log } from './log.ts';

const everyMs = 5000;

/**
 * Runs a long task and logs its progress after `firstMs`, then every 5 seconds, with the elapsed time. A task that blocks
 * timers calls `tick` itself.
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

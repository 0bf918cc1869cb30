import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves once the condition holds; rejects with what it waited for. */
export const waitUntil = async (
  what: string,
  holds: () => boolean | Promise<boolean>,
  withinMs = 10_000,
): Promise<void> => {
  const startedAt = performance.now();
  while (!(await holds())) {
    if (performance.now() - startedAt > withinMs)
      throw new Error(`waited ${withinMs} ms in vain until ${what}`);
    await sleep(5);
  }
};

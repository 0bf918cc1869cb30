import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../../shared/platform/time/clock.ts';
import { type Entry, Journal } from './journal.ts';
import { type Plan, planVariable } from './plan.ts';

/** A mutant on which a worker is silent for longer than the test's time limit and this hangs; the worker is killed. */
const silentMs = 60_000;
const pollMs = 1000;

const root = fileURLToPath(new URL('../../../', import.meta.url));
const vitest = fileURLToPath(new URL('../../../node_modules/vitest/vitest.mjs', import.meta.url));

type Tried = Extract<Entry, { what: 'tried' }>;

/** Runs the files of a plan; `onEntries` sees what the workers write. Returns what the tests printed. */
export const runTests = async (
  plan: Plan,
  planFile: string,
  files: readonly string[],
  onEntries: (entries: Entry[]) => void,
): Promise<string> => {
  writeFileSync(planFile, JSON.stringify(plan));
  const journal = new Journal(plan.journal);
  const tried = new Map<number, Tried>();
  const args = ['run', '--root', root, '--config', 'test/prove/mutants/vitest.config.ts', '--reporter=dot'];
  const child = spawn(process.execPath, [vitest, ...args, ...files], {
    cwd: root,
    env: { ...process.env, [planVariable]: planFile },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => (printed = (printed + bytes.toString()).slice(-20_000)));
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));

  const take = (): void => {
    const entries = journal.added();
    for (const entry of entries)
      if (entry.what === 'tried') tried.set(entry.pid, entry);
      else if (entry.what !== 'reached') tried.delete(entry.pid);
    onEntries(entries);
    for (const [pid, { at, limitMs, site, file, name }] of tried)
      if (systemClock.now() - at > limitMs + silentMs) {
        tried.delete(pid);
        killWorker(pid);
        journal.add({ what: 'killed', pid, at: systemClock.now(), site, file, name });
      }
  };
  while (await Promise.race([ended.then(() => false), wait(pollMs, true)])) take();
  take();
  take();
  return printed;
};

const killWorker = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
};

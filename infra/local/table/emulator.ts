import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Log, reason } from '../log.ts';
import { listenOnLoopback } from '../loopback.ts';
import { findEmulator } from './find-emulator.ts';
import type { DataFolder } from './data-folder.ts';

interface Emulator {
  endpoint: string;
  /** Returns the id of the current process; it changes after a crash. */
  pid: () => number | undefined;
  stop(): Promise<void>;
}

const startUpMs = 10_000;
const longestPauseMs = 2000;

export const freePort = async (): Promise<number> => {
  const { port, stop } = await listenOnLoopback(createServer(), 0);
  await stop();
  return port;
};

const answers = (endpoint: string): Promise<boolean> =>
  fetch(endpoint, { signal: AbortSignal.timeout(1000) }).then(
    () => true,
    () => false,
  );

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

const untilReady = async (child: ChildProcess, endpoint: string): Promise<void> => {
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-2000)));
  const startedAt = performance.now();
  while (performance.now() - startedAt < startUpMs) {
    if (hasEnded(child)) break;
    if ((await answers(endpoint)) && !hasEnded(child)) return;
    await sleep(5);
  }
  child.kill('SIGKILL');
  throw new Error(`The DynamoDB emulator did not come up: ${said.trim() || `no word from ${endpoint}`}`);
};

/**
 * Starts the watchdog in its own process group, so that Ctrl-C reaches only the service, which then stops the emulator in
 * order.
 */
const startWatchdog = (temporary: string | undefined): ChildProcess => {
  const script = join(import.meta.dirname, 'watchdog.ts');
  const watchdog = spawn(process.execPath, [script, ...(temporary === undefined ? [] : [temporary])], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    windowsHide: true,
  });
  watchdog.on('error', () => undefined);
  watchdog.stdin.on('error', () => undefined);
  watchdog.unref();
  return watchdog;
};

const endOf = async (child: ChildProcess): Promise<void> => {
  if (hasEnded(child)) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const impatience = setTimeout(() => child.kill('SIGKILL'), 1000);
  await ended;
  clearTimeout(impatience);
};

/** Runs the emulator on one port while the service runs, and restarts it after a crash. */
export const runEmulator = async (folder: DataFolder, log: Log): Promise<Emulator> => {
  const binary = findEmulator();
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const watchdog = startWatchdog(folder.temporary);
  let child: ChildProcess | undefined;
  let stopping = false;
  let pauseMs = 0;

  const launch = async (): Promise<void> => {
    const next = spawn(
      binary,
      ['--host', '127.0.0.1', '--port', String(port), '--db-path', folder.tableFile],
      {
        stdio: ['ignore', 'ignore', 'pipe'],
        detached: true,
        windowsHide: true,
      },
    );
    child = next;
    next.on('error', (error) => log(`DynamoDB emulator: ${reason(error)}`));
    next.unref();
    if (next.pid !== undefined) {
      watchdog.stdin?.write(`${next.pid}\n`);
      folder.noteEmulator(next.pid);
    }
    await untilReady(next, endpoint);
    pauseMs = 0;
    next.once('exit', () => void relaunch());
    if (hasEnded(next)) void relaunch();
  };
  const relaunch = async (): Promise<void> => {
    while (!stopping) {
      log('DynamoDB emulator ended unexpectedly: starting it again on the same file');
      await sleep(pauseMs);
      pauseMs = Math.min(pauseMs * 2 + 100, longestPauseMs);
      const ready = await launch().then(
        () => true,
        (error: unknown) => log(reason(error)),
      );
      if (ready === true) return;
    }
  };
  const killNow = (): void => void child?.kill('SIGKILL');
  const stop = async (): Promise<void> => {
    stopping = true;
    process.off('exit', killNow);
    if (child !== undefined) await endOf(child);
    watchdog.stdin?.end('0\n');
  };

  process.on('exit', killNow);
  try {
    await launch();
  } catch (error) {
    await stop();
    throw error;
  }
  return { endpoint, pid: () => child?.pid, stop };
};

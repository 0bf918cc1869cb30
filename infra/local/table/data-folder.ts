import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

export interface DataFolder {
  tableFile: string;
  /** The temporary folder, if data is not kept. */
  temporary?: string;
  noteEmulator(pid: number): void;
  release(): void;
}

const temporaryFolder = (): DataFolder => {
  const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  const temporary = mkdtempSync(join(parent, 'nightlatch-'));
  return {
    tableFile: join(temporary, 'table.db'),
    temporary,
    noteEmulator: () => undefined,
    release: () => rmSync(temporary, { recursive: true, force: true, maxRetries: 5 }),
  };
};

/** Locks the folder; the operating system releases the lock when the process ends, even by kill -9. */
const lockFolder = (dataDir: string): DatabaseSync => {
  const lock = new DatabaseSync(join(dataDir, 'in-use.lock'));
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch {
    lock.close();
    throw new Error(
      `DATA_DIR ${dataDir} is in use by another running Nightlatch: stop it, or choose another folder.`,
    );
  }
};

const isEmulatorOf = (pid: number, tableFile: string): boolean => {
  try {
    process.kill(pid, 0);
    if (process.platform !== 'linux') return true;
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(tableFile);
  } catch {
    return false;
  }
};

/**
 * Waits for an earlier emulator to end: after kill -9 of the service the watchdog ends it within milliseconds, but a restart
 * may be faster.
 */
const waitForEarlierEmulator = async (pidFile: string, tableFile: string): Promise<void> => {
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8'));
  for (let waits = 0; pid > 0 && isEmulatorOf(pid, tableFile) && waits < 100; waits += 1) {
    if (waits === 50 && process.platform === 'linux') process.kill(pid, 'SIGKILL');
    await sleep(20);
  }
};

export const openDataFolder = async (dataDir: string | undefined): Promise<DataFolder> => {
  if (dataDir === undefined) return temporaryFolder();
  mkdirSync(dataDir, { recursive: true });
  const lock = lockFolder(dataDir);
  const tableFile = join(dataDir, 'table.db');
  const pidFile = join(dataDir, 'table.pid');
  await waitForEarlierEmulator(pidFile, tableFile);
  return {
    tableFile,
    noteEmulator: (pid) => writeFileSync(pidFile, `${pid}\n`),
    release: () => {
      rmSync(pidFile, { force: true });
      lock.close();
    },
  };
};

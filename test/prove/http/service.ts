import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ready } from '../../../infra/local/ready.ts';

/** `npm start` as a child process in a process group of its own. */
export interface Service {
  readonly ready: Ready;
  /** The start-up time. */
  readonly startMs: number;
  /** What its functions logged as errors. */
  errors(): readonly string[];
  /** SIGKILL to the whole group and to the table's emulator, at once. */
  kill(): Promise<void>;
  /** Ctrl-C. */
  stop(): Promise<void>;
}

/** The folders of a service, deleted at the end. */
export interface Folders {
  root: string;
  dataDir: string;
  localDir: string;
  remove(): void;
}

const projectRoot = resolve(import.meta.dirname, '../../..');

export const newFolders = (): Folders => {
  const root = mkdtempSync(join(tmpdir(), 'nightlatch-storm-'));
  return {
    root,
    dataDir: join(root, 'data'),
    localDir: join(root, 'local'),
    remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 5 }),
  };
};

interface Starting {
  folders: Folders;
  /** Keeps the contents of `folders.dataDir`. */
  keep?: boolean;
  /** The addresses of an earlier run; free ports otherwise. */
  at?: Pick<Ready, 'api_url' | 'auth_url'>;
}

const startUpMs = 40_000;

export const startService = async ({ folders, keep = false, at }: Starting): Promise<Service> => {
  const startedAt = performance.now();
  const { DATA_DIR: _, AWS_ENDPOINT_URL_DYNAMODB: __, TABLE_NAME: ___, ...env } = process.env;
  const child = spawn(process.execPath, ['bin/start.ts'], {
    cwd: projectRoot,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...env,
      // Storms test the calendar; rate limits have their own tests.
      RATE_LIMIT_KEY: 'off',
      RATE_LIMIT_USER: 'off',
      RATE_LIMIT_ATTEMPTS: 'off',
      UNPAID_STAY_LIMIT: 'off',
      PORT: at ? new URL(at.api_url).port : '0',
      AUTH_PORT: at ? new URL(at.auth_url).port : '0',
      LOCAL_DIR: folders.localDir,
      // Storms book every night themselves.
      DEMO: 'small',
      ...(keep ? { DATA_DIR: folders.dataDir } : {}),
    },
  });
  let said = '';
  for (const output of [child.stdout, child.stderr])
    output.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-4000)));
  const errors = errorLines(child.stdout);
  const readyFile = join(folders.localDir, 'ready.json');
  // A killed service leaves its ready.json: only one written by this child counts.
  const ready = await untilReady(child, readyFile, () => said);
  return {
    ready,
    startMs: performance.now() - startedAt,
    errors: () => errors,
    kill: () => killAll(child, folders),
    stop: () => stop(child),
  };
};

const errorLines = (output: Readable): string[] => {
  const errors: string[] = [];
  createInterface({ input: output }).on('line', (line) => {
    if (line.includes('"level":"ERROR"')) errors.push(line);
  });
  return errors;
};

const untilReady = async (child: ChildProcess, readyFile: string, said: () => string): Promise<Ready> => {
  rmSync(readyFile, { force: true });
  const startedAt = performance.now();
  while (performance.now() - startedAt < startUpMs && child.exitCode === null && child.signalCode === null) {
    if (existsSync(readyFile)) return JSON.parse(readFileSync(readyFile, 'utf8')) as Ready;
    await sleep(20);
  }
  const why = endOf(child);
  if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
  // Its last output may still be in the pipes.
  await Promise.race([once(child, 'close'), sleep(1000)]);
  throw new Error(`The local service ${why}. Its last lines:\n${said()}`);
};

const endOf = ({ exitCode, signalCode }: ChildProcess): string =>
  exitCode === null && signalCode === null
    ? `did not come up within ${startUpMs / 1000} s`
    : `ended with ${signalCode ?? `status ${exitCode}`} instead of coming up`;

const ended = (child: ChildProcess): Promise<unknown> =>
  child.exitCode === null && child.signalCode === null ? once(child, 'exit') : Promise.resolve();

const signalGroup = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(-pid, signal);
  } catch {
    // It has already ended.
  }
};

const killAll = async (child: ChildProcess, { dataDir }: Folders): Promise<void> => {
  const exit = ended(child);
  if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
  const pidFile = join(dataDir, 'table.pid');
  const emulator = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8')) : 0;
  if (emulator > 0) signalGroup(emulator, 'SIGKILL');
  await exit;
};

const stop = async (child: ChildProcess): Promise<void> => {
  const exit = ended(child);
  child.kill('SIGINT');
  const impatience = setTimeout(() => {
    if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
  }, 10_000);
  await exit;
  clearTimeout(impatience);
};

/** Returns processes whose command line or environment names the folders. Linux only. */
export const processesOf = ({ root }: Folders): number[] => {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid && names(pid, root));
};

const names = (pid: number, text: string): boolean => {
  try {
    return ['cmdline', 'environ'].some((file) => readFileSync(`/proc/${pid}/${file}`, 'utf8').includes(text));
  } catch {
    return false;
  }
};

/** Returns incomplete files that a kill may leave in the data folder. */
export const leftovers = ({ dataDir }: Folders): string[] =>
  readdirSync(dataDir).filter((name) => /\.(new|tmp)$/.test(name));

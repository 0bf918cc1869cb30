import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { childrenOf } from '../cpu.ts';

const run = promisify(execFile);

interface Postgres {
  version: string;
  port: number;
  /** The ids of its processes. */
  pids: () => number[];
  stop(): Promise<void>;
}

/** Where Debian and Ubuntu put the programs of each version. */
const debianFolder = '/usr/lib/postgresql';

/** Returns the folder of `initdb` and `postgres`: the newest of the Debian packages, else that in the PATH. */
const findPrograms = (): string | undefined => {
  const versions = existsSync(debianFolder) ? readdirSync(debianFolder) : [];
  const newest = versions
    .map((version) => join(debianFolder, version, 'bin'))
    .filter((folder) => existsSync(join(folder, 'initdb')))
    .sort()
    .at(-1);
  if (newest !== undefined) return newest;
  const inPath = (process.env['PATH'] ?? '').split(':');
  return inPath.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
};

/** PostgreSQL refuses to run as root: the user of its package is taken then. */
const userOfPostgres = (): { uid: number; gid: number } | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
};

/**
 * Settings of a small server of its own. It does not wait for the disk, as the emulator does not: what is acknowledged outlives
 * the process, not the machine.
 */
const settings = {
  listen_addresses: '127.0.0.1',
  shared_buffers: '1GB',
  effective_cache_size: '2GB',
  work_mem: '16MB',
  maintenance_work_mem: '256MB',
  max_wal_size: '4GB',
  fsync: 'off',
  synchronous_commit: 'off',
  random_page_cost: '1.1',
  jit: 'off',
};

/** Starts a PostgreSQL of its own in a folder; returns undefined where there is none. */
export const startPostgres = async (folder: string, port: number): Promise<Postgres | undefined> => {
  const programs = findPrograms();
  if (programs === undefined) return undefined;
  const user = userOfPostgres();
  mkdirSync(folder, { recursive: true });
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const options = { cwd: folder, ...user };
  await run(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'bench', '-A', 'trust', '--locale=C.UTF-8', '-E', 'UTF8'],
    options,
  );
  const all = Object.entries({ ...settings, port: String(port), unix_socket_directories: folder });
  const given = all.flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(join(programs, 'postgres'), ['-D', data, ...given], { ...options, stdio: 'ignore' });
  const isReady = () =>
    run(join(programs, 'pg_isready'), ['-h', '127.0.0.1', '-p', String(port), '-U', 'bench'], options).then(
      () => true,
      () => false,
    );
  for (let waits = 0; !(await isReady()); waits++) {
    if (waits === 300 || server.exitCode !== null) throw new Error('PostgreSQL did not come up');
    await sleep(100);
  }
  const { stdout } = await run(join(programs, 'postgres'), ['--version'], options);
  const pid = server.pid ?? 0;
  return {
    version: /\d+(\.\d+)?/.exec(stdout)?.[0] ?? '',
    port,
    pids: () => [pid, ...childrenOf(pid)],
    stop: async () => {
      const ended = once(server, 'exit');
      server.kill('SIGINT');
      await ended;
    },
  };
};

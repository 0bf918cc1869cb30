import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Ready } from '../../infra/local/ready.ts';

export interface StartedService {
  ready: Ready;
  /** Returns its output so far. */
  output: () => string;
  /** Stops it as Ctrl-C does, or with another signal; returns its exit status. */
  stop: (signal?: NodeJS.Signals) => Promise<number | null>;
}

const startUpMs = 40_000;

/** Functions may ask of AWS what their roles allow, and no more. */
const guard = pathToFileURL(join(import.meta.dirname, 'rights/guard-service.ts')).href;

/** Runs `npm start` in a child process, on free ports; with the small demo, unless `DEMO` says otherwise. */
export const startService = async (
  env: Record<string, string> = {},
  options: readonly string[] = [],
): Promise<StartedService> => {
  const localDir = env['LOCAL_DIR'] ?? mkdtempSync(join(tmpdir(), 'nightlatch-local-'));
  const child = spawn(process.execPath, ['--import', guard, 'bin/start.ts', ...options], {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...withoutAws(), PORT: '0', AUTH_PORT: '0', DEMO: 'small', ...env, LOCAL_DIR: localDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const file = join(localDir, 'ready.json');
  const startedAt = performance.now();
  const removeOwn = () => {
    if (env['LOCAL_DIR'] === undefined) rmSync(localDir, { recursive: true, force: true });
  };
  while (!existsSync(file)) {
    if (child.exitCode !== null || performance.now() - startedAt > startUpMs) {
      child.kill('SIGKILL');
      removeOwn();
      throw new Error(`The service did not start, status ${child.exitCode}: ${output}`);
    }
    await sleep(25);
  }
  return {
    ready: JSON.parse(readFileSync(file, 'utf8')) as Ready,
    output: () => output,
    stop: async (signal = 'SIGINT') => {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit');
        child.kill(signal);
        await ended;
      }
      removeOwn();
      const [missing] = /^RIGHTS: .*$/m.exec(output) ?? [];
      if (missing !== undefined) throw new Error(missing);
      return child.exitCode;
    },
  };
};

/** The child must not use the endpoints of this test run. */
const withoutAws = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('AWS_')));

/** Returns an access token of a person, by the demo application for hosts and guests. */
export const tokenOf = async (
  { ready: { auth_url, client } }: StartedService,
  { email: username, password }: { email: string; password: string },
): Promise<string> => {
  const grant = { grant_type: 'password', username, password, scope: 'openid profile email', ...client };
  const reply = await fetch(`${auth_url}/oauth/token`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(grant),
  });
  return ((await reply.json()) as { access_token: string }).access_token;
};

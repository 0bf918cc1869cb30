// Runs every check that needs no running service: two jobs at a time, the slowest first.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = (name, ...args) => [join(root, 'node_modules', '.bin', name), ...args];
const folders = ['bin', 'board', 'client', 'infra', 'functions', 'shared', 'test'].filter((name) =>
  existsSync(join(root, name)),
);

const jobs = [
  ['unit tests', bin('vitest', 'run', '--project', 'unit')],
  // Types too: `typeCheck` of .oxlintrc.json.
  ['lint', bin('oxlint')],
  ['unused', bin('knip')],
  ['boundaries', bin('depcruise', '--config', '.dependency-cruiser.cjs', ...folders)],
  ['format', bin('oxfmt', '--check')],
  ['lock file', [process.execPath, '.ci/lock-platforms.mjs', '--check']],
];

const run = ([name, [command, ...args]]) =>
  new Promise((resolve) => {
    const startedAt = performance.now();
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, FORCE_COLOR: process.stdout.isTTY ? '1' : '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.on('error', (error) => (output += error.message));
    child.on('close', (code) => {
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name.padEnd(11)} ${seconds.padStart(5)} s`);
      resolve({ name, ok: code === 0, output });
    });
  });

// Types and lint of what uses the client need its types.
const results = [await run(['client', [process.execPath, join(root, 'bin', 'client.ts')]])];
const waiting = [...jobs];
const worker = async () => {
  for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) results.push(await run(job));
};
await Promise.all([worker(), worker()]);

const failed = results.filter(({ ok }) => !ok);
for (const { name, output } of failed) console.log(`\n--- ${name} ---\n${output.trim()}`);
if (failed.length > 0) process.exitCode = 1;

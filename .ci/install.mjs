// Runs before `npm start` and `npm test` under whatever Node there is (20 or newer): installs what the lock file
// says unless it is there already. Silent and instant when there is nothing to do.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

const root = fileURLToPath(new URL('..', import.meta.url));
const lockFile = join(root, 'package-lock.json');
const installed = join(root, 'node_modules', '.package-lock.json');
const stamp = join(root, 'node_modules', '.nightlatch-installed');
const mutex = join(tmpdir(), `nightlatch-install-${hash(root).slice(0, 16)}`);
const staleMs = 30_000;

function hash(text) {
  return createHash('sha256').update(text).digest('hex');
}
const wanted = () => hash(readFileSync(lockFile, 'utf8'));
const isStamped = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted();

/** Returns whether npm's record of installed packages matches the lock file, for installations made by hand. */
function isInstalled() {
  if (!existsSync(installed) || !existsSync(join(root, 'node_modules/.bin/node'))) return false;
  const has = JSON.parse(readFileSync(installed, 'utf8')).packages;
  const wants = Object.entries(JSON.parse(readFileSync(lockFile, 'utf8')).packages);
  return wants.every(([place, entry]) => {
    if (place === '') return true;
    return has[place] === undefined ? entry.optional === true : has[place].version === entry.version;
  });
}

const finish = () => writeFileSync(stamp, wanted());
const isReady = () => {
  if (isStamped()) return true;
  if (!isInstalled()) return false;
  finish();
  return true;
};

/** npm has to run on the Node it was installed with, not on the one it is about to replace. */
function install() {
  console.error('Installing what package-lock.json names (once; about half a minute) …');
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((dir) => !/node_modules[\\/]\.bin$/.test(dir));
  const npm = spawnSync('npm', ['ci', '--no-fund', '--no-audit', '--loglevel=error'], {
    cwd: root,
    env: { ...process.env, PATH: path.join(delimiter) },
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (npm.status === 0) return finish();
  console.error(
    `\nThe installation failed (${npm.error?.message ?? `npm ci ended with ${npm.status ?? npm.signal}`}).\n` +
      'npm says why above. Usual causes: no network, or a package.json and package-lock.json that disagree:\n' +
      'then run `npm install && node .ci/lock-platforms.mjs`.',
  );
  process.exitCode = 1;
}

/** Creates the lock folder, which only one process can; a folder that is old belonged to a killed process. */
function takeMutex() {
  try {
    mkdirSync(mutex);
    return true;
  } catch {
    try {
      if (Date.now() - statSync(mutex).mtimeMs > staleMs) rmSync(mutex, { recursive: true, force: true });
    } catch {
      // it has just been released
    }
    return false;
  }
}

/** spawnSync blocks this thread: another one keeps the mutex fresh meanwhile and says how long npm has been at work. */
async function installAlone() {
  const touch = `const { utimesSync, writeSync } = require('node:fs');
    let seconds = 0;
    setInterval(() => {
      const now = new Date();
      utimesSync(${JSON.stringify(mutex)}, now, now);
      writeSync(2, 'npm is installing, ' + (seconds += 5) + ' s\\n');
    }, 5000);`;
  const toucher = new Worker(touch, { eval: true });
  try {
    if (!isReady()) install();
  } finally {
    await toucher.terminate();
    rmSync(mutex, { recursive: true, force: true });
  }
}

const major = Number(process.versions.node.split('.')[0]);
if (major < 20) {
  console.error(`Nightlatch needs Node 20 or newer; this is ${process.version}.`);
  process.exitCode = 1;
} else {
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  while (!isReady()) {
    if (takeMutex()) {
      await installAlone();
      break;
    }
    Atomics.wait(sleeper, 0, 0, 200);
  }
}

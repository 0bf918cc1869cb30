// Keeps the lock entries of the emulator's platform packages. `npm install` drops those that its registry
// lacks without a word, and `npm ci` then refuses the lock on every machine.
// `node .ci/lock-platforms.mjs` adds what is missing, `--check` only reports.
import { readFileSync, writeFileSync } from 'node:fs';

const root = new URL('../', import.meta.url);
const readJson = (name) => JSON.parse(readFileSync(new URL(name, root), 'utf8'));
const { optionalDependencies = {} } = readJson('package.json');
const lock = readJson('package-lock.json');
const missing = [];

const locked = (lock.packages[''].optionalDependencies ??= {});
for (const [name, version] of Object.entries(optionalDependencies)) {
  const place = `node_modules/${name}`;
  if (locked[name] === version && lock.packages[place]?.version === version) continue;
  missing.push(name);
  const [os, cpu] = name.slice(name.indexOf('/') + 1).split('-');
  locked[name] = version;
  lock.packages[place] = { version, cpu: [cpu], optional: true, os: [os] };
}

if (missing.length === 0) {
  console.log(`package-lock.json holds all ${Object.keys(optionalDependencies).length} platform packages`);
} else if (process.argv.includes('--check')) {
  console.error(`package-lock.json lacks ${missing.join(', ')}: run node .ci/lock-platforms.mjs`);
  process.exitCode = 1;
} else {
  const inOrder = (entries) =>
    Object.fromEntries(Object.entries(entries).sort(([a], [b]) => a.localeCompare(b, 'en')));
  lock.packages[''].optionalDependencies = inOrder(locked);
  lock.packages = inOrder(lock.packages);
  writeFileSync(new URL('package-lock.json', root), `${JSON.stringify(lock, null, 2)}\n`);
  console.log(`added to package-lock.json: ${missing.join(', ')}`);
}

import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { measureLoad } from '../infra/local/bench/load.ts';
import { measureStartUp } from '../infra/local/bench/start-up.ts';
import { readLocalEnv } from '../infra/local/settings.ts';
import type { Ready } from '../infra/local/ready.ts';

/** Operations beside a raw loop that sends the same requests to DynamoDB bare. */
if (process.argv.includes('--raw-loop')) {
  await import(new URL('../test/bench/main.ts', import.meta.url).href);
  process.exit();
}

const { LOCAL_DIR = '.local', BENCH_RUNS: runs, BENCH_SECONDS: seconds } = readLocalEnv();
const log = (line: string): void => console.error(line);
const localDir = resolve(LOCAL_DIR);

console.log(
  `Bundles: minified size, and CPU of loading them above a bare Node ${process.version} (median of ${runs} runs)`,
);
console.table(await measureStartUp(localDir, runs, log));

const readyFile = join(localDir, 'ready.json');
const ready = existsSync(readyFile) ? (JSON.parse(readFileSync(readyFile, 'utf8')) as Ready) : undefined;
const isUp =
  ready &&
  (await fetch(`${ready.api_url}/healthz`).then(
    (reply) => reply.ok,
    () => false,
  ));
if (isUp) {
  console.log(`Service at ${ready.api_url}: 16 clients, ${seconds} s each`);
  console.table(await measureLoad(ready, seconds, log));
} else console.log('No local service is running: start one (npm start) to measure requests a second too.');

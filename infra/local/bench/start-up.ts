import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildFunctions } from '../functions.ts';
import type { Log } from '../log.ts';
import { withProgress } from '../progress.ts';

interface StartUp {
  function: string;
  kilobytes: number;
  /** Median CPU milliseconds of loading the bundle, less those of an empty Node process. */
  import_cpu_ms: number;
}

const run = promisify(execFile);

/** Measures size and start-up cost of each bundle, in separate processes. */
export const measureStartUp = async (localDir: string, runs: number, log: Log): Promise<StartUp[]> => {
  const { folder, sources } = await buildFunctions(localDir, log);
  const bundles = sources.map(({ name }) => ({ name, path: join(folder, name, 'index.js') }));
  const times = new Map<string, number[]>([
    ['', []],
    ...bundles.map(({ path }) => [path, []] as [string, number[]]),
  ]);
  // Interleaved, so that load on the machine affects all alike.
  let done = 0;
  const line = (seconds: number): string => `${done} of ${runs * times.size} loads, ${seconds} s`;
  await withProgress({ log, line }, async () => {
    for (let at = 0; at < runs; at++)
      for (const [path, taken] of times) {
        taken.push(await cpuMs(path));
        done++;
      }
  });
  const bare = median(times.get('') ?? []);
  return bundles.map(({ name, path }) => ({
    function: name,
    kilobytes: Math.round(statSync(path).size / 1000),
    import_cpu_ms: Math.round((median(times.get(path) ?? []) - bare) * 10) / 10,
  }));
};

const cpuMs = async (path: string): Promise<number> => {
  const load = path === '' ? '' : `require(${JSON.stringify(path)});`;
  const script = `${load}const {user, system} = process.cpuUsage(); console.log((user + system) / 1000); process.exit()`;
  const env = { ...process.env, TABLE_NAME: 'bench', STAGE: 'local', AWS_REGION: 'us-east-1' };
  const { stdout } = await run(process.execPath, ['-e', script], { env });
  return Number(stdout);
};

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

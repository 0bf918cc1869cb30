import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Log } from '../../infra/local/log.ts';
import { withProgress } from '../../infra/local/progress.ts';
import { findEmulator } from '../../infra/local/table/binary.ts';
import { tableDefinition } from '../../shared/platform/table/definition.ts';
import { homesPerCity } from './homes.ts';
import { startProcess } from './processes.ts';
import type { SeedCalls } from './seed-process.ts';
import { benchTable, functionVariables } from './settings.ts';

const run = promisify(execFile);

interface Seed {
  /** The data folder of the emulator. */
  dataDir: string;
  listings: number;
  stays: number;
  today: string;
  log: Log;
}

interface Seeded {
  /** The ids of the listings, by number. */
  ids: number[];
  items: number;
  seconds: number;
}

/**
 * Fills a data folder of the emulator. The verbs of the service run over tables in memory, a city each, in as many processes as
 * there are cores; the emulator imports the items, which takes a tenth of writing them one by one.
 */
export const seedTable = async ({ dataDir, log, ...seed }: Seed): Promise<Seeded> => {
  const start = performance.now();
  const source = join(dataDir, 'import');
  const data = join(source, benchTable, 'data');
  mkdirSync(data, { recursive: true });
  const cities = Array.from({ length: Math.ceil(seed.listings / homesPerCity) }, (_, city) => city);
  const ids: number[] = [];
  let listings = 0;
  const line = (seconds: number) => `Seeding: ${listings} of ${seed.listings} listings, ${seconds} s`;
  const work = async (worker: number): Promise<void> => {
    const seeder = startProcess<SeedCalls>('seed-process.ts');
    // Clocks apart, so that two processes never make one id.
    const offset = { CLOCK_OFFSET_MS: String(-3_600_000 * (worker + 1)) };
    await seeder.call('settings', { ...functionVariables('', benchTable), ...offset });
    for (let city = cities.shift(); city !== undefined; city = cities.shift()) {
      const from = city * homesPerCity;
      const count = Math.min(homesPerCity, seed.listings - from);
      const file = join(data, String(city));
      const made = await seeder.call('seedFile', {
        ...{ team_id: city + 1, from, listings: count, stays: seed.stays, today: seed.today, file },
      });
      for (const [at, id] of made.entries()) ids[from + at] = id;
      listings += count;
    }
    await seeder.stop();
  };
  await withProgress({ log, line }, () =>
    Promise.all(Array.from({ length: Math.min(availableParallelism(), cities.length) }, (_, at) => work(at))),
  );
  const importing = (seconds: number) => `The emulator imports the items, ${seconds} s`;
  const items = await withProgress({ log, line: importing }, () => importItems(source, dataDir));
  return { ids, items, seconds: (performance.now() - start) / 1000 };
};

const importItems = async (source: string, dataDir: string): Promise<number> => {
  const schema = join(source, 'schema.json');
  writeFileSync(schema, JSON.stringify({ Table: { ...tableDefinition(benchTable), TableStatus: 'ACTIVE' } }));
  const output = join(dataDir, 'table.db');
  const tables = ['--tables', benchTable];
  const { stdout, stderr } = await run(findEmulator(), [
    ...['import', '--source', source, '--schema', schema, '--output', output, '--force', ...tables],
  ]);
  rmSync(source, { recursive: true, force: true });
  return Number(/Items:\s+(\d+)/.exec(stdout + stderr)?.[1]);
};

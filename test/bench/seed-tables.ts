import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Log } from '../../infra/local/log.ts';
import { withProgress } from '../../infra/local/progress.ts';
import { findEmulator } from '../../infra/local/table/find-emulator.ts';
import { tableDefinition } from '../../shared/platform/table/definition.ts';
import { homesPerCity } from './homes.ts';
import { DatabaseParts } from './database-parts.ts';
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
 * Fills a data folder of the emulator. The verbs of the service run over tables in memory, and the emulator imports the items of
 * a city into a database of its own, in as many processes as there are cores; the databases are then joined. Writing the items
 * one by one takes ten times as long, and one import of all of them has a log that is larger than most memories.
 */
export const seedTable = async ({ dataDir, log, ...seed }: Seed): Promise<Seeded> => {
  const start = performance.now();
  const cities = Array.from({ length: Math.ceil(seed.listings / homesPerCity) }, (_, city) => city);
  const ids: number[] = [];
  let [listings, items] = [0, 0];
  using database = new DatabaseParts(join(dataDir, 'table.db'), benchTable);
  const line = (seconds: number) => `Seeding: ${listings} of ${seed.listings} listings, ${seconds} s`;
  const work = async (worker: number): Promise<void> => {
    const seeder = startProcess<SeedCalls>('seed-process.ts');
    // Clocks apart, so that two processes never make one id.
    const offset = { CLOCK_OFFSET_MS: String(-3_600_000 * (worker + 1)) };
    await seeder.call('settings', { ...functionVariables('', benchTable), ...offset });
    for (let city = cities.shift(); city !== undefined; city = cities.shift()) {
      const from = city * homesPerCity;
      const count = Math.min(homesPerCity, seed.listings - from);
      const source = join(dataDir, `city-${city}`);
      const data = join(source, benchTable, 'data');
      mkdirSync(data, { recursive: true });
      const made = await seeder.call('seedFile', {
        ...{ team_id: city + 1, from, listings: count, stays: seed.stays, today: seed.today },
        file: join(data, 'items'),
      });
      for (const [at, id] of made.entries()) ids[from + at] = id;
      const part = join(source, 'table.db');
      items += await importItems(source, part);
      database.add(part);
      rmSync(source, { recursive: true });
      listings += count;
    }
    await seeder.stop();
  };
  await withProgress({ log, line }, () =>
    Promise.all(Array.from({ length: Math.min(availableParallelism(), cities.length) }, (_, at) => work(at))),
  );
  return { ids, items, seconds: (performance.now() - start) / 1000 };
};

/** Returns the number of items. */
const importItems = async (source: string, output: string): Promise<number> => {
  const schema = join(source, 'schema.json');
  writeFileSync(schema, JSON.stringify({ Table: { ...tableDefinition(benchTable), TableStatus: 'ACTIVE' } }));
  const { stdout, stderr } = await run(findEmulator(), [
    ...['import', '--source', source, '--schema', schema, '--output', output, '--tables', benchTable],
  ]);
  return Number(/Items:\s+(\d+)/.exec(stdout + stderr)?.[1]);
};

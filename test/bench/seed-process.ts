/** Seeds listings in a process of its own. */
import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { connectTable, Table } from '../../shared/platform/table/index.ts';
import { systemClock } from '../../shared/platform/time/clock.ts';
import type { Dependencies } from '../../shared/platform/context.ts';
import { dependenciesFrom } from '../../shared/platform/environment/environment.ts';
import { log } from '../../shared/platform/metrics/log.ts';
import { packStays } from '../../shared/domain/booking/model.ts';
import type { Row } from '../prove/memory/key-schema.ts';
import { sdkClient } from '../prove/memory/sdk-client.ts';
import { SimulatedTable } from '../prove/memory/simulated-table.ts';
import { answerCalls } from './processes.ts';
import { createHomes, importLine, indexListings, type SeedOptions } from './seed.ts';

export interface SeedCalls {
  settings: (settings: Record<string, string>) => void;
  /** Writes into the table of the settings; returns the ids of the listings. */
  seedTable: (options: SeedOptions) => Promise<number[]>;
  /** Writes the items to files that the emulator imports, with names that begin so: the verbs run over a table in memory. */
  seedFile: (options: SeedOptions & { file: string }) => Promise<number[]>;
  [name: string]: (argument: never) => unknown;
}

/** A table in memory holds this many listings with all their stays. */
const listingsInMemory = 100;
/** What the workers of search and of lists read. */
const readByWorkers = new Set(['Listing', 'CalendarMonth', 'PriceParts', 'Order', 'Reservation']);

/** Nothing is read that was not just written. */
const unchecked = () => undefined;

const inMemory = (rows: Iterable<Row> = []): { table: SimulatedTable; deps: Dependencies } => {
  const table = new SimulatedTable({ rows });
  const none = () => {
    throw new Error('The seed needs no such service.');
  };
  const client = sdkClient(table);
  const deps = { clock: systemClock, log, identity: none, payments: none, sealing: none };
  return { table, deps: { ...deps, table: new Table({ client, tableName: 'bench', check: unchecked }) } };
};

let files = 0;
const write = (file: string, rows: readonly Row[]): void => {
  const lines = rows.map(({ item }) => importLine(item));
  writeFileSync(`${file}-${files++}.json.gz`, gzipSync(lines.join(''), { level: 1 }));
};

const seedFile = async ({ file, ...options }: SeedOptions & { file: string }): Promise<number[]> => {
  const forWorkers: Row[] = [];
  const ids: number[] = [];
  for (let done = 0; done < options.listings; done += listingsInMemory) {
    const { table, deps } = inMemory();
    const listings = Math.min(listingsInMemory, options.listings - done);
    ids.push(...(await createHomes(deps, { ...options, from: options.from + done, listings })));
    write(file, table.rows());
    forWorkers.push(...table.rows().filter(({ item }) => readByWorkers.has(String(item['entity']))));
  }
  const { table, deps } = inMemory(forWorkers);
  await indexListings(deps, options, ids);
  await packBookings(deps, forWorkers);
  const known = new Set(forWorkers.map(({ id }) => id));
  write(
    file,
    table.rows().filter(({ id }) => !known.has(id)),
  );
  return ids;
};

/** A list packed later than this after its bookings does not read them again as changes in flight. */
const laterMs = 120_000;

/** Packs the team's list of bookings, as it is after the events of all its bookings. */
const packBookings = async ({ table, clock }: Dependencies, rows: readonly Row[]): Promise<void> => {
  const order = rows.find(({ item }) => item['entity'] === 'Order');
  if (order)
    await packStays({ table, clock: { now: () => clock.now() + laterMs } }, [Number(order.item['order_id'])]);
};

answerCalls({
  settings: (settings) => void Object.assign(process.env, settings),
  seedTable: async (options) => {
    const deps = {
      ...dependenciesFrom(process.env),
      table: connectTable(process.env['TABLE_NAME'] ?? '', unchecked),
    };
    const ids = await createHomes(deps, options);
    await indexListings(deps, options, ids);
    return ids;
  },
  seedFile,
} satisfies SeedCalls);

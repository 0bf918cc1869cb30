import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../infra/local/log.ts';
import { withProgress } from '../../infra/local/progress.ts';
import { freePort } from '../../infra/local/table/emulator.ts';
import { createLocalTable, startTable, type TableServer } from '../../infra/local/table/index.ts';
import { tableDefinition } from '../../shared/platform/table/definition.ts';
import type { BaselineCalls } from './baseline/baseline-process.ts';
import { startPostgres } from './baseline/postgres.ts';
import { type Contender, type Result, takeTurns } from './compare.ts';
import { baselineRequests, ourRequests, type Scene } from './contenders.ts';
import { cpuMsOf } from './cpu.ts';
import { homesPerCity } from './homes.ts';
import type { Operation } from './operations.ts';
import type { FunctionCalls } from './ours/functions-process.ts';
import type { WorkerCalls } from './ours/workers-process.ts';
import { type BenchProcess, cpuSince, startProcess } from './processes.ts';
import { seedTable } from './seed-tables.ts';
import { benchTable, functionVariables } from './settings.ts';

interface LoadOptions extends Scene {
  folder: string;
  /** The bundles. */
  functions: string;
  rounds: number;
  seconds: number;
  /** The longest time that the workers are given for the bookings. */
  drainSeconds: number;
  log: Log;
}

export interface Compared {
  operation: string;
  ours: Result;
  /** Absent without PostgreSQL. */
  baseline: Result | undefined;
}

interface Drained {
  bookings: number;
  perSecond: number;
  /** CPU milliseconds of a booking, until its queues are empty. */
  workersCpuMs: number;
  emulatorCpuMs: number;
}

export interface Load {
  compared: Compared[];
  drained: Drained;
  items: number;
  seedSeconds: number;
  postgres: string | undefined;
}

/** Instances of each service: one for each core, as AWS starts them for concurrent requests. */
const instances = availableParallelism();

const fromEach = async (start: () => Promise<Instance>): Promise<Instance[]> =>
  Promise.all(Array.from({ length: instances }, start));

interface Instance {
  address: string;
  cpuMs: () => Promise<number>;
}

const cpuOf = async (all: readonly Instance[]): Promise<number> =>
  (await Promise.all(all.map(({ cpuMs }) => cpuMs()))).reduce((sum, ms) => sum + ms, 0);

/** Seeds both services and lets them take turns with each operation. */
export const measureLoad = async (options: LoadOptions): Promise<Load> => {
  await using stack = new AsyncDisposableStack();
  const ours = await startOurs(options, stack);
  const baseline = await startOther(options, stack);
  const { rounds, seconds, log } = options;
  const compared: Compared[] = [];
  const compare = async (title: string, operation: Operation, cached = true) => {
    const contenders = [
      ours.contender(operation, cached),
      ...(baseline ? [baseline.contender(operation)] : []),
    ];
    const [own, other] = await takeTurns(contenders, { title, rounds, seconds, log });
    if (own) compared.push({ operation: title, ours: own, baseline: other });
  };
  ours.pauseWorkers();
  await compare('search, warm', 'search');
  await compare('search, uncached', 'search', false);
  await compare('quote', 'preview');
  await compare('availability of a month', 'availability');
  await compare('create a stay', 'confirm');
  const drained = await ours.drain();
  return { compared, drained, items: ours.items, seedSeconds: ours.seconds, postgres: baseline?.version };
};

const startOurs = async (options: LoadOptions, stack: AsyncDisposableStack) => {
  const { folder, functions, log, ...scene } = options;
  const dataDir = join(folder, 'ours');
  mkdirSync(dataDir, { recursive: true });
  const seeded = await seedTable({ dataDir, log, ...scene });
  const table = await startTable({ dataDir, log });
  stack.defer(() => table.stop());
  const { streamArn } = await createLocalTable(table.endpoint, tableDefinition(benchTable));
  const settings = functionVariables(table.endpoint, benchTable);
  const start = (cached: boolean) =>
    fromEach(async () => {
      const called = startProcess<FunctionCalls>('ours/functions-process.ts');
      stack.defer(() => called.stop());
      const address = await called.call('serve', { folder: functions, settings, cached });
      return { address, cpuMs: () => called.cpuMs() };
    });
  const [warm, uncached] = [await start(true), await start(false)];
  const workers = startProcess<WorkerCalls>('ours/workers-process.ts');
  stack.defer(() => workers.stop());
  const { endpoint, file } = table;
  await workers.call('start', {
    ...{ folder: functions, settings },
    table: { endpoint, streamArn, tableName: benchTable, file: file?.path ?? '' },
  });
  const contender = (operation: Operation, cached: boolean): Contender => {
    const called = cached ? warm : uncached;
    return {
      ...{ name: 'Nightlatch', addresses: called.map(({ address }) => address) },
      next: ourRequests(operation, scene, seeded.ids),
      cpu: async () => ({ function: await cpuOf(called), emulator: cpuMsOf(table.pid() ?? 0) }),
    };
  };
  return {
    ...{ items: seeded.items, seconds: seeded.seconds, contender },
    // The workers stand still while the API is measured: on AWS they are other machines.
    pauseWorkers: () => void process.kill(workers.pid, 'SIGSTOP'),
    drain: () => drain(workers, table, options),
  };
};

/** Lets the workers continue until their queues are empty, or for the time that they are given. */
const drain = async (
  workers: BenchProcess<WorkerCalls>,
  table: TableServer,
  { drainSeconds, log }: LoadOptions,
): Promise<Drained> => {
  const emulator = cpuSince(table.pid());
  const own = cpuSince(workers.pid);
  process.kill(workers.pid, 'SIGCONT');
  const start = performance.now();
  let state = { queue: 'none', sent: 0, left: 0, bookings: 0 };
  let quiet = 0;
  const line = (seconds: number) =>
    `Workers: ${state.sent - state.left} of ${state.sent} messages of ${state.queue}, ${seconds} s`;
  await withProgress({ log, line }, async () => {
    while (performance.now() - start < drainSeconds * 1000 && quiet < 3) {
      await sleep(250);
      const next = await workers.call('state', undefined);
      quiet = next.left === 0 && next.sent === state.sent && next.sent > 0 ? quiet + 1 : 0;
      state = next;
    }
  });
  const { bookings } = state;
  const seconds = (performance.now() - start) / 1000;
  return {
    ...{ bookings, perSecond: bookings / seconds },
    ...{ workersCpuMs: own() / bookings, emulatorCpuMs: emulator() / bookings },
  };
};

const startOther = async (options: LoadOptions, stack: AsyncDisposableStack) => {
  const { folder, listings, stays, today, log } = options;
  const port = await freePort();
  const server = await startPostgres(join(folder, 'postgres'), port);
  if (!server) {
    log('PostgreSQL is not installed (Debian: apt install postgresql): the comparison is left out.');
    return undefined;
  }
  stack.defer(() => server.stop());
  const connect = async () => {
    const service = startProcess<BaselineCalls>('baseline/baseline-process.ts');
    stack.defer(() => service.stop());
    await service.call('connect', { port, instances });
    return service;
  };
  const service = await connect();
  await service.call('createSchema', undefined);
  let done = 0;
  const line = (seconds: number) => `Seeding PostgreSQL: ${done} of ${listings} listings, ${seconds} s`;
  await withProgress({ log, line }, async () => {
    for (; done < listings; done += homesPerCity) {
      const count = Math.min(homesPerCity, listings - done);
      await service.call('seed', { from: done, listings: count, stays, today });
    }
  });
  await service.call('index', undefined);
  const services = await fromEach(async () => {
    const one = await connect();
    return { address: await one.call('serve', undefined), cpuMs: () => one.cpuMs() };
  });
  const database = () => server.pids().reduce((sum, pid) => sum + cpuMsOf(pid), 0);
  const contender = (operation: Operation): Contender => ({
    ...{ name: `PostgreSQL ${server.version}`, addresses: services.map(({ address }) => address) },
    next: baselineRequests(operation, options),
    cpu: async () => ({ service: await cpuOf(services), database: database() }),
  });
  return { version: server.version, contender };
};

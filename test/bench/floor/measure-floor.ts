import type { APIGatewayProxyEvent } from 'aws-lambda';
import { randomUUID } from 'node:crypto';
import { cpSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../../../infra/local/log.ts';
import { withProgress } from '../../../infra/local/progress.ts';
import { createLocalTable, startTable, type TableServer } from '../../../infra/local/table/index.ts';
import { tableDefinition } from '../../../shared/platform/table/definition.ts';
import { newStays } from '../homes.ts';
import { headersOf, type Operation, operationNames, pathOf, requestOf } from '../operations.ts';
import { type BenchProcess, cpuSince, startProcess } from '../processes.ts';
import { guestOf } from '../seed.ts';
import type { SeedCalls } from '../seed-process.ts';
import { benchTable, functionVariables } from '../settings.ts';
import { median, quantile } from '../statistics.ts';
import type { FloorCalls, Taken } from './floor-process.ts';
import { type Recorded, roundsOf, startRecorder } from './recorder.ts';

/** One operation beside the raw loop that sends the same requests bare, one request at a time. */
export interface Floor {
  operation: Operation;
  perSecond: number;
  barePerSecond: number;
  /** The part of the bare rate that the function reaches. */
  share: number;
  p50: number;
  p99: number;
  bareP50: number;
  /** CPU milliseconds of a request. */
  cpuMs: number;
  bareCpuMs: number;
  emulatorCpuMs: number;
  trips: number;
  readUnits: number;
  writeUnits: number;
  /** Bytes that the function logs for a request, metrics included. */
  logBytes: number;
}

interface FloorOptions {
  /** A folder for the tables. */
  folder: string;
  /** The bundles. */
  functions: string;
  /** Requests of a block, and blocks of each side. */
  requests: number;
  blocks: number;
  listings: number;
  today: string;
  operations?: readonly Operation[];
  log: Log;
}

/**
 * Compares functions with the raw loop. Two emulators begin with copies of one small table: on the first, the requests of each
 * verb are recorded; on the second, function and raw loop take turns with requests for different listings.
 */
export const measureFloor = async (options: FloorOptions): Promise<Floor[]> => {
  await using stack = new AsyncDisposableStack();
  const [recording, measuring, ids] = await twoTables(options, stack);
  const recorder = await startRecorder(recording.endpoint);
  stack.defer(() => recorder.stop());
  const results: Floor[] = [];
  const line = (seconds: number) => `Raw loop: ${results.length} operations done, ${seconds} s`;
  await withProgress({ log: options.log, line }, async () => {
    for (const operation of options.operations ?? operationNames)
      results.push(await compare(operation, { ...options, recorder, measuring, ids }));
  });
  return results;
};

interface Scene extends FloorOptions {
  recorder: Awaited<ReturnType<typeof startRecorder>>;
  measuring: TableServer;
  ids: readonly number[];
}

const twoTables = async (
  { folder, listings, today, log }: FloorOptions,
  stack: AsyncDisposableStack,
): Promise<[TableServer, TableServer, number[]]> => {
  const [first, second] = [join(folder, 'recording'), join(folder, 'measuring')];
  const seeding = await startTable({ dataDir: first, log });
  await createLocalTable(seeding.endpoint, tableDefinition(benchTable));
  const seeder = startProcess<SeedCalls>('seed-process.ts');
  await seeder.call('settings', functionVariables(seeding.endpoint, benchTable));
  const ids = await seeder.call('seedTable', { team_id: 1, from: 0, listings, stays: 2, today });
  await seeder.stop();
  await seeding.stop();
  mkdirSync(second, { recursive: true });
  cpSync(join(first, 'table.db'), join(second, 'table.db'));
  const recording = await startTable({ dataDir: first, log });
  stack.defer(() => recording.stop());
  const measuring = await startTable({ dataDir: second, log });
  stack.defer(() => measuring.stop());
  return [recording, measuring, ids];
};

const compare = async (operation: Operation, scene: Scene): Promise<Floor> => {
  await using stack = new AsyncDisposableStack();
  const [functionEvents, bareEvents] = eventsOf(operation, scene);
  const verbs = await record(operation, scene, bareEvents);
  const logFile = join(scene.folder, `${operation}.log`);
  const called = startProcess<FloorCalls>('floor/floor-process.ts', { outputFile: logFile });
  stack.defer(() => called.stop());
  const bare = startProcess<FloorCalls>('floor/floor-process.ts');
  stack.defer(() => bare.stop());
  const { endpoint } = scene.measuring;
  await load(called, operation, scene, endpoint);
  const blocks = { function: [] as Block[], bare: [] as Block[] };
  for (let block = 0; block <= scene.blocks; block++) {
    const part = [block * scene.requests, (block + 1) * scene.requests] as const;
    const one = await withEmulator(scene.measuring, called.call('run', functionEvents.slice(...part)));
    const other = await withEmulator(
      scene.measuring,
      bare.call('send', { endpoint, verbs: verbs.slice(...part) }),
    );
    // The first block warms both.
    if (block === 0) continue;
    blocks.function.push(one);
    blocks.bare.push(other);
  }
  const logged = statSync(logFile).size / functionEvents.length;
  return { operation, ...summary(scene.requests, blocks), ...costOf(verbs), logBytes: logged };
};

type Block = Taken & { emulatorCpuMs: number };

const withEmulator = async ({ pid }: TableServer, work: Promise<Taken>): Promise<Block> => {
  const emulator = cpuSince(pid());
  const taken = await work;
  if (taken.failed > 0) throw new Error(`${taken.failed} of ${taken.latencies.length} requests failed`);
  return { ...taken, emulatorCpuMs: emulator() };
};

/** Events of two halves of the listings: one for the function, one for the raw loop. */
const eventsOf = (operation: Operation, { ids, requests, blocks, today }: Scene) => {
  const half = Math.floor(ids.length / 2);
  return [0, half].map((offset) => {
    const next = newStays(half, 2, today);
    return Array.from({ length: requests * (blocks + 1) }, () =>
      gatewayEvent(operation, next(), { idOf: (number) => ids[number + offset] ?? 0, today }),
    );
  }) as [APIGatewayProxyEvent[], APIGatewayProxyEvent[]];
};

const gatewayEvent = (...asked: Parameters<typeof requestOf>): APIGatewayProxyEvent => {
  const request = requestOf(...asked);
  return {
    httpMethod: request.method,
    resource: request.resource,
    path: pathOf(request),
    pathParameters: request.params ?? null,
    queryStringParameters: request.query ?? null,
    headers: headersOf(request),
    body: request.body === undefined ? null : JSON.stringify(request.body),
    isBase64Encoded: false,
    requestContext: { requestId: randomUUID(), authorizer: { caller: JSON.stringify(guestOf(0)) } },
  } as unknown as APIGatewayProxyEvent;
};

const load = (
  process: BenchProcess<FloorCalls>,
  operation: Operation,
  { functions, today }: Scene,
  endpoint: string,
): Promise<void> => {
  const stay = { number: 0, check_in_date: today, check_out_date: today };
  const { group } = requestOf(operation, stay, { idOf: () => 0, today });
  return process.call('load', {
    folder: functions,
    group,
    settings: functionVariables(endpoint, benchTable),
  });
};

/** Returns the round trips of each call, with what was sent in each. */
const record = async (
  operation: Operation,
  scene: Scene,
  events: readonly APIGatewayProxyEvent[],
): Promise<Recorded[][][]> => {
  const called = startProcess<FloorCalls>('floor/floor-process.ts');
  try {
    await load(called, operation, scene, scene.recorder.endpoint);
    const verbs: Recorded[][][] = [];
    scene.recorder.taken();
    for (const event of events) {
      const { failed } = await called.call('run', [event]);
      if (failed > 0) throw new Error(`${operation} failed while it was recorded`);
      verbs.push(roundsOf(scene.recorder.taken()));
    }
    return verbs;
  } finally {
    await called.stop();
  }
};

const summary = (requests: number, { function: own, bare }: { function: Block[]; bare: Block[] }) => {
  const rate = (blocks: readonly Block[]) => median(blocks.map(({ wallMs }) => (requests * 1000) / wallMs));
  const cpu = (blocks: readonly Block[]) => median(blocks.map(({ cpuMs }) => cpuMs / requests));
  const latencies = (blocks: readonly Block[]) => blocks.flatMap((block) => block.latencies);
  return {
    perSecond: rate(own),
    barePerSecond: rate(bare),
    share: median(own.map(({ wallMs }, at) => (bare[at]?.wallMs ?? 0) / wallMs)),
    p50: median(latencies(own)),
    p99: quantile(latencies(own), 0.99),
    bareP50: median(latencies(bare)),
    cpuMs: cpu(own),
    bareCpuMs: cpu(bare),
    emulatorCpuMs: median(own.map(({ emulatorCpuMs }) => emulatorCpuMs / requests)),
  };
};

const costOf = (verbs: readonly Recorded[][][]) => {
  const each = (count: (rounds: Recorded[][]) => number) => median(verbs.map(count));
  const units = (field: 'readUnits' | 'writeUnits') =>
    each((rounds) => rounds.flat().reduce((sum, request) => sum + request[field], 0));
  return {
    trips: each(({ length }) => length),
    readUnits: units('readUnits'),
    writeUnits: units('writeUnits'),
  };
};

import { setTimeout as sleep } from 'node:timers/promises';
import { steadyMs, systemClock } from '../../shared/platform/time/clock.ts';
import { dependenciesFrom } from '../../shared/platform/environment/environment.ts';
import { schedules, workQueues } from '../../shared/schedules.ts';
import { subscriptions } from '../../shared/subscriptions.ts';
import { startInterval } from './interval-task.ts';
import type { LambdaHandler } from './functions.ts';
import { minuteMs } from '../../shared/platform/time/time.ts';
import type { Log } from './log.ts';
import type { LocalInfrastructure } from './infrastructure.ts';
import type { QueueHandler } from './queues/poll-queue.ts';
import { startSchedules } from './schedules.ts';
import { isNewEvent, startStream, type StreamHandler } from './stream/index.ts';
import { recallDue, recallHolds, scanTable, sweepExpired } from './table/index.ts';

interface ConsumerOptions {
  infrastructure: Pick<LocalInfrastructure, 'table' | 'queues'>;
  /** Returns the function of a folder below `functions/`. */
  load: (name: string) => LambdaHandler;
  dataDir?: string | undefined;
  stack: AsyncDisposableStack;
  log: Log;
}

const sweepSeconds = 30;
/** Longer than a function runs: one that was running when the clock was turned back may still put something off. */
const recallMs = 10 * minuteMs;
const trimSeconds = 5;
const longestSettlingMs = 10_000;
const settlingStepMs = 20;
const publisher = 'workers/publisher';
/** Calls to other hosts may be slow: as on AWS, one slow batch does not block the next. */
const pollersPerWorkQueue = 4;

interface Consumers {
  /** Resolves once the events that were written before have been consumed, or after ten seconds. */
  settled: () => Promise<void>;
}

/** Connects the table's stream to the publisher and each queue to its worker. */
export const startConsumers = ({ infrastructure, load, dataDir, stack, log }: ConsumerOptions): Consumers => {
  const { table, queues } = infrastructure;
  const { server, streamArn, tableName } = table;
  const polled = [
    ...subscriptions,
    ...workQueues.flatMap((row) => Array.from({ length: pollersPerWorkQueue }, () => row)),
  ];
  for (const { consumer, batchSize, timeoutSeconds } of polled) {
    const handler = invoke(load(`workers/${consumer}`), consumer, timeoutSeconds) as QueueHandler;
    const poller = queues.poll(consumer, { handler, batchSize });
    stack.defer(() => poller.stop());
  }
  const changed = server.file?.watch();
  const stream = startStream({
    name: 'publisher',
    endpoint: server.endpoint,
    streamArn,
    handler: invoke(load(publisher), 'publisher', 30) as StreamHandler,
    isWanted: isNewEvent,
    ...(dataDir === undefined ? {} : { dataDir }),
    ...(changed ? { changed } : {}),
    log,
  });
  stack.defer(() => stream.stop());
  const trim = startInterval(
    trimSeconds,
    'trimming the stream',
    async () => {
      const position = stream.position();
      if (position !== undefined) server.file?.trim(tableName, position);
    },
    log,
  );
  stack.defer(() => trim.stop());
  return {
    settled: async () => {
      await stream.caughtUp();
      const isBusy = () => queues.depths().some(({ depth, in_flight: inFlight }) => depth + inFlight > 0);
      for (let waitedMs = 0; waitedMs < longestSettlingMs && isBusy(); waitedMs += settlingStepMs)
        await sleep(settlingStepMs);
    },
  };
};

interface Workers extends Consumers {
  /** To be called when the test clock has moved. */
  moved: () => Promise<void>;
}

/**
 * Starts the consumers, runs the schedules, and deletes expired items. After a move of the test clock, and a start, which sets it
 * right, what was put off to a time that is far away again is recalled.
 */
export const startWorkers = (options: ConsumerOptions): Workers => {
  const { settled } = startConsumers(options);
  const { infrastructure, load, stack, log } = options;
  const { server, tableName } = infrastructure.table;
  let recallUntil = steadyMs() + recallMs;
  const service = dependenciesFrom(process.env);
  const sweep = startInterval(
    sweepSeconds,
    'sweeping',
    async () => {
      const nowMs = systemClock.now();
      await sweepExpired({ endpoint: server.endpoint, tableName, file: server.file, nowMs });
      if (steadyMs() >= recallUntil) return;
      await recallDue(service);
      await recallHolds(service, scanTable(server.endpoint, tableName));
    },
    log,
  );
  stack.defer(() => sweep.stop());
  const timers = startSchedules({
    schedules: schedules.map(({ name, everyMinutes, timeoutSeconds }) => ({
      name,
      everyMinutes,
      run: invoke(load(`schedules/${name}`), name, timeoutSeconds),
    })),
    clock: systemClock,
    log,
  });
  stack.defer(() => timers.stop());
  return {
    settled,
    moved: async () => {
      recallUntil = steadyMs() + recallMs;
      await sweep.now();
      await timers.now();
    },
  };
};

const invoke =
  (handler: LambdaHandler, functionName: string, timeoutSeconds: number) =>
  (event: unknown): Promise<unknown> => {
    const ends = performance.now() + timeoutSeconds * 1000;
    return handler(event, {
      functionName,
      getRemainingTimeInMillis: () => Math.max(0, ends - performance.now()),
    });
  };

import { EventEntity } from '../../shared/platform/events/event.entity.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { schedules, workQueues } from '../../shared/schedules.ts';
import { subscriptions } from '../../shared/subscriptions.ts';
import { every, type Repeated } from './every.ts';
import type { LambdaHandler } from './functions.ts';
import type { Log } from './log.ts';
import type { Plumbing } from './plumbing.ts';
import type { QueueHandler } from './queues/poll-queue.ts';
import { localNames } from './settings.ts';
import { startSchedules } from './schedules.ts';
import { startStream, type StreamHandler } from './stream/index.ts';
import { sweepExpired } from './table/index.ts';

interface Work {
  plumbing: Plumbing;
  /** The function of a folder below `functions/`. */
  load: (name: string) => LambdaHandler;
  dataDir: string | undefined;
  ends: AsyncDisposableStack;
  log: Log;
}

const sweepSeconds = 30;
const trimSeconds = 5;
const publisher = 'workers/publisher';
/** Work on addresses of others may take its time: as on AWS, one slow batch does not hold up the next. */
const pollersOfWork = 4;

/**
 * Connects the table's stream to the publisher and each queue to its worker, runs the schedules, and sweeps what has expired;
 * answers what has to be looked at when the test clock moves.
 */
export const startWorkers = ({ plumbing, load, dataDir, ends, log }: Work): Repeated => {
  const { table, queues } = plumbing;
  const { server, streamArn, tableName } = table;
  const polled = [
    ...subscriptions,
    ...workQueues.flatMap((row) => Array.from({ length: pollersOfWork }, () => row)),
  ];
  for (const { consumer, batchSize, timeoutSeconds } of polled) {
    const handler = call(load(`workers/${consumer}`), consumer, timeoutSeconds) as QueueHandler;
    const poller = queues.poll(consumer, { handler, batchSize });
    ends.defer(() => poller.stop());
  }
  const changed = server.file?.watch();
  const stream = startStream({
    name: 'publisher',
    endpoint: server.endpoint,
    streamArn,
    handler: call(load(publisher), 'publisher', 30) as StreamHandler,
    filters: [{ eventName: ['INSERT'], dynamodb: { NewImage: { entity: { S: [EventEntity.name] } } } }],
    ...(dataDir === undefined ? {} : { dataDir }),
    ...(changed ? { changed } : {}),
    log,
  });
  ends.defer(() => stream.stop());
  const trim = every(
    trimSeconds,
    'trimming the stream',
    async () => {
      const position = stream.position();
      if (position !== undefined) server.file?.trim(tableName, position);
    },
    log,
  );
  ends.defer(() => trim.stop());
  const sweep = every(
    sweepSeconds,
    'sweeping',
    () => sweepExpired({ endpoint: server.endpoint, tableName: localNames.table, nowMs: systemClock.now() }),
    log,
  );
  ends.defer(() => sweep.stop());
  const timers = startSchedules({
    schedules: schedules.map(({ name, everyMinutes, timeoutSeconds }) => ({
      name,
      everyMinutes,
      run: call(load(`schedules/${name}`), name, timeoutSeconds),
    })),
    clock: systemClock,
    log,
  });
  ends.defer(() => timers.stop());
  return {
    now: async () => {
      await Promise.all([sweep.now(), timers.now()]);
    },
    stop: () => sweep.stop(),
  };
};

const call =
  (handler: LambdaHandler, functionName: string, timeoutSeconds: number) =>
  (event: unknown): Promise<unknown> => {
    const ends = performance.now() + timeoutSeconds * 1000;
    return handler(event, {
      functionName,
      getRemainingTimeInMillis: () => Math.max(0, ends - performance.now()),
    });
  };

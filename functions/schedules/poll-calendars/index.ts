import { SQSClient } from '@aws-sdk/client-sqs';
import { dueFeeds, feedShards } from '../../../shared/domain/ical/index.ts';
import type { Dependencies } from '../../../shared/platform/context.ts';
import { readEnv } from '../../../shared/platform/env.ts';
import { environment } from '../../../shared/platform/environment.ts';
import { PollCalendarsEnv } from './env.ts';
import { type SyncQueue, syncQueue } from './sync-queue.ts';
import { timeLimits } from '../../../shared/platform/sdk/time-limits.ts';

export interface PollDependencies extends Pick<Dependencies, 'table' | 'clock' | 'log'> {
  queue: SyncQueue;
}

/** With so many messages waiting, the workers are behind: the feeds stay due, and more messages would not help them. */
const mostWaiting = 5000;

/** Puts each feed that is due into the queue (D64), a shard beside the other; answers how many. */
export const pollCalendars = (deps: () => PollDependencies) => async (): Promise<{ queued: number }> => {
  const { table, clock, log, queue } = deps();
  const waiting = await queue.waiting();
  if (waiting > mostWaiting) {
    log.warn('The workers are behind; nothing is added to their queue.', { waiting });
    return { queued: 0 };
  }
  const now = clock.now();
  const shards = Array.from({ length: feedShards }, async (_, shard) => {
    let queued = 0;
    for await (const feeds of dueFeeds(table, shard, now)) {
      await queue.send(feeds);
      queued += feeds.length;
    }
    return queued;
  });
  const queued = (await Promise.all(shards)).reduce((sum, part) => sum + part, 0);
  return { queued };
};

const fromEnvironment = (): PollDependencies => {
  const client = new SQSClient({
    useQueueUrlAsEndpoint: false,
    requestHandler: timeLimits({ requestTimeout: 5000, connectionTimeout: 1000 }),
  });
  return { ...environment(), queue: syncQueue(client, readEnv(PollCalendarsEnv).CALENDAR_SYNC_QUEUE_URL) };
};

let made: PollDependencies | undefined;

/** The Lambda handler of the schedule. */
export const handler = pollCalendars(() => (made ??= fromEnvironment()));

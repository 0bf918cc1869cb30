import { dueFeeds, type FeedIds, feedShards } from '../../../shared/domain/ical/model.ts';
import type { Dependencies } from '../../../shared/platform/context.ts';
import { readEnv } from '../../../shared/platform/environment/env.ts';
import { environment } from '../../../shared/platform/environment/environment.ts';
import { recordMetric } from '../../../shared/platform/metrics/index.ts';
import { once } from '../../../shared/platform/once.ts';
import { queueClient, type WorkQueue, workQueue } from '../../../shared/platform/queue/work-queue.ts';
import { PollCalendarsEnv } from './env.ts';
import { scheduled } from '../../../shared/scheduled.ts';

export interface PollDependencies extends Pick<Dependencies, 'table' | 'clock' | 'log'> {
  queue: WorkQueue<FeedIds>;
}

/** With so many messages waiting, the workers are behind: the feeds stay due, and more messages would not help them. */
const maxWaiting = 5000;

/** Puts each feed that is due into the queue (D64), a shard beside the other; answers how many. */
export const pollCalendars = (deps: () => PollDependencies) => async (): Promise<{ queued: number }> => {
  const { table, clock, log, queue } = deps();
  const waiting = await queue.waiting();
  if (waiting > maxWaiting) {
    log.warn('The workers are behind; nothing is enqueued.', { waiting });
    return { queued: 0 };
  }
  const now = clock.now();
  let oldest = now;
  const shards = Array.from({ length: feedShards }, async (_, shard) => {
    let queued = 0;
    for await (const feeds of dueFeeds(table, shard, now)) {
      for (const { next_sync_at } of feeds) oldest = Math.min(oldest, next_sync_at);
      await queue.send(feeds.map(({ listing_id, url_hash }) => ({ listing_id, url_hash })));
      queued += feeds.length;
    }
    return queued;
  });
  const queued = (await Promise.all(shards)).reduce((sum, part) => sum + part, 0);
  recordMetric('feed_lag_seconds', Math.round((now - oldest) / 1000));
  return { queued };
};

const fromEnvironment = (): PollDependencies => ({
  ...environment(),
  queue: workQueue(queueClient(), readEnv(PollCalendarsEnv).CALENDAR_SYNC_QUEUE_URL),
});

/** The Lambda handler of the schedule. */
export const handler = scheduled('poll-calendars', pollCalendars(once(fromEnvironment)));

import { type DeliveryMessage, dueDeliveries } from '../../../shared/domain/webhook/index.ts';
import type { Dependencies } from '../../../shared/platform/context.ts';
import { readEnv } from '../../../shared/platform/env.ts';
import { environment } from '../../../shared/platform/environment.ts';
import { queueClient, type WorkQueue, workQueue } from '../../../shared/platform/queue/work-queue.ts';
import { RetryWebhooksEnv } from './env.ts';

export interface RetryDependencies extends Pick<Dependencies, 'table' | 'clock' | 'log'> {
  queue: WorkQueue<DeliveryMessage>;
}

/** With so many messages waiting, the workers are behind: the retries stay due, and more messages would not help them. */
const mostWaiting = 5000;

/** Puts each retry that is due into the queue (D62); answers how many. */
export const retryWebhooks = (deps: () => RetryDependencies) => async (): Promise<{ queued: number }> => {
  const { table, clock, log, queue } = deps();
  const waiting = await queue.waiting();
  if (waiting > mostWaiting) {
    log.warn('The workers are behind; nothing is added to their queue.', { waiting });
    return { queued: 0 };
  }
  let queued = 0;
  for await (const due of dueDeliveries(table, clock.now())) {
    await queue.send(due);
    queued += due.length;
  }
  return { queued };
};

let made: RetryDependencies | undefined;

const fromEnvironment = (): RetryDependencies => ({
  ...environment(),
  queue: workQueue(queueClient(), readEnv(RetryWebhooksEnv).WEBHOOK_RETRY_QUEUE_URL),
});

/** The Lambda handler of the schedule. */
export const handler = retryWebhooks(() => (made ??= fromEnvironment()));

import { type EnqueueDependencies, enqueueDueDeliveries } from '../../../shared/domain/webhook/index.ts';
import { readEnv } from '../../../shared/platform/environment/env.ts';
import { environment } from '../../../shared/platform/environment/environment.ts';
import { once } from '../../../shared/platform/once.ts';
import { queueClient, workQueue } from '../../../shared/platform/queue/work-queue.ts';
import { RetryWebhooksEnv } from './env.ts';
import { scheduled } from '../../../shared/scheduled.ts';

const fromEnvironment = (): EnqueueDependencies => ({
  ...environment(),
  queue: workQueue(queueClient(), readEnv(RetryWebhooksEnv).WEBHOOK_RETRY_QUEUE_URL),
});

/** Brings each delivery that is due (D62). */
export const retryWebhooks = (deps: () => EnqueueDependencies) => () => enqueueDueDeliveries(deps());

/** The Lambda handler of the schedule. */
export const handler = scheduled('retry-webhooks', retryWebhooks(once(fromEnvironment)));

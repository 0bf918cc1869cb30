import * as z from 'zod';
import { deliver, webhookPoster } from './domain/webhook/index.ts';
import type { DeliveryDependencies, DeliveryMessage } from './domain/webhook/model.ts';
import { machineClock } from './platform/time/clock.ts';
import { isLocal } from './platform/environment/env.ts';
import { environment } from './platform/environment/environment.ts';
import { handleMessages } from './platform/events/handle-messages.ts';
import { withSealing } from './platform/environment/sealing-environment.ts';
import { queueClient, workQueue } from './platform/queue/work-queue.ts';

const Message = z.object({
  key_id: z.int().min(1),
  webhook_id: z.int().min(1),
  event_id: z.string().min(1),
});

/** The handler of a queue of deliveries: each message is one attempt, and those of a batch run concurrently. */
export const deliveryWorker = handleMessages<DeliveryDependencies>((deps, { body }) =>
  deliver(deps, Message.parse(JSON.parse(body))),
);

/** Returns the dependencies of a delivery worker. */
export const deliveryEnvironment = (
  lane: DeliveryDependencies['lane'],
  retryQueueUrl: string,
): DeliveryDependencies => ({
  ...withSealing(environment)(),
  lane,
  post: webhookPoster(isLocal),
  signingClock: machineClock,
  second: workQueue<DeliveryMessage>(queueClient(), retryQueueUrl),
});

import * as z from 'zod';
import { machineClock } from '../../platform/clock.ts';
import { environment } from '../../platform/environment.ts';
import { handleMessages } from '../../platform/events/handle-messages.ts';
import { queueClient, workQueue } from '../../platform/queue/work-queue.ts';
import { deliver } from './deliver.ts';
import { type DeliveringDependencies, type DeliveryMessage, postHere } from './dependencies.ts';

const Message = z.object({
  key_id: z.int().min(1),
  webhook_id: z.int().min(1),
  event_id: z.string().min(1),
});

/** The handler of a queue of deliveries: a message is one attempt, and those of a batch are made side by side. */
export const deliveryWorker = handleMessages<DeliveringDependencies>((deps, { body }) =>
  deliver(deps, Message.parse(JSON.parse(body))),
);

/** What this process delivers with. */
export const deliveringHere = (
  lane: DeliveringDependencies['lane'],
  retryQueueUrl: string,
): DeliveringDependencies => ({
  ...environment(),
  lane,
  post: postHere,
  signingClock: machineClock,
  second: workQueue<DeliveryMessage>(queueClient(), retryQueueUrl),
});

import { consume } from '../../../shared/consume.ts';
import { events } from '../../../shared/events.ts';
import { appendEvent } from '../../../shared/domain/webhook/index.ts';
import type { AppendDependencies, DeliveryMessage } from '../../../shared/domain/webhook/model.ts';
import { readEnv } from '../../../shared/platform/environment/env.ts';
import { environment } from '../../../shared/platform/environment/environment.ts';
import { once } from '../../../shared/platform/once.ts';
import { queueClient, workQueue } from '../../../shared/platform/queue/work-queue.ts';
import { WebhookEnv } from './env.ts';
import { webhookSubscription } from '../../../shared/subscriptions.ts';

/** Enters each event into its team's feed, and makes its deliveries. */
export const webhookWorker = consume(webhookSubscription, events, appendEvent);

const fromEnvironment = (): AppendDependencies => ({
  ...environment(),
  deliveries: workQueue<DeliveryMessage>(queueClient(), readEnv(WebhookEnv).WEBHOOK_DELIVERY_QUEUE_URL),
});

/** The Lambda handler of the queue `webhook`. */
export const handler = webhookWorker(once(fromEnvironment));

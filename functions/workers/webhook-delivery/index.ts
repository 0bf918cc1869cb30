import { deliveryEnvironment, deliveryWorker } from '../../../shared/deliver-webhooks.ts';
import { readEnv } from '../../../shared/platform/environment/env.ts';
import { once } from '../../../shared/platform/once.ts';
import { WebhookDeliveryEnv } from './env.ts';

/** The Lambda handler of the queue `webhook-delivery`. Makes the first attempts of deliveries (D62). */
export const handler = deliveryWorker(
  once(() => deliveryEnvironment('first', readEnv(WebhookDeliveryEnv).WEBHOOK_RETRY_QUEUE_URL)),
);

import { deliveryEnvironment, deliveryWorker } from '../../../shared/deliver-webhooks.ts';
import { readEnv } from '../../../shared/platform/environment/env.ts';
import { once } from '../../../shared/platform/once.ts';
import { WebhookRetryEnv } from './env.ts';

/** The Lambda handler of the queue `webhook-retry`. Makes the attempts at endpoints that fail (D62). */
export const handler = deliveryWorker(
  once(() => deliveryEnvironment('second', readEnv(WebhookRetryEnv).WEBHOOK_RETRY_QUEUE_URL)),
);

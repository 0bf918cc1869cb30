import {
  deliveringHere,
  type DeliveringDependencies,
  deliveryWorker,
} from '../../../shared/domain/webhook/index.ts';
import { readEnv } from '../../../shared/platform/env.ts';
import { WebhookRetryEnv } from './env.ts';

let made: DeliveringDependencies | undefined;

/** The Lambda handler of the queue `webhook-retry`. Makes the attempts at endpoints that fail (D62). */
export const handler = deliveryWorker(
  () => (made ??= deliveringHere('second', readEnv(WebhookRetryEnv).WEBHOOK_RETRY_QUEUE_URL)),
);

import {
  deliveringHere,
  type DeliveringDependencies,
  deliveryWorker,
} from '../../../shared/domain/webhook/index.ts';
import { readEnv } from '../../../shared/platform/env.ts';
import { WebhookDeliveryEnv } from './env.ts';

let made: DeliveringDependencies | undefined;

/** The Lambda handler of the queue `webhook-delivery`. Makes the first attempts of deliveries (D62). */
export const handler = deliveryWorker(
  () => (made ??= deliveringHere('first', readEnv(WebhookDeliveryEnv).WEBHOOK_RETRY_QUEUE_URL)),
);

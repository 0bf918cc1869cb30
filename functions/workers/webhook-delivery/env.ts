import * as z from 'zod';
import { ServiceEnv } from '../../../shared/platform/environment/env.ts';

/** The environment of the worker. */
export const WebhookDeliveryEnv = ServiceEnv.extend({
  WEBHOOK_RETRY_QUEUE_URL: z.url().meta({ description: 'The queue of attempts at endpoints that fail.' }),
});
export type WebhookDeliveryEnv = z.infer<typeof WebhookDeliveryEnv>;

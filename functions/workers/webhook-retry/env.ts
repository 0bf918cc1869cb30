import * as z from 'zod';
import { ServiceEnv } from '../../../shared/platform/environment/env.ts';

/** The environment of the worker. */
export const WebhookRetryEnv = ServiceEnv.extend({
  WEBHOOK_RETRY_QUEUE_URL: z.url().meta({ description: 'The queue of attempts at endpoints that fail.' }),
});
export type WebhookRetryEnv = z.infer<typeof WebhookRetryEnv>;

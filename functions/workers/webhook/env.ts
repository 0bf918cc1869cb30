import * as z from 'zod';
import { ServiceEnv } from '../../../shared/platform/environment/env.ts';

/** The environment of the worker that enters events. */
export const WebhookEnv = ServiceEnv.extend({
  WEBHOOK_DELIVERY_QUEUE_URL: z.url().meta({ description: 'The queue of first attempts.' }),
});
export type WebhookEnv = z.infer<typeof WebhookEnv>;

import * as z from 'zod';
import { ServiceEnv } from '../../../shared/platform/env.ts';

/** The environment of the notification worker. */
export const NotificationEnv = ServiceEnv.extend({
  /** The address all mail comes from; it, or its domain, is a verified identity of SES. */
  MAIL_SENDER: z.email(),
});
export type NotificationEnv = z.infer<typeof NotificationEnv>;

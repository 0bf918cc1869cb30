import * as z from 'zod';
import { ServiceEnv } from '../../../shared/platform/environment/env.ts';

/** The environment of the look for due feeds. */
export const PollCalendarsEnv = ServiceEnv.extend({
  CALENDAR_SYNC_QUEUE_URL: z.url().meta({ description: 'The queue of feeds to be synchronised.' }),
});
export type PollCalendarsEnv = z.infer<typeof PollCalendarsEnv>;

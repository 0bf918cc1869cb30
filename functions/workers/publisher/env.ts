import * as z from 'zod';

/** The environment of the publisher. */
export const PublisherEnv = z.object({
  EVENT_BUS_NAME: z.string().min(1).meta({ description: 'Name of the event bus.' }),
});
export type PublisherEnv = z.infer<typeof PublisherEnv>;

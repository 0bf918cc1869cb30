import * as z from 'zod';
import { defineEvent } from '../../platform/events/event-row.ts';
import { Id, Instant } from '../../platform/schema/schema.ts';

export const webhookEvents = {
  'webhook.failing': defineEvent({
    meaning: 'The retries of a delivery have run out.',
    data: z.object({
      id: Id.meta({ description: 'The webhook.' }),
      team_ids: z.array(Id),
      url: z.string(),
      description: z.string().nullable(),
      problem: z.string(),
      troubled_since: Instant.nullable(),
    }),
    partners: null,
    example: {
      id: 369_435_906_932_802,
      team_ids: [71],
      url: 'https://partner.example.com/hooks/nightlatch',
      description: null,
      problem: 'HTTP 503',
      troubled_since: '2027-01-15T03:00:00.000Z',
    },
  }),
} as const;

import * as z from 'zod';
import { defineEvent } from '../../platform/events/event-row.ts';
import { Id, Instant } from '../../platform/schema.ts';

export const calendarFeedEvents = {
  'calendar_feed.stale': defineEvent({
    meaning: 'A calendar that a listing follows could not be read for three hours.',
    data: z.object({
      id: Id.meta({ description: 'The followed calendar.' }),
      listing_id: Id,
      team_id: Id,
      /** Only the host of its address: the rest may be a secret. */
      host: z.string(),
      problem: z.string().nullable(),
      last_synced_at: Instant.nullable(),
    }),
    partners: null,
    example: {
      id: 369_435_906_932_901,
      listing_id: 4711,
      team_id: 71,
      host: 'calendars.example.com',
      problem: 'HTTP 503',
      last_synced_at: '2027-01-15T00:00:00.000Z',
    },
  }),
} as const;

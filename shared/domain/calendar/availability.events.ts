import * as z from 'zod';
import { defineEvent } from '../../platform/events/event-row.ts';
import { Id, LocalDateTime } from '../../platform/schema/schema.ts';

const Availability = z.object({
  id: Id.meta({ description: 'The listing.' }),
  start_at: LocalDateTime.meta({ description: 'From when on something may have changed; local time.' }),
  end_at: LocalDateTime,
});

export const availabilityEvents = {
  'availability.changed': defineEvent({
    meaning: 'Time of a listing was blocked or freed.',
    data: Availability.extend({ by: z.string().meta({ description: 'As `actor`.' }) }),
    partners: Availability,
    example: {
      id: 4711,
      start_at: '2027-02-04T00:00:00',
      end_at: '2027-02-05T00:00:00',
      by: 'user:5312',
    },
  }),
} as const;

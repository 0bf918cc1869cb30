import * as z from 'zod';
import { defineEvent } from '../../platform/events/event-row.ts';
import { Id, Instant, LocalDateTime } from '../../platform/schema/schema.ts';

const feed = {
  id: Id.meta({ description: 'The followed calendar.' }),
  listing_id: Id,
  team_id: Id,
  /** Only the host of its address: the rest may be a secret. */
  host: z.string(),
};
const feedExample = {
  id: 369_435_906_932_901,
  listing_id: 4711,
  team_id: 71,
  host: 'calendars.example.com',
};

const conflict = z.object({
  ...feed,
  start_at: LocalDateTime,
  end_at: LocalDateTime,
  booking_id: Id.nullable().meta({ description: 'Of the listing; null: a block holds the time.' }),
});
const conflictExample = {
  ...feedExample,
  start_at: '2027-02-05T14:00:00',
  end_at: '2027-02-06T12:00:00',
  booking_id: 369_435_906_932_736,
};

export const calendarEvents = {
  'calendar.conflict': defineEvent({
    meaning:
      'A calendar that a listing follows wants time that a booking or a block of the listing holds, or shows an adopted stay otherwise than it can be.',
    data: conflict,
    partners: null,
    example: conflictExample,
  }),
  'calendar.conflict_ended': defineEvent({
    meaning: 'A conflict of a followed calendar has ended, or the calendar is followed no more.',
    data: conflict,
    partners: null,
    example: conflictExample,
  }),
  'calendar.quarantined': defineEvent({
    meaning: 'A calendar that a listing follows lost too many nights at once; they stay blocked.',
    data: z.object({ ...feed, nights: z.int() }),
    partners: null,
    example: { ...feedExample, nights: 12 },
  }),
  'calendar.stale': defineEvent({
    meaning: 'A calendar that a listing follows could not be read for three hours.',
    data: z.object({ ...feed, problem: z.string().nullable(), last_synced_at: Instant.nullable() }),
    partners: null,
    example: { ...feedExample, problem: 'HTTP 503', last_synced_at: '2027-01-15T00:00:00.000Z' },
  }),
  'calendar.read_in_part': defineEvent({
    meaning: 'A calendar was followed that has events which are marked as free, or understood in part.',
    data: z.object({ ...feed, free: z.int(), not_understood: z.int(), problems: z.array(z.string()) }),
    partners: null,
    example: {
      ...feedExample,
      free: 2,
      not_understood: 0,
      problems: ['2 events marked as free: no time is taken.'],
    },
  }),
} as const;

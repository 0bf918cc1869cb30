import * as z from 'zod';
import { Id, Instant, LocalDateTime } from '../../platform/schema.ts';

export const FollowRequest = z
  .strictObject({
    url: z.string().min(1).max(2048).meta({
      description: 'Address of an iCalendar that another platform publishes: https, public.',
      example: 'https://www.airbnb.com/calendar/ical/4711.ics?s=0123456789abcdef',
    }),
  })
  .meta({ id: 'FollowRequest' });
export type FollowRequest = z.infer<typeof FollowRequest>;

export const FeedStatus = z.enum(['ACTIVE', 'CONFLICT', 'QUARANTINED', 'FAILING', 'STALE']).meta({
  id: 'FeedStatus',
  description:
    'CONFLICT: an event lies over a booking, block or soft lock of the listing. QUARANTINED: too many nights vanished at once. FAILING: the calendar cannot be fetched or read; it is tried again after 10, 20 and then every 30 minutes. STALE: there was no good fetch for 3 hours, and the owners have a mail.',
});
export type FeedStatus = z.infer<typeof FeedStatus>;

const exportUrl = z.string().meta({
  description:
    'The general address of the calendar, for subscribers whose own calendar the listing does not follow. A platform that is followed gets the `export_url` of its item. It can be read by all who know it.',
});

const events = (description: string) => z.int().min(0).meta({ description });

/** What became of the events of a followed calendar (D114). */
const ReadCounts = z
  .object({
    events: events('All events; a recurring one counts once. The sum of the others.'),
    taken: events('Events that take time.'),
    free: events('Events that are marked as free. They take nothing.'),
    cancelled: events('Events that are marked as cancelled. They take nothing.'),
    past: events('Events of which nothing lies between now and 1,095 days ahead.'),
    not_understood: events('Events understood in part: they take the longest time that they may mean.'),
  })
  .meta({ id: 'CalendarReadCounts' });

/** A calendar of another platform that a listing follows (D64). */
export const CalendarFeed = z
  .object({
    id: Id,
    listing_id: Id,
    url: z.string(),
    export_url: z.string().meta({
      description:
        "The address of the listing's calendar for this very platform to subscribe to. It leaves out what came from `url`, and what is fetched from it is remembered, so that its echo in `url` is recognised.",
    }),
    status: FeedStatus,
    problem: z.string().nullable().meta({ description: 'What the host should know, in a sentence.' }),
    last_synced_at: Instant.nullable(),
    next_sync_at: Instant,
    imported: z.int().min(0).meta({ description: 'Events that hold time of the listing.' }),
    read: ReadCounts.nullable().meta({ description: 'Null until a calendar from before is read again.' }),
    problems: z.array(z.string()).meta({
      description: 'What a host should know of how the calendar was read, in sentences; at most 10.',
    }),
    echoes: z.int().min(0).meta({
      description:
        "Events that are the listing's own time, which the platform was given and shows again. They take nothing and are no conflict.",
    }),
    explained: z.int().min(0).meta({
      description:
        "Events of a whole house that stays, blocks or calendars of its rooms take, wholly or in part: they take the house and none of its other rooms. Platforms that link a house's calendar with those of its rooms show them.",
    }),
    conflicts: z
      .array(z.object({ start_at: LocalDateTime, end_at: LocalDateTime }).meta({ id: 'CalendarConflict' }))
      .meta({ description: 'Time that the feed wants and the listing holds otherwise; the first 50.' }),
    created_at: Instant,
  })
  .meta({ id: 'CalendarFeed' });
export type CalendarFeed = z.infer<typeof CalendarFeed>;

/** The calendars that a listing follows, and the address at which others follow its own (D64). */
export const CalendarFeeds = z
  .object({ items: z.array(CalendarFeed), export_url: exportUrl })
  .meta({ id: 'CalendarFeeds' });
export type CalendarFeeds = z.infer<typeof CalendarFeeds>;

export const ExportAddress = z.object({ export_url: exportUrl }).meta({ id: 'ExportAddress' });

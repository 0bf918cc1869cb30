import * as z from 'zod';
import { Id, Instant, lineOf, LocalDateTime } from '../../platform/schema/schema.ts';
import { CountsAs } from './counts-as.schema.ts';

const settings = {
  label: lineOf(64).optional().meta({
    description: 'What the team calls the platform; by default the host name of the address.',
    example: 'Airbnb',
  }),
  counts_as: CountsAs.optional(),
  commission_rate: z.number().min(0).max(1).nullable().optional().meta({
    description: 'What the platform keeps of a price, as a share of it; null: not known.',
    example: 0.15,
  }),
};

export const FeedChange = z
  .strictObject(settings)
  .refine((change) => Object.keys(change).length > 0, { message: 'must name what changes' })
  .meta({ id: 'FeedChange' });
export type FeedChange = z.infer<typeof FeedChange>;

export const FollowRequest = z
  .strictObject({
    url: z.string().min(1).max(2048).meta({
      description: 'Address of an iCalendar that another platform publishes: https, public.',
      example: 'https://www.airbnb.com/calendar/ical/4711.ics?s=0123456789abcdef',
    }),
    ...settings,
  })
  .meta({ id: 'FollowRequest' });
export type FollowRequest = z.infer<typeof FollowRequest>;

export const FeedStatus = z.enum(['ACTIVE', 'CONFLICT', 'QUARANTINED', 'FAILING', 'STALE']).meta({
  id: 'FeedStatus',
  description:
    'CONFLICT: an event lies over a booking, block or soft lock of the listing. QUARANTINED: too many nights vanished at once. FAILING: the calendar cannot be fetched or read; it is tried again after 10, 20 and then every 30 minutes. STALE: there was no good fetch for 3 hours, and the team has a mail.',
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
    events: events('The sum of the others; a recurring event counts once.'),
    taken: events('They take time.'),
    free: events('Marked as free: they take nothing.'),
    cancelled: events('Marked as cancelled.'),
    past: events('Nothing of them lies within 1,095 days from now.'),
    not_understood: events('Understood in part: they take the longest time that they may mean.'),
  })
  .meta({ id: 'CalendarReadCounts' });

export const CalendarConflict = z
  .object({
    start_at: LocalDateTime,
    end_at: LocalDateTime,
    booking_id: Id.nullable().meta({ description: 'Null: a block or a soft lock holds the time.' }),
  })
  .meta({ id: 'CalendarConflict' });

/** A calendar of another platform that a listing follows (D64). */
export const CalendarFeed = z
  .object({
    id: Id,
    listing_id: Id,
    url: z.string(),
    label: z.string().meta({ description: 'What the team calls the platform.' }),
    counts_as: CountsAs,
    commission_rate: z.number().nullable(),
    export_url: z.string().meta({
      description:
        "The address of the listing's calendar for this very platform to subscribe to. It leaves out what came from `url`, and what is fetched from it is remembered, so that its echo in `url` is recognised.",
    }),
    status: FeedStatus,
    problem: z.string().nullable().meta({ description: 'What the host should know, in a sentence.' }),
    last_synced_at: Instant.nullable(),
    next_sync_at: Instant,
    imported: z
      .int()
      .min(0)
      .meta({ description: 'Events that hold time of the listing, those of adopted stays included.' }),
    read: ReadCounts.nullable().meta({ description: 'Null: not read since the last upgrade.' }),
    problems: z.array(z.string()).meta({
      description: 'What a host should know of the reading; at most 10 sentences.',
    }),
    echoes: z.int().min(0).meta({
      description:
        "Events that are the listing's own time, which the platform was given and shows again. They take nothing and are no conflict.",
    }),
    explained: z.int().min(0).meta({
      description:
        'Events of a house that stays, blocks or calendars of its rooms take: its other rooms stay free.',
    }),
    conflicts: z.array(CalendarConflict).meta({
      description:
        'Time that the feed wants and the listing holds otherwise, and adopted stays that cannot follow their event: it has moved onto taken time, or is gone after the stay has started. The first 50.',
    }),
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

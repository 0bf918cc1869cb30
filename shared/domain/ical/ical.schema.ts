import * as z from 'zod';
import { Id, Instant, LocalDateTime } from '../../platform/schema.ts';

export const FollowRequest = z.strictObject({
  url: z.string().min(1).max(2048).meta({
    description: 'Address of an iCalendar that another platform publishes: https, public (D63).',
    example: 'https://www.airbnb.com/calendar/ical/4711.ics?s=0123456789abcdef',
  }),
});
export type FollowRequest = z.infer<typeof FollowRequest>;

export const FeedStatus = z.enum(['ACTIVE', 'CONFLICT', 'QUARANTINED', 'FAILING', 'STALE']).meta({
  description:
    'CONFLICT: an event lies over a booking, block or soft lock of the listing. QUARANTINED: too many events vanished at once. FAILING: the calendar cannot be fetched or read; it is tried again after 10, 20 and then every 30 minutes. STALE: there was no good fetch for 3 hours, and the owners have a mail.',
});
export type FeedStatus = z.infer<typeof FeedStatus>;

/** A calendar of elsewhere that a listing follows (D64). */
export const CalendarFeed = z.object({
  id: Id,
  listing_id: Id,
  url: z.string(),
  status: FeedStatus,
  problem: z.string().nullable().meta({ description: 'What the host should know, in a sentence.' }),
  last_synced_at: Instant.nullable(),
  next_sync_at: Instant,
  imported: z.int().min(0).meta({ description: 'Events that hold time of the listing.' }),
  conflicts: z
    .array(z.object({ start_at: LocalDateTime, end_at: LocalDateTime }))
    .meta({ description: 'Time that the feed wants and the listing holds otherwise; the first 50.' }),
  created_at: Instant,
});
export type CalendarFeed = z.infer<typeof CalendarFeed>;

const exportUrl = z.string().meta({
  description:
    'Address for Airbnb, Booking.com, Vrbo or Google to subscribe to. Whoever knows it can read it.',
});

/** The calendars that a listing follows, and the address at which others follow its own (D64). */
export const CalendarFeeds = z.object({ items: z.array(CalendarFeed), export_url: exportUrl });
export type CalendarFeeds = z.infer<typeof CalendarFeeds>;

export const ExportAddress = z.object({ export_url: exportUrl });

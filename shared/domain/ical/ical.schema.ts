import * as z from 'zod';
import { Id, Instant } from '../../platform/schema.ts';

/** A calendar of elsewhere that a listing follows (D64). */
export const CalendarFeed = z.object({
  id: Id,
  listing_id: Id,
  url: z.string(),
  status: z.string(),
  last_synced_at: Instant.nullable(),
  imported: z.int().min(0),
});
export type CalendarFeed = z.infer<typeof CalendarFeed>;

/** The calendars that a listing follows, and the address at which others follow its own (D64). */
export const CalendarFeeds = z.object({
  items: z.array(CalendarFeed),
  export_url: z.string().meta({
    description:
      'Address for Airbnb, Booking.com, Vrbo or Google to subscribe to. Whoever knows it can read it.',
  }),
});
export type CalendarFeeds = z.infer<typeof CalendarFeeds>;

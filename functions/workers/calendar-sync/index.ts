import * as z from 'zod';
import { calendarFetcher, type FeedDependencies, syncFeed } from '../../../shared/domain/ical/index.ts';
import { isLocal } from '../../../shared/platform/environment/env.ts';
import { environment } from '../../../shared/platform/environment/environment.ts';
import { handleMessages } from '../../../shared/platform/events/handle-messages.ts';

const FeedMessage = z.object({ listing_id: z.int().min(1), url_hash: z.string().min(1) });

/** Fetches the calendars that are due, and brings them in (D64). */
export const calendarSyncWorker = handleMessages<FeedDependencies>((deps, { body }) =>
  syncFeed(deps, FeedMessage.parse(JSON.parse(body))),
);

/** The Lambda handler of the queue `calendar-sync`. */
export const handler = calendarSyncWorker(() => ({
  ...environment(),
  fetchCalendar: calendarFetcher(isLocal),
}));

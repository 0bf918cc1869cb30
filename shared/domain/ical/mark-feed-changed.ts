import type { EventOf } from '../../events.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Dependencies } from '../../platform/context.ts';
import { ConflictError, equals, put, type Table } from '../../platform/table/index.ts';
import type { Subscribed } from '../../subscriptions.ts';
import { readReservation } from '../booking/model.ts';
import { calendarOf } from '../calendar/model.ts';
import { readListing } from '../listing/model.ts';
import { importer } from './apply-blocks.ts';
import { FeedRevisionEntity, feedsOf, type FollowedFeed, FollowedFeedEntity } from './ical.store.ts';

/**
 * Makes feeds of a listing due: all of them after a booking (D64), so that one made elsewhere at the same time shows, and those of
 * rooms after an import into their house (D113); after any other change those that wait for time that was taken. A failing one
 * is tried then too (D94). One that a synchronisation works at is left to it.
 */
const makeFeedsDue = async (
  { table, clock }: Pick<Dependencies, 'table' | 'clock'>,
  { listing_id, all }: { listing_id: number; all: boolean },
): Promise<void> => {
  const now = clock.now();
  const feeds = await feedsOf(table, listing_id);
  await Promise.all(
    feeds
      .filter((feed) => all || waits(feed))
      .filter(({ next_sync_at, lease_until }) => next_sync_at > now && lease_until <= now)
      .map(async (feed) => {
        const due = { ...feed, version: feed.version + 1, next_sync_at: now };
        try {
          await table.put(put(FollowedFeedEntity, due, { when: equals('version', feed.version) }));
        } catch (error) {
          if (!(error instanceof ConflictError)) throw error;
        }
      }),
  );
};

const waits = ({ conflicts, shared, explained = 0, failures }: FollowedFeed): boolean =>
  failures === 0 && (conflicts.length > 0 || shared || explained > 0);

type CalendarEvent = EventOf<Subscribed<'ical'>>;

/**
 * Notes that the exports of a calendar have changed, which subscribers read as Last-Modified, and that the calendars which the
 * listing, its parent and its children follow want a look (D64). A message that comes again counts again: it costs a look, and
 * a mark for each event would cost three times the write.
 */
export const markFeedChanged = async (
  deps: Pick<Dependencies, 'table' | 'clock'>,
  event: CalendarEvent,
): Promise<void> => {
  const { calendar_id, listing_id } = await subjectOf(deps.table, event);
  // Before the write, as the messages of a batch read together; feeds after it, so that a look meanwhile has seen it.
  const concerned = await concernedBy(deps.table, { listing_id, calendar_id });
  const changed = { calendar_id, revision: 0, changed_at: instantText(deps.clock.now()) };
  await deps.table.increase(FeedRevisionEntity, changed, 'revision', 1);
  const isBooking = event.event_type === 'booking.created' || event.event_type === 'booking.changed';
  const isImport = 'by' in event.data && event.data.by === importer;
  const isRoomOfImport = (id: number): boolean =>
    isImport && id !== calendar_id && listing_id === calendar_id;
  await Promise.all(
    concerned.map((id) => makeFeedsDue(deps, { listing_id: id, all: isBooking || isRoomOfImport(id) })),
  );
};

/** Returns the listings whose time an entry of a listing takes: its own, its parent's, its children's; no sibling's (D26). */
const concernedBy = async (
  table: Table,
  { listing_id, calendar_id }: { listing_id: number; calendar_id: number },
): Promise<number[]> => {
  if (listing_id !== calendar_id) return [listing_id, calendar_id];
  const listing = await readListing(table, listing_id);
  return [listing_id, ...(listing?.child_listing_ids ?? [])];
};

/** Returns the listing of an event, or of its booking, and its calendar. */
const subjectOf = async (table: Table, { id: eventId, event_type, data: { id } }: CalendarEvent) => {
  const missing = () => new Error(`what event ${eventId} names, ${id}, is not there`);
  if (event_type === 'availability.changed') {
    const listing = await readListing(table, id);
    if (!listing) throw missing();
    return { listing_id: id, calendar_id: calendarOf(listing) };
  }
  const reservation = await readReservation(table, id);
  if (!reservation) throw missing();
  return reservation;
};

import type { EventOf } from '../../events.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Dependencies } from '../../platform/context.ts';
import { inLanes } from '../../platform/in-lanes.ts';
import { ConflictError, equals, JoinedReads, put, type Table } from '../../platform/table/index.ts';
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

/** What an event means for the calendars that other platforms exchange with ours. */
interface Concerned {
  calendar_id: number;
  /** The listings whose feeds want a look. */
  listings: { id: number; all: boolean }[];
}

const concernedBy = async (table: Table, event: CalendarEvent): Promise<Concerned> => {
  const { calendar_id, listing_id } = await subjectOf(table, event);
  const ids = await listingsBeside(table, { listing_id, calendar_id });
  const isBooking = event.event_type === 'booking.created' || event.event_type === 'booking.changed';
  const isImport = 'by' in event.data && event.data.by === importer;
  const isRoomOfImport = (id: number): boolean =>
    isImport && id !== calendar_id && listing_id === calendar_id;
  return { calendar_id, listings: ids.map((id) => ({ id, all: isBooking || isRoomOfImport(id) })) };
};

/**
 * Notes that the exports of calendars have changed, which subscribers read as Last-Modified, and that the calendars which their
 * listings, the parents and the children follow want a look (D64): once for each calendar and listing, however many of the events
 * are of it. A message that comes again counts again: it costs a look, and a mark for each event would cost three times the write.
 */
export const markFeedsChanged = async (
  deps: Pick<Dependencies, 'table' | 'clock'>,
  events: readonly CalendarEvent[],
): Promise<void> => {
  const reading = deps.table.joiningReads(JoinedReads);
  const concerned = await Promise.all(events.map((event) => concernedBy(reading, event)));
  const changed = { revision: 0, changed_at: instantText(deps.clock.now()) };
  await inLanes([...new Set(concerned.map(({ calendar_id }) => calendar_id))], (calendarId) =>
    deps.table.increase(FeedRevisionEntity, { calendar_id: calendarId, ...changed }, 'revision', 1),
  );
  // After the revisions, so that a look meanwhile has seen them.
  const looks = Map.groupBy(
    concerned.flatMap(({ listings }) => listings),
    ({ id }) => id,
  );
  await inLanes([...looks], ([listingId, of]) =>
    makeFeedsDue(deps, { listing_id: listingId, all: of.some(({ all }) => all) }),
  );
};

/** Returns the listings whose time an entry of a listing takes: its own, its parent's, its children's; no sibling's (D26). */
const listingsBeside = async (
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

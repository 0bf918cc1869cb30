import type { Context } from '../../platform/context.ts';
import { invalid } from '../../platform/errors.ts';
import { change, equals, maxWrites, type Write } from '../../platform/table/index.ts';
import { toLocal } from '../../platform/time.ts';
import { ReservationEntity } from '../booking/model.ts';
import { moveCalendar } from '../calendar/index.ts';
import { type AvailabilityEntry, calendarOf } from '../calendar/model.ts';
import { bookableWindow } from './future-entries.ts';
import {
  type Listing,
  readListing,
  requireParent,
  requireParentZone,
  withChild,
  withoutChild,
} from './listing.store.ts';

/** Room for the listing itself, its slug and the event of its change. */
const mostWrites = maxWrites - 10;

/**
 * The writes that bring a listing from one parent to another, or to none (D21). The calendar of a child lives with its
 * parent's, so its stays and blocks come along, and its bookings know where they are (D26). Refused with
 * LISTING_NOT_AVAILABLE, which says what stands against it, and with VALIDATION_ERROR where it is too much for one step or
 * the new parent lies in another time zone.
 */
export const moveListing = async (ctx: Context, listing: Listing, next: Listing): Promise<Write[]> => {
  const parentId = next.parent_listing_id;
  const [from, to] = await Promise.all([
    listing.parent_listing_id === null ? undefined : readListing(ctx.table, listing.parent_listing_id),
    parentId === null ? undefined : readListing(ctx.table, parentId),
  ]);
  if (parentId !== null && listing.child_listing_ids.length > 0)
    throw invalid({ path: 'parent_listing_id', message: 'cannot be set on a listing that has children' });
  const family = [
    ...(from ? [withoutChild(from, listing.id)] : []),
    ...(parentId === null ? [] : [withChild(parentOf(listing, next, to), listing.id)]),
  ];
  const home = parentId ?? listing.id;
  const calendar = await moveCalendar(ctx.table, {
    listing_id: listing.id,
    from: calendarOf(listing),
    to: home,
    window: bookableWindow(ctx, listing),
    now: toLocal(ctx.clock.now(), listing.timezone),
    nowMs: ctx.clock.now(),
  });
  const bookings = calendar.entries.flatMap((entry) => movedBooking(entry, home));
  const writes = [...family, ...calendar.writes, ...bookings];
  if (writes.length > mostWrites) throw tooMuch(calendar.entries.length);
  return writes;
};

const tooMuch = (entries: number) =>
  invalid({
    path: 'parent_listing_id',
    message: `cannot change while the listing has so many stays and blocks to come (${entries}): they move in one step or not at all`,
  });

const parentOf = (listing: Listing, next: Listing, found: Listing | undefined): Listing => {
  if (found?.id === listing.id)
    throw invalid({ path: 'parent_listing_id', message: 'must be another listing' });
  const parent = requireParent(found, listing.team_id);
  const path = next.timezone === listing.timezone ? 'parent_listing_id' : 'timezone';
  requireParentZone(parent, next.timezone, path);
  return parent;
};

/** A booking says which calendar holds its hours: a cancellation frees them there. */
const movedBooking = ({ reservation_id, order_id, calendar_id }: AvailabilityEntry, to: number): Write[] =>
  reservation_id === null || order_id === null
    ? []
    : [
        change(
          ReservationEntity,
          { order_id, reservation_id },
          { set: { calendar_id: to } },
          { when: equals('calendar_id', calendar_id) },
        ),
      ];

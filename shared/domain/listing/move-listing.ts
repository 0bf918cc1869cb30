import type { Context } from '../../platform/context.ts';
import { invalid } from '../../platform/errors.ts';
import { change, maxWrites, present, type Write } from '../../platform/table/index.ts';
import { toLocal } from '../../platform/time/time.ts';
import { ReservationEntity } from '../booking/model.ts';
import { moveCalendar } from '../calendar/index.ts';
import { type AvailabilityEntry, calendarOf } from '../calendar/model.ts';
import { bookableWindow } from './future-entries.ts';
import type { Listing } from './listing.entity.ts';
import {
  readListing,
  requireParent,
  requireParentZone,
  addChildWrite,
  removeChildWrite,
} from './listing.store.ts';

/** Leaves room for the listing itself, its slug and the event of the change. */
const maxMoveWrites = maxWrites - 10;

/**
 * Returns the writes that move a listing to another parent, or to none (D21). A child's hours are in its parent's
 * calendar, so stays and blocks move with it, and its bookings record the new calendar (D26). Throws
 * LISTING_NOT_AVAILABLE with the conflicting entries, VALIDATION_ERROR if there are too many for one transaction or the
 * new parent has another time zone.
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
    ...(from ? [removeChildWrite(from, listing.id)] : []),
    ...(parentId === null ? [] : [addChildWrite(parentOf(listing, next, to), listing.id)]),
  ];
  const home = parentId ?? listing.id;
  const calendar = await moveCalendar(ctx.table, {
    listing_id: listing.id,
    from: calendarOf(listing),
    to: home,
    timezone: next.timezone,
    window: bookableWindow(ctx, listing),
    now: toLocal(ctx.clock.now(), listing.timezone),
    nowMs: ctx.clock.now(),
  });
  const bookings = calendar.entries.flatMap((entry) => movedBooking(entry, home));
  const writes = [...family, ...calendar.writes, ...bookings];
  if (writes.length > maxMoveWrites) throw tooManyEntries(calendar.entries.length);
  return writes;
};

const tooManyEntries = (entries: number) =>
  invalid({
    path: 'parent_listing_id',
    message: `cannot change while the listing has so many stays and blocks to come (${entries}): all of them must fit into one transaction`,
  });

const parentOf = (listing: Listing, next: Listing, found: Listing | undefined): Listing => {
  if (found?.id === listing.id)
    throw invalid({ path: 'parent_listing_id', message: 'must be another listing' });
  const parent = requireParent(found, listing.team_id);
  const path = next.timezone === listing.timezone ? 'parent_listing_id' : 'timezone';
  requireParentZone(parent, next.timezone, path);
  return parent;
};

/**
 * A booking records which calendar holds its hours, since a cancellation frees them there. Its entry, which moves in the same
 * transaction, must be there.
 */
const movedBooking = ({ reservation_id, order_id }: AvailabilityEntry, to: number): Write[] => {
  if (reservation_id === null || order_id === null) return [];
  const ids = { order_id, reservation_id };
  return [change(ReservationEntity, ids, { set: { calendar_id: to } }, { when: present() })];
};

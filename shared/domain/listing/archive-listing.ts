import { instantText } from '../../platform/time/clock.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { remove, retryOnConflict, type Write } from '../../platform/table/index.ts';
import { recordEvent } from '../../record-event.ts';
import { AvailabilityEntryEntity, CalendarDraft } from '../calendar/model.ts';
import { bookableWindow, futureEntries, openStays } from './future-entries.ts';
import { fieldChanges, recordChanges } from './listing-change.store.ts';
import type { Listing } from './listing.entity.ts';
import {
  hostedListing,
  listingPartition,
  ListingSlugEntity,
  putListing,
  readListing,
  removeChildWrite,
} from './listing.store.ts';

/** The most soft-lock entries that one transaction removes; the others expire. */
const maxRemovedEntries = 40;

/**
 * Returns the writes that close the calendar of an archived listing: soft locks are dropped, and a concurrent booking
 * fails its condition. The months are read before the entries, so that a booking is either among the entries or has
 * changed a month since. Throws INVALID_STATE_TRANSITION while a stay is still to come or in house (D18).
 */
const calendarClosingWrites = async (ctx: Context, listing: Listing): Promise<Write[]> => {
  const window = bookableWindow(ctx, listing);
  const draft = await CalendarDraft.load(ctx.table, [window], ctx.clock.now());
  const entries = await futureEntries(ctx, listing);
  const booked = await openStays(ctx, entries);
  if (booked.length > 0)
    throw new ServiceError(
      'INVALID_STATE_TRANSITION',
      'A listing with bookings that have not ended cannot be archived.',
      { booking_ids: booked.map(({ reservation_id }) => reservation_id) },
    );
  const holds = entries.filter(({ state }) => state === 'SOFT_LOCK');
  await draft.complete(ctx.table, holds);
  draft.close(window);
  for (const hold of holds) draft.releaseHold(hold);
  return [
    ...draft.writes(),
    ...holds.slice(0, maxRemovedEntries).map((hold) => remove(AvailabilityEntryEntity, hold)),
  ];
};

/**
 * Archives a listing (D18): it is 404 afterwards, its slug and its place in the family are free, its bookings stay
 * readable.
 */
export const archiveListing = async (
  ctx: Context,
  listingId: number,
): Promise<{ message: string; listing_id: number }> =>
  retryOnConflict(async () => {
    const listing = await hostedListing(ctx, listingId, 'manage');
    const updatedAt = instantText(ctx.clock.now());
    const next: Listing = { ...listing, state: 'ARCHIVED', updated_at: updatedAt };
    return ctx.commit(
      [
        putListing(next),
        ...(await archivingWrites(ctx, listing)),
        ...recordChanges(ctx, listing.id, fieldChanges(listing, next, ['state'])),
      ],
      { message: 'The listing is archived.', listing_id: listing.id },
    );
  });

/** Returns the writes that accompany the archiving of a listing, without the listing itself. */
export const archivingWrites = async (ctx: Context, listing: Listing): Promise<Write[]> => {
  const { id, team_id, slug, parent_listing_id } = listing;
  const [calendar, parent] = await Promise.all([
    calendarClosingWrites(ctx, listing),
    parent_listing_id === null ? undefined : readListing(ctx.table, parent_listing_id),
  ]);
  return [
    ...calendar,
    ...(parent ? [removeChildWrite(parent, id)] : []),
    remove(ListingSlugEntity, { team_id, slug }),
    recordEvent(ctx, {
      subject: listingPartition(id),
      event_type: 'listing.archived',
      team_id,
      data: { id, state: 'ARCHIVED' },
    }),
  ];
};

import { instantText } from '../../platform/clock.ts';
import type { Context } from '../../platform/context.ts';
import { recordEvent } from '../../record-event.ts';
import { remove, retryOnConflict, type Write } from '../../platform/table/index.ts';
import {
  hostedListing,
  type Listing,
  listingPartition,
  ListingSlugEntity,
  putListing,
  readListing,
  withoutChild,
} from '../listing/index.ts';
import { closeCalendar } from './close-calendar.ts';

/** Archives a listing (D18): it is gone for everybody, its slug and its place beside its siblings are free, its bookings stay. */
export const archiveListing = async (
  ctx: Context,
  listingId: number,
): Promise<{ message: string; listing_id: number }> =>
  retryOnConflict(async () => {
    const listing = await hostedListing(ctx, listingId, 'manage');
    const updated_at = instantText(ctx.clock.now());
    return ctx.commit(
      [putListing({ ...listing, state: 'ARCHIVED', updated_at }), ...(await archivingWrites(ctx, listing))],
      { message: 'The listing is archived.', listing_id: listing.id },
    );
  });

/** Everything that goes with a listing that is archived, but the listing itself. */
export const archivingWrites = async (ctx: Context, listing: Listing): Promise<Write[]> => {
  const { id, team_id, slug, parent_listing_id } = listing;
  const [calendar, parent] = await Promise.all([
    closeCalendar(ctx, listing),
    parent_listing_id === null ? undefined : readListing(ctx.table, parent_listing_id),
  ]);
  return [
    ...calendar,
    ...(parent ? [withoutChild(parent, id)] : []),
    remove(ListingSlugEntity, { team_id, slug }),
    recordEvent(ctx, {
      subject: listingPartition(id),
      event_type: 'listing.archived',
      team_id,
      data: { id, state: 'ARCHIVED' },
    }),
  ];
};

import type { PartnerCaller, PublishableCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { all, equals, isOneOf } from '../../platform/table/index.ts';
import { type BookingState, ReservationEntity } from '../booking/model.ts';
import type { Listing } from './listing.entity.ts';
import { readListing, requireVisible, seesListing } from './listing.store.ts';

/**
 * Returns the listing if it belongs to a team of the key and is not ARCHIVED; throws EXTERNAL_LISTING_NOT_ACCESSIBLE
 * otherwise (D9).
 */
export const requireAccessible = (caller: PartnerCaller, listing: Listing | undefined): Listing => {
  if (!listing || listing.state === 'ARCHIVED' || !caller.team_ids.includes(listing.team_id)) {
    throw new ServiceError('EXTERNAL_LISTING_NOT_ACCESSIBLE');
  }
  return listing;
};

/** Returns the listing if it is an open one of the page's team; throws LISTING_NOT_FOUND otherwise (D144). */
export const requireOfPage = (caller: PublishableCaller, listing: Listing | undefined): Listing =>
  requireVisible(caller, listing?.team_id === caller.team_id ? listing : undefined);

const open: readonly BookingState[] = ['PENDING', 'CONFIRMED', 'CHECKED_IN'];

type Reader = Pick<Context, 'table' | 'caller'>;

/**
 * Returns the listing if the caller may read the pages that a guest needs: it is visible, or INACTIVE with an open
 * booking of the caller (D79). The bookings are read only where the listing is not visible.
 */
export const requireReadable = async (ctx: Reader, listing: Listing | undefined): Promise<Listing> =>
  listing?.state === 'INACTIVE' && !seesListing(ctx.caller, listing) && (await isStaying(ctx, listing))
    ? listing
    : requireVisible(ctx.caller, listing);

/** Reads a listing and applies {@link requireReadable}. */
export const readableListing = async (ctx: Reader, listingId: number): Promise<Listing> =>
  requireReadable(ctx, await readListing(ctx.table, listingId));

const isStaying = async ({ table, caller }: Reader, { id }: Listing): Promise<boolean> => {
  if (caller.kind !== 'user') return false;
  const pk = `GUEST#${caller.user_id}`;
  const filter = all(equals('listing_id', id), isOneOf('state', open));
  let after: Record<string, unknown> | undefined;
  do {
    const page = await table.query(ReservationEntity, {
      index: 'by_audience',
      pk,
      descending: true,
      filter,
      after,
    });
    if (page.items.length > 0) return true;
    after = page.next;
  } while (after);
  return false;
};

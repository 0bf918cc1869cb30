import { type Caller, isHostOf, may, type Permission } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { Table } from '../../platform/table/index.ts';
import { type Listing, ListingEntity } from './listing.entity.ts';

/** What a BatchGet takes to read a listing. */
export const listingRead = (id: number) => ({ key: ListingEntity.key({ id }) });

/** A listing in whatever state, archived ones included; bookings go on pointing to them. */
export const readListing = (table: Table, id: number): Promise<Listing | undefined> =>
  table.get(ListingEntity, { id });

export const listingNotFound = (): ServiceError => new ServiceError('LISTING_NOT_FOUND');

/** Whether the caller may know that the listing exists: hosts all of their team's, everybody the ACTIVE ones (D15, D18). */
export const seesListing = (caller: Caller, listing: Listing): boolean =>
  listing.state === 'ACTIVE' || (listing.state !== 'ARCHIVED' && isHostOf(caller, listing.team_id));

/** The listing, when the caller may see it; LISTING_NOT_FOUND else. */
export const requireVisible = (caller: Caller, listing: Listing | undefined): Listing => {
  if (!listing || !seesListing(caller, listing)) throw listingNotFound();
  return listing;
};

/**
 * The listing, when the caller has the permission in its team. One that is not visible does not exist for the caller; what
 * can be read but not changed is FORBIDDEN (D13, D101).
 */
export const requireHosted = (
  caller: Caller,
  listing: Listing | undefined,
  permission: Permission,
): Listing => {
  const visible = requireVisible(caller, listing);
  if (may(caller, permission, visible.team_id)) return visible;
  const isMember =
    caller.kind === 'user' && caller.memberships.some(({ team_id }) => team_id === visible.team_id);
  throw new ServiceError(
    'FORBIDDEN',
    isMember
      ? 'Your role in this team does not allow this.'
      : 'You can read this listing, but only its hosts may do this.',
  );
};

/** Reads a listing that the caller may see. */
export const visibleListing = async (
  { table, caller }: Pick<Context, 'table' | 'caller'>,
  listingId: number,
): Promise<Listing> => requireVisible(caller, await readListing(table, listingId));

/** Reads a listing on which the caller has the permission. */
export const hostedListing = async (
  { table, caller }: Pick<Context, 'table' | 'caller'>,
  listingId: number,
  permission: Permission,
): Promise<Listing> => requireHosted(caller, await readListing(table, listingId), permission);

import { type Caller, isHostOf, may, type Permission } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { invalid, ServiceError } from '../../platform/errors.ts';
import { changedAt } from '../../platform/lists/index.ts';
import { defineEntity, equals, put, type Table, type Write } from '../../platform/table/index.ts';
import { isSameTimeZone } from '../../platform/time.ts';
import { recordEvent } from '../../record-event.ts';
import type { ChosenAmenity } from './catalog.rules.ts';
import type { ListingResponse } from './listing.schema.ts';

/** A listing as stored. Whoever writes it checks and bumps `version`: a host's update puts the whole item. */
export type Listing = Omit<
  ListingResponse,
  'commission_rate' | 'payment_methods' | 'transfer_window_hours' | 'view_count'
> & {
  commission_rate: number;
  /** Absent: all (D85). */
  payment_methods?: ListingResponse['payment_methods'];
  /** Absent: 72. */
  transfer_window_hours?: number;
  /** Sum of all ratings; absent until a review is written. */
  rating_sum?: number;
  /** Name in lower case without diacritics. */
  search_name: string;
  amenities: ChosenAmenity[];
  /** The children of a parent, so that one condition guards their number (D21). */
  child_listing_ids: number[];
  version: number;
};

/** All listings of a team, archived ones too, by the instant of their last change. */
export const teamListingsPartition = (teamId: number): string => `TEAM#${teamId}#LISTINGS`;
/** The ACTIVE listings of the platform, by the instant of their last change. */
export const openListings = 'OPEN_LISTINGS';

export const listingPartition = (listingId: number): string => `LISTING#${listingId}`;

export const ListingEntity = defineEntity<Listing, Pick<Listing, 'id'>>({
  name: 'Listing',
  meaning: 'A place to rent.',
  patterns: [
    'a listing with everything a price needs (one Query)',
    "a team's listings",
    'the open listings of the platform',
  ],
  key: ({ id }) => ({ pk: listingPartition(id), sk: 'LISTING' }),
  indexes: ({ team_id, state, updated_at }) => ({
    by_team: { pk: teamListingsPartition(team_id), sk: changedAt(updated_at) },
    ...(state === 'ACTIVE' ? { by_audience: { pk: openListings, sk: changedAt(updated_at) } } : {}),
  }),
  example: { id: 1 },
});

/** Holds a slug for its team, so that it is unique (D20). */
export interface ListingSlug {
  team_id: number;
  slug: string;
  listing_id: number;
}

const slugPrefix = (slug: string): string => `SLUG#${slug}`;

/** What a Query takes to find the taken slugs that begin like one. */
export const slugsLike = (teamId: number, slug: string) => ({
  pk: `TEAM#${teamId}`,
  prefix: slugPrefix(slug),
});

export const ListingSlugEntity = defineEntity<ListingSlug, Pick<ListingSlug, 'team_id' | 'slug'>>({
  name: 'ListingSlug',
  meaning: 'A slug taken by a listing of the team.',
  patterns: ['is the slug free?'],
  key: ({ team_id, slug }) => ({ pk: `TEAM#${team_id}`, sk: slugPrefix(slug) }),
  example: { team_id: 1, slug: 'villa' },
});

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

/** The event of a listing that changed: which fields, or which of the records around it (D61). */
export const listingUpdated = (
  ctx: Pick<Context, 'clock' | 'caller'>,
  { id, team_id, state }: Pick<Listing, 'id' | 'team_id' | 'state'>,
  changed: string[],
): Write =>
  recordEvent(ctx, {
    subject: listingPartition(id),
    event_type: 'listing.updated',
    team_id,
    data: { id, state, changed },
  });

/** Children a parent may have at most (D21). */
export const maxChildren = 40;

/** The parent that a child names, when it may be one: same team, standing, not itself a child, with room (D21). */
export const requireParent = (parent: Listing | undefined, teamId: number): Listing => {
  const refuse = (message: string) => invalid({ path: 'parent_listing_id', message });
  if (!parent || parent.team_id !== teamId || parent.state === 'ARCHIVED')
    throw refuse('must be a listing of the same team');
  if (parent.parent_listing_id !== null) throw refuse('must not itself be a child: families have one level');
  if (parent.child_listing_ids.length >= maxChildren)
    throw refuse(`has ${maxChildren} children already, the most a listing takes`);
  return parent;
};

/** Parent and child share one calendar in local hours (D26), so one clock tells them; another zone is refused at the field given. */
export const requireParentZone = (
  parent: Listing,
  timezone: string,
  path: 'timezone' | 'parent_listing_id',
): void => {
  if (!isSameTimeZone(parent.timezone, timezone))
    throw invalid({
      path,
      message: `a child has the time zone of its parent: ${parent.timezone}, not ${timezone}`,
    });
};

/** Writes a listing over the one that was read; whoever was faster makes it a lost race. */
export const putListing = (listing: Listing): Write =>
  put(
    ListingEntity,
    { ...listing, version: listing.version + 1 },
    { when: equals('version', listing.version) },
  );

/** The write that gives a parent one child more. */
export const withChild = (parent: Listing, childId: number): Write =>
  putListing({ ...parent, child_listing_ids: [...parent.child_listing_ids, childId] });

/** The write that takes a child from its parent. */
export const withoutChild = (parent: Listing, childId: number): Write =>
  putListing({ ...parent, child_listing_ids: parent.child_listing_ids.filter((id) => id !== childId) });

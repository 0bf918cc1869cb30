import * as z from 'zod';
import { type Caller, isHostOf, hasPermission, type Permission, roleRefused } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { invalid, ServiceError } from '../../platform/errors.ts';
import {
  defineEntity,
  equals,
  put,
  readOf,
  type Table,
  type Write,
  defineRecord,
  type RecordOf,
} from '../../platform/table/index.ts';
import { isSameTimeZone } from '../../platform/time/time.ts';
import { recordEvent } from '../../record-event.ts';
import { type FieldChange, recordChanges } from './listing-change.store.ts';
import { isOpenToAll, type Listing, ListingEntity } from './listing.entity.ts';

/** All listings of a team, archived ones included, by time of last change. */
export const teamListingsPartition = (teamId: number): string =>
  ListingEntity.partition({ team_id: teamId }, 'by_team');

/** Returns all listings of a team, archived ones included, each as it changed last; seconds old at most. */
export const teamListings = async (table: Table, teamId: number): Promise<Listing[]> => {
  const pk = teamListingsPartition(teamId);
  const found = await table.queryAll(ListingEntity, { index: 'by_team', pk });
  // During a change an index may contain a listing twice, the later one last.
  return [...new Map(found.map((listing) => [listing.id, listing])).values()];
};

export const listingPartition = (listingId: number): string => ListingEntity.partition({ id: listingId });

/** Reserves a slug within its team (D20). */
const ListingSlugRecord = defineRecord(() => ({
  team_id: z.int(),
  slug: z.string(),
  listing_id: z.int(),
}));
export type ListingSlug = RecordOf<typeof ListingSlugRecord>;

const slugPrefix = 'SLUG#';

/** Returns the query for the taken slugs with a prefix. */
export const slugsLike = (teamId: number, slug: string) => ({
  pk: ListingSlugEntity.partition({ team_id: teamId }),
  prefix: slugPrefix + slug,
});

export const ListingSlugEntity = defineEntity<ListingSlug, Pick<ListingSlug, 'team_id' | 'slug'>>({
  name: 'ListingSlug',
  meaning: 'A slug taken by a listing of the team.',
  patterns: ['is the slug free?'],
  record: ListingSlugRecord,
  key: { pk: 'TEAM#{team_id}', sk: `${slugPrefix}{slug}` },
  example: { team_id: 1, slug: 'villa' },
});

/** Returns the BatchGet request for a listing. */
export const listingRead = (id: number) => readOf(ListingEntity, { id });

/** Reads a listing in any state, archived ones included. */
export const readListing = (table: Table, id: number): Promise<Listing | undefined> =>
  table.get(ListingEntity, { id });

const listingNotFound = (): ServiceError => new ServiceError('LISTING_NOT_FOUND');

/** Whether the caller may see the listing: hosts see all of their team's, others those that are open to all (D15, D18). */
export const seesListing = (caller: Caller, listing: Listing): boolean =>
  isOpenToAll(listing) || (listing.state !== 'ARCHIVED' && isHostOf(caller, listing.team_id));

/** Returns the listing if the caller may see it; throws LISTING_NOT_FOUND otherwise. */
export const requireVisible = (caller: Caller, listing: Listing | undefined): Listing => {
  if (!listing || !seesListing(caller, listing)) throw listingNotFound();
  return listing;
};

/**
 * Returns the listing if the caller has the permission in its team. Throws LISTING_NOT_FOUND if it is not visible to the
 * caller, FORBIDDEN if it can be read but not changed (D13, D101).
 */
export const requireHosted = (
  caller: Caller,
  listing: Listing | undefined,
  permission: Permission,
): Listing => {
  const visible = requireVisible(caller, listing);
  if (hasPermission(caller, permission, visible.team_id)) return visible;
  const isMember =
    caller.kind === 'user' && caller.memberships.some(({ team_id }) => team_id === visible.team_id);
  throw isMember
    ? roleRefused()
    : new ServiceError('FORBIDDEN', 'You can read this listing, but only its hosts may do this.');
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

/**
 * Returns the writes of a `listing.updated` event with the changed fields, or names of changed related records (D61), and of
 * the line of the change log.
 */
export const listingUpdated = (
  ctx: Pick<Context, 'clock' | 'caller'>,
  { id, team_id, state }: Pick<Listing, 'id' | 'team_id' | 'state'>,
  changed: string[],
  changes: readonly FieldChange[],
): Write[] => [
  recordEvent(ctx, {
    subject: listingPartition(id),
    event_type: 'listing.updated',
    team_id,
    data: { id, state, changed },
  }),
  ...recordChanges(ctx, id, changes),
];

/** The most children of a parent (D21). */
const maxChildren = 40;

/** Returns the parent that a child names if it is of the same team, not archived, not itself a child and has room (D21). */
export const requireParent = (parent: Listing | undefined, teamId: number): Listing => {
  const refuse = (message: string) => invalid({ path: 'parent_listing_id', message });
  if (!parent || parent.team_id !== teamId || parent.state === 'ARCHIVED')
    throw refuse('must be a listing of the same team');
  if (parent.parent_listing_id !== null) throw refuse('must not itself be a child: families have one level');
  if (parent.child_listing_ids.length >= maxChildren)
    throw refuse(`already has ${maxChildren} children, the maximum`);
  return parent;
};

/**
 * Throws VALIDATION_ERROR if a child would have another time zone than its parent: they share a calendar in local hours
 * (D26).
 */
export const requireParentZone = (
  parent: Listing,
  timezone: string,
  path: 'timezone' | 'parent_listing_id',
): void => {
  if (!isSameTimeZone(parent.timezone, timezone))
    throw invalid({
      path,
      message: `must be the time zone of the parent: ${parent.timezone}, not ${timezone}`,
    });
};

/** Returns the write that replaces a listing if its version is unchanged. */
export const putListing = (listing: Listing): Write =>
  put(
    ListingEntity,
    { ...listing, version: listing.version + 1 },
    { when: equals('version', listing.version) },
  );

/** Returns the write that adds a child to a parent. */
export const addChildWrite = (parent: Listing, childId: number): Write =>
  putListing({ ...parent, child_listing_ids: [...parent.child_listing_ids, childId] });

/** Returns the write that removes a child from its parent. */
export const removeChildWrite = (parent: Listing, childId: number): Write =>
  putListing({ ...parent, child_listing_ids: parent.child_listing_ids.filter((id) => id !== childId) });

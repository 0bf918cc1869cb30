import { invalid } from '../../platform/errors.ts';
import { equals, put, type Write } from '../../platform/table/index.ts';
import { isSameTimeZone } from '../../platform/time.ts';
import { type Listing, ListingEntity } from './listing.entity.ts';

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

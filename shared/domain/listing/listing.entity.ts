import { changedAt } from '../../platform/lists/index.ts';
import { defineEntity } from '../../platform/table/index.ts';
import type { ChosenAmenity } from '../catalog/index.ts';
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

import { defineEntity, sortable } from '../../platform/table/index.ts';
import { type ListingResponse } from './listing.schema.ts';

/** A listing as stored: the whole record, plus its name folded for search. */
export type Listing = Omit<ListingResponse, 'commission_rate'> & {
  commission_rate: number;
  /** Name in lower case without diacritics. */
  search_name: string;
  version: number;
};

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
  indexes: (listing) =>
    listing.state === 'ARCHIVED'
      ? {}
      : {
          by_team: { pk: `TEAM#${listing.team_id}#LISTINGS`, sk: sortable(listing.id) },
          ...(listing.state === 'ACTIVE'
            ? { by_audience: { pk: 'OPEN_LISTINGS', sk: sortable(listing.id) } }
            : {}),
        },
  example: { id: 1 },
});

/** Holds a slug for its team, so that it is unique (D20). */
export interface ListingSlug {
  team_id: number;
  slug: string;
  listing_id: number;
}

export const ListingSlugEntity = defineEntity<ListingSlug, Pick<ListingSlug, 'team_id' | 'slug'>>({
  name: 'ListingSlug',
  meaning: 'A slug taken by a listing of the team.',
  patterns: ['is the slug free?'],
  key: ({ team_id, slug }) => ({ pk: `TEAM#${team_id}`, sk: `SLUG#${slug}` }),
  example: { team_id: 1, slug: 'villa' },
});

import type { ListKind, Owner } from '../../platform/lists/index.ts';
import { type Listing, ListingEntity, openListings, teamListingsPartition } from './listing.entity.ts';
import type { ListingState } from './listing.schema.ts';

/** What lists of listings filter and sort by; amounts in thousandths, ratings in hundredths, without one 0. */
export interface ListingRow {
  id: number;
  updated: number;
  state: ListingState;
  country: string;
  province: string;
  full_rate: number;
  minimum_rate: number;
  capacity: number;
  rating: number;
  reviews: number;
  name: string;
}

export const ownerTeamListings = (teamId: number): Owner => ({
  ...{ index: 'by_team', pk: teamListingsPartition(teamId), name: `T${teamId.toString(36)}` },
});
/** It trails: a page of the platform pays for no change of any host. */
export const openListingsOwner: Owner = {
  ...{ index: 'by_audience', pk: openListings, name: 'OPEN', trails: true },
};

export const listingList: ListKind<ListingRow, Listing> = {
  name: 'LISTINGS',
  planes: {
    main: { state: 'choice', country: 'choice', province: 'choice' },
    changed: { updated: 'number' },
    full: { full_rate: 'number' },
    minimum: { minimum_rate: 'number' },
    figures: { capacity: 'number', rating: 'number', reviews: 'number' },
    name: { name: 'text' },
  },
  rowOf: (listing) => ({
    id: listing.id,
    updated: Date.parse(listing.updated_at),
    state: listing.state,
    country: listing.country_code,
    province: listing.province_code,
    full_rate: Math.round(listing.full_rate * 1000),
    minimum_rate: Math.round(listing.minimum_rate * 1000),
    capacity: listing.capacity,
    rating: Math.round((listing.rating_average ?? 0) * 100),
    reviews: listing.review_count,
    name: listing.search_name,
  }),
  keyOf: (id) => ListingEntity.key({ id }),
  belongs: (listing, { index, pk }) => ListingEntity.indexes?.(listing)[index]?.pk === pk,
  packedFrom: 50,
};

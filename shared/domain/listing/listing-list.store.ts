import type { Context, Dependencies } from '../../platform/context.ts';
import { foldText } from '../../platform/text/fold-text.ts';
import { inLanes } from '../../platform/in-lanes.ts';
import { type Condition, type ListKind, type Owner, packList, pageList } from '../../platform/lists/index.ts';
import type { PageOf, PagingQuery } from '../../platform/schema/schema.ts';
import type { ListingState } from './listing-state.schema.ts';
import type { ListingOrder } from './listing.schema.ts';
import { type Listing, ListingEntity, openListings } from './listing.entity.ts';
import { readListing, teamListingsPartition } from './listing.store.ts';
import { sameProvince } from './places.rules.ts';

/**
 * The columns by which lists of listings are filtered and sorted: amounts in thousandths, ratings in hundredths (0
 * without one).
 */
interface ListingRow {
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
/** `isEventuallyConsistent`: changes are packed later, so that no host's update pays for the list of the platform. */
export const openListingsOwner: Owner = {
  ...{ index: 'by_audience', pk: openListings, name: 'OPEN', isEventuallyConsistent: true },
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
  entity: ListingEntity,
  keyOf: (id) => ListingEntity.key({ id }),
  belongs: (listing, { index, pk }) => ListingEntity.indexes(listing)[index]?.pk === pk,
  packedFrom: 50,
};

export interface ListingFilter {
  states: readonly ListingState[];
  country_code?: string | undefined;
  /** Any code of the province (see `sameProvince`). */
  province_code?: string | undefined;
  /** Part of the name; diacritics and case do not matter. */
  search?: string | undefined;
}

const columnOf = {
  ...{ created_at: 'id', updated_at: 'updated', name: 'name', full_rate: 'full_rate' },
  ...{
    minimum_rate: 'minimum_rate',
    capacity: 'capacity',
    rating_average: 'rating',
    review_count: 'reviews',
  },
} as const satisfies Record<ListingOrder, keyof ListingRow>;

/** Returns a page of the listings of some owners, filtered and sorted. */
export const pageListings = (
  { table, clock }: Pick<Context, 'table' | 'clock'>,
  owners: readonly Owner[],
  filter: ListingFilter,
  { sort_by, sort_order }: { sort_by: ListingOrder; sort_order: 'asc' | 'desc' },
  paging: PagingQuery,
): Promise<PageOf<Listing>> => {
  const { states, country_code, province_code, search } = filter;
  const rowFilter: RowFilter = {
    states,
    country: country_code?.toUpperCase(),
    provinces: province_code === undefined ? undefined : sameProvince(province_code),
    part: foldText(search ?? ''),
  };
  const query = {
    name: JSON.stringify(rowFilter),
    conditions: conditionsOf(rowFilter),
    order: { by: columnOf[sort_by], descending: sort_order === 'desc' },
  };
  return pageList({ table, clock }, listingList, owners, query, paging);
};

interface RowFilter {
  states: readonly ListingState[];
  country: string | undefined;
  provinces: readonly string[] | undefined;
  part: string;
}

const conditionsOf = ({ states, country, provinces, part }: RowFilter): Condition<ListingRow>[] => {
  const conditions: Condition<ListingRow>[] = [
    { columns: ['state'], test: ({ state }) => states.includes(state) },
  ];
  if (country !== undefined)
    conditions.push({ columns: ['country'], test: (row) => row.country === country });
  if (provinces !== undefined)
    conditions.push({ columns: ['province'], test: ({ province }) => provinces.includes(province) });
  if (part !== '') conditions.push({ columns: ['name'], test: ({ name }) => name.includes(part) });
  return conditions;
};

/** Updates the packed lists that contain listings, each list once. Idempotent, in any order. */
export const packListings = async (
  deps: Pick<Dependencies, 'table' | 'clock'>,
  ids: readonly number[],
): Promise<void> => {
  const found = await inLanes(ids, (id) => readListing(deps.table, id));
  const listings = found.filter((listing) => listing !== undefined);
  const idsOf = (some: readonly Listing[]) => some.map(({ id }) => id);
  for (const [team, some] of Map.groupBy(listings, ({ team_id }) => team_id))
    await packList(deps, listingList, ownerTeamListings(team), idsOf(some));
  if (listings.length > 0) await packList(deps, listingList, openListingsOwner, idsOf(listings));
};

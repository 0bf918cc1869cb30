import type { PartnerCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import type { PageOf, PagingQuery } from '../../platform/schema.ts';
import { all, equals, isOneOf, pageSorted, pageThrough } from '../../platform/table/index.ts';
import { type Listing, teamListingsPartition } from './listing.entity.ts';
import type { ListingOrder } from './listing-order.schema.ts';
import type { ListingResponse, ListingState } from './listing.schema.ts';
import { presentListing } from './present-listing.ts';
import { sameProvince } from './provinces.ts';

interface Asked {
  team_ids: readonly number[];
  state: ListingState;
  country_code?: string | undefined;
  province_code?: string | undefined;
  sort_by: ListingOrder;
  sort_order: 'asc' | 'desc';
}

/** The listings of the key's teams, ACTIVE ones unless another state is asked for (spec 4.5, D9). */
export const listExternalListings = async (
  ctx: Context<PartnerCaller>,
  asked: Asked,
  paging: PagingQuery,
): Promise<PageOf<ListingResponse>> => {
  const { team_ids, sort_by, sort_order } = asked;
  const descending = sort_order === 'desc';
  const sources = team_ids.map((team_id) => ({
    index: 'by_team' as const,
    pk: teamListingsPartition(team_id),
    descending,
    filter: filterOf(asked),
  }));
  const page =
    sort_by === 'created_at'
      ? await pageThrough<Listing>(ctx.table, sources, paging)
      : await pageSorted<Listing>(ctx.table, sources, paging, {
          name: `${sort_by} ${sort_order}`,
          valueOf: (listing) => sortValue(listing, sort_by),
          descending,
        });
  return { ...page, items: page.items.map((listing) => presentListing(ctx.caller, listing)) };
};

const filterOf = ({ state, country_code, province_code }: Asked) =>
  all(
    equals('state', state),
    ...(country_code === undefined ? [] : [equals('country_code', country_code.toUpperCase())]),
    ...(province_code === undefined ? [] : [isOneOf('province_code', sameProvince(province_code))]),
  );

const sortValue = (listing: Listing, by: ListingOrder): number | string =>
  by === 'name' ? listing.search_name : (listing[by] ?? 0);

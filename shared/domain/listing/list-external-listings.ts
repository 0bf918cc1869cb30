import type { PartnerCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import type { PageOf, PagingQuery } from '../../platform/schema.ts';
import { all, equals, pageThrough } from '../../platform/table/index.ts';
import type { Listing } from './listing.entity.ts';
import type { ListingResponse, ListingState } from './listing.schema.ts';
import { presentListing } from './present-listing.ts';

interface Filter {
  team_ids: readonly number[];
  state: ListingState;
  country_code?: string | undefined;
  province_code?: string | undefined;
  sort_order: 'asc' | 'desc';
}

/** The listings of the key's teams in the order they were made, ACTIVE ones unless another state is asked for (spec 4.5, D9). */
export const listExternalListings = async (
  ctx: Context<PartnerCaller>,
  { team_ids, state, country_code, province_code, sort_order }: Filter,
  paging: PagingQuery,
): Promise<PageOf<ListingResponse>> => {
  const filter = all(
    equals('state', state),
    ...(country_code === undefined ? [] : [equals('country_code', country_code)]),
    ...(province_code === undefined ? [] : [equals('province_code', province_code)]),
  );
  const sources = team_ids.map((team_id) => ({
    index: 'by_team' as const,
    pk: `TEAM#${team_id}#LISTINGS`,
    descending: sort_order === 'desc',
    filter,
  }));
  const page = await pageThrough<Listing>(ctx.table, sources, paging);
  return { ...page, items: page.items.map((listing) => presentListing(ctx.caller, listing)) };
};

import type { PartnerCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import type { PageOf, PagingQuery } from '../../platform/schema.ts';
import { ownerTeamListings } from './listing-list.ts';
import type { ListingOrder } from './listing-order.schema.ts';
import type { ListingResponse, ListingState } from './listing.schema.ts';
import { readViews } from './listing-views.store.ts';
import { pageListings } from './page-listings.ts';
import { presentListing } from './present-listing.ts';

interface Asked {
  team_ids: readonly number[];
  state: ListingState;
  country_code?: string | undefined;
  province_code?: string | undefined;
  sort_by: ListingOrder;
  sort_order: 'asc' | 'desc';
}

/** The listings of the key's teams, ACTIVE ones unless another state is asked for (D9, D81). */
export const listExternalListings = async (
  ctx: Context<PartnerCaller>,
  asked: Asked,
  paging: PagingQuery,
): Promise<PageOf<ListingResponse>> => {
  const { team_ids, state, country_code, province_code } = asked;
  const filter = { states: [state], country_code, province_code };
  const page = await pageListings(ctx, team_ids.map(ownerTeamListings), filter, asked, paging);
  const views = await readViews(
    ctx.table,
    page.items.map(({ id }) => id),
  );
  const items = page.items.map((listing, at) => presentListing(ctx.caller, listing, views[at] ?? 0));
  return { ...page, items };
};

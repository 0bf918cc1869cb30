import { actingTeam, isHostOf, type PartnerCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { invalid } from '../../platform/errors.ts';
import type { Owner } from '../../platform/lists/index.ts';
import type { PageOf, PagingQuery } from '../../platform/schema/schema.ts';
import { requireReadable } from './listing-access.ts';
import type { ListingQuery } from './listing-query.schema.ts';
import type { Listing } from './listing.entity.ts';
import { openListingsOwner, ownerTeamListings, pageListings } from './listing-list.store.ts';
import { readViewedListing, readViews, type ViewCounter } from './listing-views.store.ts';
import { presentListing, summarizeListing } from './present-listing.rules.ts';
import { openedListing } from './sealed-access.store.ts';
import { ListingState } from './listing-state.schema.ts';
import type { ListingOrder, ListingResponse, ListingSummary } from './listing.schema.ts';

/** Returns a listing as the caller may see it (D15, D79) and counts a customer's read (D23). */
export const getListing = async (
  ctx: Context,
  listingId: number,
  counter: ViewCounter,
): Promise<ListingResponse> => {
  const [written, read] = await Promise.all([
    counter.write(ctx, listingId),
    readViewedListing(ctx.table, listingId),
  ]);
  const listing = await requireReadable(ctx, read.listing);
  const isHost = isHostOf(ctx.caller, listing.team_id);
  if (ctx.caller.kind === 'user' && !isHost) counter.count(listingId, ctx.clock.now());
  const shown = isHost ? await openedListing(ctx, listing) : listing;
  return presentListing(ctx.caller, shown, Math.max(read.views, written ?? 0));
};

/**
 * Returns a page of listings, newest first. Hosts get those of their acting team, without ARCHIVED ones unless that state
 * is given; other callers get the ACTIVE ones of the platform (D14, D15, D81).
 */
export const listListings = async (ctx: Context, query: ListingQuery): Promise<PageOf<ListingSummary>> => {
  const { owner, seen } = audienceOf(ctx);
  const { search, province_code } = query;
  const wanted = stateOf(query);
  const states = wanted === undefined ? seen.usual : seen.all.filter((state) => state === wanted);
  const newestFirst = { sort_by: 'created_at', sort_order: 'desc' } as const;
  const page = await pageListings(ctx, [owner], { states, search, province_code }, newestFirst, query);
  return { ...page, items: page.items.map(summarizeListing) };
};

interface Audience {
  owner: Owner;
  seen: { all: readonly ListingState[]; usual: readonly ListingState[] };
}

const audienceOf = ({ caller, teamHeader }: Context): Audience => {
  const isHost = caller.kind === 'user' && caller.memberships.some(({ role }) => role !== 'CUSTOMER');
  if (!isHost && teamHeader === undefined)
    return { owner: openListingsOwner, seen: { all: ['ACTIVE'], usual: ['ACTIVE'] } };
  const owner = ownerTeamListings(actingTeam(caller, teamHeader, 'read'));
  const all = ListingState.options;
  return { owner, seen: { all, usual: all.filter((state) => state !== 'ARCHIVED') } };
};

const stateOf = ({ state, status }: ListingQuery): ListingState | undefined => {
  if (state !== undefined && status !== undefined && state !== status)
    throw invalid({ path: 'status', message: 'is another name of state: give one of them' });
  return state ?? status;
};

/** Returns a page of a team's listings except ARCHIVED ones, newest first, without an access check. */
export const pageTeamListings = (
  ctx: Pick<Context, 'table' | 'clock'>,
  teamId: number,
  paging: PagingQuery,
): Promise<PageOf<Listing>> => {
  const states = ListingState.options.filter((state) => state !== 'ARCHIVED');
  const newestFirst = { sort_by: 'created_at', sort_order: 'desc' } as const;
  return pageListings(ctx, [ownerTeamListings(teamId)], { states }, newestFirst, paging);
};

interface ExternalListingsQuery {
  team_ids: readonly number[];
  state: ListingState;
  country_code?: string | undefined;
  province_code?: string | undefined;
  sort_by: ListingOrder;
  sort_order: 'asc' | 'desc';
}

/** Returns the listings of the key's teams, ACTIVE ones unless another state is given (D9, D81). */
export const listExternalListings = async (
  ctx: Context<PartnerCaller>,
  query: ExternalListingsQuery,
  paging: PagingQuery,
): Promise<PageOf<ListingResponse>> => {
  const { team_ids, state, country_code, province_code } = query;
  const filter = { states: [state], country_code, province_code };
  const page = await pageListings(ctx, team_ids.map(ownerTeamListings), filter, query, paging);
  const views = await readViews(
    ctx.table,
    page.items.map(({ id }) => id),
  );
  const items = page.items.map((listing, at) => presentListing(ctx.caller, listing, views[at] ?? 0));
  return { ...page, items };
};

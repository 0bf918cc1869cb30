import { actingTeam } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { invalid } from '../../platform/errors.ts';
import type { Owner } from '../../platform/lists/index.ts';
import type { PageOf } from '../../platform/schema.ts';
import { openListingsOwner, ownerTeamListings } from './listing-list.ts';
import { ListingState, type ListingSummary } from './listing.schema.ts';
import type { ListingQuery } from './listing-input.schema.ts';
import { pageListings } from './page-listings.ts';
import { summarizeListing } from './present-listing.ts';

/**
 * A page of listings, newest first: those of the acting team for its hosts, in every state but ARCHIVED unless that is
 * asked for; the ACTIVE ones of the platform for everybody else (D14, D15, D81).
 */
export const listListings = async (
  ctx: Context,
  query: ListingQuery,
): Promise<PageOf<ListingSummary>> => {
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

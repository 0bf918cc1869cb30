import { actingTeam } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import type { PageOf } from '../../platform/schema.ts';
import { all, type Condition, equals, holds, isOneOf, pageThrough } from '../../platform/table/index.ts';
import { type Listing, openListings, teamListingsPartition } from './listing.entity.ts';
import type { ListingSummary } from './listing.schema.ts';
import type { ListingQuery } from './listing-input.schema.ts';
import { summarizeListing } from './present-listing.ts';
import { sameProvince } from './provinces.ts';
import { foldText } from './slug.ts';

/**
 * A page of listings, newest first: all of the acting team for its hosts, the ACTIVE ones of the platform for everybody
 * else (D14, D15).
 */
export const listListings = async (
  ctx: Context,
  { query }: { query: ListingQuery },
): Promise<PageOf<ListingSummary>> => {
  const filter = filterOf(query);
  const source = { ...audienceOf(ctx), descending: true, ...(filter ? { filter } : {}) };
  const page = await pageThrough<Listing>(ctx.table, source, query);
  return { ...page, items: page.items.map(summarizeListing) };
};

const audienceOf = ({ caller, teamHeader }: Context) => {
  const isHost = caller.kind === 'user' && caller.memberships.some(({ role }) => role !== 'CUSTOMER');
  if (!isHost && teamHeader === undefined) return { index: 'by_audience', pk: openListings } as const;
  const pk = teamListingsPartition(actingTeam(caller, teamHeader, 'read'));
  return { index: 'by_team', pk } as const;
};

/** What of the query is asked of each listing: name without diacritics, state, province. */
export const filterOf = ({
  search,
  status,
  province_code,
}: Pick<ListingQuery, 'search' | 'status' | 'province_code'>): Condition | undefined => {
  const folded = foldText(search ?? '');
  const conditions = [
    ...(folded === '' ? [] : [holds('search_name', folded)]),
    ...(status === undefined ? [] : [equals('state', status)]),
    ...(province_code === undefined ? [] : [isOneOf('province_code', sameProvince(province_code))]),
  ];
  return conditions.length === 0 ? undefined : all(...conditions);
};

import type { PublishableCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { roughlyPlaced } from '../listing/model.ts';
import type { CellReader } from './cell-reader.ts';
import { searchListings } from './search-listings.ts';
import type { SearchResult, StaySearchQuery } from './search.schema.ts';

/** Finds homes of the team of the page (D144), as {@link searchListings} does; without a location all of them. */
export const searchStays = async (
  ctx: Context<PublishableCaller>,
  query: StaySearchQuery,
  cells: CellReader,
): Promise<SearchResult> => {
  const found = await searchListings(ctx, query, { cells, teamIds: [ctx.caller.team_id] });
  return {
    ...found,
    items: found.items.map(roughlyPlaced),
    combos: found.combos.map((combo) => ({ ...combo, listings: combo.listings.map(roughlyPlaced) })),
  };
};

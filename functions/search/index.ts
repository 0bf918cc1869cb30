import { CellReader, searchListings } from '../../shared/domain/search/index.ts';
import type { Dependencies } from '../../shared/platform/context.ts';
import { environment } from '../../shared/platform/environment/environment.ts';
import { type GroupHandler, serve } from '../../shared/platform/http/serve.ts';
import { teamsOf } from '../../shared/platform/http/team-ids.ts';
import { searchRoutes } from './routes.ts';

/** The search over any dependencies; what it has read of the index it believes for `keepMs`. */
export const search = (
  deps: () => Dependencies,
  { keepMs }: { keepMs: number } = { keepMs: 1000 },
): GroupHandler => {
  const cells = new CellReader({ keepMs });
  return serve(searchRoutes, {
    searchListings: (ctx, { query }) => searchListings(ctx, query, { cells }),
    searchExternalListings: (ctx, { query: { team_ids, ...query } }) =>
      searchListings(ctx, query, { cells, teamIds: teamsOf(ctx.caller, team_ids) }),
  })(deps);
};

/** The Lambda handler of the search. */
export const handler = search(environment);

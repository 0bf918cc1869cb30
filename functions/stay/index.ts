import { readAvailability } from '../../shared/domain/calendar/index.ts';
import { quoteStay } from '../../shared/domain/checkout/index.ts';
import { getStayListing, listStayReviews, requireOfPage } from '../../shared/domain/listing/index.ts';
import { getStayTeam } from '../../shared/domain/people/index.ts';
import { CellReader, searchStays } from '../../shared/domain/search/index.ts';
import type { Dependencies } from '../../shared/platform/context.ts';
import { environment } from '../../shared/platform/environment/environment.ts';
import { type GroupHandler, serve } from '../../shared/platform/http/serve.ts';
import { signIn } from './env.ts';
import { readPage } from './read-page.ts';
import { stayRoutes } from './routes.ts';

/** The routes of a team's pages over any dependencies, as one function instance; the index of search it believes for `keepMs`. */
export const stay = (
  deps: () => Dependencies,
  { keepMs }: { keepMs: number } = { keepMs: 1000 },
): GroupHandler => {
  const cells = new CellReader({ keepMs });
  return serve(
    stayRoutes,
    {
      getStayTeam: (ctx) => getStayTeam(ctx, signIn()),
      searchStays: (ctx, { query }) => searchStays(ctx, query, cells),
      getStayListing: (ctx, { params }) => getStayListing(ctx, params.listing_id),
      readStayAvailability: (ctx, { params, query }) =>
        readAvailability(ctx, params.listing_id, query, (listing) => requireOfPage(ctx.caller, listing)),
      listStayReviews: (ctx, { params, query }) => listStayReviews(ctx, params.listing_id, query),
      quoteStay: (ctx, { body }) => quoteStay(ctx, body),
    },
    { readPublishable: readPage() },
  )(deps);
};

/** The Lambda handler of the routes of a team's pages. */
export const handler = stay(environment);

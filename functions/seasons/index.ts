import {
  bulkBlocks,
  bulkPrices,
  putStayRules,
  readStayRules,
  undoBulk,
} from '../../shared/domain/pricing/index.ts';
import { listListingChanges } from '../../shared/domain/listing/index.ts';
import { environment } from '../../shared/platform/environment/environment.ts';
import { serve } from '../../shared/platform/http/serve.ts';
import { seasonsRoutes } from './routes.ts';

/** The routes of seasons over any dependencies. */
export const seasons = serve(seasonsRoutes, {
  readStayRules: (ctx, { params }) => readStayRules(ctx, params.listing_id),
  putStayRules: (ctx, { params, body }) => putStayRules(ctx, params.listing_id, body),
  bulkPrices: (ctx, { body }) => bulkPrices(ctx, body),
  bulkBlocks: (ctx, { body }) => bulkBlocks(ctx, body),
  undoBulk: (ctx, { body }) => undoBulk(ctx, body),
  listListingChanges: (ctx, { params, query }) => listListingChanges(ctx, params.listing_id, query),
});

/** The Lambda handler of the routes of seasons. */
export const handler = seasons(environment);

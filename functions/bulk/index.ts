import { bulkBlocks, bulkPrices, undoBulk } from '../../shared/domain/pricing/index.ts';
import { environment } from '../../shared/platform/environment/environment.ts';
import { serve } from '../../shared/platform/http/serve.ts';
import { bulkRoutes } from './routes.ts';

/** The routes of bulk changes over any dependencies. */
export const bulk = serve(bulkRoutes, {
  bulkPrices: (ctx, { body }) => bulkPrices(ctx, body),
  bulkBlocks: (ctx, { body }) => bulkBlocks(ctx, body),
  undoBulk: (ctx, { body }) => undoBulk(ctx, body),
});

/** The Lambda handler of bulk changes. */
export const handler = bulk(environment);

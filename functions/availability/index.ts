import {
  blockTime,
  listUnavailableHours,
  readAvailability,
  readMonth,
  readRange,
  takenFirst,
  unblockTime,
} from '../../shared/domain/calendar/index.ts';
import { requireVisible } from '../../shared/domain/listing/model.ts';
import { environment } from '../../shared/platform/environment/environment.ts';
import { serve } from '../../shared/platform/http/serve.ts';
import { availabilityRoutes } from './routes.ts';

export const availability = serve(
  availabilityRoutes,
  {
    readMonth: (ctx, { params, query }) => readMonth(ctx, params.listing_id, query),
    readRange: (ctx, { params, query }) => readRange(ctx, params.listing_id, query),
    listUnavailableHours: (ctx, { params, query }) => listUnavailableHours(ctx, params.listing_id, query),
    blockTime: (ctx, { params, body }) => blockTime(ctx, params.listing_id, body),
    unblockTime: (ctx, { params }) => unblockTime(ctx, params.listing_id, params.availability_id),
    readAvailability: (ctx, { params, query }) =>
      readAvailability(ctx, params.listing_id, query, (listing) => requireVisible(ctx.caller, listing)),
  },
  { takenFirst },
);

/** The Lambda handler of the availability routes. */
export const handler = availability(environment);

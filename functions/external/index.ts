import {
  cancelExternalBooking,
  correctExternalGuest,
  getExternalBooking,
  getExternalCancellation,
  listExternalBookings,
  listExternalHistory,
} from '../../shared/domain/booking/index.ts';
import { readAvailability, takenFirst } from '../../shared/domain/calendar/index.ts';
import {
  bookExternally,
  createQuote,
  extendQuote,
  holdQuote,
  releaseQuote,
} from '../../shared/domain/checkout/index.ts';
import {
  getExternalListing,
  listExternalListings,
  requireAccessible,
} from '../../shared/domain/listing/index.ts';
import { apiUrl, knowingApiUrl } from '../../shared/platform/http/api-url.ts';
import { withSealing } from '../../shared/platform/environment/sealing-environment.ts';
import { Reply } from '../../shared/platform/http/reply.ts';
import { serve } from '../../shared/platform/http/serve.ts';
import { teamsOf } from '../../shared/platform/http/team-ids.ts';
import { paymentEnvironment } from '../../shared/platform/environment/payment-environment.ts';
import { externalRoutes } from './routes.ts';

export const external = serve(
  externalRoutes,
  {
    listExternalListings: (ctx, { query: { team_ids, ...query } }) =>
      listExternalListings(ctx, { ...query, team_ids: teamsOf(ctx.caller, team_ids) }, query),
    getExternalListing: (ctx, { params }) => getExternalListing(ctx, params.listing_id),
    readExternalAvailability: (ctx, { params, query }) =>
      readAvailability(ctx, params.listing_id, query, (listing) => requireAccessible(ctx.caller, listing)),
    createQuote: (ctx, { body }) => createQuote(ctx, body),
    holdQuote: (ctx, { params, body }) => holdQuote(ctx, params.quote_id, body),
    extendQuote: (ctx, { params }) => extendQuote(ctx, params.quote_id),
    releaseQuote: (ctx, { params }) => releaseQuote(ctx, params.quote_id),
    createExternalBooking: async (ctx, { body }) => {
      const { booking, created } = await bookExternally(ctx, body);
      return new Reply(booking, { status: created ? 201 : 200 });
    },
    listExternalBookings: (ctx, { query: { team_ids, ...query } }) =>
      listExternalBookings(ctx, { ...query, team_ids: teamsOf(ctx.caller, team_ids) }, query),
    getExternalBooking: (ctx, { params }) => getExternalBooking(ctx, params.booking_id, apiUrl()),
    getExternalCancellation: (ctx, { params }) => getExternalCancellation(ctx, params.booking_id),
    correctExternalGuest: (ctx, { params, body }) => correctExternalGuest(ctx, params.booking_id, body),
    listExternalHistory: (ctx, { params }) => listExternalHistory(ctx, params.booking_id),
    cancelExternalBooking: (ctx, { params, body }) =>
      cancelExternalBooking(ctx, params.booking_id, body?.reason),
  },
  { takenFirst },
);

/** The Lambda handler of the External API. */
export const handler = knowingApiUrl(external(withSealing(paymentEnvironment)));

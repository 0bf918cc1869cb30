import { takenFirst } from '../../shared/domain/calendar/index.ts';
import {
  archiveListing,
  createListing,
  createParkingRule,
  createReview,
  deleteParkingRule,
  getListing,
  getPolicies,
  listAmenities,
  listCatalogs,
  listListingAmenities,
  listListings,
  listParkingRules,
  listReviews,
  putPolicies,
  replaceImages,
  replyToReview,
  updateListing,
  updateParkingRule,
} from '../../shared/domain/listing/index.ts';
import { ViewCounter } from '../../shared/domain/listing/model.ts';
import type { Dependencies } from '../../shared/platform/context.ts';
import { environment } from '../../shared/platform/environment/environment.ts';
import { notModified } from '../../shared/platform/http/not-modified.ts';
import { type GroupHandler, serve, type Verbs } from '../../shared/platform/http/serve.ts';
import { withSealing } from '../../shared/platform/environment/sealing-environment.ts';
import { cacheable } from './cacheable.ts';
import { listingsRoutes } from './routes.ts';

const verbs = (views: ViewCounter): Verbs<(typeof listingsRoutes)['routes']> => ({
  createListing: (ctx, { body }) => createListing(ctx, body),
  listListings: (ctx, { query }) => listListings(ctx, query),
  getListing: (ctx, { params }) => getListing(ctx, params.listing_id, views),
  updateListing: (ctx, { params, body }) => updateListing(ctx, params.listing_id, body),
  archiveListing: (ctx, { params }) => archiveListing(ctx, params.listing_id),
  replaceImages: (ctx, { params, body }) => replaceImages(ctx, params.listing_id, body),
  listListingAmenities: (ctx, { params }) => listListingAmenities(ctx, params.listing_id),
  listParkingRules: (ctx, { params }) => listParkingRules(ctx, params.listing_id),
  createParkingRule: (ctx, { params, body }) => createParkingRule(ctx, params.listing_id, body),
  updateParkingRule: (ctx, { params, body }) =>
    updateParkingRule(ctx, params.listing_id, params.rule_id, body),
  deleteParkingRule: (ctx, { params }) => deleteParkingRule(ctx, params.listing_id, params.rule_id),
  getPolicies: (ctx, { params }) => getPolicies(ctx, params.listing_id),
  putPolicies: (ctx, { params, body }) => putPolicies(ctx, params.listing_id, body),
  createReview: (ctx, { params, body }) => createReview(ctx, params.booking_id, body),
  listReviews: (ctx, { params, query }) => listReviews(ctx, params.listing_id, query),
  replyToReview: (ctx, { params, body }) => replyToReview(ctx, params.review_id, body),
  listCatalogs: async (_, { query }) => cacheable(listCatalogs(query)),
  listAmenities: async (_, { query }) => cacheable(listAmenities(query)),
});

/** The listing routes over any dependencies, as one function instance. */
export const listings = (deps: () => Dependencies): GroupHandler => {
  const handler = serve(listingsRoutes, verbs(new ViewCounter()), { takenFirst })(deps);
  handler.use(notModified());
  return handler;
};

/** The Lambda handler of the listing routes. */
export const handler = listings(withSealing(environment));

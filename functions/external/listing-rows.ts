import * as z from 'zod';
import {
  availabilityQuery,
  ListingAvailability,
  listingAvailabilityExample,
} from '../../shared/domain/calendar/availability.schema.ts';
import { externalListingExample } from '../../shared/domain/listing/external-listing-example.schema.ts';
import { ExternalListing } from '../../shared/domain/listing/external-listing.schema.ts';
import { listingExample } from '../../shared/domain/listing/listing-example.schema.ts';
import { ListingState } from '../../shared/domain/listing/listing-state.schema.ts';
import { ListingOrder, ListingResponse } from '../../shared/domain/listing/listing.schema.ts';
import type { Routes } from '../../shared/platform/http/route.ts';
import { TeamIdsText } from '../../shared/platform/http/team-ids.ts';
import { pageOf, pagingFields, PathId } from '../../shared/platform/schema/schema.ts';

const listingId = z.strictObject({ listing_id: PathId });
const page = { total: 1, total_is_exact: true, page: 1, limit: 20, total_pages: 1, next_cursor: null };

/** Listings of the key's teams and when they are free (D92). */
export const externalListingRows = {
  listExternalListings: {
    method: 'GET',
    path: '/api/v1/external/listings',
    access: 'partner',
    scope: 'read',
    tag: 'External API',
    summary: 'The listings of the key’s teams',
    query: z.strictObject({
      ...pagingFields,
      team_ids: TeamIdsText,
      state: ListingState.default('ACTIVE'),
      country_code: z.string().max(2).optional(),
      province_code: z.string().max(32).optional(),
      sort_by: ListingOrder.default('created_at'),
      sort_order: z.enum(['asc', 'desc']).default('desc'),
    }),
    queryErrors: { state: 'EXTERNAL_INVALID_STATE', team_ids: 'EXTERNAL_INVALID_REQUEST' },
    status: 200,
    reply: pageOf(ListingResponse),
    errors: [],
    examples: { reply: { items: [listingExample], ...page } },
  },
  getExternalListing: {
    method: 'GET',
    path: '/api/v1/external/listings/{listing_id}',
    access: 'partner',
    scope: 'read',
    tag: 'External API',
    summary: 'A listing of the key’s teams with everything that a page about it shows',
    description:
      'In any state but ARCHIVED. Amenities by group, policies, parking, active extra services, combos and pricing rules, and the cancellation terms of a booking that is made now.',
    params: listingId,
    status: 200,
    reply: ExternalListing,
    errors: ['EXTERNAL_LISTING_NOT_ACCESSIBLE'],
    examples: { reply: externalListingExample },
  },
  readExternalAvailability: {
    method: 'GET',
    path: '/api/v1/external/listings/{listing_id}/availability',
    access: 'partner',
    scope: 'read',
    tag: 'External API',
    summary: 'Availability and prices of a listing by day or by hour',
    params: listingId,
    query: availabilityQuery,
    queryErrors: { start_date: 'EXTERNAL_INVALID_DATE_FORMAT', end_date: 'EXTERNAL_INVALID_DATE_FORMAT' },
    status: 200,
    reply: ListingAvailability,
    errors: ['EXTERNAL_LISTING_NOT_ACCESSIBLE'],
    examples: { reply: listingAvailabilityExample },
  },
} as const satisfies Routes;

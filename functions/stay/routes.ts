import * as z from 'zod';
import {
  availabilityQuery,
  ListingAvailability,
  listingAvailabilityExample,
} from '../../shared/domain/calendar/availability.schema.ts';
import { externalListingExample } from '../../shared/domain/listing/external-listing-example.schema.ts';
import { Review } from '../../shared/domain/listing/review.schema.ts';
import { StayListing } from '../../shared/domain/listing/stay-listing.schema.ts';
import { StayTeam } from '../../shared/domain/people/stay-team.schema.ts';
import { nightPreviewExample } from '../../shared/domain/pricing/quote-example.schema.ts';
import { Preview, PreviewRequest } from '../../shared/domain/pricing/quote.schema.ts';
import { searchResultExample } from '../../shared/domain/search/search-example.schema.ts';
import { SearchResult, StaySearchQuery } from '../../shared/domain/search/search.schema.ts';
import { exampleIds } from '../../shared/platform/http/example-records.ts';
import { defineRoutes } from '../../shared/platform/http/route.ts';
import { pageOf, PagingQuery, PathId } from '../../shared/platform/schema/schema.ts';

/** What it reads is paid by the operator, so nothing is read for a request above its limits. */
const onPage = { access: 'publishable', countedFirst: true, tag: 'Pages of a team' } as const;
const listingId = z.strictObject({ listing_id: PathId });
const page = { total: 1, total_is_exact: true, page: 1, limit: 20, total_pages: 1, next_cursor: null };

const review = {
  id: exampleIds.review,
  listing_id: exampleIds.listing,
  ...{ guest_name: 'An', rating: 5, comment: 'Nhà sạch, view rừng thông tuyệt đẹp.', reply: null },
  created_at: '2027-02-09T02:15:00.000Z',
};

/** What a team's own pages read with its publishable key (D144). To book, a guest signs in. */
export const stayRoutes = defineRoutes('stay', {
  getStayTeam: {
    ...onPage,
    method: 'GET',
    path: '/api/v1/stay/team',
    summary: 'The team of the key, and how its guests sign in',
    status: 200,
    reply: StayTeam,
    errors: [],
    examples: {
      reply: {
        ...{ team_id: exampleIds.team, name: 'Hoa Nắng', language: 'vi' },
        ...{ contact_phone: '+84 912 345 678', contact_email: 'xin-chao@hoanang.example' },
        logo_url: 'https://images.example.com/hoa-nang.png',
        sign_in: {
          issuer: 'https://nightlatch.eu.auth0.com/',
          ...{ audience: 'https://api.nightlatch.example', client_id: 'guestsOfNightlatch' },
        },
      },
    },
  },
  searchStays: {
    ...onPage,
    method: 'GET',
    path: '/api/v1/stay/search',
    objective: 'search',
    summary: 'Homes of the team that are free for a stay and hold the guests, with its price',
    description:
      'Like `GET /search`, among the open listings of the team, with places rounded to about a kilometre. Answers may lag by a few seconds; checkout decides.',
    query: StaySearchQuery,
    status: 200,
    reply: SearchResult,
    errors: [],
    examples: {
      query: { check_in: '2027-02-04', check_out: '2027-02-07', guests: 2 },
      reply: searchResultExample,
    },
  },
  getStayListing: {
    ...onPage,
    method: 'GET',
    path: '/api/v1/stay/listings/{listing_id}',
    objective: 'search',
    summary: 'A home of the team with everything that a page about it shows',
    description:
      'An open listing of the team. Amenities by group, policies, parking, active extra services, combos and pricing rules, and the cancellation terms of a booking that is made now; the address is for guests who have signed in.',
    params: listingId,
    status: 200,
    reply: StayListing,
    errors: ['LISTING_NOT_FOUND'],
    examples: { reply: externalListingExample },
  },
  readStayAvailability: {
    ...onPage,
    method: 'GET',
    path: '/api/v1/stay/listings/{listing_id}/availability',
    objective: 'search',
    summary: 'Availability and prices of a home of the team by day or by hour',
    params: listingId,
    query: availabilityQuery,
    status: 200,
    reply: ListingAvailability,
    errors: ['LISTING_NOT_FOUND'],
    examples: { reply: listingAvailabilityExample },
  },
  listStayReviews: {
    ...onPage,
    method: 'GET',
    path: '/api/v1/stay/listings/{listing_id}/reviews',
    objective: 'search',
    summary: 'The reviews of a home of the team, newest first',
    params: listingId,
    query: PagingQuery,
    status: 200,
    reply: pageOf(Review),
    errors: ['LISTING_NOT_FOUND'],
    examples: { reply: { items: [review], ...page } },
  },
  quoteStay: {
    ...onPage,
    method: 'POST',
    path: '/api/v1/stay/quote',
    objective: 'booking',
    summary: 'What an order of homes of the team would cost, line by line, and whether its time is free',
    description:
      'As `POST /checkout/preview` says it to a guest who has signed in, who books by `POST /checkout/confirm`. Holds nothing.',
    body: PreviewRequest,
    status: 200,
    reply: Preview,
    errors: ['LISTING_NOT_FOUND', 'STAY_NOT_ALLOWED'],
    examples: {
      body: {
        items: [
          {
            listing_id: exampleIds.listing,
            ...{ check_in_date: '2027-02-04', check_out_date: '2027-02-05', guest_number: 2 },
          },
        ],
      },
      reply: nightPreviewExample,
    },
  },
});

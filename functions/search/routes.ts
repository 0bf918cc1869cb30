import { searchResultExample } from '../../shared/domain/search/search-example.schema.ts';
import { SearchQuery, SearchResult } from '../../shared/domain/search/search.schema.ts';
import { defineRoutes } from '../../shared/platform/http/route.ts';
import { TeamIdsText } from '../../shared/platform/http/team-ids.ts';

const stay = {
  location: 'Đà Lạt',
  check_in: '2027-02-04',
  check_out: '2027-02-07',
  guests: 2,
};

/** The search (D58–D60, D92). */
export const searchRoutes = defineRoutes('search', {
  searchListings: {
    method: 'GET',
    path: '/api/v1/search',
    access: 'customer',
    objective: 'search',
    tag: 'Search',
    summary: 'Listings that are free for a stay and hold the guests, with its price',
    description:
      'Prices are those of `POST /checkout/preview`. When fewer than `limit` listings hold the guests alone, `combos` has groups of neighbours that do together: sent to checkout as they are, with their `guest_number`, they cost their `total_price`. Answers may lag by a few seconds; checkout decides.',
    query: SearchQuery,
    status: 200,
    reply: SearchResult,
    errors: [],
    examples: { query: stay, reply: searchResultExample },
  },
  searchExternalListings: {
    method: 'GET',
    path: '/api/v1/external/search',
    access: 'partner',
    scope: 'read',
    tag: 'External API',
    summary: 'Listings of the key’s teams that are free for a stay and hold the guests, with its price',
    description:
      'Like `GET /search`, among the listings of the key’s teams: prices are those of a booking, groups in `combos` are of these listings, and answers may lag by a few seconds; the booking decides.',
    query: SearchQuery.extend({ team_ids: TeamIdsText }),
    queryErrors: {
      check_in: 'EXTERNAL_INVALID_DATE_FORMAT',
      check_out: 'EXTERNAL_INVALID_DATE_FORMAT',
      team_ids: 'EXTERNAL_INVALID_REQUEST',
    },
    status: 200,
    reply: SearchResult,
    errors: [],
    examples: { query: stay, reply: searchResultExample },
  },
});

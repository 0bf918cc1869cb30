import { SearchQuery, SearchResult } from '../../shared/domain/search/search.schema.ts';
import { defineRoutes } from '../../shared/platform/http/route.ts';
import { TeamIdsText } from '../../shared/platform/http/team-ids.ts';

const villa = {
  id: 4711,
  name: 'Biệt thự Thông Xanh',
  slug: 'biet-thu-thong-xanh',
  listing_type: 'ENTIRE_PLACE',
  province_name: 'Lâm Đồng',
  country_name: 'Việt Nam',
  full_rate: 1_000_000,
  minimum_rate: 0,
  state: 'ACTIVE',
  rating_average: 4.8,
  review_count: 12,
  images: [],
  capacity: 6,
  currency: 'VND',
  total_price: 3_200_000,
  nights: 3,
  distance_km: 0.42,
  latitude: 11.9404,
  longitude: 108.4583,
} as const;

const bungalow = {
  ...villa,
  id: 4712,
  name: 'Nhà gỗ bên hồ',
  slug: 'nha-go-ben-ho',
  capacity: 4,
  total_price: 2_400_000,
  distance_km: 0.9,
  latitude: 11.9441,
} as const;

const stay = {
  location: 'Đà Lạt',
  check_in: '2027-02-04',
  check_out: '2027-02-07',
  guests: 2,
};

const alone = { adult_number: null, children_number: null };

const example: SearchResult = {
  items: [{ ...villa, images: [] }],
  total: 1,
  total_is_exact: true,
  page: 1,
  limit: 20,
  total_pages: 1,
  next_cursor: null,
  combos: [
    {
      listings: [
        { ...bungalow, images: [], guest_number: 2, ...alone },
        { ...villa, images: [], guest_number: 4, ...alone },
      ],
      total_capacity: 10,
      total_price: 5_600_000,
      currency: 'VND',
      max_distance_km: 0.41,
    },
  ],
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
    examples: { query: stay, reply: example },
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
    examples: { query: stay, reply: example },
  },
});

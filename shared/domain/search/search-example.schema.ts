import type { SearchResult } from './search.schema.ts';

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

const alone = { adult_number: null, children_number: null };

export const searchResultExample: SearchResult = {
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

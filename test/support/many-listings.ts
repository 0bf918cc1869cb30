import { listingExample } from '../../shared/domain/listing/listing-example.schema.ts';
import type { ListingState } from '../../shared/domain/listing/listing-state.schema.ts';
import { type Listing, ListingEntity } from '../../shared/domain/listing/listing.entity.ts';
import { foldText } from '../../shared/platform/text/fold-text.ts';
import { newId } from '../../shared/platform/ids.ts';
import { stored } from '../../shared/platform/table/stored-item.ts';
import { chanceOf, writeMany } from './many-stays.ts';

const dayMs = 86_400_000;
const kinds = ['Biệt thự', 'Căn hộ', 'Nhà phố', 'Nhà gỗ', 'Phòng đôi', 'Khách sạn', 'Bungalow'];
const places = [
  'Hồ Tuyền Lâm',
  'Đồi Thông',
  'Sông Hàn',
  'Mỹ Khê',
  'Phố Cổ',
  'Bến Thành',
  'Bãi Dài',
  'Tây Hồ',
];
const marks = ['Hoa Sen', 'Mai Vàng', 'An Nhiên', 'Gió Biển', 'Bình Minh', 'Trăng Non', 'Cỏ May', 'Mộc Lan'];
export const provincesOfMany = ['LD', 'DN', 'HN', 'SG', 'HCM', 'KH', 'QNA', 'BT', 'KG', 'LA'];

interface Many {
  team_id: number;
  count: number;
  /** When the last listing was created, in epoch milliseconds. */
  until: number;
  days?: number;
  seed?: number;
}

const { view_count: _, ...example } = listingExample;

/** Returns listings as the service stores them, created over two years, with varied names, prices and states. */
export const manyListings = ({ team_id, count, until, days = 730, seed = 1 }: Many): Listing[] => {
  const chance = chanceOf(seed);
  const below = (most: number) => Math.floor(chance() * most);
  const one = <T>(values: readonly T[]): T => values[below(values.length)]!;
  const moments = Array.from({ length: count }, () => until - below(days * dayMs)).sort((a, b) => a - b);
  return moments.map((made) => {
    const id = newId({ now: () => made });
    const name = `${one(kinds)} ${one(marks)} ${one(places)} ${1 + below(900)}`;
    const drawn = chance();
    const state: ListingState =
      drawn < 0.85 ? 'ACTIVE' : drawn < 0.9 ? 'DRAFT' : drawn < 0.95 ? 'INACTIVE' : 'ARCHIVED';
    const full_rate = 10_000 * (20 + below(400));
    const review_count = chance() < 0.3 ? 0 : below(200);
    return {
      ...example,
      ...{ id, team_id, name, slug: `nha-${id}`, state, full_rate, review_count },
      ...{ minimum_rate: full_rate * 0.8, province_code: one(provincesOfMany), capacity: 1 + below(16) },
      rating_average: review_count === 0 ? null : (100 + below(401)) / 100,
      ...{ commission_rate: 0.15, search_name: foldText(name), amenities: [], child_listing_ids: [] },
      payment_methods: [...example.payment_methods],
      transfer_window_hours: 72,
      version: 1,
      created_at: new Date(made).toISOString(),
      updated_at: new Date(made + below(until - made + 1)).toISOString(),
    } satisfies Listing;
  });
};

export const storeListings = (listings: readonly Listing[]): Promise<void> =>
  writeMany(listings.map((listing) => stored(ListingEntity, listing)));

import type * as z from 'zod';
import { amenityCategories, type ListingCreate } from '../../../../shared/domain/listing/model.ts';
import type { Look } from '../../pictures/index.ts';

type Input = z.input<ReturnType<typeof ListingCreate>>;

/** A stay of the demo, in days from the day of the start. */
export interface DemoStay {
  /** The day of check-in; below 0 it has passed. */
  from: number;
  nights: number;
  /** A demo guest with an account; otherwise the host books for a guest without one. */
  by?: 'lan' | 'david' | 'yuki';
  /** Who cancelled it. */
  cancelled?: 'guest' | 'host';
  /** Of a stay that has ended, by a guest with an account. */
  review?: { rating: number; comment: string; reply?: string };
  /** Between guest and host by turns, beginning with the guest. */
  messages?: readonly string[];
}

/** What happens in a home besides what its listing says. */
interface Occupancy {
  stays?: readonly DemoStay[];
  /** Days that the host has blocked. */
  blocked?: readonly { day: number; note: string }[];
}

export type Room = Partial<Input> & Occupancy;

export type Home = Input &
  Occupancy & {
    rooms?: readonly Room[];
    look: Look;
    /** The price of a night in the weeks of high season, from 40 to 54 days ahead. */
    seasonPrice?: number;
    /** House rules in the words of the host. */
    houseRules?: string;
  };

export interface DemoTeam {
  name: string;
  homes: readonly Home[];
}

export const apartment = {
  listing_type: 'ENTIRE_PLACE',
  property_type: 'APARTMENT',
  state: 'ACTIVE',
  standard_check_in_time: '14:00:00',
  standard_check_out_time: '12:00:00',
} as const;
export const villa = { ...apartment, property_type: 'VILLA' } as const;
export const room = { ...apartment, listing_type: 'PRIVATE_ROOM', property_type: 'HOUSE' } as const;

export const weekend = (price: number) => ({ prices_by_week: { 5: price, 6: price } });

export const flexible = 'Hoàn tiền 100% nếu hủy trước 1 ngày.';
export const moderate = 'Full refund until 5 days before check-in.';
export const strict = 'Full refund until 14 days before check-in, none later.';

/** What every demo home has, and more of the catalog, by code. */
export const amenities = (...more: string[]) => {
  const all = amenityCategories.flatMap((category) => category.amenities);
  const codes = ['hot_water', 'towels', 'wifi', 'bed_linen', 'kettle', ...more];
  return {
    amenities: codes.map((code) => {
      const found = all.find(({ amenity_code }) => amenity_code === code);
      if (!found) throw new Error(`the catalog has no amenity ${code}`);
      return { amenity_id: found.amenity_id };
    }),
  };
};

import * as z from 'zod';
import { ListingResponse, PricesByWeek } from './listing.schema.ts';

/** Prices of weekdays under the name that they have on the way in. */
export const WeeklyPrices = z.strictObject({
  base_price_by_weekday: PricesByWeek.meta({
    description:
      'Price of the night by weekday, 0 (Sunday) to 6 (Saturday); a day that is left out stays, 0 means full_rate.',
  }),
});
export type WeeklyPrices = z.infer<typeof WeeklyPrices>;

/** The listing, with the prices also under that name. */
export const WeeklyPricesAnswer = ListingResponse.extend(WeeklyPrices.shape);
export type WeeklyPricesAnswer = z.infer<typeof WeeklyPricesAnswer>;

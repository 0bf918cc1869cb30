import { invalid, type ServiceError } from '../../platform/errors.ts';
import type { Listing } from './listing.entity.ts';

/** Whether a listing's own fields price a stay: the full rate, a weekday's, or the hours of one that is booked by the hour. */
export const hasOwnPrice = (listing: Listing): boolean => {
  const { full_rate, prices_by_week, allow_hourly_booking } = listing;
  const hourly = [listing.price_first_hours, listing.extra_hour_price, listing.price_per_hour];
  return [full_rate, ...Object.values(prices_by_week), ...(allow_hourly_booking ? hourly : [])].some(
    (price) => price > 0,
  );
};

/** What an ACTIVE listing without any price is refused with: it could be booked for nothing. */
export const priceMissing = (): ServiceError =>
  invalid({
    path: 'full_rate',
    message:
      'an ACTIVE listing needs a price: set full_rate, a weekday price, an hourly price with allow_hourly_booking, or an active pricing rule or combo above 0',
  });

import type { CheckoutItem, PricingType } from './quote.schema.ts';
import type { ListingRates } from './rate-card.ts';

/** Times where neither the request nor the listing says any (D24). */
export const usualTimes = {
  checkIn: '14:00:00',
  checkOut: '12:00:00',
  dayStart: '09:00:00',
  dayEnd: '18:00:00',
} as const;

/** One night that begins late and ends early; without a `checkout_night_short_hour` the usual check-out is the limit. */
const isNightShort = (listing: ListingRates, item: CheckoutItem): boolean => {
  const opens = listing.checkin_night_short_hour;
  if (!opens || !item.check_in_time || item.check_in_time < opens) return false;
  const closes = listing.checkout_night_short_hour ?? listing.standard_check_out_time ?? usualTimes.checkOut;
  return !item.check_out_time || item.check_out_time <= closes;
};

/** How a stay of that many nights is priced (D33). */
export const pricingTypeOf = (listing: ListingRates, item: CheckoutItem, nights: number): PricingType => {
  if (item.combo_id) return 'combo';
  if (nights === 0) {
    const hourly = listing.allow_hourly_booking === true && item.check_in_time && item.check_out_time;
    return hourly ? 'hourly' : 'daily';
  }
  return nights === 1 && isNightShort(listing, item) ? 'night_short' : 'nightly';
};

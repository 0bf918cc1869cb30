import type { Issue } from '../../platform/errors.ts';
import { timeOf } from '../../platform/time.ts';
import { usualTimes } from './pricing-type.ts';
import type { ListingRates } from './rate-card.ts';
import type { Stay } from './stay.ts';

/** Times of day, both included: the earliest check-in and the latest check-out that a price covers. */
interface PaidHours {
  from: string;
  to: string;
}

const earlier = (one: string, other: string | null | undefined): string =>
  other && other < one ? other : one;

const later = (one: string, other: string | null | undefined): string => (other && other > one ? other : one);

/** A late overnight stay also has the check-out hour that its host wrote down for it. */
const ofNights = (listing: ListingRates, { pricingType }: Stay): PaidHours => {
  const checkOut = later(
    listing.standard_check_out_time ?? usualTimes.checkOut,
    listing.flexible_check_out_time,
  );
  return {
    from: earlier(listing.standard_check_in_time ?? usualTimes.checkIn, listing.flexible_check_in_time),
    to: pricingType === 'night_short' ? later(checkOut, listing.checkout_night_short_hour) : checkOut,
  };
};

const ofDay = (listing: ListingRates): PaidHours => ({
  from: listing.flexible_check_in_time ?? usualTimes.dayStart,
  to: listing.flexible_check_out_time ?? usualTimes.dayEnd,
});

/** Null: hours are paid one by one, and a combo has times of its own. */
const paidHours = (listing: ListingRates, stay: Stay): PaidHours | null => {
  if (stay.pricingType === 'combo' || stay.pricingType === 'hourly') return null;
  return stay.nights > 0 ? ofNights(listing, stay) : ofDay(listing);
};

/**
 * Refuses a stay that takes hours which its price does not cover (D76): overnight from the earlier of the listing's standard and
 * flexible check-in to the later of its check-outs, day use within the flexible times. All in the listing's local time.
 */
export const unpaidHourIssues = (listing: ListingRates, stay: Stay): Issue[] => {
  const paid = paidHours(listing, stay);
  if (paid === null) return [];
  const kind = stay.nights > 0 ? 'a night' : 'day use';
  return [
    ...(timeOf(stay.start) < paid.from
      ? [{ path: 'check_in_time', message: `must be ${paid.from} or later: ${kind} is paid from then on` }]
      : []),
    ...(timeOf(stay.end) > paid.to
      ? [{ path: 'check_out_time', message: `must be ${paid.to} or earlier: ${kind} is paid until then` }]
      : []),
  ];
};

import { addDays, atTime, ceilHour, dateOf, floorHour, toLocal } from '../../platform/time.ts';
import { usualTimes } from './pricing-type.ts';
import type { ListingRates } from './rate-card.ts';

/**
 * The time that the night beginning on a date takes: from the check-in hour to the check-out hour of the day after, local, in
 * whole hours (D24, D25).
 */
export const nightOf = (
  {
    standard_check_in_time,
    standard_check_out_time,
  }: Pick<ListingRates, 'standard_check_in_time' | 'standard_check_out_time'>,
  date: string,
): { start_at: string; end_at: string } => ({
  start_at: floorHour(atTime(date, standard_check_in_time ?? usualTimes.checkIn)),
  end_at: ceilHour(atTime(addDays(date, 1), standard_check_out_time ?? usualTimes.checkOut)),
});

/**
 * When a night begins for someone who books it at a moment and names no time: at its check-in, or tonight, once that has
 * passed, with the current hour (D24). What took the hours before it is over. Local; `now` in epoch milliseconds.
 */
export const openFrom = (
  { timezone }: Pick<ListingRates, 'timezone'>,
  checkIn: string,
  now: number,
): string => {
  const hour = floorHour(toLocal(now, timezone));
  return dateOf(hour) === dateOf(checkIn) && checkIn < hour ? hour : checkIn;
};

import { addDays, atTime, ceilHour, floorHour } from '../../platform/time.ts';
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

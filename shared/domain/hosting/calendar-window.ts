import type { Context } from '../../platform/context.ts';
import { addDays, today } from '../../platform/time.ts';
import { calendarOf, type ListingTime } from '../calendar/index.ts';
import type { Listing } from '../listing/index.ts';
import { bookableDaysAhead } from '../pricing/index.ts';

/** Every hour at which a stay that is being booked right now may begin, with a day to spare at both ends. */
export const bookableWindow = ({ clock }: Pick<Context, 'clock'>, listing: Listing): ListingTime => {
  const date = today(clock.now(), listing.timezone);
  return {
    calendar_id: calendarOf(listing),
    listing_id: listing.id,
    start_at: `${addDays(date, -1)}T00:00:00`,
    end_at: `${addDays(date, bookableDaysAhead + 1)}T00:00:00`,
  };
};

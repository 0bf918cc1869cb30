import type { Context } from '../../platform/context.ts';
import { addDays, today } from '../../platform/time.ts';
import { type CalendarDraft, calendarOf, type ListingTime } from '../calendar/index.ts';
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

const noClaim = 0;

/**
 * Rewrites every month of the window as it was read: whoever is booking with an older reading of the listing loses the race
 * for the month the stay begins in, and reads the listing again.
 */
export const overtake = (draft: CalendarDraft, window: ListingTime): void =>
  draft.unhold({ ...window, availability_id: noClaim });

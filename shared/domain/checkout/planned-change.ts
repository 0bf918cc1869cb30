import { freezeQuote, freezeTerms, type OrderItem, termsOf } from '../booking/model.ts';
import { type CalendarDraft, type ListingTime, preparationOf } from '../calendar/model.ts';
import type { Listing } from '../listing/model.ts';
import type { ItemQuote, StayRequest } from '../pricing/model.ts';
import type { FoundStay } from './find-changeable.ts';

/** A change of a stay, priced, with the calendars of its present and its new time. */
export interface PlannedChange extends FoundStay {
  home: Pick<Listing, 'id' | 'name' | 'timezone'>;
  request: StayRequest;
  quote: ItemQuote;
  time: ListingTime;
  /** What it costs more. */
  difference: number;
  /** As it is now, without what the earlier change holds. */
  draft: CalendarDraft;
}

/** Returns the stay in its order as it will be, by the terms that it was booked with. */
export const changedItem = ({ item, home, time, request, quote }: PlannedChange): OrderItem => {
  const { preparation_hours: _, ...unprepared } = item;
  return {
    ...unprepared,
    ...preparationOf(time),
    listing_id: home.id,
    listing_name: home.name,
    calendar_id: time.calendar_id,
    timezone: home.timezone,
    start_at: quote.start_at,
    end_at: quote.end_at,
    ...freezeTerms(termsOf(item), quote),
    request,
    quote: freezeQuote(quote),
  };
};

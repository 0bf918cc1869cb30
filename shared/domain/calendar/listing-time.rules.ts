import type { ListingTime } from './taken-time.rules.ts';

/** A local interval, half-open. */
export interface LocalRange {
  start_at: string;
  end_at: string;
}

/** Whether two intervals overlap (D25). */
export const overlaps = (one: LocalRange, other: LocalRange): boolean =>
  one.start_at < other.end_at && one.end_at > other.start_at;

/** Returns the id of the calendar that holds a listing's hours: its parent's for a child, else its own (D26). */
export const calendarOf = (listing: { id: number; parent_listing_id: number | null }): number =>
  listing.parent_listing_id ?? listing.id;

/** Returns the time that a stay takes in the calendar of its listing, with the preparation that follows (D77). */
export const stayTime = (
  listing: { id: number; parent_listing_id: number | null; timezone: string; preparation_hours?: number },
  { start_at, end_at }: LocalRange,
): ListingTime => ({
  calendar_id: calendarOf(listing),
  listing_id: listing.id,
  timezone: listing.timezone,
  start_at,
  end_at,
  ...preparationOf(listing),
});

/** Returns the preparation after a stay as its records keep it; none is not stored. */
export const preparationOf = ({
  preparation_hours: hours = 0,
}: {
  preparation_hours?: number;
}): { preparation_hours?: number } => (hours === 0 ? {} : { preparation_hours: hours });

/** Whether an entry takes hours of the listing: its own, its parent's or its children's, but not a sibling's (D26). */
export const affectsListing = (
  entry: Pick<ListingTime, 'listing_id' | 'calendar_id'>,
  listingId: number,
): boolean =>
  entry.listing_id === listingId || entry.listing_id === entry.calendar_id || listingId === entry.calendar_id;

import type { AvailabilityEntry } from './calendar.entity.ts';

/** The calendar that holds a listing's hours: its parent's for a child, else its own (D26). */
export const calendarOf = (listing: { id: number; parent_listing_id: number | null }): number =>
  listing.parent_listing_id ?? listing.id;

/** Whether an entry of a calendar takes hours of the listing: its own, its parent's, its children's; never a sibling's (D26). */
export const concerns = (
  entry: Pick<AvailabilityEntry, 'listing_id' | 'calendar_id'>,
  listingId: number,
): boolean =>
  entry.listing_id === listingId || entry.listing_id === entry.calendar_id || listingId === entry.calendar_id;

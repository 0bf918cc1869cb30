/** The calendar that holds a listing's hours: its parent's for a child, else its own (D26). */
export const calendarOf = (listing: { id: number; parent_listing_id: number | null }): number =>
  listing.parent_listing_id ?? listing.id;

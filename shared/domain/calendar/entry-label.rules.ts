import type { TakenLabel } from './availability.schema.ts';
import type { AvailabilityEntry } from './calendar.store.ts';

/** What no kind of entry has by itself. */
export const unlabelled = { booking_id: null, source: null, summary: null, because_of: null, payment: null };

/** Returns the label of time that the parent or a child takes. */
export const familyLabel = (availabilityId: number | null, source: number): TakenLabel => ({
  ...unlabelled,
  ...{ kind: 'FAMILY', availability_id: availabilityId, because_of: source },
});

const importedFrom = 'Imported from ';

/** Returns the note of a block that a calendar of another platform brought; it names nothing of a guest. */
export const importNote = (host: string): string => importedFrom + host;

type Labelled = Pick<
  AvailabilityEntry,
  | 'availability_id'
  | 'listing_id'
  | 'state'
  | 'reservation_id'
  | 'note'
  | 'feed_id'
  | 'imported_for'
  | 'imported'
>;

/** Returns the label of an entry in the calendar of a listing, without the payment of a stay (D125). */
export const labelOf = (entry: Labelled, listingId: number): TakenLabel => {
  const { availability_id, feed_id, note, imported_for } = entry;
  if (entry.listing_id !== listingId) return familyLabel(availability_id, entry.listing_id);
  const own = { ...unlabelled, availability_id };
  if (entry.state === 'SOFT_LOCK') return { ...own, kind: 'HOLD' };
  if (entry.state === 'BOOKED') return { ...own, kind: 'STAY', booking_id: entry.reservation_id };
  if (feed_id === undefined) return { ...own, kind: 'BLOCK' };
  const host = note?.startsWith(importedFrom) ? note.slice(importedFrom.length) : null;
  const { label: source = host, summary = null } = entry.imported ?? {};
  return { ...own, kind: 'IMPORTED', source, summary, because_of: imported_for ?? null };
};

/** Returns the label of the hours that are taken after an entry (D77); those after a soft lock are a part of it. */
export const preparationLabel = (entry: Labelled, listingId: number): TakenLabel => {
  const label = labelOf(entry, listingId);
  return label.kind === 'STAY' ? { ...label, kind: 'PREPARATION' } : label;
};

import { type LocalRange, wholeHours } from '../calendar/index.ts';
import type { Availability } from './availability.schema.ts';

/** The stretches of a range that no entry touches, in whole hours, as entries with id 0 (D28). */
export const freeGaps = (
  listingId: number,
  range: LocalRange,
  entries: readonly Availability[],
): Availability[] => {
  const gaps: Availability[] = [];
  let free = range.start_at;
  for (const entry of [...entries, { start_at: range.end_at, end_at: range.end_at }]) {
    const { start_at, end_at } = wholeHours(entry);
    if (start_at > free) gaps.push(gap(listingId, free, start_at));
    if (end_at > free) free = end_at;
  }
  return gaps;
};

const gap = (listing_id: number, start_at: string, end_at: string): Availability => ({
  id: 0,
  listing_id,
  reservation_id: null,
  date: start_at.slice(0, 10),
  start_at,
  end_at,
  state: 'AVAILABLE',
  locked_until: null,
  note: null,
  created_at: null,
});

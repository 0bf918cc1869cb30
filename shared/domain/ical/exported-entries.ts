import type { Dependencies } from '../../platform/context.ts';
import { addDays, atTime, today } from '../../platform/time.ts';
import { type AvailabilityEntry, calendarOf, affectsListing, overlappingEntries } from '../calendar/model.ts';
import type { Listing } from '../listing/model.ts';

const daysBack = 30;
/** A stay begins at most 730 days ahead and lasts at most 365 nights (D24). */
const daysAhead = 1100;
const midnight = '00:00:00';

/**
 * The entries of a listing's export: stays and blocks, those of parent and children included, no soft locks (D64); for the
 * follower behind a feed without what came from that feed (D94).
 */
export const exportedEntries = async (
  { table, clock }: Pick<Dependencies, 'table' | 'clock'>,
  listing: Listing,
  follower: number | undefined,
): Promise<AvailabilityEntry[]> => {
  const date = today(clock.now(), listing.timezone);
  const range = {
    start_at: atTime(addDays(date, -daysBack), midnight),
    end_at: atTime(addDays(date, daysAhead), midnight),
  };
  const entries = await overlappingEntries(table, calendarOf(listing), range);
  const isTheirs = ({ feed_id }: AvailabilityEntry) => feed_id !== undefined && feed_id === follower;
  return entries.filter(
    (entry) => entry.state !== 'SOFT_LOCK' && affectsListing(entry, listing.id) && !isTheirs(entry),
  );
};

import type { Dependencies } from '../../platform/context.ts';
import { addDays, addHours, atTime, dateOf, datesBetween, toLocal, today } from '../../platform/time/time.ts';
import {
  type AvailabilityEntry,
  calendarOf,
  affectsListing,
  overlappingEntries,
  overlaps,
  wholeHours,
} from '../calendar/model.ts';
import type { Listing } from '../listing/model.ts';
import { nightOf } from '../pricing/model.ts';

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
  const now = toLocal(clock.now(), listing.timezone);
  return entries
    .filter((entry) => entry.state !== 'SOFT_LOCK' && affectsListing(entry, listing.id) && !isTheirs(entry))
    .map((entry) => withoutTonight(exportedTime(entry, listing), listing, now));
};

/**
 * An entry with the time that others are to know of. The preparation after a stay counts where it takes hours of a night,
 * which then cannot be sold; otherwise platforms that know dates alone would close that night for it (D77).
 */
const exportedTime = (
  { preparation_hours: hours = 0, ...entry }: AvailabilityEntry,
  listing: Listing,
): AvailabilityEntry => {
  if (hours === 0) return entry;
  const { end_at: end } = wholeHours(entry);
  const { end_at: until } = wholeHours({ ...entry, preparation_hours: hours });
  const last = datesBetween(addDays(dateOf(end), -1), addDays(dateOf(until), 1))
    .map((date) => nightOf(listing, date))
    .findLast((night) => overlaps(night, { start_at: end, end_at: until }));
  if (!last) return entry;
  return { ...entry, end_at: last.end_at < until ? last.end_at : until };
};

/** A stay that ended early, after a check-in hour, leaves that night free. */
const withoutTonight = (entry: AvailabilityEntry, listing: Listing, now: string): AvailabilityEntry => {
  if (entry.state !== 'BOOKED' || entry.end_at > now) return entry;
  const tonight = nightOf(listing, dateOf(addHours(entry.end_at, -1))).start_at;
  return entry.start_at < tonight && tonight < entry.end_at ? { ...entry, end_at: tonight } : entry;
};

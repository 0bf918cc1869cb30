import type { Dependencies } from '../../platform/context.ts';
import { type AvailabilityEntry, calendarOf } from '../calendar/model.ts';
import type { Listing } from '../listing/model.ts';
import { feedsOf, type FollowedFeed } from './ical.store.ts';
import { isStale, staleMs } from './stale-feed.rules.ts';

/**
 * The entries that a follower of a room is given. What one of its platform's calendars has just brought into the house waits until
 * the follower's own was read after it: a platform that links the two closes the house for a sale of the room, and that sale
 * would look like an echo of it (D113). A calendar that cannot be read delays nothing for longer than three hours.
 */
export const offeredEntries = async (
  { table, clock }: Pick<Dependencies, 'table' | 'clock'>,
  listing: Listing,
  { entries, follower }: { entries: readonly AvailabilityEntry[]; follower: number },
): Promise<readonly AvailabilityEntry[]> => {
  const houseId = calendarOf(listing);
  const now = clock.now();
  const isFresh = ({ state, feed_id, created_at }: AvailabilityEntry): boolean =>
    state === 'BLOCKED' && feed_id !== undefined && now - Date.parse(created_at) < staleMs;
  if (listing.id === houseId || !entries.some(isFresh)) return entries;
  const [own, house] = await Promise.all([feedsOf(table, listing.id), feedsOf(table, houseId)]);
  const feed = own.find(({ feed_id }) => feed_id === follower);
  if (!feed || isStale(feed, now)) return entries;
  const linked = new Set(house.filter((one) => hostOf(one) === hostOf(feed)).map(({ feed_id }) => feed_id));
  return entries.filter(
    (entry) => !(isFresh(entry) && linked.has(entry.feed_id ?? 0) && !isReadAfter(feed, entry)),
  );
};

const hostOf = ({ url }: FollowedFeed): string => new URL(url).host;

const isReadAfter = ({ last_synced_at }: FollowedFeed, { created_at }: AvailabilityEntry): boolean =>
  last_synced_at !== null && last_synced_at > created_at;

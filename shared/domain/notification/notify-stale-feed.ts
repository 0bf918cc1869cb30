import { type EventOf, events } from '../../events.ts';
import { readListing } from '../listing/index.ts';
import { feedMail } from './feed-mail.ts';
import type { NotificationDependencies } from './notification-dependencies.ts';
import { notifyOwners } from './notify-owners.ts';

/** Tells the owners of a listing's team that a calendar it follows had no good fetch for hours, each of them once (D94). */
export const notifyStaleFeed = async (
  deps: NotificationDependencies,
  { id, data }: EventOf<'calendar_feed.stale'>,
): Promise<void> => {
  const feed = events['calendar_feed.stale'].data.parse(data);
  const listing = await readListing(deps.table, feed.listing_id);
  const named = { ...feed, listing_name: listing?.name ?? String(feed.listing_id) };
  await notifyOwners(deps, { event_id: id, team_ids: [feed.team_id] }, (owner) => feedMail(owner, named));
};

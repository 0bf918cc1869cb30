import * as z from 'zod';
import type { EventMessage } from '../../platform/events/index.ts';
import { Id } from '../../platform/schema.ts';
import { readListing } from '../listing/index.ts';
import { feedMail } from './feed-mail.ts';
import type { NotificationDependencies } from './notification-dependencies.ts';
import { notifyOwners } from './notify-owners.ts';

const Stale = z.object({
  id: Id,
  listing_id: Id,
  team_id: Id,
  host: z.string(),
  problem: z.string().nullable(),
  last_synced_at: z.string().nullable(),
});

/** Tells the owners of a listing's team that a calendar it follows had no good fetch for hours, each of them once (D94). */
export const notifyStaleFeed = async (
  deps: NotificationDependencies,
  { id, data }: EventMessage,
): Promise<void> => {
  const feed = Stale.parse(data);
  const listing = await readListing(deps.table, feed.listing_id);
  const named = { ...feed, listing_name: listing?.name ?? String(feed.listing_id) };
  await notifyOwners(deps, { event_id: id, team_ids: [feed.team_id] }, (owner) => feedMail(owner, named));
};

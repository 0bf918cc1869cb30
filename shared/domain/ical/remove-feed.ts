import type { Dependencies } from '../../platform/context.ts';
import { equals, remove } from '../../platform/table/index.ts';
import type { Listing } from '../listing/model.ts';
import { forgetEnded } from './forget-ended.ts';
import { FeedContentsEntity, FeedExportEntity, type FollowedFeed, FollowedFeedEntity } from './ical.store.ts';
import { feedReports } from './report-feed.ts';
import { converge, type FollowStays } from './synchronised.ts';

/** Lifts a feed's blocks, leaves its adopted stays to the host (D120), and deletes it. */
export const removeFeed = async (
  deps: Pick<Dependencies, 'table' | 'clock'>,
  { feed, listing }: { feed: FollowedFeed; listing: Listing },
  follow?: FollowStays,
): Promise<void> => {
  const removing = { ...feed, state: 'REMOVING' as const };
  const { isComplete } = await converge(deps, { listing, feed: removing, events: [] }, follow);
  if (!isComplete) return;
  await forgetEnded(deps, feed, deps.clock.now(), feed.feed_id);
  await deps.table.transact([
    remove(FollowedFeedEntity, feed, { when: equals('version', feed.version) }),
    remove(FeedContentsEntity, feed),
    remove(FeedExportEntity, feed),
    ...feedReports(deps.clock, feed, undefined),
  ]);
};

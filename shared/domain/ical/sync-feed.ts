import { toLocal } from '../../platform/time.ts';
import { equals, LostRace, put, remove } from '../../platform/table/index.ts';
import { OutgoingFailure, RefusedAddress } from '../../platform/outgoing/index.ts';
import { type Listing, listingRead } from '../listing/index.ts';
import { Overtaken } from './apply-blocks.ts';
import { type FeedDependencies, remoteText, type RemoteText } from './fetch-calendar.ts';
import {
  FeedContentsEntity,
  type FeedIds,
  type FollowedFeed,
  FollowedFeedEntity,
  leaseMs,
} from './followed-feed.entity.ts';
import { foldFetch } from './kept-events.ts';
import { FeedProblem } from './reading/feed-problem.ts';
import { readFeed } from './reading/read-feed.ts';
import { afterFetch, contentsOf, converge, keepContents, nextSync, readingOf } from './synchronised.ts';

interface Work {
  /** As claimed: its version is this run's, and asked for by every write. */
  feed: FollowedFeed;
  listing: Listing;
}

/**
 * Synchronises a feed that is due (D64): fetches it, only if it has changed, and brings its events into the calendar. What is
 * wrong with the feed is kept for its host; one that is not due, or at which another run works, is left alone.
 */
export const syncFeed = async (deps: FeedDependencies, ids: FeedIds): Promise<void> => {
  const work = await claim(deps, ids);
  if (!work) return;
  try {
    if (work.feed.state === 'REMOVING') await removeFeed(deps, work);
    else await synchronise(deps, work);
  } catch (error) {
    if (error instanceof Overtaken || error instanceof LostRace) return;
    const isTheirs =
      error instanceof FeedProblem || error instanceof OutgoingFailure || error instanceof RefusedAddress;
    if (!isTheirs)
      deps.log.error('A feed could not be imported.', { ...ids, cause: String((error as Error).stack) });
    await keepFailure(deps, work.feed, isTheirs ? error.message : 'could not be imported; it is tried again');
  }
};

const claim = async ({ table, clock }: FeedDependencies, ids: FeedIds): Promise<Work | undefined> => {
  const now = clock.now();
  const [found, listing] = (await table.getAll([
    { key: FollowedFeedEntity.key(ids) },
    listingRead(ids.listing_id),
  ])) as [FollowedFeed | undefined, Listing | undefined];
  if (!found || found.next_sync_at > now || found.lease_until > now) return undefined;
  if (!listing || listing.state === 'ARCHIVED') {
    // An archived listing is gone for good, and its calendar with it (D18).
    await table.transact([remove(FollowedFeedEntity, ids), remove(FeedContentsEntity, ids)]);
    return undefined;
  }
  const feed = {
    ...found,
    version: found.version + 1,
    lease_until: now + leaseMs,
    next_sync_at: nextSync(now, found.failures),
  };
  try {
    await table.transact([put(FollowedFeedEntity, feed, { when: equals('version', found.version) })]);
    return { feed, listing };
  } catch (error) {
    if (error instanceof LostRace) return undefined;
    throw error;
  }
};

const synchronise = async (deps: FeedDependencies, { feed, listing }: Work): Promise<void> => {
  const isAsRead = feed.settled && feed.read_as === readingOf(listing, deps.clock.now());
  const remote = await remoteText(deps.fetchCalendar, feed.url, isAsRead ? feed : undefined);
  if (!remote) {
    await finish(deps, feed, unchanged(feed, listing, undefined, deps.clock.now()));
    return;
  }
  const contents = await deps.table.get(FeedContentsEntity, feed);
  const now = deps.clock.now();
  const fold = foldFetch(contentsOf(contents), readFeed(remote.text, listing, now), {
    now: toLocal(now, listing.timezone),
    inARow: feed.failures === 0,
    confirmed: false,
  });
  const kept = keepContents(feed, contents, fold);
  if (feed.settled && kept.length === 0) {
    await finish(deps, feed, unchanged(feed, listing, remote, now));
    return;
  }
  const { survey, isComplete } = await converge(deps, { listing, feed, events: fold.events });
  const after = afterFetch(feed, { listing, fold, survey, remote, now });
  await finish(deps, feed, { ...after, settled: after.settled && isComplete }, kept);
};

/** A settled feed after a fetch that brought nothing new: as it was, at another time. */
const unchanged = (
  feed: FollowedFeed,
  listing: Listing,
  remote: RemoteText | undefined,
  now: number,
): FollowedFeed => {
  const fold = { events: [], quarantined: 0 };
  const survey = { removed: [], added: [], blocks: [], conflicts: [], isShared: false };
  return { ...afterFetch(feed, { listing, fold, survey, remote, now }), imported: feed.imported };
};

const finish = (
  { table }: FeedDependencies,
  feed: FollowedFeed,
  after: FollowedFeed,
  kept: ReturnType<typeof keepContents> = [],
): Promise<void> =>
  table.transact([put(FollowedFeedEntity, after, { when: equals('version', feed.version) }), ...kept]);

const keepFailure = async (deps: FeedDependencies, feed: FollowedFeed, problem: string): Promise<void> => {
  const failures = feed.failures + 1;
  const failed = {
    ...feed,
    version: feed.version + 1,
    lease_until: 0,
    failures,
    problem,
    next_sync_at: nextSync(deps.clock.now(), failures),
  };
  try {
    await finish(deps, feed, failed);
  } catch (error) {
    if (!(error instanceof LostRace)) throw error;
  }
};

/** Lifts a feed's blocks, and then it is gone. */
export const removeFeed = async (
  deps: Pick<FeedDependencies, 'table' | 'clock'>,
  { feed, listing }: Pick<Work, 'feed' | 'listing'>,
): Promise<void> => {
  const { isComplete } = await converge(deps, { listing, feed, events: [] });
  if (!isComplete) return;
  await deps.table.transact([
    remove(FollowedFeedEntity, feed, { when: equals('version', feed.version) }),
    remove(FeedContentsEntity, feed),
  ]);
};

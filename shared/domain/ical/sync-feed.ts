import { OutgoingFailure, RefusedAddress } from '../../platform/outgoing/index.ts';
import { ConflictError, equals, put, readOf, remove, type Write } from '../../platform/table/index.ts';
import { calendarOf } from '../calendar/model.ts';
import { type Listing, listingRead } from '../listing/model.ts';
import { Overtaken } from './apply-blocks.ts';
import { type EvaluatedFeed, evaluateFeed } from './evaluate-feed.ts';
import { type FeedDependencies, remoteText, type RemoteText } from './fetch-calendar.ts';
import { followEvents } from './follow-events.ts';
import { forgetEnded, keptMs } from './forget-ended.ts';
import {
  FeedContentsEntity,
  FeedExportEntity,
  type FeedIds,
  FeedRevisionEntity,
  type FollowedFeed,
  FollowedFeedEntity,
  leaseMs,
} from './ical.store.ts';
import { removeFeed } from './remove-feed.ts';
import { feedReports, stale } from './report-feed.ts';
import { isStale } from './stale-feed.rules.ts';
import { FeedProblem } from './reading/components.ts';
import { takesTooLong } from './reading/reading-budget.ts';
import { readFeed } from './reading/read-feed.ts';
import { afterFetch, converge, nextSync, readingOf } from './synchronised.ts';

interface Work {
  /** As read, or as claimed: every write has its version as condition. */
  feed: FollowedFeed;
  listing: Listing;
}

/**
 * Synchronises a feed that is due (D64): fetches it, only if it has changed, and brings its events into the calendar. What is
 * wrong with the feed is kept for its host; one that is not due, or at which another run works, is left alone.
 */
export const syncFeed = async (deps: FeedDependencies, ids: FeedIds): Promise<void> => {
  const work = await dueWork(deps, ids);
  if (!work) return;
  try {
    if (work.feed.state === 'REMOVING' || work.listing.state === 'ARCHIVED')
      await removeFeed(deps, await claim(deps, work), followEvents);
    else await synchronise(deps, work);
  } catch (error) {
    if (error instanceof Overtaken || error instanceof ConflictError) return release(deps, work.feed);
    const isTheirs =
      error instanceof FeedProblem || error instanceof OutgoingFailure || error instanceof RefusedAddress;
    if (!isTheirs)
      deps.log.error('A feed could not be imported.', { ...ids, cause: String((error as Error).stack) });
    await keepFailure(deps, work.feed, isTheirs ? error.message : 'could not be imported; it is tried again');
  }
};

const dueWork = async (deps: FeedDependencies, ids: FeedIds): Promise<Work | undefined> => {
  const { table, clock } = deps;
  const now = clock.now();
  const [feed, listing] = await table.getAll([readOf(FollowedFeedEntity, ids), listingRead(ids.listing_id)]);
  if (!feed || feed.next_sync_at > now || feed.lease_until > now) return undefined;
  if (listing && feed.reading) return keepFailure(deps, feed, takesTooLong);
  if (listing) return { feed, listing };
  await table.transact([
    remove(FollowedFeedEntity, ids),
    remove(FeedContentsEntity, ids),
    remove(FeedExportEntity, feed),
  ]);
  return undefined;
};

/**
 * Makes the work this run's alone, from here on with the feed as claimed. Most fetches bring nothing new, and need no claim:
 * of two at once, the one that writes last has lost.
 */
const claim = async (
  { table, clock }: FeedDependencies,
  work: Work,
  reading: Pick<FollowedFeed, 'reading'> = {},
): Promise<Work> => {
  const { feed } = work;
  const claimed = { ...feed, version: feed.version + 1, lease_until: clock.now() + leaseMs, ...reading };
  await table.transact([asItStands(claimed, feed)]);
  work.feed = claimed;
  return work;
};

const synchronise = async (deps: FeedDependencies, work: Work): Promise<void> => {
  const { feed, listing } = work;
  // What was sold there after this may not be in the text: the calendar is as of now (D113).
  const now = deps.clock.now();
  const isOfToday = feed.read_as === readingOf(listing, now);
  if (!isOfToday) await forgetEnded(deps, feed, now - keptMs);
  const isAsRead = feed.settled && isOfToday && !(await changedBehind(deps, work));
  const remote = await remoteText(deps.fetchCalendar, feed.url, isAsRead ? feed : undefined);
  if (!remote || (isAsRead && remote.fingerprint === feed.fingerprint))
    return keepUnchanged(deps, work, { remote, now });
  // Recorded before the work: a calendar that ends the process must not do so again at once.
  const claimed = await claim(deps, work, { reading: true });
  const reading = readFeed(remote.text, listing, now);
  const evaluated = await evaluateFeed(deps, { listing, feed: claimed.feed, reading });
  const isSame = evaluated.contents.length === 0 && evaluated.reading.texts === feed.texts;
  if (feed.settled && !feed.explained && isSame)
    return keepUnchanged(deps, claimed, { remote, evaluated, now });
  const { events } = evaluated.fold;
  const { plan, isComplete } = await converge(deps, { ...claimed, events }, followEvents);
  const after = afterFetch(claimed.feed, { listing, evaluated, plan, remote, now });
  await deps.table.transact([
    asItStands({ ...after, settled: after.settled && isComplete }, claimed.feed),
    ...evaluated.contents,
    ...evaluated.given,
    ...feedReports(deps.clock, claimed.feed, after),
  ]);
};

/**
 * Where a feed echoes us, a change of our calendar may leave an echo without its side: the 48 hours begin then (D94). Where rooms
 * explain a house's events, one that does no longer leaves them unexplained (D113).
 */
const changedBehind = async ({ table }: FeedDependencies, { feed, listing }: Work): Promise<boolean> => {
  if (!feed.echoes && !feed.explained) return false;
  const known = await table.get(FeedRevisionEntity, { calendar_id: calendarOf(listing) });
  return (known?.revision ?? 0) !== feed.revision;
};

/** Keeps a settled feed after a fetch that brought no other bookings: its blocks stay, and at most its echoes have changed. */
const keepUnchanged = async (
  { table }: FeedDependencies,
  { feed, listing }: Work,
  { remote, evaluated, now }: { remote: RemoteText | undefined; evaluated?: EvaluatedFeed; now: number },
): Promise<void> => {
  const fold = { events: [], quarantined: 0 };
  const plan = {
    own: [],
    removed: [],
    lifted: [],
    added: [],
    relabelled: [],
    adopted: [],
    blocks: [],
    conflicts: [],
    isShared: false,
    explained: [],
  };
  const after = afterFetch(feed, {
    listing,
    evaluated: { reading: {}, echoes: feed.echoes ?? 0, waits: false, ...evaluated, fold },
    plan,
    remote,
    now,
  });
  const { imported, explained = 0 } = feed;
  const kept = asItStands({ ...after, imported, explained }, feed);
  if (evaluated && evaluated.given.length > 0) await table.transact([kept, ...evaluated.given]);
  else await table.put(kept);
};

/** Another writer came between: the feed is due at once, unless another run has it. */
const release = async ({ table }: FeedDependencies, feed: FollowedFeed): Promise<void> => {
  if (!feed.reading) return;
  const { reading: _, ...rest } = feed;
  try {
    await table.put(asItStands({ ...rest, version: feed.version + 1, lease_until: 0 }, feed));
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
  }
};

const asItStands = (after: FollowedFeed, before: FollowedFeed): Write =>
  put(FollowedFeedEntity, after, { when: equals('version', before.version) });

/** Records the error; emits an event for a feed that is stale by now in the same transaction, once until it is read again (D94). */
const keepFailure = async (
  { table, clock }: FeedDependencies,
  { reading: _, ...feed }: FollowedFeed,
  problem: string,
): Promise<undefined> => {
  const now = clock.now();
  const failures = feed.failures + 1;
  const failed = {
    ...feed,
    version: feed.version + 1,
    lease_until: 0,
    failures,
    problem,
    next_sync_at: nextSync(now, failures),
  };
  const isNewlyStale = feed.state === 'FOLLOWING' && feed.stale_notified !== true && isStale(feed, now);
  try {
    if (isNewlyStale)
      await table.transact([asItStands({ ...failed, stale_notified: true }, feed), stale(clock, failed)]);
    else await table.put(asItStands(failed, feed));
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
  }
  return undefined;
};

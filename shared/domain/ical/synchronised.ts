import { instantText } from '../../platform/time/clock.ts';
import type { Dependencies } from '../../platform/context.ts';
import { minuteMs, today, toLocal } from '../../platform/time/time.ts';
import { overlaps } from '../calendar/model.ts';
import type { Listing } from '../listing/model.ts';
import { applyBlocks, Outdated } from './apply-blocks.ts';
import type { EvaluatedFeed } from './evaluate-feed.ts';
import type { RemoteText } from './fetch-calendar.ts';
import type { FeedConflict, FollowedFeed } from './ical.store.ts';
import { isToFollow } from './adopted-stays.ts';
import { type FeedBlockPlan, planFeedBlocks } from './plan-feed-blocks.ts';

type Deps = Pick<Dependencies, 'table' | 'clock'>;

/** Due feeds are queried every minute, so a feed is fetched nine to ten minutes after the last time (D64). */
const betweenMs = 9 * minuteMs;
/** The delays after the first failure in a row, the second, and each further one (D94). */
const retryMinutes = [10, 20, 30];
const mostConflicts = 50;

/** Returns when a feed is due again: after ten minutes; a failing one after 10, 20 and then every 30 minutes (D94). */
export const nextSync = (now: number, failures: number): number =>
  now +
  (failures === 0 ? betweenMs : (retryMinutes[Math.min(failures, retryMinutes.length) - 1] ?? 0) * minuteMs);

/**
 * Returns the inputs of reading besides the text. The day is one, since events end and others come within the horizon; rooms are,
 * since what they explain leaves the house with them.
 */
export const readingOf = (listing: Listing, now: number): string =>
  [
    today(now, listing.timezone),
    listing.timezone,
    listing.standard_check_in_time,
    listing.standard_check_out_time,
    ...listing.child_listing_ids,
  ].join(' ');

interface GoodFetch {
  listing: Listing;
  evaluated: Pick<EvaluatedFeed, 'reading' | 'fold' | 'echoes' | 'waits' | 'revision'>;
  plan: FeedBlockPlan;
  remote: RemoteText | undefined;
  now: number;
}

/** Returns a feed after a good fetch whose blocks are, or will be, those of the plan. */
export const afterFetch = (
  feed: FollowedFeed,
  { listing, evaluated, plan, remote, now }: GoodFetch,
): FollowedFeed => {
  const { reading, fold, echoes, waits, revision } = evaluated;
  const { conflicts, isShared, explained } = plan;
  const blocks = [...plan.blocks, ...plan.adopted.map(({ entry }) => entry)];
  const { reading: _, ...rest } = feed;
  const isPending = waits || fold.quarantined > 0 || fold.events.some(({ misses }) => misses > 0);
  return {
    ...rest,
    ...(remote
      ? { etag: remote.etag, last_modified: remote.last_modified, fingerprint: remote.fingerprint }
      : {}),
    ...reading,
    ...(revision === undefined ? {} : { revision }),
    version: feed.version + 1,
    lease_until: 0,
    next_sync_at: nextSync(now, 0),
    last_synced_at: instantText(now),
    failures: 0,
    problem: null,
    stale_notified: false,
    read_as: readingOf(listing, now),
    settled: conflicts.length === 0 && !isShared && !isPending,
    imported: fold.events.filter((event) => blocks.some((block) => overlaps(event, block))).length,
    echoes,
    explained: fold.events.filter((event) => explained.some((time) => overlaps(event, time))).length,
    conflicts: conflicts.slice(0, mostConflicts),
    shared: isShared,
    quarantined: fold.quarantined,
  };
};

/** Lets adopted stays follow their events. */
export type FollowStays = (
  deps: Deps,
  work: { listing: Listing; feed: FollowedFeed; plan: FeedBlockPlan },
) => Promise<{ isChanged: boolean; astray: FeedConflict[]; isLeft?: boolean }>;

/** Functions of the API may not write bookings for what strangers send: the next synchronisation does it. */
const leftToSync: FollowStays = async ({ clock }, { listing, feed, plan }) => {
  const now = toLocal(clock.now(), listing.timezone);
  const isLeft = plan.adopted.some((one) => feed.state === 'REMOVING' || isToFollow(one, { feed, now }));
  return { isChanged: false, astray: [], isLeft };
};

const mostRounds = 8;

/**
 * Plans and applies blocks until nothing is left to do. Bookings that come in between are found by the next plan, and are
 * conflicts then; what is still open after some rounds is left to the next synchronisation.
 */
export const converge = async (
  deps: Deps,
  {
    listing,
    feed,
    events,
  }: { listing: Listing; feed: FollowedFeed; events: EvaluatedFeed['fold']['events'] },
  follow: FollowStays = leftToSync,
): Promise<{ plan: FeedBlockPlan; isComplete: boolean }> => {
  for (let round = 1; ; round++) {
    const plan = await planFeedBlocks(deps, { listing, feed, events });
    try {
      const { isChanged, astray, isLeft = false } = await follow(deps, { listing, feed, plan });
      plan.conflicts.unshift(...astray);
      const left = plan.added.length + plan.removed.length + plan.relabelled.length;
      if (!isChanged && left === 0) return { plan, isComplete: !isLeft };
      if (round === mostRounds) return { plan, isComplete: false };
      // What has moved left blocks behind, which the next plan lifts.
      if (!isChanged) await applyBlocks(deps, { listing, feed, plan });
    } catch (error) {
      if (!(error instanceof Outdated)) throw error;
    }
  }
};

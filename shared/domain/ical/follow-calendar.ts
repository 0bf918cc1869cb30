import { randomInt } from 'node:crypto';
import type { UserCaller } from '../../platform/auth.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Context } from '../../platform/context.ts';
import { invalid, ServiceError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { outgoingUrl, refusalAt } from '../../platform/outgoing/index.ts';
import {
  absent,
  change,
  ConflictError,
  create,
  equals,
  put,
  retryOnConflict,
  type Write,
} from '../../platform/table/index.ts';
import { hostedListing, type Listing, ListingEntity } from '../listing/model.ts';
import { Overtaken } from './apply-blocks.ts';
import { withSettings } from './change-feed.ts';
import { type EvaluatedFeed, evaluateFeed } from './evaluate-feed.ts';
import { exportAddress, newExport } from './feed-exports.ts';
import { type FetchCalendar, remoteText, type RemoteText } from './fetch-calendar.ts';
import type { CalendarFeed, FeedChange, FollowRequest } from './ical.schema.ts';
import {
  FeedExportEntity,
  feedShards,
  feedsOf,
  type FollowedFeed,
  FollowedFeedEntity,
  leaseMs,
  urlHash,
} from './ical.store.ts';
import { presentFeed } from './list-feeds.ts';
import { type FeedBlockPlan, planFeedBlocks } from './plan-feed-blocks.ts';
import { FeedProblem } from './reading/components.ts';
import { readFeed } from './reading/read-feed.ts';
import { feedReports, readInPart } from './report-feed.ts';
import { afterFetch, converge } from './synchronised.ts';

/** The number of calendars that a listing may follow; more is VALIDATION_ERROR. */
const mostFeeds = 20;

/** No fetch begins later than this after the first: it takes 10 seconds at most, and an API function has 28. */
const refetchMs = 12_000;

interface Outgoing {
  fetchCalendar: FetchCalendar;
  apiUrl: string;
}

interface Followed {
  listing: Listing;
  /** As committed, before its blocks. */
  feed: FollowedFeed;
  evaluated: EvaluatedFeed;
  remote: RemoteText;
  body: CalendarFeed;
}

/**
 * Follows a calendar of another platform and synchronises it for the first time (D64). The same address again is the same feed,
 * synchronised at once; a host who adds it while it is in quarantine says that it is right, and what vanished is freed. An
 * address that is refused, does not answer or is no calendar is VALIDATION_ERROR, and nothing is kept.
 */
export const followCalendar = async (
  ctx: Context<UserCaller>,
  listingId: number,
  input: FollowRequest,
  { fetchCalendar, apiUrl }: Outgoing,
): Promise<CalendarFeed> => {
  const { id } = await hostedListing(ctx, listingId, 'manage');
  const url = addressOf(input.url);
  if (url.startsWith(`${apiUrl}/api/v1/listings/${id}/calendar.ics`))
    throw invalid({ path: 'url', message: "url is the listing's own calendar" });
  const fetchFor = fetcherOf(ctx, fetchCalendar, url);
  const followed = await retryOnConflict(async () => {
    const { url: _, ...settings } = input;
    const place = { ...(await placeOf(ctx, id, url)), settings };
    const remote = await fetchFor(place.known);
    return commitFeed(ctx, { ...place, url, remote, apiUrl });
  });
  await bringIn(ctx, followed);
  return followed.body;
};

const addressOf = (text: string): string => {
  try {
    // Plain http passes here; the fetch itself checks it.
    const url = outgoingUrl(text, { local: true });
    url.hash = '';
    return url.href;
  } catch (error) {
    throw refusalAt('url', error);
  }
};

interface Place {
  listing: Listing;
  /** The feed of the address; undefined: it is not followed yet. */
  known: FollowedFeed | undefined;
  /** What the request says of it. */
  settings: FeedChange;
}

const placeOf = async (
  ctx: Context<UserCaller>,
  id: number,
  url: string,
): Promise<Omit<Place, 'settings'>> => {
  const listing = await hostedListing(ctx, id, 'manage');
  const feeds = await feedsOf(ctx.table, id);
  const hash = urlHash(url);
  const known = feeds.find((feed) => feed.url_hash === hash);
  if (!known && feeds.length >= mostFeeds)
    throw invalid({ path: 'url', message: `a listing follows at most ${mostFeeds} calendars` });
  return { listing, known };
};

/**
 * Returns a function that fetches the calendar after its feed was read, and again for another version of the feed: a text
 * from before a synchronisation would undo what that has brought.
 */
const fetcherOf = ({ clock }: Context, fetchCalendar: FetchCalendar, url: string) => {
  const startedAt = clock.now();
  let last: { version: number | undefined; remote: RemoteText } | undefined;
  return async (known: FollowedFeed | undefined): Promise<RemoteText> => {
    if (last && last.version === known?.version) return last.remote;
    if (clock.now() - startedAt > refetchMs)
      throw new ServiceError('SERVICE_UNAVAILABLE', undefined, {}, { retryAfterSeconds: 1 });
    const remote = await remoteText(fetchCalendar, url).catch((error: unknown) => {
      throw refusalAt('url', error);
    });
    if (!remote) throw new Error('an unconditional fetch was not answered');
    last = { version: known?.version, remote };
    return remote;
  };
};

/**
 * Writes the feed with its answer before its blocks: a request that is repeated with its key is answered here and changes
 * nothing, and if this process dies, the feed is due and the next synchronisation goes on.
 */
const commitFeed = async (
  ctx: Context<UserCaller>,
  {
    listing,
    known,
    settings,
    url,
    remote,
    apiUrl,
  }: Place & { url: string; remote: RemoteText; apiUrl: string },
): Promise<Followed> => {
  const now = ctx.clock.now();
  const started: FollowedFeed = {
    ...withSettings(known ?? newFeed(ctx, listing, { url, url_hash: urlHash(url) }), settings),
    state: 'FOLLOWING',
  };
  const word = {
    confirmed: known === undefined || known.state === 'REMOVING' || known.quarantined > 0,
    anew: true,
  };
  const reading = readingOf(remote, listing, now);
  const evaluated = await evaluateFeed(ctx, { listing, feed: started, reading }, word);
  const { events } = evaluated.fold;
  const plan: FeedBlockPlan = await planFeedBlocks(ctx, { listing, feed: started, events });
  const after = afterFetch(started, { listing, evaluated, plan, remote, now });
  const feed = { ...after, settled: false, next_sync_at: now, lease_until: now + leaseMs };
  const when = known ? equals('version', known.version) : absent();
  const follower = evaluated.follower ?? newExport(ctx, started);
  const made = evaluated.follower ? [] : [create(FeedExportEntity, follower)];
  const body = await ctx.commit(
    [
      put(FollowedFeedEntity, feed, { when }),
      ...(known ? [] : [countAddition(listing)]),
      ...evaluated.contents,
      ...evaluated.given,
      ...made,
      ...feedReports(ctx.clock, known, feed),
      ...(known ? [] : readInPart(ctx.clock, feed)),
    ],
    presentFeed(after, { now, export_url: exportAddress(apiUrl, listing.id, follower.token) }),
  );
  return { listing, feed, evaluated, remote, body };
};

/** Of two calendars that are added at once the second counts again: the feeds were counted after the listing was read. */
const countAddition = (listing: Listing): Write =>
  change(
    ListingEntity,
    listing,
    { set: { version: listing.version + 1 } },
    { when: equals('version', listing.version) },
  );

const readingOf = ({ text }: RemoteText, listing: Listing, now: number) => {
  try {
    return readFeed(text, listing, now);
  } catch (error) {
    if (error instanceof FeedProblem) throw invalid({ path: 'url', message: `url ${error.message}` });
    throw error;
  }
};

const newFeed = (
  { clock }: Context,
  { id, team_id }: Listing,
  address: { url: string; url_hash: string },
): FollowedFeed => ({
  ...address,
  listing_id: id,
  feed_id: newId(clock),
  team_id,
  state: 'FOLLOWING',
  // Of a feed that is followed again no version is one of the feed before.
  version: randomInt(2 ** 40),
  shard: randomInt(feedShards),
  next_sync_at: clock.now(),
  lease_until: 0,
  last_synced_at: null,
  failures: 0,
  problem: null,
  etag: null,
  last_modified: null,
  settled: false,
  read_as: '',
  imported: 0,
  conflicts: [],
  shared: false,
  quarantined: 0,
  created_at: instantText(clock.now()),
});

/** The blocks of a feed that was just committed; a synchronisation that overtakes it imports them instead. */
const bringIn = async (ctx: Context, { listing, feed, evaluated, remote }: Followed): Promise<void> => {
  try {
    const { plan, isComplete } = await converge(ctx, { listing, feed, events: evaluated.fold.events });
    const after = afterFetch(feed, { listing, evaluated, plan, remote, now: ctx.clock.now() });
    const due = isComplete ? {} : { settled: false, next_sync_at: ctx.clock.now() };
    const done = { ...after, ...due };
    await ctx.table.transact([
      put(FollowedFeedEntity, done, { when: equals('version', feed.version) }),
      ...feedReports(ctx.clock, feed, done),
    ]);
  } catch (error) {
    if (error instanceof Overtaken || error instanceof ConflictError) return;
    throw error;
  }
};

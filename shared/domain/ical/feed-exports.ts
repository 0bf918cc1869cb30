import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { instantText } from '../../platform/time/clock.ts';
import type { Context, Dependencies } from '../../platform/context.ts';
import { all, conditionCheck, create, equals, readOf, retryOnConflict } from '../../platform/table/index.ts';
import {
  type FeedExport,
  FeedExportEntity,
  type FeedToken,
  FeedTokenEntity,
  type FollowedFeed,
  FollowedFeedEntity,
} from './ical.store.ts';

export const newToken = (): string => randomBytes(24).toString('base64url');

/** The token of a followed feed's own export; it begins with the feed's id. */
export const newFeedToken = (feedId: number): string => `${feedId.toString(36)}.${newToken()}`;

/** Returns the feed that a token names; undefined for the listing's general token. */
export const feedOfToken = (token: string | undefined): number | undefined => {
  const [, feed] = /^([\da-z]{1,11})\./.exec(token ?? '') ?? [];
  return feed === undefined ? undefined : Number.parseInt(feed, 36);
};

/** The address of a listing's calendar with a token. */
export const exportAddress = (apiUrl: string, listingId: number, token: string): string =>
  `${apiUrl}/api/v1/listings/${listingId}/calendar.ics?token=${token}`;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Returns whether the token opens the feed. Compares in constant time. */
export const opens = (feed: Pick<FeedToken, 'token'> | undefined, token: string | undefined): boolean => {
  const same = timingSafeEqual(digest(token ?? ''), digest(feed?.token ?? ''));
  return same && feed !== undefined && token !== undefined;
};

/** The feed token of a listing, created at first use; concurrent callers get the same one. */
export const tokenOf = (
  { table, clock }: Pick<Context, 'table' | 'clock'>,
  listingId: number,
): Promise<string> =>
  retryOnConflict(async () => {
    const known = await table.get(FeedTokenEntity, { listing_id: listingId });
    if (known) return known.token;
    const made = { listing_id: listingId, token: newToken(), created_at: instantText(clock.now()) };
    await table.transact([create(FeedTokenEntity, made)]);
    return made.token;
  });

type Deps = Pick<Dependencies, 'table' | 'clock'>;

/** Returns the export of a feed whose follower has not fetched yet. */
export const newExport = (
  { clock }: Pick<Deps, 'clock'>,
  { listing_id, feed_id }: Pick<FollowedFeed, 'listing_id' | 'feed_id'>,
): FeedExport => ({
  listing_id,
  feed_id,
  token: newFeedToken(feed_id),
  given: [],
  version: 1,
  created_at: instantText(clock.now()),
});

/** Returns the exports of feeds in their order, undefined for a feed without one. */
export const exportsOf = (
  { table }: Pick<Deps, 'table'>,
  feeds: readonly FollowedFeed[],
): Promise<(FeedExport | undefined)[]> => table.getAll(feeds.map((feed) => readOf(FeedExportEntity, feed)));

/** The token of a feed's export; one that was followed before there were any gets it now. Undefined: it is followed no more. */
export const exportTokenOf = (
  deps: Deps,
  feed: FollowedFeed,
  read: FeedExport | undefined,
): Promise<string | undefined> => {
  let known = read;
  return retryOnConflict(async () => {
    if (known) return known.token;
    const [current, followed] = await Promise.all([
      deps.table.get(FeedExportEntity, feed),
      deps.table.get(FollowedFeedEntity, feed),
    ]);
    known = current;
    if (known) return known.token;
    if (followed?.state !== 'FOLLOWING' || followed.feed_id !== feed.feed_id) return undefined;
    const made = newExport(deps, feed);
    const isFollowed = conditionCheck(FollowedFeedEntity, feed, {
      when: all(equals('state', 'FOLLOWING'), equals('feed_id', feed.feed_id)),
    });
    await deps.table.transact([create(FeedExportEntity, made), isFollowed]);
    return made.token;
  });
};

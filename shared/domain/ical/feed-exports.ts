import { instantText } from '../../platform/clock.ts';
import type { Dependencies } from '../../platform/context.ts';
import { create, equals, conditionCheck, retryOnConflict } from '../../platform/table/index.ts';
import { type FeedExport, FeedExportEntity } from './feed-export.entity.ts';
import { newFeedToken } from './feed-token.ts';
import { type FollowedFeed, FollowedFeedEntity } from './followed-feed.entity.ts';

type Deps = Pick<Dependencies, 'table' | 'clock'>;

/** The export of a feed whose follower was given nothing yet. */
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

/** The exports of feeds in their order, undefined for one that has none. */
export const exportsOf = async (
  { table }: Pick<Deps, 'table'>,
  feeds: readonly FollowedFeed[],
): Promise<(FeedExport | undefined)[]> =>
  (await table.getAll(feeds.map((feed) => ({ key: FeedExportEntity.key(feed) })))) as unknown as (
    FeedExport | undefined
  )[];

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
    const isFollowed = conditionCheck(FollowedFeedEntity, feed, { when: equals('state', 'FOLLOWING') });
    await deps.table.transact([create(FeedExportEntity, made), isFollowed]);
    return made.token;
  });
};

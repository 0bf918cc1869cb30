import { defineEntity } from '../../platform/table/index.ts';

/**
 * The export of a listing's calendar for the follower behind one followed feed, and what that follower was given of it:
 * how its own feed's echoes are recognised (D94). Kept apart from the feed, which is written at every poll.
 */
export interface FeedExport {
  listing_id: number;
  feed_id: number;
  /** What opens it, readable as {@link FeedToken} is; it begins with the feed's id. */
  token: string;
  /** As `givenText` writes them; several thousand at most. */
  given: string[];
  /** Every write checks and bumps it. */
  version: number;
  /** UTC. */
  created_at: string;
}

export const FeedExportEntity = defineEntity<FeedExport, Pick<FeedExport, 'listing_id' | 'feed_id'>>({
  name: 'FeedExport',
  meaning: 'The secret in the export address of one followed calendar, and what its follower was given.',
  patterns: [
    'may this follower read the calendar?',
    'what was a follower given? (one BatchGet for all feeds)',
  ],
  key: ({ listing_id, feed_id }) => ({ pk: `FEED#${listing_id}`, sk: `EXPORT#${feed_id}` }),
  example: { listing_id: 1, feed_id: 6 },
});

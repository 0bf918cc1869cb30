import { defineEntity } from '../../platform/table/index.ts';

/**
 * What opens the export of a listing's calendar. It is kept readable, since the host is shown the address again, and it
 * opens nothing but hours without names; giving the listing another one closes the old address.
 */
export interface FeedToken {
  listing_id: number;
  token: string;
  /** UTC. */
  created_at: string;
}

export const FeedTokenEntity = defineEntity<FeedToken, Pick<FeedToken, 'listing_id'>>({
  name: 'FeedToken',
  meaning: "The secret in the address of a listing's calendar export.",
  patterns: ['may this subscriber read the calendar?', 'the export address, for the host'],
  key: ({ listing_id }) => ({ pk: `FEED#${listing_id}`, sk: 'TOKEN' }),
  example: { listing_id: 1 },
});

/** How often the exports of a calendar have changed, and when last. A parent and its children share it as they share hours. */
export interface FeedRevision {
  calendar_id: number;
  revision: number;
  /** UTC. */
  changed_at: string;
}

export const FeedRevisionEntity = defineEntity<FeedRevision, Pick<FeedRevision, 'calendar_id'>>({
  name: 'FeedRevision',
  meaning: 'When the exports of a calendar changed last.',
  patterns: ['since when does the export stand as it is?'],
  key: ({ calendar_id }) => ({ pk: `FEED#${calendar_id}`, sk: 'REVISION' }),
  example: { calendar_id: 1 },
});

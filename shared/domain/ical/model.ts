export { calendarEvents } from './calendar.events.ts';
export {
  conflictsOf,
  dueFeeds,
  eventKeyAt,
  FeedConflictsEntity,
  feedsOf,
  FeedContentsEntity,
  FeedExportEntity,
  type FeedIds,
  FeedRevisionEntity,
  feedShards,
  FeedTokenEntity,
  type FollowedFeed,
  FollowedFeedEntity,
} from './ical.store.ts';
export { isBlockText } from './imported-stay.rules.ts';
export { isStale } from './stale-feed.rules.ts';

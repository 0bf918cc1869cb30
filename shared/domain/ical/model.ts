export { calendarEvents } from './calendar.events.ts';
export {
  conflictsOf,
  dueFeeds,
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
export { eventKeyAt } from './kept-events.ts';
export { isStale } from './stale-feed.rules.ts';

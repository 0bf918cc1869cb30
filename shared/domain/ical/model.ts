export { calendarEvents } from './calendar.events.ts';
export { CalendarConflict } from './ical.schema.ts';
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
export { isStale } from './list-feeds.ts';

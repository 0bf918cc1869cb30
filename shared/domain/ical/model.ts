export { calendarFeedEvents } from './calendar-feed.events.ts';
export {
  dueFeeds,
  FeedContentsEntity,
  FeedExportEntity,
  type FeedIds,
  FeedRevisionEntity,
  feedShards,
  FeedTokenEntity,
  type FollowedFeed,
  FollowedFeedEntity,
} from './ical.store.ts';

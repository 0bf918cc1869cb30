export { calendarFeedEvents } from './calendar-feed.events.ts';
export {
  dueFeeds,
  FeedContentsEntity,
  FeedExportEntity,
  type FeedIds,
  FeedRevisionEntity,
  feedShards,
  FeedTokenEntity,
  FollowedFeedEntity,
} from './ical.store.ts';
